package auth

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/parley-mcp/parley/protocol"
)

// Allow returns nil if the token of the request that ctx belongs to has all of scopes, or others that imply them. It fits
// server.Options.Allow, which asks it for the scopes of a tool, and may be called by any handler that knows only from its
// arguments what it needs.
//
// The error is a *protocol.Error. Over HTTP it is answered with 403 and a challenge that names all that is needed, so that the
// client can ask for more and come back (2025-11-25 and 2026-07-28 basic/authorization#runtime-insufficient-scope-errors),
// unless the answer is a stream by then or part of a batch. A request that did not come through Protect has no scopes.
func Allow(ctx context.Context, scopes []string) error {
	g := grantOf(ctx)
	if g == nil {
		if len(scopes) == 0 {
			return nil
		}
		return protocol.InvalidRequest("it needs the scopes %q, and came without a token", strings.Join(scopes, " "))
	}
	lack := g.resource.lacks(g.token, scopes)
	if lack == nil {
		return nil
	}
	e := protocol.InvalidRequest("%s: it needs the scopes %q", lack.why, strings.Join(scopes, " "))
	e.Challenge = g.resource.challenge(lack)
	return e
}

// lacks returns why a token does not reach far enough, or nil. The scopes to ask for are all that are needed at once (2026-07-28
// basic/authorization#runtime-insufficient-scope-errors), and those of this resource that the token has already, so that a
// client that asks for no more than these loses nothing (2025-11-25, the same).
func (r *Resource) lacks(t *Token, needed []string) *refusal {
	if !slices.ContainsFunc(needed, func(scope string) bool { return !r.covers(t.Scopes, scope) }) {
		return nil
	}
	var scopes []string
	add := func(scope string) {
		if isScope(scope) && scope != offlineAccess && !slices.Contains(scopes, scope) {
			scopes = append(scopes, scope)
		}
	}
	for _, scope := range slices.Concat(r.options.Scopes, needed) {
		add(scope)
	}
	for _, scope := range t.Scopes {
		if _, broad := r.implied[scope]; broad || slices.Contains(r.options.ScopesSupported, scope) {
			add(scope)
		}
	}
	return &refusal{status: http.StatusForbidden, code: "insufficient_scope", why: "the token does not allow this", scopes: scopes}
}

// covers reports whether granted scopes include one, as it is or by a broader one.
func (r *Resource) covers(granted []string, scope string) bool {
	return slices.ContainsFunc(granted, func(g string) bool { return g == scope || slices.Contains(r.implied[g], scope) })
}

// closure returns all scopes that each scope implies, directly or not.
func closure(implies map[string][]string) map[string][]string {
	out := map[string][]string{}
	for broad := range implies {
		reached := []string{broad}
		for i := 0; i < len(reached); i++ {
			for _, next := range implies[reached[i]] {
				if !slices.Contains(reached, next) {
					reached = append(reached, next)
				}
			}
		}
		out[broad] = reached
	}
	return out
}
