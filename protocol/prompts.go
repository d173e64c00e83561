package protocol

import "github.com/go-json-experiment/json/jsontext"

// A Prompt is a template of messages that a user may pick. Only Name is required.
type Prompt struct {
	Name, Title, Description string
	Arguments                []PromptArgument
	Icons                    []Icon
	Meta                     jsontext.Value
}

// A PromptArgument is a blank in a prompt.
type PromptArgument struct {
	Name, Title, Description string
	Required                 bool
}

// ListPromptsParams ask for a page of prompts. Cursor is nil for the first.
type ListPromptsParams struct{ Cursor *string }

// ListPromptsResult is a page of prompts. NextCursor is nil on the last.
type ListPromptsResult struct {
	ResultBase
	Cache      CacheHint
	Prompts    []*Prompt
	NextCursor *string
}

// GetPromptParams fill in a prompt.
type GetPromptParams struct {
	Name      string
	Arguments map[string]string
	Input     Input
}

// GetPromptResult is the filled in prompt.
type GetPromptResult struct {
	ResultBase
	Description string
	Messages    []PromptMessage
}

// A PromptMessage is one message of a prompt.
type PromptMessage struct {
	Role    Role
	Content Content
}

// PromptsListChangedNotification says that the list of prompts has changed.
type PromptsListChangedNotification struct{ NotificationBase }

// ToolsListChangedNotification says that the list of tools has changed.
type ToolsListChangedNotification struct{ NotificationBase }

func (*ListPromptsParams) params() {}
func (*GetPromptParams) params()   {}

// Method returns NotificationPromptsListChanged.
func (*PromptsListChangedNotification) Method() string { return NotificationPromptsListChanged }

// Method returns NotificationToolsListChanged.
func (*ToolsListChangedNotification) Method() string { return NotificationToolsListChanged }
