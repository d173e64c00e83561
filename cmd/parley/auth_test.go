package main

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/conformance/fixture"
	"github.com/parley-mcp/parley/transport/stdio"
)

// Over stdio nobody is asked for a token: credentials come from the environment. To ask for one there is refused, and what needs
// scopes over HTTP is open.
//
// Proves: authorization.stdio-environment
func TestNoTokensOverStdio(t *testing.T) {
	out, code := execute(t, newServeCommand(), "--stdio", "--auth")
	assert.NotZero(t, code)
	assert.Contains(t, out, "[stdio auth]")

	s, err := newFixture(&serveFlags{sessions: "lru"}, slog.New(slog.DiscardHandler), "")
	require.NoError(t, err)
	defer func() { assert.NoError(t, s.Close()) }()
	for _, lines := range []string{
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"test_scoped","_meta":{` +
			`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
			`"clientInfo":{"name":"test","version":"1"}}}` + "\n" +
			`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"test_scoped"}}`,
	} {
		var answers strings.Builder
		require.NoError(t, stdio.Serve(t.Context(), s, strings.NewReader(lines+"\n"), &answers, stdio.Options{}))
		assert.Contains(t, answers.String(), `"text":"allowed"`)
	}
}

// What parley serve --auth prints is a command that parley understands, with every kind of token.
func TestHowToTest(t *testing.T) {
	g, err := fixture.NewGuard("http://127.0.0.1:8080/mcp", slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	words := strings.Fields(howToTest("http://127.0.0.1:8080/mcp", g))
	require.Equal(t, []string{"parley", "test"}, words[:2])
	cmd := newTestCommand()
	require.NoError(t, cmd.ParseFlags(words[2:]))
	for kind, token := range g.Bad {
		assert.Contains(t, words, kind+"="+token)
	}
	out, code := execute(t, newTestCommand(), "--http", "http://127.0.0.1:8080/mcp", "--token", "old=x")
	assert.Equal(t, exitUsage, code)
	assert.Contains(t, out, "expired, elsewhere, narrow, basic")
}
