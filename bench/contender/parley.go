package contender

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/parley-mcp/parley/bench/workload"
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/session"
	"github.com/parley-mcp/parley/transport/streamable"
)

// newParley returns Parley with its defaults: typed tools, arguments checked against the schema, and sessions in memory
// or none. Only the bound on calls is wider, since one client here asks as often as it can; it is counted all the same.
func newParley(f *workload.Features, sessions bool) (Server, error) {
	o := server.Options{
		Info:   protocol.Implementation{Name: workload.ServerName, Version: workload.ServerVersion},
		Limits: server.Limits{Tools: server.Rate{PerSecond: 1e9, Burst: 1e9}},
	}
	if !sessions {
		o.Sessions = session.None
	}
	s, err := server.New(o)
	if err != nil {
		return nil, err
	}
	for _, add := range []func(*server.Server, *workload.Features) error{addTools, addResources, addPrompts} {
		if err := add(s, f); err != nil {
			return nil, err
		}
	}
	h, err := streamable.New(s, streamable.Options{})
	if err != nil {
		return nil, err
	}
	return announcing{h, s.ToolsChanged}, nil
}

func addTools(s *server.Server, f *workload.Features) error {
	for _, t := range f.Tools {
		tool := server.Tool{Name: t.Name, Description: t.Description, InputSchema: jsontext.Value(t.Schema)}
		var err error
		if t.Name == workload.Echo {
			err = server.AddTool(s, tool, func(_ context.Context, _ *server.Call, in workload.EchoArguments) (string, error) {
				return in.Message, nil
			})
		} else {
			err = server.AddTool(s, tool, func(_ context.Context, _ *server.Call, in workload.FillerArguments) (string, error) {
				return in.Query, nil
			})
		}
		if err != nil {
			return err
		}
	}
	if f.Large == 0 {
		return nil
	}
	text := workload.LargeText(f.Large)
	return server.AddTool(s, server.Tool{Name: workload.Large}, func(context.Context, *server.Call, struct{}) (string, error) {
		return text, nil
	})
}

func addResources(s *server.Server, f *workload.Features) error {
	for _, r := range f.Resources {
		err := s.AddResource(server.Resource{URI: r.URI, Name: r.Name, Description: r.Description, MIMEType: r.MIMEType},
			func(context.Context, *server.Call, string, map[string]string) (*protocol.ReadResourceResult, error) {
				return &protocol.ReadResourceResult{Contents: []*protocol.ResourceContents{{Text: r.Text}}}, nil
			})
		if err != nil {
			return err
		}
	}
	return nil
}

func addPrompts(s *server.Server, f *workload.Features) error {
	for _, p := range f.Prompts {
		prompt := server.Prompt{Name: p.Name, Description: p.Description}
		for _, a := range p.Arguments {
			prompt.Arguments = append(prompt.Arguments, protocol.PromptArgument{Name: a.Name, Description: a.Description, Required: a.Required})
		}
		err := s.AddPrompt(prompt, func(context.Context, *server.Call, map[string]string) (*protocol.GetPromptResult, error) {
			return &protocol.GetPromptResult{Messages: []protocol.PromptMessage{{Role: "user", Content: &protocol.TextContent{Text: p.Name}}}}, nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
