package rev20250326

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

func writeTool(w *wire.Writer, t *protocol.Tool) {
	w.String("name", t.Name)
	w.OptString("description", t.Description)
	w.Raw("inputSchema", t.InputSchema)
	wire.OptPart(w, "annotations", t.Annotations, writeToolAnnotations)
}

func writeToolAnnotations(w *wire.Writer, a *protocol.ToolAnnotations) {
	w.OptString("title", a.Title)
	w.OptBoolPtr("readOnlyHint", a.ReadOnlyHint)
	w.OptBoolPtr("destructiveHint", a.DestructiveHint)
	w.OptBoolPtr("idempotentHint", a.IdempotentHint)
	w.OptBoolPtr("openWorldHint", a.OpenWorldHint)
}

func decodeCallTool(o *wire.Object) protocol.Params {
	return &protocol.CallToolParams{Name: o.String("name"), Arguments: o.OptRawObject("arguments")}
}

// writeCallToolResult: there is no structured content here; its text twin remains.
func writeCallToolResult(w *wire.Writer, r *protocol.CallToolResult) {
	wire.Array(w, "content", r.Content, writeContent)
	w.OptBool("isError", r.IsError)
	w.OptMeta(r.Meta)
}
