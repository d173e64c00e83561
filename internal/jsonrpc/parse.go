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
	var top, inner [8]rawjson.Member // enough for a message
	members, params, ok := rawjson.Split(text, cmp.Or(limits.Depth, usualDepth), "params", top[:0], inner[:0])
	if ok {
		meta, _ := find(params, "_meta")
		return Packet{Single: parseMessage(members, meta, limits.Methods)}, nil
	}
	text, err := check(text, limits.Depth)
	if err != nil {
		return Packet{}, err
	}
	if rawjson.Kind(text) != '[' {
		return Packet{Single: parseElement(text, limits.Methods)}, nil
	}
	p := Packet{Batch: true}
	for a := rawjson.Elements(text); a.Next(); {
		if limits.Batch > 0 && len(p.Messages) == limits.Batch {
			return Packet{}, &Error{Code: InvalidRequest, Message: fmt.Sprintf("invalid request: a batch holds at most %d messages", limits.Batch)}
		}
		p.Messages = append(p.Messages, parseElement(a.Value, limits.Methods))
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
	if rawjson.Sure(text, cmp.Or(depth, usualDepth)) { // a batch
		return text, nil
	}
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
// parseElement reads a message of which only is known that it is JSON.
func parseElement(raw []byte, methods map[string]string) Parsed {
	if rawjson.Kind(raw) != '{' {
		return refuse(Message{}, "a message is an object")
	}
	var members []rawjson.Member
	for o := rawjson.Members(raw); o.Next(); {
		members = append(members, rawjson.Member{Name: o.Key(), Value: o.Value})
	}
	params, _ := find(members, "params")
	meta, _ := rawjson.Lookup(params, "_meta")
	return parseMessage(members, meta, methods)
}

func find(members []rawjson.Member, name string) (jsontext.Value, bool) {
	for i := range members {
		if string(members[i].Name) == name {
			return members[i].Value, true
		}
	}
	return nil, false
}

// parseMessage makes a message of its members. meta is the _meta of its params.
func parseMessage(members []rawjson.Member, meta jsontext.Value, methods map[string]string) Parsed {
	var m Message
	var version, id, method, result, fault jsontext.Value
	for i := range members {
		switch value := jsontext.Value(members[i].Value); string(members[i].Name) {
		case "jsonrpc":
			version = value
		case "id":
			id = value
		case "method":
			method = value
		case "params":
			m.Params = value
		case "result":
			result = value
		case "error":
			fault = value
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
	m.Meta = meta
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
