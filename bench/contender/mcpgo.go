package contender

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/parley-mcp/parley/bench/workload"
)

// newMCPGo returns mcp-go as it comes: tools built with its options. It checks no arguments unless told.
func newMCPGo(f *workload.Features, sessions bool) (Server, error) {
	return newMCPGoServer(f, sessions, func(t workload.Tool) mcp.Tool {
		if t.Name == workload.Echo {
			return mcp.NewTool(t.Name, mcp.WithDescription(t.Description),
				mcp.WithString("message", mcp.Required(), mcp.Description("Text to send back")))
		}
		return mcp.NewTool(t.Name, mcp.WithDescription(t.Description),
			mcp.WithString("query", mcp.Required(), mcp.Description("Free text query to match against")),
			mcp.WithInteger("limit", mcp.Required(), mcp.Description("Maximum number of items to return"), mcp.Min(1), mcp.Max(100)),
			mcp.WithNumber("threshold", mcp.Description("Minimum score an item must reach")),
			mcp.WithBoolean("verbose", mcp.Description("Whether to include all details")),
			mcp.WithString("format", mcp.Description("Output format"), mcp.Enum("text", "json", "markdown")),
			mcp.WithArray("tags", mcp.Description("Only items carrying all of these tags"), mcp.WithStringItems()))
	})
}

// newMCPGoTuned returns mcp-go with schemas that are text already.
func newMCPGoTuned(f *workload.Features, sessions bool) (Server, error) {
	return newMCPGoServer(f, sessions, func(t workload.Tool) mcp.Tool {
		return mcp.NewToolWithRawSchema(t.Name, t.Description, json.RawMessage(t.Schema))
	})
}

func newMCPGoServer(f *workload.Features, sessions bool, describe func(workload.Tool) mcp.Tool) (Server, error) {
	s := server.NewMCPServer(workload.ServerName, workload.ServerVersion, server.WithToolCapabilities(true),
		server.WithResourceCapabilities(false, true), server.WithPromptCapabilities(true))
	for _, t := range f.Tools {
		s.AddTool(describe(t), mcpGoTool(t.Name))
	}
	for _, r := range f.Resources {
		s.AddResource(mcp.NewResource(r.URI, r.Name, mcp.WithResourceDescription(r.Description), mcp.WithMIMEType(r.MIMEType)),
			func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
				return []mcp.ResourceContents{mcp.TextResourceContents{URI: r.URI, MIMEType: r.MIMEType, Text: r.Text}}, nil
			})
	}
	for _, p := range f.Prompts {
		s.AddPrompt(mcpGoPrompt(p), func(context.Context, mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return mcp.NewGetPromptResult(p.Description, []mcp.PromptMessage{
				mcp.NewPromptMessage(mcp.RoleUser, mcp.NewTextContent(p.Name))}), nil
		})
	}
	mode := server.WithStateLess(true)
	if sessions {
		mode = server.WithStateful(true)
	}
	h := server.NewStreamableHTTPServer(s, mode, server.WithStreamableHTTPLogger(slog.New(slog.DiscardHandler)))
	return announcing{h, func() { s.AddTool(describe(f.Tools[0]), mcpGoTool(f.Tools[0].Name)) }}, nil
}

func mcpGoTool(name string) server.ToolHandlerFunc {
	if name != workload.Echo {
		return func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText(r.GetString("query", "")), nil
		}
	}
	return func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		message, err := r.RequireString("message")
		if err != nil {
			return mcp.NewToolResultError(err.Error()), nil
		}
		return mcp.NewToolResultText(message), nil
	}
}

func mcpGoPrompt(p workload.Prompt) mcp.Prompt {
	options := []mcp.PromptOption{mcp.WithPromptDescription(p.Description)}
	for _, a := range p.Arguments {
		of := []mcp.ArgumentOption{mcp.ArgumentDescription(a.Description)}
		if a.Required {
			of = append(of, mcp.RequiredArgument())
		}
		options = append(options, mcp.WithArgument(a.Name, of...))
	}
	return mcp.NewPrompt(p.Name, options...)
}
