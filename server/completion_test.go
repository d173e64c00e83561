package server_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
)

const (
	completePrompt   = `{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":"x"}}`
	completeTemplate = `{"ref":{"type":"ref/resource","uri":"test://{v}"},"argument":{"name":"v","value":"x"}}`
)

// values completes with the same values always.
func values(v ...string) server.CompletionHandler {
	return func(context.Context, *server.Call, string, map[string]string) ([]string, error) { return v, nil }
}

// newCompleting returns a server with a prompt and a template, whose completions are still missing.
func newCompleting(t *testing.T) *server.Server {
	s := newServer(t, server.Options{})
	require.NoError(t, s.AddPrompt(server.Prompt{Name: "p", Arguments: []protocol.PromptArgument{{Name: "a"}, {Name: "b"}}}, noMessages))
	require.NoError(t, s.AddResourceTemplate(server.ResourceTemplate{URITemplate: "test://{v}", Name: "t"}, reader("")))
	return s
}

func TestCompletionsRefusedAtOnce(t *testing.T) {
	s := newCompleting(t)
	for why, err := range map[string]error{
		`no prompt "q"`:            s.CompletePrompt("q", "a", values()),
		`no argument "c"`:          s.CompletePrompt("p", "c", values()),
		"no handler":               s.CompletePrompt("p", "a", nil),
		"no resource template":     s.CompleteTemplate("test://{w}", "w", values()),
		`has no variable "w"`:      s.CompleteTemplate("test://{v}", "w", values()),
		`completion of "v": no ha`: s.CompleteTemplate("test://{v}", "v", nil),
	} {
		assert.ErrorContains(t, err, why)
	}
	assert.Equal(t, protocol.KindMethodNotFound, newest(t, s).fails("completion/complete", completePrompt).Kind, "nothing was added")
}

func TestCompletion(t *testing.T) {
	s := newCompleting(t)
	require.NoError(t, s.CompletePrompt("p", "a", func(_ context.Context, _ *server.Call, value string, others map[string]string) ([]string, error) {
		return []string{value + "1", value + "2" + others["b"]}, nil
	}))
	require.NoError(t, s.CompleteTemplate("test://{v}", "v", values()))
	eachRevision(t, s, func(t *testing.T, p *peer) {
		complete := func(params string) object { return p.result("completion/complete", params)["completion"].(object) }
		assert.Equal(t, object{"values": []any{"x1", "x2"}, "total": 2.0}, complete(completePrompt))
		assert.Equal(t, object{"values": []any{}, "total": 0.0}, complete(completeTemplate))
		assert.Equal(t, object{"values": []any{}}, complete(strings.Replace(completePrompt, `"a"`, `"b"`, 1)), "nobody completes it")
		others := strings.Replace(completePrompt, `{"ref"`, `{"context":{"arguments":{"b":"!"}},"ref"`, 1)
		want := "x2!"
		if p.in.Codec.Features().Revision == "2025-03-26" {
			want = "x2" // the revision has no context
		}
		assert.Contains(t, complete(others)["values"], want)

		for _, params := range []string{
			strings.Replace(completePrompt, `"p"`, `"q"`, 1),
			strings.Replace(completeTemplate, "{v}", "{w}", 1),
			`{"ref":{"type":"ref/other","name":"p"},"argument":{"name":"a","value":""}}`,
			`{"ref":{"type":"ref/prompt","name":"p"}}`,
		} {
			assert.Equal(t, protocol.KindInvalidParams, p.fails("completion/complete", params).Kind, params)
		}
	})
}

// TestCompletionBound: at most 100 values travel, and the client learns how many there are
// (2025-11-25 server/utilities/completion#completion-results).
func TestCompletionBound(t *testing.T) {
	for n, more := range map[int]bool{0: false, 1: false, 100: false, 101: true, 1000: true} {
		s := newCompleting(t)
		require.NoError(t, s.CompletePrompt("p", "a", values(numbered(n)...)))
		eachRevision(t, s, func(t *testing.T, p *peer) {
			c := p.result("completion/complete", completePrompt)["completion"].(object)
			assert.Len(t, c["values"], min(n, 100))
			assert.EqualValues(t, n, c["total"])
			assert.Equal(t, more, c["hasMore"] == true)
		})
	}
}

// Proves: completion.internal-32603
func TestCompletionErrors(t *testing.T) {
	s := newCompleting(t)
	require.NoError(t, s.CompletePrompt("p", "a", func(context.Context, *server.Call, string, map[string]string) ([]string, error) {
		return nil, errors.New("the index is broken")
	}))
	eachRevision(t, s, func(t *testing.T, p *peer) { p.failsInside("completion/complete", completePrompt) })
}

// TestCompletionsLeaveWithTheirPrompt: one that is added again under the name begins without.
func TestCompletionsLeaveWithTheirPrompt(t *testing.T) {
	s := newCompleting(t)
	require.NoError(t, s.CompletePrompt("p", "a", values("old")))
	require.NoError(t, s.CompleteTemplate("test://{v}", "v", values("old")))
	p := newest(t, s)
	require.True(t, s.RemovePrompt("p"))
	assert.Contains(t, p.raw("completion/complete", completeTemplate), "old", "others stay")
	require.True(t, s.RemoveResourceTemplate("test://{v}"))
	assert.Equal(t, protocol.KindInvalidParams, p.fails("completion/complete", completePrompt).Kind)
	require.NoError(t, s.AddPrompt(server.Prompt{Name: "p", Arguments: []protocol.PromptArgument{{Name: "a"}}}, noMessages))
	assert.NotContains(t, p.raw("completion/complete", completePrompt), "old")
}
