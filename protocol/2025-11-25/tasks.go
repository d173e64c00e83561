package rev20251125

import (
	"strings"
	"time"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/internal/wire"
)

// writeTasksCapability: what can run as a task is listed by request, and the list is whole
// (basic/utilities/tasks#capability-negotiation).
func writeTasksCapability(w *wire.Writer, c *protocol.TasksCapability) {
	writeFlag(w, "list", c.List)
	writeFlag(w, "cancel", true)
	w.Open("requests")
	w.Open("tools")
	writeFlag(w, "call", true)
	w.Close()
	w.Close()
}

// writeExecution: a tool that says nothing cannot run as a task (basic/utilities/tasks#tool-level-negotiation).
func writeExecution(w *wire.Writer, t *protocol.Tool) {
	if t.TaskSupport != protocol.TaskForbidden {
		w.Open("execution")
		w.String("taskSupport", string(t.TaskSupport))
		w.Close()
	}
}

// readTaskRequest reads what makes of a request a task (basic/utilities/tasks#task-parameters).
func readTaskRequest(o *wire.Object) *protocol.TaskRequest {
	t := o.OptObject("task")
	if t == nil {
		return nil
	}
	return &protocol.TaskRequest{TTLMs: t.OptInt("ttl")}
}

func decodeGetTask(o *wire.Object) protocol.Params {
	return &protocol.GetTaskParams{ID: o.String("taskId")}
}

func decodeTaskResult(o *wire.Object) protocol.Params {
	return &protocol.TaskResultParams{ID: o.String("taskId")}
}

func decodeListTasks(o *wire.Object) protocol.Params {
	return &protocol.ListTasksParams{Cursor: o.OptStringPtr("cursor")}
}

func decodeCancelTask(o *wire.Object) protocol.Params {
	return &protocol.CancelTaskParams{ID: o.String("taskId")}
}

func writeCreateTaskResult(w *wire.Writer, r *protocol.CreateTaskResult) {
	w.Open("task")
	writeTask(w, &r.Task)
	w.Close()
	w.OptMeta(r.Meta)
}

func writeListTasks(w *wire.Writer, r *protocol.ListTasksResult) {
	wire.Array(w, "tasks", r.Tasks, writeTask)
	w.OptStringPtr("nextCursor", r.NextCursor)
	w.OptMeta(r.Meta)
}

// writeTask: a result that says that the tool failed makes of it a failed task (basic/utilities/tasks#task-status). What
// there is besides the status is asked for with tasks/result.
func writeTask(w *wire.Writer, t *protocol.Task) {
	status, message := t.Status, t.Message
	if r, ok := t.Result.(*protocol.CallToolResult); ok && status == protocol.TaskCompleted && r.IsError {
		status, message = protocol.TaskFailed, diagnosis(r, message)
	}
	w.String("taskId", t.ID)
	w.String("status", string(status))
	w.OptString("statusMessage", message)
	w.String("createdAt", timestamp(t.Created))
	w.String("lastUpdatedAt", timestamp(t.Updated))
	if t.TTLMs != nil {
		w.Int("ttl", *t.TTLMs)
	} else {
		w.Raw("ttl", nil)
	}
	if t.PollMs > 0 {
		w.Int("pollInterval", t.PollMs)
	}
}

// diagnosis is what a failed tool says first, or else what there was to say before
// (basic/utilities/tasks#task-execution-errors).
func diagnosis(r *protocol.CallToolResult, otherwise string) string {
	const most = 1024 // the whole is in the result
	if len(r.Content) == 0 {
		return otherwise
	}
	text, ok := r.Content[0].(*protocol.TextContent)
	switch {
	case !ok:
		return otherwise
	case len(text.Text) > most:
		return strings.ToValidUTF8(text.Text[:most], "") + "..."
	}
	return text.Text
}

// timestamp is a time in ISO 8601 (basic/utilities/tasks#ttl-and-resource-management).
func timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
