package rev20260728

import (
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/internal/wire"
)

func decodeListPrompts(o *wire.Object) protocol.Params {
	return &protocol.ListPromptsParams{Cursor: o.OptStringPtr("cursor")}
}

func decodeGetPrompt(o *wire.Object) protocol.Params {
	return &protocol.GetPromptParams{Name: o.String("name"), Arguments: o.OptStringMap("arguments"), Input: readInput(o)}
}

func writeListPrompts(w *wire.Writer, r *protocol.ListPromptsResult) {
	w.String("resultType", complete)
	wire.Array(w, "prompts", r.Prompts, writePrompt)
	w.OptStringPtr("nextCursor", r.NextCursor)
	writeCacheHint(w, r.Cache)
	writeResultMeta(w, &r.ResultBase)
}

func writePrompt(w *wire.Writer, p *protocol.Prompt) {
	w.String("name", p.Name)
	w.OptString("title", p.Title)
	w.OptString("description", p.Description)
	wire.OptArray(w, "arguments", p.Arguments, func(w *wire.Writer, a protocol.PromptArgument) {
		w.String("name", a.Name)
		w.OptString("title", a.Title)
		w.OptString("description", a.Description)
		w.OptBool("required", a.Required)
	})
	wire.OptArray(w, "icons", p.Icons, writeIcon)
	w.OptMeta(p.Meta)
}

func writeGetPrompt(w *wire.Writer, r *protocol.GetPromptResult) {
	w.String("resultType", complete)
	w.OptString("description", r.Description)
	wire.Array(w, "messages", r.Messages, func(w *wire.Writer, m protocol.PromptMessage) {
		w.String("role", string(m.Role))
		w.Open("content")
		writeContent(w, m.Content)
		w.Close()
	})
	writeResultMeta(w, &r.ResultBase)
}
