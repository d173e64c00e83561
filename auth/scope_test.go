// Scopes: those that every request needs, those of a tool, and those that only a handler knows of (2026-07-28
// basic/authorization#scope-challenge-handling).
package auth_test

import (
	"context"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/auth"
	"github.com/parley-mcp/parley/protocol"
)

func scoped(scopes ...string) *auth.Token { return good(func(t *auth.Token) { t.Scopes = scopes }) }

// within returns the context of a request that was let through.
func within(t *testing.T, d *desk, token string) context.Context {
	t.Helper()
	d.seen = nil
	require.Equal(t, 200, d.ask("POST", "/", "Bearer "+token).StatusCode)
	return d.seen[0].Context()
}

var scopeParameter = regexp.MustCompile(`scope="([^"]*)"`)

// asked returns the scopes of the challenge of an error.
func asked(t *testing.T, err error) string {
	t.Helper()
	var e *protocol.Error
	require.ErrorAs(t, err, &e)
	assert.Contains(t, e.Challenge, `error="insufficient_scope"`)
	assert.Contains(t, e.Challenge, metadata)
	m := scopeParameter.FindStringSubmatch(e.Challenge)
	require.NotNil(t, m)
	return m[1]
}

// All that the request needs is asked for at once, and what the token has of this resource is kept; nothing else of the token
// is repeated. The same request is always asked for the same.
//
// Proves: authorization.all-scopes-one-challenge
// Proves: authorization.insufficient-scope-keeps-existing
// Proves: authorization.scope-strategy-consistent
// Proves: authorization.scope-consistency
func TestAllow(t *testing.T) {
	o := options()
	o.ScopesSupported = []string{"mcp", "files:read"}
	d := open(t, tokens{"some": scoped("openid", "files:read", "mcp", `odd"`, "offline_access")}, o)
	ctx := within(t, d, "some")
	assert.NoError(t, auth.Allow(ctx, nil))
	assert.NoError(t, auth.Allow(ctx, []string{"mcp", "files:read"}))
	for range 3 {
		err := auth.Allow(ctx, []string{"files:write", "files:read", "files:delete"})
		assert.Equal(t, "mcp files:write files:read files:delete", asked(t, err))
	}
	assert.Equal(t, "mcp files:write files:read", asked(t, auth.Allow(ctx, []string{"files:write"})))
}

// No challenge asks for a scope that only an authorization server has a use for.
//
// Proves: authorization.no-offline-access-in-challenge
func TestNoOfflineAccess(t *testing.T) {
	for _, change := range []func(*auth.Options){
		func(o *auth.Options) { o.Scopes = []string{"offline_access"} },
		func(o *auth.Options) { o.ScopesSupported = []string{"mcp", "offline_access"} },
	} {
		o := options()
		change(&o)
		_, err := auth.New(tokens{}, o)
		assert.ErrorContains(t, err, "offline_access is no scope of a resource")
	}
	d := open(t, tokens{"some": scoped("mcp", "offline_access")}, options())
	assert.Equal(t, "mcp files:write", asked(t, auth.Allow(within(t, d, "some"), []string{"files:write", "offline_access"})))
}

func TestAllowWithoutAToken(t *testing.T) {
	assert.NoError(t, auth.Allow(t.Context(), nil))
	err := auth.Allow(t.Context(), []string{"mcp"})
	var e *protocol.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, protocol.KindInvalidRequest, e.Kind)
	assert.Empty(t, e.Challenge, "there is nobody to challenge")
}

// A broad scope is enough where a narrow one is needed, also over several steps, and never the other way round.
//
// Proves: authorization.scope-hierarchy
func TestHierarchy(t *testing.T) {
	o := options()
	o.Scopes = []string{"read"}
	o.Implies = map[string][]string{"admin": {"write", "audit"}, "write": {"read"}, "audit": {"admin"}} // in a circle, too
	d := open(t, tokens{"admin": scoped("admin"), "write": scoped("write"), "read": scoped("read"), "other": scoped("admins")}, o)
	for token, allowed := range map[string]string{"admin": "admin write audit read", "write": "write read", "read": "read"} {
		ctx := within(t, d, token)
		for _, scope := range []string{"admin", "write", "audit", "read"} {
			err := auth.Allow(ctx, []string{scope})
			if strings.Contains(allowed, scope) {
				assert.NoError(t, err, "%s has %s", token, scope)
			} else {
				assert.Error(t, err, "%s has %s", token, scope)
			}
		}
	}
	assert.Equal(t, 403, d.ask("POST", "/", "Bearer other").StatusCode)
	assert.Equal(t, "read admin write", asked(t, auth.Allow(within(t, d, "write"), []string{"admin"})))
}

// A token of another issue says nothing: an older check is no leave for the next request.
//
// Proves: authorization.not-bypassed-by-statelessness
func TestNothingIsRemembered(t *testing.T) {
	all := tokens{"a": good()}
	d := open(t, all, options())
	require.Equal(t, 200, d.ask("POST", "/", "Bearer a").StatusCode)
	delete(all, "a")
	assert.Equal(t, 401, d.ask("POST", "/", "Bearer a").StatusCode, "it was revoked")
	assert.Equal(t, 401, d.send(httptest.NewRequest("POST", "/", nil)).StatusCode)
}
