package jsonrpc

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/parley-mcp/parley/internal/rawjson"
)

// A Packet is what one HTTP body or one line holds: a single message, or a batch of them.
type Packet struct {
	// Batch is true if the text was an array; Messages then has one entry for each element, in order, at least one.
	Batch    bool
	Messages []Parsed
	// Single is the message if Batch is false.
	Single Parsed
}

// Parsed is a message, or why it is none. With an error, the message holds the id if one could be read.
type Parsed struct {
	Message
	Error *Error
}

// Limits bounds what Parse accepts. Zero means no bound.
type Limits struct {
	// Depth is how deeply arrays and objects may nest, the envelope included.
	Depth int
	// Batch is how many messages an array may hold.
	Batch int
	// Methods are the usual methods by their names as JSON, so that these take no memory; nil knows none.
	Methods map[string]string
}

// Parse reads a packet. The error is for the packet as a whole: text that is not JSON, or nests too deeply (ParseError),
// members that occur twice, an empty or too long batch (InvalidRequest). What is wrong with a single message stands in
// its Parsed.Error. The result aliases text, which must not be changed afterwards.
func Parse(text []byte, limits Limits) (Packet, *Error) {
	if !rawjson.Sure(text, cmp.Or(limits.Depth, usualDepth)) {
		var err *Error
		if text, err = check(text, limits.Depth); err != nil {
			return Packet{}, err
		}
	}
	if rawjson.Kind(text) != '[' {
		return Packet{Single: parseMessage(text, limits.Methods)}, nil
	}
	p := Packet{Batch: true}
	for a := rawjson.Elements(text); a.Next(); {
		if limits.Batch > 0 && len(p.Messages) == limits.Batch {
			return Packet{}, &Error{Code: InvalidRequest, Message: fmt.Sprintf("invalid request: a batch holds at most %d messages", limits.Batch)}
		}
		p.Messages = append(p.Messages, parseMessage(a.Value, limits.Methods))
	}
	if len(p.Messages) == 0 {
		return Packet{}, &Error{Code: InvalidRequest, Message: "invalid request: empty batch"}
	}
	return p, nil
}

// usualDepth is as deep as messages nest.
const usualDepth = 64

// check looks closely at a text that is not surely right, and returns it mended if that is possible.
func check(text []byte, depth int) ([]byte, *Error) {
	if !jsontext.Value(text).IsValid() {
		var err *Error
		if text, err = repair(text); err != nil {
			return nil, err
		}
	}
	if depth > 0 && rawjson.Depth(text) > depth {
		return nil, &Error{Code: ParseError, Message: fmt.Sprintf("parse error: nested deeper than %d levels", depth)}
	}
	return text, nil
}

// repair says why text is not valid, or returns it with escaped lone surrogates, which are well-formed JSON but no
// Unicode text, replaced by U+FFFD.
func repair(text []byte) ([]byte, *Error) {
	_, err := jsontext.NewDecoder(bytes.NewReader(text)).ReadValue()
	if errors.Is(err, jsontext.ErrDuplicateName) {
		return nil, &Error{Code: InvalidRequest, Message: "invalid request: an object has two members of the same name"}
	}
	if !utf8.Valid(text) {
		return nil, &Error{Code: ParseError, Message: "parse error: not UTF-8"}
	}
	mended := jsontext.Value(bytes.Clone(text))
	if mended.Format(jsontext.AllowInvalidUTF8(true)) == nil && mended.IsValid() {
		return mended, nil
	}
	return nil, &Error{Code: ParseError, Message: "parse error: not JSON"}
}

// parseMessage reads one message from a valid JSON value.
func parseMessage(raw []byte, methods map[string]string) Parsed {
	if rawjson.Kind(raw) != '{' {
		return refuse(Message{}, "a message is an object")
	}
	var m Message
	var version, id, method, result, fault jsontext.Value
	for o := rawjson.Members(raw); o.Next(); {
		switch string(o.Key()) {
		case "jsonrpc":
			version = o.Value
		case "id":
			id = o.Value
		case "method":
			method = o.Value
		case "params":
			m.Params = o.Value
		case "result":
			result = o.Value
		case "error":
			fault = o.Value
		}
	}
	if id != nil {
		var ok bool
		if m.ID, ok = ParseID(id); !ok {
			m.ID = ID{}
			return refuse(m, "id must be a string or an integer")
		}
	}
	if string(version) != `"2.0"` {
		return refuse(m, `jsonrpc must be "2.0"`)
	}
	if method == nil {
		return parseResponse(m, result, fault)
	}
	var ok bool
	if m.Method, ok = methods[string(method)]; !ok {
		if m.Method, ok = rawjson.String(method); !ok {
			return refuse(m, "method must be a string")
		}
	}
	if result != nil || fault != nil {
		return refuse(m, "a message has a method, a result or an error")
	}
	if m.Kind = Notification; id != nil {
		m.Kind = Request
	}
	if m.Params != nil {
		m.Meta, _ = rawjson.Lookup(m.Params, "_meta")
	}
	return Parsed{Message: m}
}

func parseResponse(m Message, result, fault jsontext.Value) Parsed {
	switch {
	case result == nil && fault == nil:
		return refuse(m, "a message has a method, a result or an error")
	case result != nil && fault != nil:
		return refuse(m, "a response has a result or an error, not both")
	case result != nil && m.ID.IsZero():
		return refuse(m, "a result has the id of its request")
	}
	m.Kind, m.Result, m.Err = Response, result, fault
	return Parsed{Message: m}
}

func refuse(m Message, why string) Parsed {
	return Parsed{Message: Message{ID: m.ID}, Error: &Error{Code: InvalidRequest, Message: "invalid request: " + why}}
}
