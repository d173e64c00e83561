// Package gosdk runs the official Go SDK's client against this module's server: at every revision that the client can be
// told to speak, over HTTP and over stdio, with every kind of feature that a server offers, asks for and announces.
package gosdk

//lint:file-ignore SA1019 logging is deprecated, and a server must still offer it at the revisions that have it

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	// perRequest is the revision that has no handshake: no ping, and a log level for each call; what the server asks comes in
	// results, and what it announces on requests that listen.
	perRequest = "2026-07-28"
	// bare is the revision whose definitions have no _meta, and so no user interfaces, and that knows no elicitation.
	bare = "2025-03-26"
)

// visit is one session of one client. What it did is kept in words, for the table.
type visit struct {
	*testing.T
	ctx       context.Context
	session   *mcp.ClientSession
	transport string
	revision  string
	did       []string
	heard     heard
}

func (v *visit) note(format string, args ...any) { v.did = append(v.did, fmt.Sprintf(format, args...)) }

func TestClient(t *testing.T) {
	for _, revision := range []string{perRequest, "2025-11-25", "2025-06-18", "2025-03-26"} {
		for transport := range transports {
			t.Run(revision+"/"+transport, func(t *testing.T) {
				v := open(t, revision, transport)
				v.tools()
				v.mirroring()
				v.progressOfACall()
				v.logging()
				v.resources()
				v.prompts()
				v.completion()
				v.app()
				v.asks()
				v.announcements()
				v.ping()
				report(t, row{"go-sdk v1.8.0", transport, revision, v.did})
			})
		}
	}
}

func open(t *testing.T, revision, transport string) *visit {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	v := &visit{T: t, ctx: ctx, transport: transport, revision: revision}
	client := mcp.NewClient(&mcp.Implementation{Name: "interop", Version: "1"}, v.handlers())
	client.AddRoots(workplace)
	client.AddReceivingMiddleware(v.acknowledgments)
	session, err := client.Connect(ctx, transports[transport](t), &mcp.ClientSessionOptions{ProtocolVersion: revision})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, session.Close()) })
	v.session = session
	require.Equal(t, revision, session.InitializeResult().ProtocolVersion)
	require.NotEmpty(t, session.InitializeResult().ServerInfo.Name)
	return v
}

// pages calls next until a page has no cursor, and requires several pages of this module's server.
func (v *visit) pages(what string, next func(cursor string) (items int, following string, err error)) {
	total, pages, cursor := 0, 0, ""
	for {
		items, following, err := next(cursor)
		require.NoError(v, err, what)
		total, pages, cursor = total+items, pages+1, following
		if cursor == "" {
			break
		}
		require.Less(v, pages, 100, what)
	}
	require.NotZero(v, total, what)
	if target.ours {
		require.Greater(v, pages, 1, "%s must come in several pages", what)
	}
	v.note("%s %d in %d", what, total, pages)
}

func (v *visit) call(name string, args any) *mcp.CallToolResult {
	result, err := v.session.CallTool(v.ctx, &mcp.CallToolParams{Name: name, Arguments: args})
	require.NoError(v, err, name)
	require.NotEmpty(v, result.Content, name)
	return result
}

func (v *visit) tools() {
	v.pages("tools", func(cursor string) (int, string, error) {
		r, err := v.session.ListTools(v.ctx, &mcp.ListToolsParams{Cursor: cursor})
		if err != nil {
			return 0, "", err
		}
		for _, tool := range r.Tools {
			assert.NotEmpty(v, tool.Description, tool.Name)
			assert.NotNil(v, tool.InputSchema, tool.Name)
		}
		return len(r.Tools), r.NextCursor, nil
	})
	assert.IsType(v, &mcp.TextContent{}, v.call("test_simple_text", nil).Content[0])
	assert.Equal(v, "image/png", v.call("test_image_content", nil).Content[0].(*mcp.ImageContent).MIMEType)
	assert.Equal(v, "audio/wav", v.call("test_audio_content", nil).Content[0].(*mcp.AudioContent).MIMEType)
	assert.Equal(v, "test://embedded-resource", v.call("test_embedded_resource", nil).Content[0].(*mcp.EmbeddedResource).Resource.URI)
	assert.GreaterOrEqual(v, len(v.call("test_multiple_content_types", nil).Content), 3)
	assert.True(v, v.call("test_error_handling", nil).IsError)
	greeting := v.call("greet", map[string]any{"name": "Ada"}).Content[0].(*mcp.TextContent)
	assert.Equal(v, "Hello, Ada!", greeting.Text)
	_, err := v.session.CallTool(v.ctx, &mcp.CallToolParams{Name: "no-such-tool"})
	assert.Error(v, err)
	v.note("tools/call")
}

// mirroring passes a parameter that travels in a header too, where the revision has that.
func (v *visit) mirroring() {
	v.call("test_x_mcp_header", map[string]any{"region": "Zürich"})
	if v.revision == perRequest && v.transport == "http" {
		v.note("Mcp-Param-*")
	}
}

func (v *visit) progressOfACall() {
	params := &mcp.CallToolParams{Name: "test_tool_with_progress"}
	params.SetProgressToken("token")
	_, err := v.session.CallTool(v.ctx, params)
	require.NoError(v, err)
	assert.Equal(v, []string{"0", "50", "100"}, v.await(progressed, 3))
	v.note("progress")
}

func (v *visit) logging() {
	params := &mcp.CallToolParams{Name: "test_tool_with_logging"}
	if v.revision == perRequest {
		params.Name = "test_logging_tool"
		params.Meta = mcp.Meta{mcp.MetaKeyLogLevel: "debug"}
	} else {
		require.NoError(v, v.session.SetLoggingLevel(v.ctx, &mcp.SetLoggingLevelParams{Level: "debug"}))
	}
	_, err := v.session.CallTool(v.ctx, params)
	require.NoError(v, err)
	v.await(logged, 1)
	v.note("logging")
}

func (v *visit) resources() {
	v.pages("resources", func(cursor string) (int, string, error) {
		r, err := v.session.ListResources(v.ctx, &mcp.ListResourcesParams{Cursor: cursor})
		if err != nil {
			return 0, "", err
		}
		return len(r.Resources), r.NextCursor, nil
	})
	templates, err := v.session.ListResourceTemplates(v.ctx, nil)
	require.NoError(v, err)
	require.NotEmpty(v, templates.ResourceTemplates)

	assert.NotEmpty(v, v.read("test://static-text").Text)
	assert.NotEmpty(v, v.read("test://static-binary").Blob)
	assert.Contains(v, v.read("test://template/123/data").Text, "123")
	_, err = v.session.ReadResource(v.ctx, &mcp.ReadResourceParams{URI: "test://no-such-resource"})
	assert.Error(v, err)
	v.note("templates, resources/read")
}

func (v *visit) read(uri string) *mcp.ResourceContents {
	r, err := v.session.ReadResource(v.ctx, &mcp.ReadResourceParams{URI: uri})
	require.NoError(v, err, uri)
	require.Len(v, r.Contents, 1, uri)
	assert.Equal(v, uri, r.Contents[0].URI)
	return r.Contents[0]
}

func (v *visit) prompts() {
	v.pages("prompts", func(cursor string) (int, string, error) {
		r, err := v.session.ListPrompts(v.ctx, &mcp.ListPromptsParams{Cursor: cursor})
		if err != nil {
			return 0, "", err
		}
		return len(r.Prompts), r.NextCursor, nil
	})
	v.prompt("test_simple_prompt", nil)
	text := v.prompt("test_prompt_with_arguments", map[string]string{"arg1": "one", "arg2": "two"})[0].Content.(*mcp.TextContent).Text
	assert.Contains(v, text, "one")
	assert.Contains(v, text, "two")
	v.prompt("test_prompt_with_embedded_resource", map[string]string{"resourceUri": "test://r"})
	v.prompt("test_prompt_with_image", nil)
	v.note("prompts/get")
}

func (v *visit) prompt(name string, args map[string]string) []*mcp.PromptMessage {
	r, err := v.session.GetPrompt(v.ctx, &mcp.GetPromptParams{Name: name, Arguments: args})
	require.NoError(v, err, name)
	require.NotEmpty(v, r.Messages, name)
	return r.Messages
}

func (v *visit) completion() {
	_, err := v.session.Complete(v.ctx, &mcp.CompleteParams{
		Ref:      &mcp.CompleteReference{Type: "ref/prompt", Name: "test_prompt_with_arguments"},
		Argument: mcp.CompleteParamsArgument{Name: "arg1", Value: "test"},
	})
	require.NoError(v, err)
	v.note("completion")
}

// app finds the tool's user interface as a host of MCP Apps does.
func (v *visit) app() {
	var uri any
	for tool, err := range v.session.Tools(v.ctx, nil) {
		require.NoError(v, err)
		if ui, ok := tool.Meta["ui"].(map[string]any); ok && tool.Name == "show_clock" {
			uri = ui["resourceUri"]
		}
	}
	if v.revision == bare {
		require.Nil(v, uri, "a member that the revision does not have")
		return
	}
	require.Equal(v, "ui://parley/clock", uri)
	content := v.read("ui://parley/clock")
	assert.Equal(v, "text/html;profile=mcp-app", content.MIMEType)
	v.call("show_clock", nil)
	v.note("app")
}

func (v *visit) ping() {
	if v.revision == perRequest {
		return
	}
	require.NoError(v, v.session.Ping(v.ctx, nil))
	v.note("ping")
}
