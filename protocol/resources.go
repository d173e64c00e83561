package protocol

import "github.com/go-json-experiment/json/jsontext"

// A Resource is something a client can read by its URI. Only URI and Name are required.
type Resource struct {
	URI, Name, Title, Description, MIMEType string
	// Size is in bytes; nil if unknown.
	Size        *int64
	Annotations *Annotations
	Icons       []Icon
	Meta        jsontext.Value
}

// A ResourceTemplate stands for the resources whose URIs match URITemplate (RFC 6570).
type ResourceTemplate struct {
	URITemplate, Name, Title, Description, MIMEType string
	Annotations                                     *Annotations
	Icons                                           []Icon
	Meta                                            jsontext.Value
}

// ResourceContents is the content of a resource: text, or bytes that travel in Base64.
type ResourceContents struct {
	URI, MIMEType string
	Text          string
	// Blob is what the resource holds if it is not text. Non-nil and empty is an empty blob.
	Blob []byte
	Meta jsontext.Value
}

// ListResourcesParams ask for a page of resources. Cursor is nil for the first.
type ListResourcesParams struct{ Cursor *string }

// ListResourcesResult is a page of resources. NextCursor is nil on the last.
type ListResourcesResult struct {
	ResultBase
	Cache      CacheHint
	Resources  []*Resource
	NextCursor *string
}

// ListResourceTemplatesParams ask for a page of templates. Cursor is nil for the first.
type ListResourceTemplatesParams struct{ Cursor *string }

// ListResourceTemplatesResult is a page of templates. NextCursor is nil on the last.
type ListResourceTemplatesResult struct {
	ResultBase
	Cache      CacheHint
	Templates  []*ResourceTemplate
	NextCursor *string
}

// ReadResourceParams read a resource.
type ReadResourceParams struct {
	URI   string
	Input Input
}

// ReadResourceResult is the content of a resource, in one or more parts.
type ReadResourceResult struct {
	ResultBase
	Cache    CacheHint
	Contents []*ResourceContents
}

// SubscribeParams ask to hear of changes of a resource, within a session.
type SubscribeParams struct{ URI string }

// UnsubscribeParams end that.
type UnsubscribeParams struct{ URI string }

// ResourceUpdatedNotification says that a resource has changed.
type ResourceUpdatedNotification struct {
	NotificationBase
	URI string
}

// ResourcesListChangedNotification says that the list of resources has changed.
type ResourcesListChangedNotification struct{ NotificationBase }

func (*ListResourcesParams) params()         {}
func (*ListResourceTemplatesParams) params() {}
func (*ReadResourceParams) params()          {}
func (*SubscribeParams) params()             {}
func (*UnsubscribeParams) params()           {}

// Method returns NotificationResourceUpdated.
func (*ResourceUpdatedNotification) Method() string { return NotificationResourceUpdated }

// Method returns NotificationResourcesListChanged.
func (*ResourcesListChangedNotification) Method() string { return NotificationResourcesListChanged }
