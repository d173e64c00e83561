package rev20251125

import (
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/internal/wire"
)

// decodeCancelled: requestId may be missing here, where a task is cancelled otherwise (schema#cancellednotificationparams).
func decodeCancelled(o *wire.Object) protocol.Params {
	return &protocol.CancelledParams{RequestID: o.Token("requestId"), Reason: o.OptString("reason")}
}

func writeCancelled(w *wire.Writer, n *protocol.CancelledNotification) {
	w.Raw("requestId", n.RequestID)
	w.OptString("reason", n.Reason)
	w.OptMeta(n.Meta)
}

func decodeProgress(o *wire.Object) protocol.Params {
	o.Require("progressToken")
	o.Require("progress")
	p := &protocol.ProgressParams{Token: o.Token("progressToken"), Total: o.OptFloat("total"), Message: o.OptString("message")}
	if f := o.OptFloat("progress"); f != nil {
		p.Progress = *f
	}
	return p
}

func writeProgress(w *wire.Writer, n *protocol.ProgressNotification) {
	w.Raw("progressToken", n.Token)
	w.Float("progress", n.Progress)
	w.OptFloat("total", n.Total)
	w.OptString("message", n.Message)
	writeMeta(w, n.Meta, n.Task)
}

func decodeSetLevel(o *wire.Object) protocol.Params {
	level, ok := protocol.ParseLogLevel(o.String("level"))
	if !ok {
		o.Fail("params.level must be a level of RFC 5424, such as info or error")
	}
	return &protocol.SetLevelParams{Level: level}
}

func writeLog(w *wire.Writer, n *protocol.LogNotification) {
	w.String("level", n.Level.String())
	w.OptString("logger", n.Logger)
	w.Raw("data", n.Data)
	writeMeta(w, n.Meta, n.Task)
}
