package rev20260728

import (
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/internal/wire"
)

func decodeCancelled(o *wire.Object) protocol.Params {
	o.Require("requestId")
	return &protocol.CancelledParams{RequestID: o.Token("requestId"), Reason: o.OptString("reason")}
}

func writeCancelled(w *wire.Writer, n *protocol.CancelledNotification) {
	w.Raw("requestId", n.RequestID)
	w.OptString("reason", n.Reason)
	writeNotificationMeta(w, &n.NotificationBase)
}

func writeProgress(w *wire.Writer, n *protocol.ProgressNotification) {
	w.Raw("progressToken", n.Token)
	w.Float("progress", n.Progress)
	w.OptFloat("total", n.Total)
	w.OptString("message", n.Message)
	writeNotificationMeta(w, &n.NotificationBase)
}

func readLogLevel(o *wire.Object, name string) protocol.LogLevel {
	level, ok := protocol.ParseLogLevel(o.String(name))
	if !ok {
		o.Fail("%s must be a level of RFC 5424, such as info or error", o.Path(name))
	}
	return level
}

func writeLog(w *wire.Writer, n *protocol.LogNotification) {
	w.String("level", n.Level.String())
	w.OptString("logger", n.Logger)
	w.Raw("data", n.Data)
	writeNotificationMeta(w, &n.NotificationBase)
}
