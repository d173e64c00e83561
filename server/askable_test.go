package server_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/revisions"
	"github.com/parley-mcp/parley/server"
)

// Whether a client can be asked is known before it is.

// A question to the model that does not speak of context wants none: it is not put into words, and takes no capability.
//
// Proves: sampling.include-context-default 2025-11-25
func TestNoContextIsTheDefault(t *testing.T) {
	s := newServer(t, server.Options{})
	addTool(t, s, "t", nil2)
	eachRevision(t, s, func(t *testing.T, p *peer) {
		if !p.in.Codec.Features().ServerRequests.Holds() {
			return // 2026-07-28 binds the client alone
		}
		for context, missing := range map[string]bool{"": false, "none": false, "thisServer": true} {
			p := newPeer(t, s, p.in.Codec).declare(`{"sampling":{}}`)
			var asked object
			p.in.Stream = &talker{ear{peer: p}, func(_ string, params object) (string, error) {
				asked = params
				return `{"role":"assistant","content":{"type":"text","text":"x"},"model":"m"}`, nil
			}}
			p.in.Params, p.in.Method, p.in.ID = &protocol.CallToolParams{Name: "t"}, "tools/call", jsontext.Value("1")
			_, err := s.NewCall(&p.in).Sample(t.Context(), "k", &protocol.CreateMessageParams{MaxTokens: 1, IncludeContext: context,
				Messages: []protocol.SamplingMessage{{Role: protocol.RoleUser, Content: []protocol.Content{&protocol.TextContent{Text: "x"}}}}})
			if missing && p.in.Codec.Features().Revision == "2025-11-25" {
				assert.True(t, server.CannotAsk(err), "%v", err)
				continue
			}
			require.NoError(t, err)
			if context == "" {
				assert.NotContains(t, asked, "includeContext")
			}
		}
	})
}

func TestCapabilitiesBeforeAnythingIsSent(t *testing.T) { // M-36, P-15
	s := newServer(t, server.Options{})
	var ok confirmation
	var m *protocol.CreateMessageResult
	var roots []protocol.Root
	form, visit := server.Form("form", "?", &ok), server.Visit("visit", "?", "https://example.com/")
	sample := func(p protocol.CreateMessageParams) server.Question { return server.Sampling("sample", &p, &m) }
	addTool(t, s, "any", nil2)
	cases := []struct {
		name, has string
		questions []server.Question
		missing   string // nothing if empty
	}{
		{"nothing at all", `{}`, []server.Question{form}, `{"elicitation":{"form":{}}}`},
		{"an empty object means form", `{"elicitation":{}}`, []server.Question{form}, ``},
		{"an empty object does not mean url", `{"elicitation":{}}`, []server.Question{visit}, `{"elicitation":{"url":{}}}`},
		{"url is not form", `{"elicitation":{"url":{}}}`, []server.Question{form}, `{"elicitation":{"form":{}}}`},
		{"form is not url", `{"elicitation":{"form":{}}}`, []server.Question{visit}, `{"elicitation":{"url":{}}}`},
		{"both lack", `{"sampling":{}}`, []server.Question{form, visit}, `{"elicitation":{"form":{},"url":{}}}`},
		{"one of two lacks", `{"elicitation":{}}`, []server.Question{form, server.Roots("roots", &roots)}, `{"roots":{}}`},
		{"sampling", `{"elicitation":{}}`, []server.Question{sample(protocol.CreateMessageParams{})}, `{"sampling":{}}`},
		{"sampling without tools", `{"sampling":{"context":{}}}`, []server.Question{sample(protocol.CreateMessageParams{Tools: []*protocol.Tool{{Name: "t", InputSchema: jsontext.Value(`{"type":"object"}`)}}})}, `{"sampling":{"tools":{}}}`},
		{"a choice of tools needs them too", `{"sampling":{}}`, []server.Question{sample(protocol.CreateMessageParams{ToolChoice: "none"})}, `{"sampling":{"tools":{}}}`},
		{"sampling without context", `{"sampling":{"tools":{}}}`, []server.Question{sample(protocol.CreateMessageParams{IncludeContext: "thisServer"})}, `{"sampling":{"context":{}}}`},
		{"no context is no context", `{"sampling":{}}`, []server.Question{sample(protocol.CreateMessageParams{IncludeContext: "none"})}, ``},
		{"what two lack adds up", `{"sampling":{}}`, []server.Question{
			server.Sampling("a", &protocol.CreateMessageParams{ToolChoice: "auto"}, &m), server.Sampling("b", &protocol.CreateMessageParams{IncludeContext: "allServers"}, &m),
		}, `{"sampling":{"tools":{},"context":{}}}`},
		{"false is none", `{"elicitation":{}}`, []server.Question{server.Roots("roots", &roots)}, `{"roots":{}}`},
	}
	for _, codec := range revisions.All()[:2] { // those that have the nested ones
		for _, c := range cases {
			t.Run(string(codec.Features().Revision)+"/"+c.name, func(t *testing.T) {
				p := newPeer(t, s, codec).declare(c.has)
				asked := false
				p.in.Stream = &talker{ear{peer: p}, func(string, object) (string, error) {
					asked = true
					return "", errors.New("enough")
				}}
				p.in.Params, p.in.Method, p.in.ID = &protocol.CallToolParams{Name: "any"}, "tools/call", jsontext.Value("1")
				err := s.NewCall(&p.in).Ask(t.Context(), c.questions...)
				var e *protocol.Error
				if c.missing == "" {
					assert.False(t, errors.As(err, &e), "%v", err)
					assert.Equal(t, codec.Features().ServerRequests.Holds(), asked)
					return
				}
				assert.False(t, asked)
				assert.True(t, server.CannotAsk(err))
				require.ErrorAs(t, err, &e)
				assert.Equal(t, protocol.KindMissingCapability, e.Kind)
				wire := revisions.Newest().Error(err)
				assert.Equal(t, -32021, wire.Code)
				assert.JSONEq(t, `{"requiredCapabilities":`+c.missing+`}`, string(wire.Data))
			})
		}
	}
}

func TestAskWhereTheRevisionHasNone(t *testing.T) {
	s := newServer(t, server.Options{})
	addTool(t, s, "deploy", func(ctx context.Context, c *server.Call) (string, error) {
		err := c.Elicit(ctx, "confirm", "Deploy?", &confirmation{})
		if server.CannotAsk(err) {
			return "pass sure: true instead", nil
		}
		return "asked", err
	})
	p := newPeer(t, s, revisions.All()[3]).declare(everything)
	require.Equal(t, protocol.Revision("2025-03-26"), p.in.Codec.Features().Revision)
	result, _ := p.converse("deploy", `{}`, nobody(t))
	assert.Equal(t, "pass sure: true instead", text(t, result))
}

func TestAskWhatTheRevisionCannotSay(t *testing.T) {
	s := newServer(t, server.Options{})
	addTool(t, s, "zones", func(ctx context.Context, c *server.Call) (string, error) {
		var zones struct {
			Zones []string `json:"zones" form:"enum=a|b"`
		}
		err := c.Ask(ctx, server.Form("sure", "?", &confirmation{}), server.Form("zones", "?", &zones))
		if server.CannotAsk(err) {
			return "cannot: " + err.Error(), nil
		}
		return "zones " + strings.Join(zones.Zones, " "), err
	})
	eachAsking(t, s, func(t *testing.T, p *peer) {
		if p.in.Codec.Features().Revision == "2025-06-18" {
			result, _ := p.converse("zones", `{}`, nobody(t))
			assert.Contains(t, text(t, result), "cannot: ", "and none of the two is asked")
			return
		}
		result, _ := p.converse("zones", `{}`, accept(`{"sure":true,"zones":["a","b"]}`))
		assert.Equal(t, "zones a b", text(t, result))
	})
}

func TestAskWithoutAWayBack(t *testing.T) {
	s := newServer(t, server.Options{})
	addTool(t, s, "deploy", func(ctx context.Context, c *server.Call) (string, error) {
		return "", c.Elicit(ctx, "confirm", "Deploy?", &confirmation{})
	})
	for _, codec := range asking()[1:] { // where it takes a stream
		p := newPeer(t, s, codec).declare(everything)
		p.in.Stream = nil
		r := p.result("tools/call", `{"name":"deploy","arguments":{}}`)
		assert.Equal(t, server.ErrNoWayBack.Error(), text(t, r))
	}
}
