package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

func shapeProblem(path, format string, args ...any) Problem {
	return Problem{Path: path, Kind: KindShape, Text: fmt.Sprintf(format, args...)}
}

// decode reads exactly one JSON value, with numbers kept as they are written. Duplicate members, invalid UTF-8
// and numbers beyond any use are shape problems.
func decode(raw jsontext.Value) (any, *Problem) {
	dec := jsontext.NewDecoder(bytes.NewReader(raw))
	_, err := dec.ReadValue()
	if err == nil {
		if _, err = dec.ReadToken(); err == nil {
			err = errors.New("something follows the message")
		}
	}
	if !errors.Is(err, io.EOF) || len(bytes.TrimSpace(raw)) == 0 {
		p := shapeProblem("", "is not one JSON value (RFC 8259): %v", err)
		return nil, &p
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		p := shapeProblem("", "is not JSON: %v", err)
		return nil, &p
	}
	return value, oversized("", value)
}

// Limits on the text of a number. Exact arithmetic on larger ones would take for ever.
const (
	mostDigits   = 1000
	mostExponent = 400 // a double ends at 308
)

// oversized finds a number beyond the limits.
func oversized(path string, value any) *Problem {
	switch v := value.(type) {
	case json.Number:
		_, exponent, scientific := strings.Cut(strings.ToLower(v.String()), "e")
		power, err := strconv.Atoi(exponent)
		if len(v) > mostDigits || scientific && (err != nil || max(power, -power) > mostExponent) {
			p := shapeProblem(path, "is a number beyond any use")
			return &p
		}
	case []any:
		for i, item := range v {
			if p := oversized(at(path, strconv.Itoa(i)), item); p != nil {
				return p
			}
		}
	case map[string]any:
		for key, item := range v {
			if p := oversized(at(path, key), item); p != nil {
				return p
			}
		}
	}
	return nil
}

// An envelope is a message with its JSON-RPC members told apart.
type envelope struct {
	members map[string]any
	method  string
	params  any
}

func (e envelope) has(member string) bool { _, ok := e.members[member]; return ok }

func (e envelope) request() bool      { return e.has("method") && e.has("id") }
func (e envelope) notification() bool { return e.has("method") && !e.has("id") }

// open checks the JSON-RPC shape of a message (basic/index#messages) and takes it apart.
func open(path string, value any) (envelope, []Problem) {
	members, ok := value.(map[string]any)
	if !ok {
		return envelope{}, []Problem{shapeProblem(path, "is of type %s; a message is an object", kindOf(value))}
	}
	e := envelope{members: members, params: members["params"]}
	var problems []Problem
	report := func(below, format string, args ...any) {
		problems = append(problems, shapeProblem(path+below, format, args...))
	}
	if version, ok := members["jsonrpc"]; !ok {
		report("", `lacks the member "jsonrpc": "2.0"`)
	} else if version != "2.0" {
		report("/jsonrpc", `is %s, not "2.0"`, quote(version))
	}
	e.openID(report)
	if e.has("method") {
		e.openCall(report)
	} else {
		e.openResponse(report)
	}
	return e, problems
}

// A reporter notes a problem at a pointer below the message.
type reporter func(below, format string, args ...any)

func (e *envelope) openID(report reporter) {
	id, ok := e.members["id"]
	if !ok {
		return
	}
	switch kind := kindOf(id); kind {
	case "string", "integer":
	case "null":
		report("/id", "is null; an id is a string or an integer, and is left out where the request had none that could be read")
	case "number":
		report("/id", "is %s; an id has no fractional part", quote(id))
	default:
		report("/id", "is of type %s; an id is a string or an integer", kind)
	}
}

func (e *envelope) openCall(report reporter) {
	method, ok := e.members["method"].(string)
	if !ok {
		report("/method", "is of type %s; a method is a string", kindOf(e.members["method"]))
	}
	e.method = method
	for _, member := range []string{"result", "error"} {
		if e.has(member) {
			report("/"+member, "stands beside a method; a message is a call or a response, not both")
		}
	}
	if e.has("params") && kindOf(e.params) != "object" {
		report("/params", "is of type %s; params are an object", kindOf(e.params))
	}
}

func (e *envelope) openResponse(report reporter) {
	switch result, failure := e.has("result"), e.has("error"); {
	case result && failure:
		report("", "has a result and an error; a response has one of them")
	case !result && !failure:
		report("", "has neither a method nor a result nor an error")
	case result && !e.has("id"):
		report("", `lacks the member "id" of the request it answers`)
	}
	if !e.has("error") {
		return
	}
	failure, ok := e.members["error"].(map[string]any)
	if !ok {
		report("/error", "is of type %s; an error is an object", kindOf(e.members["error"]))
		return
	}
	if code, ok := failure["code"]; !ok {
		report("/error", `lacks the member "code"`)
	} else if kindOf(code) != "integer" {
		report("/error/code", "is %s; a code is an integer", quote(code))
	}
	if text, ok := failure["message"]; !ok {
		report("/error", `lacks the member "message"`)
	} else if kindOf(text) != "string" {
		report("/error/message", "is of type %s; a message is a string", kindOf(text))
	}
}
