package auth_test

import (
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/auth"
)

// Defects that others have shipped. The name of a test begins with the id of its class: A authorization, V version
// negotiation.

// the metadata name the endpoint as it is, its path included and no slash added.
func TestA02ResourceIsTheURL(t *testing.T) {
	r, err := auth.New(tokens{}, options())
	require.NoError(t, err)
	assert.Equal(t, "/.well-known/oauth-protected-resource/team/mcp", r.MetadataPath())
	assert.Contains(t, fetch(r.Metadata(), "GET").Body.String(), `"resource":"https://mcp.example.com/team/mcp"`)
}

// an issuer is compared character by character, and an operator is told both.
func TestA03IssuerAndItsSlash(t *testing.T) {
	d := open(t, tokens{"slash": good(func(t *auth.Token) { t.Issuer = issuer + "/" })}, options())
	assert.Equal(t, 401, d.ask("POST", "/", "Bearer slash").StatusCode)
	assert.Contains(t, d.log.String(), `https://login.example.com/`)
	assert.Contains(t, d.log.String(), `[\"https://login.example.com\"]`)
}

// the scheme may be in any letters; what is answered is one challenge with every value in quotes.
func TestA05Spelling(t *testing.T) {
	d := open(t, tokens{"good": good()}, options())
	for _, scheme := range []string{"Bearer", "bearer", "BEARER"} {
		assert.Equal(t, 200, d.ask("POST", "/", scheme+" good").StatusCode, scheme)
	}
	a := d.ask("POST", "/", "Bearer bad")
	assert.Len(t, a.Header.Values("WWW-Authenticate"), 1)
	assert.Regexp(t, `^Bearer [a-z_]+="[^"\\]*"(, [a-z_]+="[^"\\]*")*$`, a.Header.Get("WWW-Authenticate"))
}

// V-13: whatever version a client writes in a side request, the metadata are there.
func TestV13MetadataAtAnyVersion(t *testing.T) {
	r, err := auth.New(tokens{}, options())
	require.NoError(t, err)
	for _, version := range []string{"2025-11-25", "1999-01-01"} {
		assert.Equal(t, 200, fetch(r.Metadata(), "GET", "MCP-Protocol-Version", version).Code)
	}
}

// S-12 in front of the sessions: the id of a session is no token.
func TestS12SessionIsNoToken(t *testing.T) {
	d := open(t, tokens{}, options())
	r := httptest.NewRequest("POST", "/", nil)
	r.Header.Set("Mcp-Session-Id", "s-of-alice")
	assert.Equal(t, 401, d.send(r).StatusCode)
	assert.Empty(t, d.seen)
}
