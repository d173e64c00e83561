package rev20251125

import (
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/internal/wire"
)

func decodeComplete(o *wire.Object) protocol.Params {
	p := &protocol.CompleteParams{}
	switch ref := o.Object("ref"); ref.String("type") {
	case "ref/prompt":
		p.Prompt = ref.String("name")
	case "ref/resource":
		p.Template = ref.String("uri")
	default:
		o.Fail("params.ref.type must be ref/prompt or ref/resource")
	}
	argument := o.Object("argument")
	p.Argument, p.Value = argument.String("name"), argument.String("value")
	if c := o.OptObject("context"); c != nil {
		p.Arguments = c.OptStringMap("arguments")
	}
	return p
}

func writeComplete(w *wire.Writer, r *protocol.CompleteResult) {
	w.Open("completion")
	w.Strings("values", r.Values)
	w.OptInt("total", r.Total)
	w.OptBool("hasMore", r.HasMore)
	w.Close()
	w.OptMeta(r.Meta)
}
