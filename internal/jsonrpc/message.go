// Package jsonrpc reads and writes the envelope of a message: JSON-RPC 2.0 as MCP narrows it.
//
// A message is parsed once. What lies inside params, result and error stays raw, as spans of the text that was read, so
// that numbers keep their digits and unknown members survive.
package jsonrpc

import (
	"bytes"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/parley-mcp/parley/internal/rawjson"
)

// A Kind is what a message is.
type Kind uint8

const (
	// Request has a method and an id: it wants an answer.
	Request Kind = iota + 1
	// Notification has a method and no id: it gets no answer.
	Notification
	// Response has a result or an error, and the id of the request it answers.
	Response
)

// A Message is one parsed message. Its raw parts alias the text it was parsed from.
type Message struct {
	Kind   Kind
	ID     ID
	Method string
	// Params is the value of params, nil if there is none. It need not be an object.
	Params jsontext.Value
	// Meta is the value of params._meta, nil if there is none.
	Meta jsontext.Value
	// Result and Err are what a Response carries: exactly one of them is set.
	Result, Err jsontext.Value
}

// An ID identifies a request: a string or an integer of any size, kept digit for digit. The zero ID is no id.
type ID struct{ raw jsontext.Value }

// Int64ID returns the id n.
func Int64ID(n int64) ID { return ID{strconv.AppendInt(nil, n, 10)} }

// StringID returns the id s.
func StringID(s string) ID { return ID{rawjson.AppendString(nil, s)} }

// ParseID reads an id from a valid JSON value. ok is false if it is neither a string nor an integer, or too long.
func ParseID(raw jsontext.Value) (id ID, ok bool) {
	switch rawjson.Kind(raw) {
	case '"':
		if bytes.IndexByte(raw, '\\') >= 0 { // one spelling for each string, so that equal ids have equal bytes
			s, _ := rawjson.String(raw)
			raw = rawjson.AppendString(nil, s)
		}
	case '0':
		if bytes.ContainsAny(raw, ".eE") {
			return ID{}, false
		}
	default:
		return ID{}, false
	}
	return ID{raw}, len(raw) <= maxID
}

// maxID bounds an id's length in bytes, since ids are echoed, logged and kept as keys.
const maxID = 1024

// IsZero reports whether id is no id.
func (id ID) IsZero() bool { return id.raw == nil }

// Raw returns id as JSON.
func (id ID) Raw() jsontext.Value { return id.raw }

// Key returns a string that equals another id's key exactly if the ids are equal: 1 and "1" differ.
func (id ID) Key() string { return string(id.raw) }

// Equal reports whether the ids are equal: 1 and "1" are not.
func (id ID) Equal(other ID) bool { return bytes.Equal(id.raw, other.raw) }

// String returns id as JSON, for logs.
func (id ID) String() string { return string(id.raw) }

// An Error is the error of a response. Code and Message are required; Data is any JSON value or nil.
type Error struct {
	Code    int
	Message string
	Data    jsontext.Value
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// The codes that JSON-RPC 2.0 fixes (section 5.1).
const (
	ParseError     = -32700
	InvalidRequest = -32600
	MethodNotFound = -32601
	InvalidParams  = -32602
	InternalError  = -32603
)
