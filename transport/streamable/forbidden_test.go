package streamable_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/transport/streamable"
)

const challenge = `Bearer error="insufficient_scope", scope="write"`

// forbidding serves a tool that needs what nobody has, and another that says something first and finds out then.
func forbidding(t *testing.T) *endpoint {
	t.Helper()
	forbidden := protocol.InvalidRequest("not you")
	forbidden.Challenge = challenge
	e := serve(t, streamable.Options{}, func(o *server.Options) {
		o.Allow = func(context.Context, []string) error { return forbidden }
	})
	require.NoError(t, errors.Join(
		server.AddTool(e.Server, server.Tool{Name: "closed", Scopes: []string{"write"}},
			func(context.Context, *server.Call, struct{}) (string, error) { return "open", nil }),
		server.AddTool(e.Server, server.Tool{Name: "late"},
			func(_ context.Context, c *server.Call, _ struct{}) (string, error) {
				return "", errors.Join(c.Progress(server.Progress{Done: 1}), forbidden)
			}),
	))
	return e
}

// A call for which who sends it has no leave is answered with 403 and what to ask for (2025-11-25
// basic/authorization#runtime-insufficient-scope-errors). The body is the error of the request, as for any other.
func TestForbidden(t *testing.T) {
	each(t, all, func(t *testing.T, revision string) {
		e := forbidding(t)
		l := e.open(revision)
		e.works(l)
		a := e.exchange(l.tool("7", "closed", "", ""))
		assert.Equal(t, 403, a.status)
		assert.Equal(t, challenge, a.header.Get("WWW-Authenticate"))
		assert.Equal(t, -32600, a.last(t).code())
		assert.Equal(t, "7", string(a.last(t).ID))

		a = e.exchange(l.tool("8", "late", "", `"progressToken":1`))
		assert.Equal(t, 200, a.status, "the stream has begun")
		assert.Equal(t, -32600, a.last(t).code())
		assert.Equal(t, 200, e.exchange(l.tool("9", "echo", `"text":"hi"`, "")).status, "the next call is another")
	})
}

// What else is in a batch is answered all the same, so that no client does it twice.
func TestForbiddenInABatch(t *testing.T) {
	e := forbidding(t)
	l := e.open(march)
	closed, _ := l.body("1", "tools/call", `"name":"closed","arguments":{}`, "")
	echo, _ := l.body("2", "tools/call", `"name":"echo","arguments":{"text":"hi"}`, "")
	a := e.exchange(l.send("[" + closed + "," + echo + "]"))
	assert.Equal(t, 200, a.status)
	assert.Empty(t, a.header.Get("WWW-Authenticate"))
	answers := a.messages(t)
	require.Len(t, answers, 2)
	assert.Equal(t, -32600, answers[0].code())
	assert.Zero(t, answers[1].code())
}
