package server_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
)

// watching is a session that keeps what it watches.
type watching struct {
	server.Session
	uris []string
}

// Watch implements server.Session.
func (w *watching) Watch(_ context.Context, uri string) error {
	w.uris = append(w.uris, uri)
	return nil
}

// TestVisible: what a principal may not see does not exist for that principal, neither in lists nor by its name.
//
// Proves: tools.access-controls
// Proves: resources.access-controls
// Proves: resources.check-permissions 2025-03-26 2025-06-18 2025-11-25
func TestVisible(t *testing.T) {
	public := protocol.CacheHint{TTLMs: 9, Public: true}
	mine := func(principal, name string) bool {
		return strings.HasSuffix(name, "all") || strings.HasSuffix(name, principal)
	}
	s := newServer(t, server.Options{
		PageSize: 2,
		Cache:    server.CacheHints{Tools: public, Prompts: public, Resources: public, ResourceTemplates: public},
		Visible: server.Visible{
			Tool:             func(p string, t *protocol.Tool) bool { return mine(p, t.Name) },
			Prompt:           func(p string, v *protocol.Prompt) bool { return mine(p, v.Name) },
			Resource:         func(p string, r *protocol.Resource) bool { return mine(p, r.Name) },
			ResourceTemplate: func(p string, t *protocol.ResourceTemplate) bool { return mine(p, t.Name) },
		},
	})
	addTools(t, s, "1-all", "2-eve", "3-ada", "4-eve", "5-eve", "6-ada", "7-all", "8-eve")
	addPrompts(t, s, "all", "eve", "ada")
	addResources(t, s, "test://all", "test://eve", "test://ada")
	for _, name := range []string{"eve", "ada"} {
		require.NoError(t, s.AddResourceTemplate(server.ResourceTemplate{URITemplate: name + "://{id}", Name: name}, reader(name)))
	}
	eachRevision(t, s, func(t *testing.T, p *peer) {
		p.in.Principal = "ada"
		assert.Equal(t, []string{"1-all", "3-ada", "6-ada", "7-all"}, walk(t, func(int) *peer { return p }, 2),
			"full pages, and no cursor behind which nothing is left")
		for _, list := range []struct {
			method, member string
			want           []string
		}{
			{"prompts/list", "prompts", []string{"all", "ada"}},
			{"resources/list", "resources", []string{"test://all", "test://ada"}},
			{"resources/templates/list", "resourceTemplates", []string{"ada"}},
		} {
			names, next := p.names(list.method, list.member, "{}")
			assert.Equal(t, list.want, names)
			assert.Nil(t, next)
		}

		assert.Contains(t, p.call("3-ada", "{}"), "3-ada")
		p.result("prompts/get", `{"name":"ada"}`)
		p.result("resources/read", `{"uri":"test://ada"}`)
		p.result("resources/read", `{"uri":"ada://1"}`)
		hidden, missing := p.fails("tools/call", `{"name":"2-eve"}`), p.fails("tools/call", `{"name":"x-eve"}`)
		assert.Equal(t, strings.ReplaceAll(missing.Message, "x-eve", "2-eve"), hidden.Message, "nothing tells hidden from missing")
		assert.Equal(t, protocol.KindInvalidParams, p.fails("prompts/get", `{"name":"eve"}`).Kind)
		assert.Equal(t, protocol.KindResourceNotFound, p.fails("resources/read", `{"uri":"test://eve"}`).Kind)
		assert.Equal(t, protocol.KindResourceNotFound, p.fails("resources/read", `{"uri":"eve://1"}`).Kind)
		if p.in.Codec.Features().ServerRequests.Holds() {
			watched := &watching{}
			p.in.Session = watched
			p.result("resources/subscribe", `{"uri":"test://ada"}`)
			for _, uri := range []string{"test://eve", "eve://1"} {
				assert.Equal(t, protocol.KindResourceNotFound, p.fails("resources/subscribe", `{"uri":"`+uri+`"}`).Kind)
			}
			assert.Equal(t, []string{"test://ada"}, watched.uris)
		}
	})
}

// TestCacheScope: M-43, a list that depends on who asks is private, whatever its hint; so is a resource.
func TestCacheScope(t *testing.T) {
	public := protocol.CacheHint{TTLMs: 9, Public: true}
	hints := server.CacheHints{Tools: public, Prompts: public, Resources: public, ResourceTemplates: public}
	lists := []string{"tools/list", "prompts/list", "resources/list", "resources/templates/list"}
	scopes := func(visible server.Visible) (scopes []any) {
		s := newServer(t, server.Options{Cache: hints, Visible: visible})
		addTools(t, s, "t")
		addPrompts(t, s, "p")
		require.NoError(t, s.AddResource(server.Resource{URI: "test://r", Name: "r"}, cached(public)))
		p := newest(t, s)
		for _, method := range lists {
			scopes = append(scopes, p.result(method, "{}")["cacheScope"])
		}
		return append(scopes, p.result("resources/read", `{"uri":"test://r"}`)["cacheScope"])
	}
	assert.Equal(t, []any{"public", "public", "public", "public", "public"}, scopes(server.Visible{}))
	assert.Equal(t, []any{"private", "public", "public", "public", "public"},
		scopes(server.Visible{Tool: func(string, *protocol.Tool) bool { return true }}))
	assert.Equal(t, []any{"public", "private", "public", "public", "public"},
		scopes(server.Visible{Prompt: func(string, *protocol.Prompt) bool { return true }}))
	assert.Equal(t, []any{"public", "public", "private", "public", "private"},
		scopes(server.Visible{Resource: func(string, *protocol.Resource) bool { return true }}))
	assert.Equal(t, []any{"public", "public", "public", "private", "private"},
		scopes(server.Visible{ResourceTemplate: func(string, *protocol.ResourceTemplate) bool { return true }}))

	hints = server.CacheHints{}
	assert.Equal(t, []any{"private", "private", "private", "private", "public"}, scopes(server.Visible{}), "private unless said otherwise")
}

// TestCompletionsOfWhatIsHidden: a principal who may not see a prompt or a template does not learn of its values either.
//
// Proves: completion.control-access
// Proves: completion.no-disclosure
func TestCompletionsOfWhatIsHidden(t *testing.T) {
	s := newServer(t, server.Options{Visible: server.Visible{
		Prompt:           func(principal string, p *protocol.Prompt) bool { return principal == "ada" },
		ResourceTemplate: func(principal string, _ *protocol.ResourceTemplate) bool { return principal == "ada" },
	}})
	require.NoError(t, s.AddPrompt(server.Prompt{Name: "p", Arguments: []protocol.PromptArgument{{Name: "a"}}}, noMessages))
	require.NoError(t, s.CompletePrompt("p", "a", values("secret")))
	require.NoError(t, s.AddResourceTemplate(server.ResourceTemplate{URITemplate: "test://{v}", Name: "t"}, reader("x")))
	require.NoError(t, s.CompleteTemplate("test://{v}", "v", values("secret")))
	eachRevision(t, s, func(t *testing.T, p *peer) {
		for _, params := range []string{completePrompt, completeTemplate} {
			p.in.Principal = "ada"
			assert.Contains(t, p.raw("completion/complete", params), "secret")
			p.in.Principal = "eve"
			refused := p.fails("completion/complete", params)
			assert.Equal(t, protocol.KindInvalidParams, refused.Kind)
			assert.NotContains(t, refused.Message, "secret")
		}
	})
}
