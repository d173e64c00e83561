package protocol

import "github.com/go-json-experiment/json/jsontext"

// A Tool is a function that a model may call. Only Name and InputSchema are required.
type Tool struct {
	Name, Title, Description string
	// InputSchema is the JSON Schema of the arguments; its root has type object.
	InputSchema jsontext.Value
	// OutputSchema is the JSON Schema of the structured content, or nil.
	OutputSchema jsontext.Value
	Annotations  *ToolAnnotations
	// TaskSupport says whether a call may, or must, run as a task.
	TaskSupport TaskSupport
	Icons       []Icon
	Meta        jsontext.Value
	// Scopes are those that the caller's token needs for it; they are never sent. See server.Options.Allow.
	Scopes []string
}

// ToolAnnotations are hints on what a tool does. A nil hint takes the specification's default.
type ToolAnnotations struct {
	Title                                                        string
	ReadOnlyHint, DestructiveHint, IdempotentHint, OpenWorldHint *bool
}

// ListToolsParams ask for a page of tools. Cursor is nil for the first.
type ListToolsParams struct{ Cursor *string }

// ListToolsResult is a page of tools. NextCursor is nil on the last.
type ListToolsResult struct {
	ResultBase
	Cache      CacheHint
	Tools      []*Tool
	NextCursor *string
}

// CallToolParams call a tool.
type CallToolParams struct {
	Name string
	// Arguments is an object, or nil.
	Arguments jsontext.Value
	Input     Input
	// Task asks for the call to run as a task; nil if it does not, and where a client does not ask for that.
	Task *TaskRequest
}

// CallToolResult is what a tool says.
type CallToolResult struct {
	ResultBase
	Content []Content
	// Structured is any JSON value that conforms to the tool's OutputSchema, or nil.
	Structured jsontext.Value
	// IsError: the tool failed; Content says why, for the model to read.
	IsError bool
}

// Input is what a client that retries a request brings along. It is zero where the revision has no such retries.
type Input struct {
	// Responses are the client's answers by key.
	Responses map[string]jsontext.Value
	// State is what the server gave the client to bring back; HasState tells an empty one from none.
	State    string
	HasState bool
}

// InputRequiredResult says that a request cannot be completed before the client answers, and retries it.
type InputRequiredResult struct {
	ResultBase
	Requests map[string]Question
	// State is for the client to bring back verbatim; empty for none.
	State string
}

func (*ListToolsParams) params() {}
func (*CallToolParams) params()  {}
