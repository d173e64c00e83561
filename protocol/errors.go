package protocol

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// An ErrorKind says what went wrong, whatever number a revision has for it.
type ErrorKind uint8

const (
	// KindInternal: the server failed, and the client cannot help it.
	KindInternal ErrorKind = iota
	// KindInvalidRequest: the message is no valid request, or comes at the wrong time.
	KindInvalidRequest
	// KindMethodNotFound: no such method at this revision, or on this server.
	KindMethodNotFound
	// KindInvalidParams: the method exists, its params are wrong.
	KindInvalidParams
	// KindResourceNotFound: no resource has the URI in Error.URI.
	KindResourceNotFound
	// KindHeaderMismatch: HTTP headers contradict the body, or are missing.
	KindHeaderMismatch
	// KindMissingCapability: the client did not declare what Error.Required names.
	KindMissingCapability
	// KindUnsupportedVersion: the revision Error.Requested is none of Error.Supported.
	KindUnsupportedVersion
	// KindURLElicitationRequired: the user must first visit the URLs in Error.Elicitations.
	KindURLElicitationRequired
	// KindApplication: an error of the author's own, with Error.Code. Codes from -32768 to -32000 belong to JSON-RPC and MCP.
	KindApplication
)

// An Error is a protocol error: it becomes the error of a response, with the code that the peer's revision has for its kind.
type Error struct {
	Kind    ErrorKind
	Message string
	// URI belongs to KindResourceNotFound.
	URI string
	// Required belongs to KindMissingCapability.
	Required *ClientCapabilities
	// Supported and Requested belong to KindUnsupportedVersion.
	Supported []Revision
	Requested string
	// Elicitations belongs to KindURLElicitationRequired.
	Elicitations []*ElicitParams
	// Challenge refuses the request for who sends it: over HTTP the answer has this WWW-Authenticate header, and status 403,
	// unless it is a stream by then or part of a batch. It is no part of the message.
	Challenge string
	// Code belongs to KindApplication.
	Code int
	// Data is any JSON value, or nil. Kinds that have data of their own ignore it.
	Data jsontext.Value
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// A WireError is an Error in a revision's numbers.
type WireError struct {
	Code    int
	Message string
	Data    jsontext.Value
}

// ErrNotInRevision is returned by Codec.Append for what a revision cannot say. What was to be sent must be left out, or
// refused where it is required.
var ErrNotInRevision = errors.New("the peer's revision has no such message")

// InvalidParams returns an error of KindInvalidParams.
func InvalidParams(format string, args ...any) *Error {
	return &Error{Kind: KindInvalidParams, Message: "invalid params: " + fmt.Sprintf(format, args...)}
}

// InvalidRequest returns an error of KindInvalidRequest.
func InvalidRequest(format string, args ...any) *Error {
	return &Error{Kind: KindInvalidRequest, Message: "invalid request: " + fmt.Sprintf(format, args...)}
}

// MethodNotFound returns an error of KindMethodNotFound.
func MethodNotFound(method string) *Error {
	const most = 100 // a method's name is the client's text, and may be long
	if len(method) > most {
		method = method[:most] + "..."
	}
	return &Error{Kind: KindMethodNotFound, Message: fmt.Sprintf("method not found: %q", method)}
}

// ResourceNotFound returns an error of KindResourceNotFound.
func ResourceNotFound(uri string) *Error {
	return &Error{Kind: KindResourceNotFound, Message: "resource not found", URI: uri}
}

// HeaderMismatch returns an error of KindHeaderMismatch.
func HeaderMismatch(format string, args ...any) *Error {
	return &Error{Kind: KindHeaderMismatch, Message: "header mismatch: " + fmt.Sprintf(format, args...)}
}

// MissingCapability returns an error of KindMissingCapability.
func MissingCapability(required *ClientCapabilities) *Error {
	return &Error{Kind: KindMissingCapability, Message: "the client has not declared a capability that this request needs", Required: required}
}

// UnsupportedVersion returns an error of KindUnsupportedVersion.
func UnsupportedVersion(requested string, supported []Revision) *Error {
	return &Error{Kind: KindUnsupportedVersion, Message: "unsupported protocol version", Requested: requested, Supported: supported}
}

// Internal returns an error of KindInternal that says nothing of its cause, which belongs into the log.
func Internal() *Error { return &Error{Kind: KindInternal, Message: "internal error"} }

// AsError returns err as an *Error: itself or one it wraps, else Internal.
func AsError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return Internal()
}
