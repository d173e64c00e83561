package contender

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/bench/workload"
)

// newGoSDK returns go-sdk as it comes: typed tools, whose arguments it checks against the schema; JSON answers where it
// has no sessions, and events, its default, where it has.
func newGoSDK(f *workload.Features, sessions bool) (Server, error) {
	add := func(s *mcp.Server, t workload.Tool) error {
		schema := new(jsonschema.Schema) // what it infers by itself, but for the bounds
		if err := json.Unmarshal([]byte(t.Schema), schema); err != nil {
			return err
		}
		tool := &mcp.Tool{Name: t.Name, Description: t.Description, InputSchema: schema}
		if t.Name == workload.Echo {
			mcp.AddTool(s, tool, func(_ context.Context, _ *mcp.CallToolRequest, in workload.EchoArguments) (*mcp.CallToolResult, any, error) {
				return goSDKText(in.Message), nil, nil
			})
		} else {
			mcp.AddTool(s, tool, func(_ context.Context, _ *mcp.CallToolRequest, in workload.FillerArguments) (*mcp.CallToolResult, any, error) {
				return goSDKText(in.Query), nil, nil
			})
		}
		return nil
	}
	return newGoSDKServer(f, add, &mcp.StreamableHTTPOptions{Stateless: !sessions, JSONResponse: !sessions})
}

// newGoSDKTuned returns go-sdk with schemas that are text already, handlers that decode by themselves and check nothing,
// and JSON answers everywhere.
func newGoSDKTuned(f *workload.Features, sessions bool) (Server, error) {
	add := func(s *mcp.Server, t workload.Tool) error {
		tool := &mcp.Tool{Name: t.Name, Description: t.Description, InputSchema: json.RawMessage(t.Schema)}
		s.AddTool(tool, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			var in workload.EchoArguments
			if err := json.Unmarshal(r.Params.Arguments, &in); err != nil {
				return nil, err
			}
			return goSDKText(in.Message), nil
		})
		return nil
	}
	return newGoSDKServer(f, add, &mcp.StreamableHTTPOptions{Stateless: !sessions, JSONResponse: true})
}

func newGoSDKServer(f *workload.Features, add func(*mcp.Server, workload.Tool) error, o *mcp.StreamableHTTPOptions) (Server, error) {
	s := mcp.NewServer(&mcp.Implementation{Name: workload.ServerName, Version: workload.ServerVersion}, nil)
	for _, t := range f.Tools {
		if err := add(s, t); err != nil {
			return nil, err
		}
	}
	for _, r := range f.Resources {
		s.AddResource(&mcp.Resource{URI: r.URI, Name: r.Name, Description: r.Description, MIMEType: r.MIMEType},
			func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.URI, MIMEType: r.MIMEType, Text: r.Text}}}, nil
			})
	}
	for _, p := range f.Prompts {
		prompt := &mcp.Prompt{Name: p.Name, Description: p.Description}
		for _, a := range p.Arguments {
			prompt.Arguments = append(prompt.Arguments, &mcp.PromptArgument{Name: a.Name, Description: a.Description, Required: a.Required})
		}
		s.AddPrompt(prompt, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: p.Name}}}}, nil
		})
	}
	h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, o)
	return announcing{h, func() { _ = add(s, f.Tools[0]) }}, nil // it was added before: it can be again
}

func goSDKText(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}
