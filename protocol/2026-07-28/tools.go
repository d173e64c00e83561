package rev20260728

import (
	"maps"
	"slices"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/internal/wire"
)

func decodeListTools(o *wire.Object) protocol.Params {
	return &protocol.ListToolsParams{Cursor: o.OptStringPtr("cursor")}
}

func writeListTools(w *wire.Writer, r *protocol.ListToolsResult) {
	w.String("resultType", complete)
	wire.Array(w, "tools", r.Tools, writeTool)
	w.OptStringPtr("nextCursor", r.NextCursor)
	writeCacheHint(w, r.Cache)
	writeResultMeta(w, &r.ResultBase)
}

func writeTool(w *wire.Writer, t *protocol.Tool) {
	w.String("name", t.Name)
	w.OptString("title", t.Title)
	w.OptString("description", t.Description)
	w.Raw("inputSchema", t.InputSchema)
	w.OptRaw("outputSchema", t.OutputSchema)
	wire.OptPart(w, "annotations", t.Annotations, writeToolAnnotations)
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
	return &protocol.CallToolParams{Name: o.String("name"), Arguments: o.OptRawObject("arguments"), Input: readInput(o)}
}

func writeCallToolResult(w *wire.Writer, r *protocol.CallToolResult) {
	w.String("resultType", complete)
	wire.Array(w, "content", r.Content, writeContent)
	w.OptRaw("structuredContent", r.Structured)
	w.OptBool("isError", r.IsError)
	writeResultMeta(w, &r.ResultBase)
}

// readInput reads what a retry brings along (basic/patterns/mrtr#basic-workflow). An answer is checked when it is asked for,
// since those that nobody asked for are ignored.
func readInput(o *wire.Object) protocol.Input {
	return protocol.Input{
		Responses: o.OptRawMap("inputResponses"),
		State:     o.OptString("requestState"),
		HasState:  o.Has("requestState"),
	}
}

// writeInputRequired: there is a state, be it an empty one, where there are no questions
// (basic/patterns/mrtr#server-requirements-basic-workflow).
func writeInputRequired(w *wire.Writer, r *protocol.InputRequiredResult) {
	w.String("resultType", inputRequired)
	if len(r.Requests) > 0 {
		writeInputRequests(w, r.Requests)
	}
	if r.State != "" || len(r.Requests) == 0 {
		w.String("requestState", r.State)
	}
	writeResultMeta(w, &r.ResultBase)
}

func writeInputRequests(w *wire.Writer, requests map[string]protocol.Question) {
	w.Open("inputRequests")
	for _, key := range slices.Sorted(maps.Keys(requests)) {
		w.Name(key)
		writeInputRequest(w, requests[key])
	}
	w.Close()
}

func writeInputRequest(w *wire.Writer, q protocol.Question) {
	w.Open("")
	w.String("method", q.Method())
	w.Open("params")
	encode(w, q)
	w.Close()
	w.Close()
}
