package server_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
)

func TestMiddlewareOrder(t *testing.T) {
	var steps []string
	named := func(name string) server.Middleware {
		return func(next server.Handler) server.Handler {
			return func(ctx context.Context, c *server.Call) (protocol.Result, error) {
				steps = append(steps, name+" in")
				r, err := next(ctx, c)
				steps = append(steps, name+" out")
				return r, err
			}
		}
	}
	s := newServer(t, server.Options{Middleware: []server.Middleware{named("outer"), named("inner")}})
	require.NoError(t, server.AddTool(s, server.Tool{Name: "t"}, func(context.Context, *server.Call, struct{}) (string, error) {
		steps = append(steps, "tool")
		return "", nil
	}))
	eachRevision(t, s, func(t *testing.T, p *peer) {
		steps = nil
		p.call("t", "{}")
		assert.Equal(t, []string{"outer in", "inner in", "tool", "inner out", "outer out"}, steps)
		steps = nil
		p.fails("prompts/list", "{}")
		assert.Equal(t, []string{"outer in", "inner in", "inner out", "outer out"}, steps, "all methods pass it")
	})
}

// TestMiddlewareSeesTheCall: what it needs to tell requests apart is in the Call.
func TestMiddlewareSeesTheCall(t *testing.T) {
	seen := map[string]string{}
	s := newServer(t, server.Options{Middleware: []server.Middleware{func(next server.Handler) server.Handler {
		return func(ctx context.Context, c *server.Call) (protocol.Result, error) {
			if p, ok := c.Params().(*protocol.CallToolParams); ok {
				seen[p.Name] = c.Principal() + " at " + string(c.Revision())
				if p.Name == "forbidden" {
					return nil, &protocol.Error{Kind: protocol.KindApplication, Code: 1, Message: "forbidden"}
				}
			}
			return next(ctx, c)
		}
	}}})
	addTools(t, s, "t", "forbidden")
	eachRevision(t, s, func(t *testing.T, p *peer) {
		p.in.Principal = "ada"
		p.call("t", "{}")
		assert.Equal(t, "ada at "+string(p.in.Codec.Features().Revision), seen["t"])
		assert.Equal(t, 1, p.fails("tools/call", `{"name":"forbidden"}`).Code)
	})
}

// TestMiddlewareMayChangeResults: what it makes of a list for one client is not what the next one gets.
func TestMiddlewareMayChangeResults(t *testing.T) {
	s := newServer(t, server.Options{
		Instructions: "for all",
		Middleware: []server.Middleware{func(next server.Handler) server.Handler {
			return func(ctx context.Context, c *server.Call) (protocol.Result, error) {
				r, err := next(ctx, c)
				if c.Principal() != "ada" {
					return r, err
				}
				switch r := r.(type) {
				case *protocol.ListToolsResult:
					r.Tools = slices.DeleteFunc(r.Tools, func(t *protocol.Tool) bool { return t.Name == "secret" })
				case *protocol.InitializeResult:
					r.Instructions = "for ada"
				case *protocol.DiscoverResult:
					r.Instructions = "for ada"
				}
				return r, err
			}
		}},
	})
	addTools(t, s, "secret", "open")
	eachRevision(t, s, func(t *testing.T, p *peer) {
		for range 2 {
			p.in.Principal = "ada"
			assert.Equal(t, []string{"open"}, p.tools())
			assert.Equal(t, "for ada", p.open()["instructions"])
			p.in.Principal = "bob"
			assert.Equal(t, []string{"secret", "open"}, p.tools())
			assert.Equal(t, "for all", p.open()["instructions"])
		}
	})
}

// TestPanics: the client learns nothing, the log everything, and the server goes on.
func TestPanics(t *testing.T) {
	logger, log := newLog()
	where := ""
	s := newServer(t, server.Options{Logger: logger, Middleware: []server.Middleware{func(next server.Handler) server.Handler {
		return func(ctx context.Context, c *server.Call) (protocol.Result, error) {
			if where == "middleware" {
				panic("secret cause")
			}
			return next(ctx, c)
		}
	}}})
	boom := func() {
		if where == "handler" {
			panic("secret cause")
		}
	}
	require.NoError(t, server.AddTool(s, server.Tool{Name: "t"}, func(context.Context, *server.Call, struct{}) (string, error) {
		boom()
		return "fine", nil
	}))
	eachRevision(t, s, func(t *testing.T, p *peer) {
		for _, where = range []string{"middleware", "handler"} {
			log.Reset()
			assert.Equal(t, protocol.Internal(), p.fails("tools/call", `{"name":"t"}`))
			assert.Contains(t, log.String(), "secret cause")
			assert.Contains(t, log.String(), "dispatch_test.go", "the stack shows where")
		}
		where = ""
		assert.Contains(t, p.call("t", "{}"), "fine")
	})
}

// TestErrorsGetOutOnce: a protocol error passes as it is, also wrapped; the text of any other is for the log alone.
func TestErrorsGetOutOnce(t *testing.T) {
	logger, log := newLog()
	var answer error
	s := newServer(t, server.Options{Logger: logger, Middleware: []server.Middleware{func(server.Handler) server.Handler {
		return func(context.Context, *server.Call) (protocol.Result, error) { return nil, answer }
	}}})
	p := newest(t, s)
	own := protocol.InvalidRequest("own")
	for _, answer = range []error{own, fmt.Errorf("wrapped: %w", own)} {
		assert.Same(t, own, p.fails("tools/list", "{}"))
	}
	assert.Empty(t, log.String())
	for _, answer = range []error{errors.New("secret cause"), nil} {
		assert.Equal(t, protocol.Internal(), p.fails("tools/list", "{}"))
	}
	assert.Contains(t, log.String(), "secret cause")
	assert.Contains(t, log.String(), "neither a result nor an error")

	log.Reset()
	answer = context.Canceled
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	_, failed := p.askWith(cancelled, "tools/list", "{}")
	assert.Equal(t, protocol.Internal(), failed)
	assert.Empty(t, log.String(), "a client that has gone is no failure")
}

// TestResultsAreNotMixedUp answers many at once, from what is kept and what is not.
func TestResultsAreNotMixedUp(t *testing.T) {
	s := newServer(t, server.Options{PageSize: 1})
	addTools(t, s, "a", "b")
	var asking sync.WaitGroup
	for range 4 {
		asking.Go(func() {
			p := newest(t, s)
			for range 100 {
				first, cursor := p.names("tools/list", "tools", "{}")
				second, _ := p.names("tools/list", "tools", after(t, cursor))
				assert.Equal(t, []string{"a", "b"}, append(first, second...))
				assert.Contains(t, p.call("b", "{}"), `"text":"b"`)
			}
		})
	}
	asking.Wait()
}
