package stdio_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/transport/internal/transporttest"
	"github.com/parley-mcp/parley/transport/stdio"
)

// How a pipe ends: by its input, its output or its context, and with calls in flight.

func TestEnd(t *testing.T) { // D-07: with calls in flight
	each(t, all, func(t *testing.T, revision string) {
		t.Run("they are answered", func(t *testing.T) {
			p := connect(t, transporttest.New(t, nil), stdio.Options{}, append(opening(revision), tool(revision, "1", "slow", ""))...)
			receive(t, p.Entered, "the call runs")
			require.NoError(t, p.in.Close())
			p.Release()
			assert.Contains(t, string(response(t, p.rest(), "1").Result), "released")
			assert.NoError(t, receive(t, p.ended, "the server ends"))
		})
		t.Run("for a while", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := transporttest.New(t, nil)
				began := time.Now()
				got := talk(t, f, stdio.Options{Linger: time.Second}, append(opening(revision), tool(revision, "1", "slow", ""))...)
				assert.Equal(t, time.Second, time.Since(began))
				assert.ErrorIs(t, <-f.Ended, context.Canceled)
				assert.Contains(t, string(response(t, got, "1").Result), `"isError":true`)
			})
		})
		t.Run("and not for ever", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := transporttest.New(t, nil)
				began := time.Now()
				got := talk(t, f, stdio.Options{Linger: time.Second}, append(opening(revision), progressing(revision, "1", "stubborn", "1"))...)
				assert.Equal(t, 2*time.Second, time.Since(began))
				assert.Contains(t, string(got[len(got)-1].Params), "first")
				f.Release() // what it still says is dropped
				assert.Error(t, <-f.Sent)
			})
		})
	})
}

func TestContextEnds(t *testing.T) {
	each(t, all, func(t *testing.T, revision string) {
		for range 20 { // whatever is first
			p := connect(t, transporttest.New(t, nil), stdio.Options{}, append(opening(revision), tool(revision, "1", "slow", ""))...)
			receive(t, p.Entered, "the call runs")
			p.cancel()
			assert.ErrorIs(t, receive(t, p.ended, "the server ends"), context.Canceled)
			assert.ErrorIs(t, receive(t, p.Ended, "the call is cancelled"), context.Canceled)
		}
	})
}

func TestContextEndsUnderLoad(t *testing.T) {
	f := transporttest.New(t, nil)
	for range 50 {
		p := connect(t, f, stdio.Options{}, initialize(nov))
		go func() {
			line := progressing(nov, "1", "steps", "1") + "\n" + initialize(nov) + "\n" + request(nov, "2", "logging/setLevel", `"level":"error"`) + "\n"
			for {
				if _, err := io.WriteString(p.in, line); err != nil {
					return
				}
			}
		}()
		p.next()
		p.cancel()
		assert.ErrorIs(t, receive(t, p.ended, "the server ends"), context.Canceled)
		p.rest()
		_ = p.in.Close()
	}
}

var errBroken = errors.New("broken pipe")

// brokenAfter fails once it has taken some writes.
type brokenAfter struct{ left int }

func (b *brokenAfter) Write(p []byte) (int, error) {
	if b.left--; b.left < 0 {
		return 0, errBroken
	}
	return len(p), nil
}

func TestOutputBreaks(t *testing.T) {
	each(t, all, func(t *testing.T, revision string) {
		for writes := range 4 {
			f := transporttest.New(t, nil)
			in, w := io.Pipe()
			ended := make(chan error, 1)
			go func() {
				ended <- stdio.Serve(context.Background(), f.Server, in, &brokenAfter{writes}, stdio.Options{})
			}()
			go func() {
				for _, l := range append(opening(revision), tool(revision, "0", "slow", ""), progressing(revision, "1", "steps", "1"), progressing(revision, "2", "steps", "2")) {
					if _, err := io.WriteString(w, l+"\n"); err != nil {
						return
					}
				}
			}()
			assert.ErrorIs(t, receive(t, ended, "the server ends"), errBroken)
			_ = w.CloseWithError(io.ErrClosedPipe)
			_ = in.Close()
		}
	})
}

func TestOutputStalls(t *testing.T) { // a client that does not read
	for name, c := range map[string]struct {
		lines []string
		calls int
	}{
		"calls that speak":    {[]string{progressing(modern, "1", "flood", "1"), progressing(modern, "2", "flood", "2")}, 2},
		"an answer in a call": {[]string{tool(modern, "1", "echo", "")}, 0},
		"initialize":          {[]string{initialize(nov), tool(nov, "1", "echo", "")}, 0},
		"a refusal":           {[]string{"{", "{"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			f := transporttest.New(t, nil)
			in, w := io.Pipe()
			out, stalled := io.Pipe()
			ctx, cancel := context.WithCancel(context.Background())
			ended := make(chan error, 1)
			go func() { ended <- stdio.Serve(ctx, f.Server, in, stalled, stdio.Options{Linger: time.Millisecond}) }()
			sent := make(chan struct{})
			go func() {
				defer close(sent)
				_, _ = io.WriteString(w, strings.Join(c.lines, "\n")+"\n")
			}()
			for range c.calls {
				receive(t, f.Entered, "a call runs")
			}
			cancel()
			assert.ErrorIs(t, receive(t, ended, "the server ends"), context.Canceled)
			_ = in.Close()
			_ = out.Close() // and with it the write that hangs
			for range c.calls {
				assert.Error(t, receive(t, f.Sent, "what is still said is dropped"))
			}
			<-sent
		})
	}
}

func TestInputBreaks(t *testing.T) {
	f := transporttest.New(t, nil)
	in, w := io.Pipe()
	var out bytes.Buffer
	ended := make(chan error, 1)
	go func() { ended <- stdio.Serve(context.Background(), f.Server, in, &out, stdio.Options{}) }()
	_, err := io.WriteString(w, request(modern, "1", "tools/list", "")+"\n")
	require.NoError(t, err)
	_ = w.CloseWithError(errBroken)
	assert.ErrorIs(t, receive(t, ended, "the server ends"), errBroken)
	assert.Len(t, readLines(t, out.String()), 1, "what had come is answered")
}

func TestCallTimeout(t *testing.T) {
	each(t, all, func(t *testing.T, revision string) {
		synctest.Test(t, func(t *testing.T) {
			f := transporttest.New(t, nil)
			got := talk(t, f, stdio.Options{CallTimeout: time.Second, Linger: time.Minute}, append(opening(revision), tool(revision, "1", "slow", ""))...)
			assert.ErrorIs(t, <-f.Ended, context.DeadlineExceeded)
			assert.Contains(t, string(response(t, got, "1").Result), `"isError":true`, "the client gets an answer")
		})
	})
}

func TestOptionsThatAreWrong(t *testing.T) {
	f := transporttest.New(t, nil)
	for _, o := range []stdio.Options{{MaxLine: -1}, {MaxDepth: -1}, {MaxBatch: -1}, {MaxCalls: -1}, {Linger: -1}} {
		assert.ErrorContains(t, stdio.Serve(t.Context(), f.Server, strings.NewReader(""), io.Discard, o), "negative")
	}
}
