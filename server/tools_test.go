package server_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
)

const anyObject = `{"type":"object"}`

func runNothing(context.Context, *server.Call, jsontext.Value) (*protocol.CallToolResult, error) {
	return &protocol.CallToolResult{}, nil
}

// TestToolsRefusedAtOnce: what is wrong with a tool shows when it is added, not when it is called.
func TestToolsRefusedAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		tool server.Tool
		run  server.ToolHandler
		why  string
	}{
		"no name":           {server.Tool{InputSchema: []byte(anyObject)}, runNothing, "name"},
		"long name":         {server.Tool{Name: strings.Repeat("a", 129), InputSchema: []byte(anyObject)}, runNothing, "128"},
		"name with a slash": {server.Tool{Name: "a/b", InputSchema: []byte(anyObject)}, runNothing, "letters"},
		"name not ASCII":    {server.Tool{Name: "grüße", InputSchema: []byte(anyObject)}, runNothing, "letters"},
		"name with a blank": {server.Tool{Name: "a b", InputSchema: []byte(anyObject)}, runNothing, "letters"},
		"no handler":        {server.Tool{Name: "t", InputSchema: []byte(anyObject)}, nil, "handler"},
		"no schema":         {server.Tool{Name: "t"}, runNothing, "InputSchema"},
		"not JSON":          {server.Tool{Name: "t", InputSchema: []byte(`{`)}, runNothing, "InputSchema"},
		"not a schema":      {server.Tool{Name: "t", InputSchema: []byte(`{"type":"object","properties":7}`)}, runNothing, "InputSchema"},
		"not of an object":  {server.Tool{Name: "t", InputSchema: []byte(`{"type":"string"}`)}, runNothing, "object"},
		"union at the root": {server.Tool{Name: "t", InputSchema: []byte(`{"type":["object","null"]}`)}, runNothing, "object"},
		"network $ref":      {server.Tool{Name: "t", InputSchema: []byte(`{"type":"object","$ref":"https://example.com/a"}`)}, runNothing, "references"},
		"network $ref out":  {server.Tool{Name: "t", InputSchema: []byte(anyObject), OutputSchema: []byte(`{"$ref":"https://example.com/a"}`)}, runNothing, "OutputSchema"},
		"x-mcp-header":      {server.Tool{Name: "t", InputSchema: []byte(`{"type":"object","properties":{"a":{"type":"number","x-mcp-header":"A"}}}`)}, runNothing, "x-mcp-header"},
		"Meta":              {server.Tool{Name: "t", InputSchema: []byte(anyObject), Meta: []byte(`7`)}, runNothing, "Meta"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, server.Options{})
			err := s.AddRawTool(c.tool, c.run)
			require.ErrorContains(t, err, c.why)
			assert.Equal(t, protocol.KindMethodNotFound, newest(t, s).fails("tools/list", "{}").Kind, "nothing was added")
		})
	}
	s := newServer(t, server.Options{})
	for _, name := range []string{"a", strings.Repeat("a", 128), "A-b_c.9"} {
		assert.NoError(t, s.AddRawTool(server.Tool{Name: name, InputSchema: []byte(anyObject)}, runNothing))
	}
	assert.ErrorContains(t, s.AddRawTool(server.Tool{Name: "a", InputSchema: []byte(anyObject)}, runNothing), "already")
}

func TestArgumentsThatFailTheSchema(t *testing.T) {
	s := newServer(t, server.Options{})
	called := 0
	require.NoError(t, server.AddTool(s, server.Tool{Name: "add"}, func(_ context.Context, _ *server.Call, in struct {
		N int8 `json:"n"`
	}) (string, error) {
		called++
		return "ok", nil
	}))
	eachRevision(t, s, func(t *testing.T, p *peer) {
		for arguments, member := range map[string]string{
			`{"n":"1"}`: "n", `{"n":1.5}`: "n", `{"n":1000}`: "n", `{}`: "'n'", `{"n":1,"m":2}`: "'m'", `{"N":1}`: "'n'",
			`{"n":1e0}`: "1e0", // an integer to the schema, not to Go
		} {
			params := `{"name":"add","arguments":` + arguments + `}`
			if !p.in.Codec.Features().ArgumentErrorsInResult.Holds() {
				e := p.fails("tools/call", params)
				assert.Equal(t, protocol.KindInvalidParams, e.Kind)
				assert.Contains(t, e.Message, member)
				continue
			}
			r := p.result("tools/call", params)
			assert.Equal(t, true, r["isError"])
			assert.Contains(t, r["content"].([]any)[0].(object)["text"], member)
		}
		assert.Zero(t, called, "a handler only sees arguments that fit")
		assert.Equal(t, protocol.KindInvalidParams, p.fails("tools/call", `{"name":"add","arguments":[]}`).Kind)
		assert.Equal(t, protocol.KindInvalidParams, p.fails("tools/call", `{"name":"other"}`).Kind)
	})
}

// TestErrorsOfATool: the model reads a tool's error; a protocol error fails the request.
func TestErrorsOfATool(t *testing.T) {
	s := newServer(t, server.Options{})
	for name, err := range map[string]error{
		"plain":    errors.New("the disk is full"),
		"protocol": fmt.Errorf("wrapped: %w", &protocol.Error{Kind: protocol.KindApplication, Code: 42, Message: "own"}),
	} {
		require.NoError(t, s.AddRawTool(server.Tool{Name: name, InputSchema: []byte(anyObject)},
			func(context.Context, *server.Call, jsontext.Value) (*protocol.CallToolResult, error) { return nil, err }))
	}
	eachRevision(t, s, func(t *testing.T, p *peer) {
		r := p.result("tools/call", `{"name":"plain"}`)
		assert.Equal(t, true, r["isError"])
		assert.Equal(t, []any{object{"type": "text", "text": "the disk is full"}}, r["content"])
		assert.Equal(t, 42, p.fails("tools/call", `{"name":"protocol"}`).Code)
	})
}

// TestResultsAreHeldToThePromise: what breaks the output schema is the server's fault, and not shown.
func TestResultsAreHeldToThePromise(t *testing.T) {
	for name, r := range map[string]*protocol.CallToolResult{
		"none":      nil,
		"wrong":     {Structured: []byte(`{"n":"x"}`)},
		"missing":   {Content: []protocol.Content{&protocol.TextContent{Text: "x"}}},
		"not JSON":  {Structured: []byte(`{"n":`)},
		"bad _meta": {Structured: []byte(`{"n":1}`), ResultBase: protocol.ResultBase{Meta: []byte(`[]`)}},
	} {
		t.Run(name, func(t *testing.T) {
			logger, log := newLog()
			s := newServer(t, server.Options{Logger: logger})
			require.NoError(t, s.AddRawTool(server.Tool{
				Name: "t", InputSchema: []byte(anyObject),
				OutputSchema: []byte(`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`),
			}, func(context.Context, *server.Call, jsontext.Value) (*protocol.CallToolResult, error) { return r, nil }))
			assert.Equal(t, protocol.Internal(), newest(t, s).fails("tools/call", `{"name":"t"}`))
			assert.Contains(t, log.String(), `tool \"t\"`)
		})
	}
	s := newServer(t, server.Options{})
	require.NoError(t, s.AddRawTool(server.Tool{Name: "t", InputSchema: []byte(anyObject), OutputSchema: []byte(anyObject)},
		func(context.Context, *server.Call, jsontext.Value) (*protocol.CallToolResult, error) {
			return &protocol.CallToolResult{IsError: true, Content: []protocol.Content{&protocol.TextContent{Text: "no"}}}, nil
		}))
	assert.Equal(t, true, newest(t, s).result("tools/call", `{"name":"t"}`)["isError"], "an error needs no structure")
}

// TestMirroredParameters: the tool's annotation decides which header a call must have, where the transport has headers.
func TestMirroredParameters(t *testing.T) {
	s := newServer(t, server.Options{})
	require.NoError(t, s.AddRawTool(server.Tool{Name: "t",
		InputSchema: []byte(`{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}`)}, runNothing))
	p := newest(t, s)
	p.call("t", `{"region":"eu"}`) // without headers, such as on stdio
	p.in.Header = http.Header{}
	assert.Equal(t, protocol.KindHeaderMismatch, p.fails("tools/call", `{"name":"t","arguments":{"region":"eu"}}`).Kind)
	p.in.Header.Set("Mcp-Param-Region", "eu")
	p.call("t", `{"region":"eu"}`)
	assert.Equal(t, protocol.KindHeaderMismatch, p.fails("tools/call", `{"name":"t","arguments":{"region":"us"}}`).Kind)
	assert.Contains(t, p.call("t", `{"region":7}`), `"isError":true`, "a wrong type is for the schema")
}

func TestNoTools(t *testing.T) {
	s := newServer(t, server.Options{})
	addPrompts(t, s, "p")
	eachRevision(t, s, func(t *testing.T, p *peer) {
		assert.Equal(t, protocol.KindMethodNotFound, p.fails("tools/list", "{}").Kind)
		assert.Equal(t, protocol.KindMethodNotFound, p.fails("tools/call", `{"name":"t"}`).Kind)
	})
}

// What an author does not say of a tool is not said, and what he says is, also where it is what would hold anyway: a tool
// that destroys nothing must say so.
//
// Proves: tools.annotation-defaults 2026-07-28
func TestHintsThatAreNotGiven(t *testing.T) {
	yes, no := true, false
	s := newServer(t, server.Options{})
	for name, hints := range map[string]*protocol.ToolAnnotations{
		"a": nil,
		"b": {},
		"c": {ReadOnlyHint: &no, DestructiveHint: &no, IdempotentHint: &no, OpenWorldHint: &no},
		"d": {ReadOnlyHint: &yes, DestructiveHint: &yes, IdempotentHint: &yes, OpenWorldHint: &yes},
	} {
		require.NoError(t, s.AddRawTool(server.Tool{Name: name, InputSchema: jsontext.Value(anyObject), Annotations: hints}, runNothing))
	}
	const names = `"readOnlyHint":%[1]t,"destructiveHint":%[1]t,"idempotentHint":%[1]t,"openWorldHint":%[1]t`
	eachRevision(t, s, func(t *testing.T, p *peer) {
		hints := map[string]any{}
		for _, tool := range p.result("tools/list", "{}")["tools"].([]any) {
			hints[tool.(object)["name"].(string)] = tool.(object)["annotations"]
		}
		assert.Nil(t, hints["a"])
		if given, ok := hints["b"].(object); ok {
			assert.Empty(t, given)
		}
		assert.Equal(t, jsonOf("{"+fmt.Sprintf(names, false)+"}"), hints["c"])
		assert.Equal(t, jsonOf("{"+fmt.Sprintf(names, true)+"}"), hints["d"])
	})
}
