package server_test

import (
	"context"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
)

type point struct {
	X     int64    `json:"x" jsonschema:"to the right"`
	Label string   `json:"label,omitempty"`
	Tags  []string `json:"tags,omitzero"`
}

// add adds a tool that returns out.
func add[Out any](t *testing.T, s *server.Server, name string, out Out) {
	t.Helper()
	require.NoError(t, server.AddTool(s, server.Tool{Name: name},
		func(context.Context, *server.Call, struct{}) (Out, error) { return out, nil }))
}

func TestSchemasAreInferred(t *testing.T) {
	s := newServer(t, server.Options{})
	require.NoError(t, server.AddTool(s, server.Tool{Name: "t"},
		func(_ context.Context, _ *server.Call, in point) (point, error) { return in, nil }))
	tool := newest(t, s).result("tools/list", "{}")["tools"].([]any)[0].(object)
	for _, member := range []string{"inputSchema", "outputSchema"} {
		schema := tool[member].(object)
		assert.Equal(t, "object", schema["type"])
		assert.Equal(t, []any{"x"}, schema["required"])
		assert.Equal(t, object{"type": "integer", "description": "to the right"}, schema["properties"].(object)["x"])
		assert.Equal(t, object{"type": "string"}, schema["properties"].(object)["label"])
		assert.Equal(t, false, schema["additionalProperties"])
	}
}

func TestGivenSchemasWin(t *testing.T) {
	s := newServer(t, server.Options{})
	given := `{"type":"object","properties":{"x":{"type":"integer","maximum":9}}}`
	require.NoError(t, server.AddTool(s, server.Tool{Name: "t", InputSchema: []byte(given), OutputSchema: []byte(given)},
		func(_ context.Context, _ *server.Call, in jsontext.Value) (jsontext.Value, error) { return in, nil }))
	p := newest(t, s)
	assert.Contains(t, p.call("t", `{"x":10}`), `"isError":true`)
	assert.Contains(t, p.call("t", `{"x":9}`), `"structuredContent":{"x":9}`)
}

func TestInputThatIsNoObject(t *testing.T) {
	s := newServer(t, server.Options{})
	assert.ErrorContains(t, server.AddTool(s, server.Tool{Name: "t"},
		func(context.Context, *server.Call, []string) (string, error) { return "", nil }), "object")
	assert.ErrorContains(t, server.AddTool(s, server.Tool{Name: "t"},
		func(context.Context, *server.Call, struct{ C chan int }) (string, error) { return "", nil }), "input")
	assert.ErrorContains(t, server.AddTool(s, server.Tool{Name: "t"},
		func(context.Context, *server.Call, struct{}) (chan int, error) { return nil, nil }), "output")
	assert.NoError(t, server.AddTool(s, server.Tool{Name: "t"},
		func(context.Context, *server.Call, map[string]any) (string, error) { return "", nil }))
}

func TestResultsByType(t *testing.T) {
	s := newServer(t, server.Options{})
	add(t, s, "text", "hello")
	add(t, s, "blocks", []protocol.Content{&protocol.TextContent{Text: "a"}, &protocol.TextContent{Text: "b"}})
	add(t, s, "result", &protocol.CallToolResult{Content: []protocol.Content{&protocol.TextContent{Text: "own"}}, IsError: true})
	add(t, s, "object", point{X: 9007199254740993})
	add(t, s, "any", any([]int{1}))
	add(t, s, "raw", jsontext.Value(`{"n":1.10}`))
	add(t, s, "number", 1.5)
	add(t, s, "list", []int{1, 2})
	add(t, s, "empty", []int(nil))
	p := newest(t, s)
	for tool, want := range map[string]string{
		"text":   `{"content":[{"type":"text","text":"hello"}]}`,
		"blocks": `{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`,
		"result": `{"content":[{"type":"text","text":"own"}],"isError":true}`,
		"object": `{"content":[{"type":"text","text":"{\"x\":9007199254740993}"}],"structuredContent":{"x":9007199254740993}}`,
		"any":    `{"content":[{"type":"text","text":"[1]"}],"structuredContent":[1]}`,
		"raw":    `{"content":[{"type":"text","text":"{\"n\":1.10}"}],"structuredContent":{"n":1.10}}`,
		"number": `{"content":[{"type":"text","text":"1.5"}],"structuredContent":1.5}`,
		"list":   `{"content":[{"type":"text","text":"[1,2]"}],"structuredContent":[1,2]}`,
		"empty":  `{"content":[{"type":"text","text":"[]"}],"structuredContent":[]}`,
	} {
		assert.Equal(t, want, parts(t, p.call(tool, "{}"), "content", "structuredContent", "isError"), tool)
	}
}

// parts returns an object with only the members named, in that order and as they came.
func parts(t *testing.T, raw string, names ...string) string {
	t.Helper()
	var m map[string]jsontext.Value
	require.NoError(t, json.Unmarshal([]byte(raw), &m))
	out := []byte{'{'}
	for _, name := range names {
		if v, ok := m[name]; ok {
			if len(out) > 1 {
				out = append(out, ',')
			}
			out = append(append(append(out, '"'), name+`":`...), v...)
		}
	}
	return string(append(out, '}'))
}

// TestStructuredContentHasATwin: a client of a revision without structured content, or with objects alone, reads the text.
func TestStructuredContentHasATwin(t *testing.T) {
	s := newServer(t, server.Options{})
	add(t, s, "object", point{X: 1})
	add(t, s, "list", []int{1, 2})
	own := &protocol.CallToolResult{Structured: []byte(`{"x":1}`), Content: []protocol.Content{&protocol.TextContent{Text: "one"}}}
	require.NoError(t, server.AddTool(s, server.Tool{Name: "own"},
		func(context.Context, *server.Call, struct{}) (*protocol.CallToolResult, error) { return own, nil }))
	eachRevision(t, s, func(t *testing.T, p *peer) {
		assert.Contains(t, p.call("object", "{}"), `"content":[{"type":"text","text":"{\"x\":1}"}]`)
		assert.Contains(t, p.call("list", "{}"), `"content":[{"type":"text","text":"[1,2]"}]`)
		assert.Contains(t, p.call("own", "{}"), `"content":[{"type":"text","text":"one"}]`, "the author's own text stays")
	})
}
