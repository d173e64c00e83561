package protocol

import "github.com/go-json-experiment/json/jsontext"

// Content is one block of what a tool, prompt or model says: a pointer to TextContent, ImageContent, AudioContent,
// ResourceLink or EmbeddedResource, and in sampling also ToolUse or ToolResult.
type Content interface{ content() }

// TextContent is text.
type TextContent struct {
	Text        string
	Annotations *Annotations
	Meta        jsontext.Value
}

// ImageContent is a picture. Data travels in Base64.
type ImageContent struct {
	Data        []byte
	MIMEType    string
	Annotations *Annotations
	Meta        jsontext.Value
}

// AudioContent is sound. Data travels in Base64.
type AudioContent struct {
	Data        []byte
	MIMEType    string
	Annotations *Annotations
	Meta        jsontext.Value
}

// ResourceLink points to a resource. Revisions without it get its URI as text.
type ResourceLink struct{ Resource }

// EmbeddedResource is a resource with its content.
type EmbeddedResource struct {
	Resource    ResourceContents
	Annotations *Annotations
	Meta        jsontext.Value
}

// ToolUse is a model's wish, in sampling, to call a tool.
type ToolUse struct {
	ID, Name string
	// Input are the arguments, an object.
	Input jsontext.Value
	Meta  jsontext.Value
}

// ToolResult is the outcome, in sampling, of the tool use with the given id.
type ToolResult struct {
	ToolUseID  string
	Content    []Content
	Structured jsontext.Value
	IsError    bool
	Meta       jsontext.Value
}

func (*TextContent) content()      {}
func (*ImageContent) content()     {}
func (*AudioContent) content()     {}
func (*ResourceLink) content()     {}
func (*EmbeddedResource) content() {}
func (*ToolUse) content()          {}
func (*ToolResult) content()       {}

// Annotations tell a client for whom content is, how important it is and how old. All parts are optional.
type Annotations struct {
	Audience []Role
	// Priority is from 0 to 1.
	Priority *float64
	// LastModified is a time in ISO 8601.
	LastModified string
}

// A Role is who speaks, or is spoken to.
type Role string

// The roles.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
)

// An Icon is a picture for a user interface. Only Src is required.
type Icon struct {
	// Src is an https or data URI.
	Src, MIMEType string
	// Sizes are of the form 48x48, or any.
	Sizes []string
	// Theme is light or dark.
	Theme string
}
