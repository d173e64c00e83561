// The metadata that lead a client from a refusal to the authorization server: RFC 9728, and 2025-11-25
// basic/authorization#authorization-server-discovery.
package auth_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/auth"
)

func fetch(h http.Handler, method string, lines ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "/", nil)
	for i := 0; i < len(lines); i += 2 {
		r.Header.Set(lines[i], lines[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestMetadata(t *testing.T) {
	o := options()
	o.ScopesSupported = []string{"mcp", "files:read"}
	o.Name, o.Documentation = "Team tools", "https://docs.example.com/tools"
	r, err := auth.New(tokens{}, o)
	require.NoError(t, err)
	w := fetch(r.Metadata(), "GET")
	assert.Equal(t, 200, w.Code)
	assert.Equal(t, "application/json", w.Header().Get("Content-Type"))
	assert.Equal(t, "*", w.Header().Get("Access-Control-Allow-Origin"))
	assert.JSONEq(t, `{"resource":"https://mcp.example.com/team/mcp","authorization_servers":["https://login.example.com"],
		"scopes_supported":["mcp","files:read"],"bearer_methods_supported":["header"],
		"resource_name":"Team tools","resource_documentation":"https://docs.example.com/tools"}`, w.Body.String())

	w = fetch(r.Metadata(), "OPTIONS", "Origin", "https://page.example.com", "Access-Control-Request-Method", "GET",
		"Access-Control-Request-Headers", "mcp-protocol-version")
	assert.Equal(t, 204, w.Code)
	assert.Equal(t, "*", w.Header().Get("Access-Control-Allow-Headers"))
	assert.Equal(t, 405, fetch(r.Metadata(), "POST").Code)
}

func TestMetadataSaysLittleByDefault(t *testing.T) {
	r, err := auth.New(tokens{}, auth.Options{Resource: endpoint, AuthorizationServers: []string{issuer}})
	require.NoError(t, err)
	assert.JSONEq(t, `{"resource":"https://mcp.example.com/team/mcp","authorization_servers":["https://login.example.com"],
		"bearer_methods_supported":["header"]}`, fetch(r.Metadata(), "GET").Body.String())
}

// The resource is named as clients write it: scheme and host in lower case, and no slash where there is no path.
//
// Proves: authorization.resource-uppercase-accepted
// Proves: authorization.resource-no-trailing-slash
func TestCanonicalResource(t *testing.T) {
	for given, want := range map[string]struct{ resource, path string }{
		"HTTPS://MCP.Example.com/Team/mcp": {"https://mcp.example.com/Team/mcp", "/.well-known/oauth-protected-resource/Team/mcp"},
		"https://mcp.example.com/":         {"https://mcp.example.com", "/.well-known/oauth-protected-resource"},
		"https://mcp.example.com":          {"https://mcp.example.com", "/.well-known/oauth-protected-resource"},
		"https://mcp.example.com/mcp/":     {"https://mcp.example.com/mcp/", "/.well-known/oauth-protected-resource/mcp/"},
		"http://localhost:8080/mcp":        {"http://localhost:8080/mcp", "/.well-known/oauth-protected-resource/mcp"},
		"http://[::1]:8080/mcp":            {"http://[::1]:8080/mcp", "/.well-known/oauth-protected-resource/mcp"},
	} {
		o := options()
		o.Resource = given
		r, err := auth.New(tokens{"t": good(func(t *auth.Token) { t.Audience = []string{given} })}, o)
		require.NoError(t, err, given)
		assert.Contains(t, fetch(r.Metadata(), "GET").Body.String(), `"resource":"`+want.resource+`"`)
		assert.Equal(t, want.path, r.MetadataPath())
		w := fetch(r.Protect(http.NotFoundHandler()), "POST", "Authorization", "Bearer t")
		assert.Equal(t, 404, w.Code, "a token for %s is let through to the handler, which has nothing", given)
	}
}

// Clients that know no metadata of resources are led to those of the authorization server, at the suffix that all use.
//
// Proves: authorization.default-well-known-suffix
func TestIssuerMetadata(t *testing.T) {
	assert.Equal(t, "/.well-known/oauth-authorization-server", auth.WellKnownIssuer)
	for given, want := range map[string]string{
		"https://login.example.com":         "https://login.example.com/.well-known/oauth-authorization-server",
		"https://login.example.com/":        "https://login.example.com/.well-known/oauth-authorization-server",
		"https://login.example.com/tenant1": "https://login.example.com/.well-known/oauth-authorization-server/tenant1",
	} {
		o := options()
		o.AuthorizationServers = []string{given, "https://second.example.com"}
		r, err := auth.New(tokens{}, o)
		require.NoError(t, err)
		w := fetch(r.IssuerMetadata(), "GET")
		assert.Equal(t, 307, w.Code)
		assert.Equal(t, want, w.Header().Get("Location"))
		assert.Equal(t, "*", w.Header().Get("Access-Control-Allow-Origin"))
	}
}
