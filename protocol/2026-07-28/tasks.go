package rev20260728

import (
	"time"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/internal/wire"
)

// Tasks are an extension here (extensions/tasks/overview). Its specification stands apart from the schema of the revision.

func decodeGetTask(o *wire.Object) protocol.Params {
	return &protocol.GetTaskParams{ID: o.String("taskId")}
}

// decodeUpdateTask: an answer is checked by who asked for it, since those that nobody asked for are ignored.
func decodeUpdateTask(o *wire.Object) protocol.Params {
	o.Require("inputResponses")
	return &protocol.UpdateTaskParams{ID: o.String("taskId"), Responses: o.OptRawMap("inputResponses")}
}

func decodeCancelTask(o *wire.Object) protocol.Params {
	return &protocol.CancelTaskParams{ID: o.String("taskId")}
}

// writeCreateTaskResult: the task is not wrapped, and has none of what comes with a later status.
func writeCreateTaskResult(w *wire.Writer, r *protocol.CreateTaskResult) {
	w.String("resultType", task)
	writeTask(w, &r.Task)
	writeResultMeta(w, &r.ResultBase)
}

func writeGetTask(w *wire.Writer, r *protocol.GetTaskResult) {
	w.String("resultType", complete)
	writeDetailedTask(w, &r.Task)
	writeResultMeta(w, &r.ResultBase)
}

func writeTask(w *wire.Writer, t *protocol.Task) {
	w.String("taskId", t.ID)
	w.String("status", string(t.Status))
	w.OptString("statusMessage", t.Message)
	w.String("createdAt", timestamp(t.Created))
	w.String("lastUpdatedAt", timestamp(t.Updated))
	if t.TTLMs != nil {
		w.Int("ttlMs", *t.TTLMs)
	} else {
		w.Raw("ttlMs", nil)
	}
	if t.PollMs > 0 {
		w.Int("pollIntervalMs", t.PollMs)
	}
}

// writeDetailedTask writes a task with what belongs to its status: the result or the error is what the request would have
// been answered with.
func writeDetailedTask(w *wire.Writer, t *protocol.Task) {
	writeTask(w, t)
	switch t.Status {
	case protocol.TaskInputRequired:
		writeInputRequests(w, t.Requests)
	case protocol.TaskCompleted:
		w.Open("result")
		encode(w, t.Result)
		w.Close()
	case protocol.TaskFailed:
		e := encodeError(t.Error)
		w.Open("error")
		w.Int("code", int64(e.Code))
		w.String("message", e.Message)
		w.OptRaw("data", e.Data)
		w.Close()
	}
}

// timestamp is a time in ISO 8601.
func timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
