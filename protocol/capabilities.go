package protocol

import "github.com/go-json-experiment/json/jsontext"

// ClientCapabilities are what a client can do for a server. A nil part is not declared.
type ClientCapabilities struct {
	Roots       *RootsCapability
	Sampling    *SamplingCapability
	Elicitation *ElicitationCapability
	// Extensions and Experimental map names to settings, which are objects.
	Extensions, Experimental map[string]jsontext.Value
}

// RootsCapability says that the client answers roots/list.
type RootsCapability struct{ ListChanged bool }

// SamplingCapability says that the client answers sampling/createMessage.
type SamplingCapability struct {
	// Tools: with tools and a tool choice. Context: with includeContext, which revisions without a capability for it allow.
	Tools, Context bool
}

// ElicitationCapability says that the client answers elicitation/create in these modes.
type ElicitationCapability struct{ Form, URL bool }

// ServerCapabilities are what a server offers. A nil or false part is not declared.
type ServerCapabilities struct {
	Tools                *ListCapability
	Prompts              *ListCapability
	Resources            *ResourcesCapability
	Logging, Completions bool
	// Tasks: tools can run as tasks. Where tasks are an extension, it is declared among those.
	Tasks *TasksCapability
	// Extensions and Experimental map names to settings, which are objects.
	Extensions, Experimental map[string]jsontext.Value
}

// ListCapability says that there is a list, and whether its changes are announced.
type ListCapability struct{ ListChanged bool }

// ResourcesCapability says that there are resources, and which of their changes are announced.
type ResourcesCapability struct{ Subscribe, ListChanged bool }

// TasksCapability says that tools can run as tasks, and that these can be cancelled.
type TasksCapability struct {
	// List: clients can list theirs, where the revision has that.
	List bool
}
