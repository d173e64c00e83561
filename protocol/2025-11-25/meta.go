package rev20251125

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/internal/wire"
)

func decodeMeta(o *wire.Object) protocol.RequestMeta {
	return protocol.RequestMeta{ProgressToken: o.Token(protocol.MetaProgressToken)}
}

// writeTracking asks for progress (basic/utilities/progress#progress-flow), and says to which task a question belongs.
func writeTracking(w *wire.Writer, t *protocol.Tracked) {
	w.Open("_meta")
	w.OptRaw(protocol.MetaProgressToken, t.ProgressToken)
	writeRelatedTask(w, t.Task)
	w.Close()
}

// writeMeta writes the _meta of what may belong to a task (basic/utilities/tasks#associating-task-related-messages).
func writeMeta(w *wire.Writer, meta jsontext.Value, task string) {
	if task == "" {
		w.OptMeta(meta)
		return
	}
	w.Open("_meta")
	writeRelatedTask(w, task)
	w.Rest(meta, protocol.MetaRelatedTask)
	w.Close()
}

func writeRelatedTask(w *wire.Writer, task string) {
	if task != "" {
		w.Open(protocol.MetaRelatedTask)
		w.String("taskId", task)
		w.Close()
	}
}
