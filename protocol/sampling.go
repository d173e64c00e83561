package protocol

import "github.com/go-json-experiment/json/jsontext"

// CreateMessageParams ask the client's model for a message. Messages and MaxTokens are required.
//
// Sampling is deprecated in the newest revision (deprecated#deprecated-features).
type CreateMessageParams struct {
	Messages  []SamplingMessage
	MaxTokens int64

	SystemPrompt string
	Preferences  *ModelPreferences
	// IncludeContext is none, thisServer or allServers; the last two need the client's sampling.context.
	IncludeContext string
	Temperature    *float64
	StopSequences  []string
	// Metadata is for the model's provider, an object or nil.
	Metadata jsontext.Value
	// Tools and ToolChoice need the client's sampling.tools. ToolChoice is auto, required or none.
	Tools      []*Tool
	ToolChoice string
}

// A SamplingMessage is one message of the conversation that the model continues.
type SamplingMessage struct {
	Role    Role
	Content []Content
	Meta    jsontext.Value
}

// ModelPreferences say what matters in the choice of a model. Priorities are from 0 to 1, nil if they do not matter.
type ModelPreferences struct {
	// Hints are names or parts of names of models, in order of preference.
	Hints                                             []string
	CostPriority, SpeedPriority, IntelligencePriority *float64
}

// CreateMessageResult is the model's message.
type CreateMessageResult struct {
	Role       Role
	Content    []Content
	Model      string
	StopReason string
	Meta       jsontext.Value
}

// ListRootsParams ask for the client's root directories.
//
// Roots are deprecated in the newest revision (deprecated#deprecated-features).
type ListRootsParams struct{}

// ListRootsResult holds the roots.
type ListRootsResult struct {
	Roots []Root
	Meta  jsontext.Value
}

// A Root is a directory that the user works in.
type Root struct {
	// URI begins with file://.
	URI, Name string
	Meta      jsontext.Value
}

func (*CreateMessageParams) outgoing() {}
func (*CreateMessageParams) question() {}
func (*CreateMessageResult) answer()   {}
func (*ListRootsParams) outgoing()     {}
func (*ListRootsParams) question()     {}
func (*ListRootsResult) answer()       {}

// Method returns MethodCreateMessage.
func (*CreateMessageParams) Method() string { return MethodCreateMessage }

// Method returns MethodRootsList.
func (*ListRootsParams) Method() string { return MethodRootsList }
