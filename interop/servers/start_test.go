package main

import (
	"context"
	"errors"
	"net"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// The servers here are this test program itself, told by its environment what to be.

func TestMain(m *testing.M) {
	switch os.Getenv("SERVERS_TEST") {
	case "listen":
		listener, err := net.Listen("tcp", "127.0.0.1:"+os.Getenv("SERVERS_TEST_PORT"))
		if err != nil {
			os.Exit(3)
		}
		time.AfterFunc(time.Minute, func() { os.Exit(4) }) // a signal ends it long before
		for {
			if conn, err := listener.Accept(); err == nil {
				_ = conn.Close()
			}
		}
	case "end":
		_, _ = os.Stderr.WriteString("no such flag\n")
		os.Exit(2)
	}
	goleak.VerifyTestMain(m)
}

func self(what string) func(port string) command {
	return func(port string) command {
		return command{args: []string{os.Args[0]}, env: []string{"SERVERS_TEST=" + what, "SERVERS_TEST_PORT=" + port}}
	}
}

func TestStartAndStop(t *testing.T) {
	address, stop, err := start(t.Context(), self("listen"))
	require.NoError(t, err)
	conn, err := net.Dial("tcp", address)
	require.NoError(t, err)
	require.NoError(t, conn.Close())
	stop()
	_, err = net.Dial("tcp", address)
	assert.Error(t, err)
}

func TestAServerThatDoesNotStart(t *testing.T) {
	_, _, err := start(t.Context(), self("end"))
	assert.ErrorContains(t, err, "it ended before it listened")
	assert.ErrorContains(t, err, "no such flag")
	_, _, err = start(t.Context(), func(string) command { return command{args: []string{"/no/such/program"}} })
	assert.Error(t, err)
}

func TestStartEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err := start(ctx, self("listen"))
	assert.True(t, errors.Is(err, context.Canceled), "%v", err)
}
