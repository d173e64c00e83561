package server

import (
	"context"
	"fmt"
	"reflect"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/parley-mcp/parley/protocol"
)

// AddTool adds a tool that is a Go function. Unless t has them, its schemas are inferred from In and Out: json tags name
// the members, jsonschema tags describe them, omitempty or omitzero makes them optional. In must be a struct or a map.
//
// What Out is decides what the client gets:
//
//   - *protocol.CallToolResult: that result.
//   - string: a text.
//   - []protocol.Content: those blocks.
//   - any, jsontext.Value: structured content, without a schema unless t has one.
//   - anything else: structured content, with its JSON as text beside it for clients that read no other.
//
// Errors are as for AddRawTool and ToolHandler.
func AddTool[In, Out any](s *Server, t Tool, run func(ctx context.Context, c *Call, in In) (Out, error)) error {
	if t.InputSchema == nil {
		schema, err := infer[In]()
		if err != nil {
			return fmt.Errorf("tool %q: input: %w", t.Name, err)
		}
		t.InputSchema = schema
	}
	if t.OutputSchema == nil && isStructured[Out]() {
		schema, err := infer[Out]()
		if err != nil {
			return fmt.Errorf("tool %q: output: %w", t.Name, err)
		}
		t.OutputSchema = schema
	}
	return s.AddRawTool(t, func(ctx context.Context, c *Call, arguments jsontext.Value) (*protocol.CallToolResult, error) {
		var in In
		if err := json.Unmarshal(arguments, &in); err != nil {
			return nil, &argumentError{err}
		}
		out, err := run(ctx, c, in)
		if err != nil {
			return nil, err
		}
		return toResult(out)
	})
}

// infer returns the schema of T.
func infer[T any]() (jsontext.Value, error) {
	schema, err := jsonschema.For[T](nil)
	if err != nil {
		return nil, err
	}
	return json.Marshal(schema, json.Deterministic(true))
}

// isStructured reports whether a result of type Out is structured content.
func isStructured[Out any]() bool {
	switch any((*Out)(nil)).(type) {
	case **protocol.CallToolResult, *string, *[]protocol.Content, *any, *jsontext.Value:
		return false
	}
	return true
}

// textResult returns a result that is one text, in one piece of memory.
func textResult(text string) *protocol.CallToolResult {
	r := &struct {
		result  protocol.CallToolResult
		text    protocol.TextContent
		content [1]protocol.Content
	}{text: protocol.TextContent{Text: text}}
	r.content[0] = &r.text
	r.result.Content = r.content[:]
	return &r.result
}

func toResult(out any) (*protocol.CallToolResult, error) {
	switch out := out.(type) {
	case *protocol.CallToolResult:
		return out, nil
	case string:
		return textResult(out), nil
	case []protocol.Content:
		return &protocol.CallToolResult{Content: out}, nil
	}
	raw, err := json.Marshal(out, json.Deterministic(true))
	if err != nil {
		return nil, fmt.Errorf("result of type %v: %w", reflect.TypeOf(out), err)
	}
	return &protocol.CallToolResult{Structured: raw}, nil
}
