package rev20251125

import (
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/internal/wire"
)

func decodeListTools(o *wire.Object) protocol.Params {
	return &protocol.ListToolsParams{Cursor: o.OptStringPtr("cursor")}
}

func writeListTools(w *wire.Writer, r *protocol.ListToolsResult) {
	wire.Array(w, "tools", r.Tools, writeTool)
	w.OptStringPtr("nextCursor", r.NextCursor)
	w.OptMeta(r.Meta)
}

// writeTool: an output schema has an object at its root here; another is left out, and with it the structured content
// (server/tools#output-schema).
func writeTool(w *wire.Writer, t *protocol.Tool) {
	w.String("name", t.Name)
	w.OptString("title", t.Title)
	w.OptString("description", t.Description)
	w.Raw("inputSchema", t.InputSchema)
	if wire.DescribesObject(t.OutputSchema) {
		w.Raw("outputSchema", t.OutputSchema)
	}
	wire.OptPart(w, "annotations", t.Annotations, writeToolAnnotations)
	writeExecution(w, t)
	wire.OptArray(w, "icons", t.Icons, writeIcon)
	w.OptMeta(t.Meta)
}

func writeToolAnnotations(w *wire.Writer, a *protocol.ToolAnnotations) {
	w.OptString("title", a.Title)
	w.OptBoolPtr("readOnlyHint", a.ReadOnlyHint)
	w.OptBoolPtr("destructiveHint", a.DestructiveHint)
	w.OptBoolPtr("idempotentHint", a.IdempotentHint)
	w.OptBoolPtr("openWorldHint", a.OpenWorldHint)
}

func decodeCallTool(o *wire.Object) protocol.Params {
	return &protocol.CallToolParams{Name: o.String("name"), Arguments: o.OptRawObject("arguments"), Task: readTaskRequest(o)}
}

// writeCallToolResult: structured content is an object here; another value is left out, its text twin remains
// (server/tools#structured-content).
func writeCallToolResult(w *wire.Writer, r *protocol.CallToolResult) { writeCallResult(w, r, "") }

// writeCallResult writes a result that may be a task's.
func writeCallResult(w *wire.Writer, r *protocol.CallToolResult, task string) {
	wire.Array(w, "content", r.Content, writeContent)
	if wire.IsObject(r.Structured) {
		w.Raw("structuredContent", r.Structured)
	}
	w.OptBool("isError", r.IsError)
	writeMeta(w, r.Meta, task)
}
