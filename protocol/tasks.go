package protocol

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// TaskExtension names the extension by which tasks exist at revisions where a server makes them (extensions/tasks/overview).
const TaskExtension = "io.modelcontextprotocol/tasks"

// TaskSupport says whether a tool may run as a task: on after its call is answered, with a result that the client asks for.
type TaskSupport string

// The kinds of support. TaskForbidden is the zero value.
const (
	TaskForbidden TaskSupport = ""
	// TaskOptional: with a task, or without.
	TaskOptional TaskSupport = "optional"
	// TaskRequired: as a task alone, where the client's revision has tasks.
	TaskRequired TaskSupport = "required"
)

// A TaskStatus is how far a task is.
type TaskStatus string

// The statuses. The last three are final.
const (
	TaskWorking       TaskStatus = "working"
	TaskInputRequired TaskStatus = "input_required"
	// TaskCompleted: there is a result, be it one that says that the tool failed. Revisions that see a failed task in
	// that say so.
	TaskCompleted TaskStatus = "completed"
	// TaskFailed: there is an error in place of a result.
	TaskFailed    TaskStatus = "failed"
	TaskCancelled TaskStatus = "cancelled"
)

// Ended reports whether the status is final.
func (s TaskStatus) Ended() bool {
	return s == TaskCompleted || s == TaskFailed || s == TaskCancelled
}

// A Task is a call that goes on after its request is answered, as it stands at one moment.
type Task struct {
	ID     string
	Status TaskStatus
	// Message says in words what the status is; optional.
	Message string
	// Created and Updated are when the task began, and when its status last changed.
	Created, Updated time.Time
	// TTLMs is for how many milliseconds from Created the task is kept; nil is for ever.
	TTLMs *int64
	// PollMs is how many milliseconds a client should wait between its questions; zero says nothing of it.
	PollMs int64
	// Requests are the open questions by key, and belong to TaskInputRequired.
	Requests map[string]Question
	// Result belongs to TaskCompleted, Error to TaskFailed.
	Result Result
	Error  *Error
}

// TaskRequest asks for a call to run as a task.
type TaskRequest struct {
	// TTLMs is for how many milliseconds the client would like the task to be kept; nil if it does not say.
	TTLMs *int64
}

// CreateTaskResult says that a call has become a task.
type CreateTaskResult struct {
	ResultBase
	Task Task
}

// GetTaskParams ask how far a task is.
type GetTaskParams struct{ ID string }

// GetTaskResult answers that.
type GetTaskResult struct {
	ResultBase
	Task Task
}

// TaskResultParams wait for the result of a task, which is that of the request which began it.
type TaskResultParams struct{ ID string }

// TaskResult answers that, and names the task.
type TaskResult struct {
	ResultBase
	ID string
	// Result is that of the call: no other request begins a task.
	Result *CallToolResult
}

// ListTasksParams ask for a page of the client's own tasks. Cursor is nil for the first.
type ListTasksParams struct{ Cursor *string }

// ListTasksResult is a page of tasks. NextCursor is nil on the last.
type ListTasksResult struct {
	ResultBase
	Tasks      []*Task
	NextCursor *string
}

// UpdateTaskParams answer questions of a task, by key.
type UpdateTaskParams struct {
	ID        string
	Responses map[string]jsontext.Value
}

// CancelTaskParams give a task up.
type CancelTaskParams struct{ ID string }

// CancelTaskResult says that this was heard, and at some revisions how the task then stands.
type CancelTaskResult struct {
	ResultBase
	Task Task
}

// TaskNotification says how a task stands that a subscription names.
type TaskNotification struct {
	NotificationBase
	Task Task
}

func (*GetTaskParams) params()    {}
func (*TaskResultParams) params() {}
func (*ListTasksParams) params()  {}
func (*UpdateTaskParams) params() {}
func (*CancelTaskParams) params() {}

// Method returns NotificationTask.
func (*TaskNotification) Method() string { return NotificationTask }
