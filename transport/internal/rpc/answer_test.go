package rpc_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/internal/jsonrpc"
	"github.com/parley-mcp/parley/internal/rawjson"
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/revisions"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/session"
	"github.com/parley-mcp/parley/transport/internal/rpc"
)

// What many get is encoded once for each revision, and shared; what is not is the caller's own.
func TestAnswerShares(t *testing.T) {
	s, err := server.New(server.Options{Info: protocol.Implementation{Name: "n", Version: "1"}, Sessions: session.None})
	require.NoError(t, err)
	defer func() { assert.NoError(t, s.Close()) }()
	require.NoError(t, s.AddPrompt(server.Prompt{Name: "p"}, func(context.Context, *server.Call, map[string]string) (*protocol.GetPromptResult, error) {
		return nil, nil
	}))
	answer := func(codec protocol.Codec, method string, id int64) rpc.Response {
		m := &jsonrpc.Message{Kind: jsonrpc.Request, ID: jsonrpc.Int64ID(id), Method: method}
		return rpc.Answer(t.Context(), s, m, &server.Incoming{Codec: codec}, nil)
	}
	for _, codec := range revisions.All() {
		first, second := answer(codec, protocol.MethodPromptsList, 1), answer(codec, protocol.MethodPromptsList, 2)
		require.NotNil(t, first.Result)
		assert.Same(t, &first.Tail[0], &second.Tail[0])
		assert.Equal(t, `{"jsonrpc":"2.0","id":2,"result":`, string(second.Head))
		message := string(second.Message())
		assert.JSONEq(t, `[{"name":"p"}]`, lookup(t, message, "result", "prompts"))
		_ = append(first.Tail, '!')
		assert.Equal(t, message, string(second.Message()), "appending to a shared part changes nobody's")

		none := answer(codec, "no/such", 3)
		assert.Nil(t, none.Result)
		assert.Equal(t, jsonrpc.MethodNotFound, none.Code)
		assert.Nil(t, none.Tail)
	}
}

func lookup(t *testing.T, message string, path ...string) string {
	t.Helper()
	raw := []byte(message)
	for _, name := range path {
		v, ok := rawjson.Lookup(raw, name)
		require.True(t, ok, message)
		raw = v
	}
	return string(raw)
}
