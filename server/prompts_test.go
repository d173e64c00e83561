package server_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
)

func noMessages(context.Context, *server.Call, map[string]string) (*protocol.GetPromptResult, error) {
	return &protocol.GetPromptResult{}, nil
}

func TestPromptsRefusedAtOnce(t *testing.T) {
	s := newServer(t, server.Options{})
	addPrompts(t, s, "taken")
	for why, err := range map[string]error{
		"Name":        s.AddPrompt(server.Prompt{}, noMessages),
		"handler":     s.AddPrompt(server.Prompt{Name: "p"}, nil),
		"Meta":        s.AddPrompt(server.Prompt{Name: "p", Meta: []byte(`[]`)}, noMessages),
		"already":     s.AddPrompt(server.Prompt{Name: "taken"}, noMessages),
		`argument ""`: s.AddPrompt(server.Prompt{Name: "p", Arguments: []protocol.PromptArgument{{}}}, noMessages),
		"differ":      s.AddPrompt(server.Prompt{Name: "p", Arguments: []protocol.PromptArgument{{Name: "a"}, {Name: "a"}}}, noMessages),
	} {
		assert.ErrorContains(t, err, why)
	}
}

func TestPromptArguments(t *testing.T) {
	s := newServer(t, server.Options{})
	require.NoError(t, s.AddPrompt(server.Prompt{Name: "p", Arguments: []protocol.PromptArgument{{Name: "a", Required: true}, {Name: "b"}}},
		func(_ context.Context, _ *server.Call, arguments map[string]string) (*protocol.GetPromptResult, error) {
			return &protocol.GetPromptResult{Messages: []protocol.PromptMessage{
				{Role: protocol.RoleAssistant, Content: &protocol.TextContent{Text: arguments["a"] + "|" + arguments["b"]}},
			}}, nil
		}))
	eachRevision(t, s, func(t *testing.T, p *peer) {
		for arguments, want := range map[string]string{`{"a":"1","b":"2"}`: "1|2", `{"a":""}`: "|"} {
			assert.Equal(t, []any{object{"role": "assistant", "content": object{"type": "text", "text": want}}},
				p.result("prompts/get", `{"name":"p","arguments":`+arguments+`}`)["messages"])
		}
		for _, params := range []string{`{"name":"p"}`, `{"name":"p","arguments":{"b":"2"}}`, `{"name":"p","arguments":{"a":7}}`, `{"name":"q"}`, `{}`} {
			assert.Equal(t, protocol.KindInvalidParams, p.fails("prompts/get", params).Kind, params)
		}
	})
}

// Proves: prompts.internal-32603
func TestPromptErrorsStayInside(t *testing.T) {
	logger, log := newLog()
	s := newServer(t, server.Options{Logger: logger})
	require.NoError(t, s.AddPrompt(server.Prompt{Name: "error"},
		func(context.Context, *server.Call, map[string]string) (*protocol.GetPromptResult, error) {
			return nil, errors.New("the password is 1234")
		}))
	require.NoError(t, s.AddPrompt(server.Prompt{Name: "nothing"},
		func(context.Context, *server.Call, map[string]string) (*protocol.GetPromptResult, error) {
			return nil, nil
		}))
	eachRevision(t, s, func(t *testing.T, p *peer) {
		p.failsInside("prompts/get", `{"name":"error"}`)
		p.failsInside("prompts/get", `{"name":"nothing"}`)
	})
	assert.Contains(t, log.String(), "1234")
	assert.Contains(t, log.String(), `prompt \"nothing\"`)
}
