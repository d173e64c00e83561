package launch

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// The servers here are this test program itself, told by an argument what to be.

func TestMain(m *testing.M) {
	switch os.Args[len(os.Args)-1] {
	case "be-a-server":
		fmt.Fprintln(os.Stderr, "starting")
		fmt.Fprintln(os.Stderr, "listening on http://127.0.0.1:4711/mcp")
		fmt.Fprintln(os.Stderr, "listening on http://127.0.0.1:4712/other")
		<-time.After(time.Minute) // a signal ends it long before
	case "be-a-long-line":
		fmt.Fprintln(os.Stderr, "listening on http://127.0.0.1:4711/mcp")
		fmt.Fprintln(os.Stderr, strings.Repeat("x", 1<<20))
		os.Exit(3)
	case "be-broken":
		fmt.Fprintln(os.Stderr, "no such port")
		os.Exit(2)
	}
	goleak.VerifyTestMain(m)
}

func TestServerStartsAndStops(t *testing.T) {
	s, err := Start(t.Context(), os.Args[0], "be-a-server")
	require.NoError(t, err)
	assert.Equal(t, "http://127.0.0.1:4711/mcp", s.URL)
	assert.NoError(t, s.Died())
	s.Stop()
	assert.ErrorContains(t, s.Died(), "signal: terminated")
	assert.ErrorContains(t, s.Died(), "starting\n")
	s.Stop() // once more does no harm
}

func TestServerEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s, err := Start(ctx, os.Args[0], "be-a-server")
	require.NoError(t, err)
	cancel()
	<-s.done
	assert.Error(t, s.Died())
}

func TestServerThatDoesNotStart(t *testing.T) {
	_, err := Start(t.Context(), os.Args[0], "be-broken")
	assert.ErrorContains(t, err, "exit status 2")
	assert.ErrorContains(t, err, "no such port")
	_, err = Start(t.Context(), "/no/such/program")
	assert.Error(t, err)
}

func TestServerWithALineTooLongToKeep(t *testing.T) {
	s, err := Start(t.Context(), os.Args[0], "be-a-long-line")
	require.NoError(t, err)
	<-s.done
	assert.ErrorContains(t, s.Died(), "exit status 3")
}
