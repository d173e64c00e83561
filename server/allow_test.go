package server_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
)

// Allow is asked for the scopes of a tool that has some, before anything of the call is looked at, and its error is the answer.
func TestAllow(t *testing.T) {
	var asked [][]string
	refused := protocol.InvalidRequest("no")
	refused.Challenge = "Bearer"
	s := newServer(t, server.Options{Allow: func(_ context.Context, scopes []string) error {
		asked = append(asked, scopes)
		return refused
	}})
	addTools(t, s, "open")
	ran := false
	require.NoError(t, server.AddTool(s, server.Tool{Name: "closed", Scopes: []string{"a", "b"}},
		func(context.Context, *server.Call, struct{ N int }) (string, error) { ran = true; return "", nil }))
	eachRevision(t, s, func(t *testing.T, p *peer) {
		asked = nil
		p.call("open", "{}")
		p.raw("tools/list", "{}")
		assert.Empty(t, asked)
		assert.NotContains(t, p.raw("tools/list", "{}"), "copes", "what a tool needs stays on the server")
		e := p.fails("tools/call", `{"name":"closed","arguments":{"N":"no number"}}`)
		assert.Equal(t, "Bearer", e.Challenge)
		assert.Equal(t, [][]string{{"a", "b"}}, asked)
		asked = nil
		assert.Equal(t, protocol.KindInvalidParams, p.fails("tools/call", `{"name":"missing"}`).Kind)
		assert.Empty(t, asked)
	})
	assert.False(t, ran)
}

// Scopes that nobody would ask for are a mistake that shows at once.
func TestScopesNeedAllow(t *testing.T) {
	s := newServer(t, server.Options{})
	err := server.AddTool(s, server.Tool{Name: "closed", Scopes: []string{"a"}},
		func(context.Context, *server.Call, struct{}) (string, error) { return "", nil })
	assert.ErrorContains(t, err, "set Options.Allow")
}
