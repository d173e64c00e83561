package schema

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/parley-mcp/parley/internal/rawjson"
)

// A quick is a check that walks the text and allocates nothing. It exists for schemas that say no more than most do: types,
// properties, required, additionalProperties, items and enums of strings. It only ever accepts; what it does not, the full
// validator judges, which also has the words for what is wrong. In the profile of a small call the full validator was the
// largest part.
type quick struct {
	kinds      []byte // the kinds of value allowed; nil is any
	integer    bool   // numbers must be integers
	enum       []string
	properties []property
	required   int  // how many properties are required
	closed     bool // no other members
	items      *quick
}

type property struct {
	name     string
	required bool
	value    *quick
}

// silent are keywords that restrict nothing by themselves.
var silent = []string{"$schema", "title", "description", "default", "examples", "x-mcp-header", "deprecated", "readOnly", "writeOnly"}

// compileQuick returns nil for a schema that says more than a quick can check.
func compileQuick(schema jsontext.Value) *quick {
	switch rawjson.Kind(schema) {
	case 't':
		return &quick{}
	case '{':
	default:
		return nil
	}
	q := &quick{}
	var required []string
	for o := rawjson.Members(schema); o.Next(); {
		ok := true
		switch key := string(o.Key()); key {
		case "type":
			ok = q.types(o.Value)
		case "properties":
			ok = q.members(o.Value)
		case "required":
			required, ok = stringsOf(o.Value)
		case "additionalProperties":
			kind := rawjson.Kind(o.Value)
			q.closed, ok = kind == 'f', kind == 'f' || kind == 't'
		case "items":
			q.items = compileQuick(o.Value)
			ok = q.items != nil
		case "enum":
			q.enum, ok = stringsOf(o.Value)
		default:
			ok = slices.Contains(silent, key)
		}
		if !ok {
			return nil
		}
	}
	for _, name := range required {
		if !q.require(name) {
			return nil
		}
	}
	return q
}

func (q *quick) types(v jsontext.Value) bool {
	names, ok := stringsOf(v)
	if !ok {
		name, one := rawjson.String(v)
		names, ok = []string{name}, one
	}
	for _, name := range names {
		switch name {
		case "object":
			q.kinds = append(q.kinds, '{')
		case "array":
			q.kinds = append(q.kinds, '[')
		case "string":
			q.kinds = append(q.kinds, '"')
		case "number":
			q.kinds = append(q.kinds, '0')
		case "integer":
			q.kinds, q.integer = append(q.kinds, '0'), true
		case "boolean":
			q.kinds = append(q.kinds, 't', 'f')
		case "null":
			q.kinds = append(q.kinds, 'n')
		default:
			return false
		}
	}
	return ok
}

func (q *quick) members(v jsontext.Value) bool {
	for o := rawjson.Members(v); o.Next(); {
		value := compileQuick(o.Value)
		if value == nil {
			return false
		}
		q.properties = append(q.properties, property{name: string(o.Key()), value: value})
	}
	return true
}

func (q *quick) require(name string) bool {
	for i := range q.properties {
		if p := &q.properties[i]; p.name == name && !p.required {
			p.required = true
			q.required++
			return true
		}
	}
	return false // of a member that is not described, or twice
}

// accepts reports whether v surely conforms.
func (q *quick) accepts(v jsontext.Value) bool {
	kind := rawjson.Kind(v)
	if q.kinds != nil && bytes.IndexByte(q.kinds, kind) < 0 {
		return false
	}
	if q.enum != nil && !(kind == '"' && q.lists(v)) {
		return false
	}
	switch kind {
	case '0':
		return !q.integer || !bytes.ContainsAny(v, ".eE")
	case '[':
		if q.items == nil {
			return true
		}
		for a := rawjson.Elements(v); a.Next(); {
			if !q.items.accepts(a.Value) {
				return false
			}
		}
	case '{':
		return q.acceptsObject(v)
	}
	return true
}

func (q *quick) acceptsObject(v jsontext.Value) bool {
	found := 0
	for o := rawjson.Members(v); o.Next(); {
		p := q.property(o.Key())
		switch {
		case p == nil && q.closed, p != nil && !p.value.accepts(o.Value):
			return false
		case p != nil && p.required:
			found++ // names occur once: the text was checked for it
		}
	}
	return found == q.required
}

func (q *quick) property(name []byte) *property {
	for i := range q.properties {
		if q.properties[i].name == string(name) {
			return &q.properties[i]
		}
	}
	return nil
}

// lists reports whether the enum has the string v. One with an escape is left to the full validator.
func (q *quick) lists(v jsontext.Value) bool {
	if bytes.IndexByte(v, '\\') >= 0 {
		return false
	}
	for _, s := range q.enum {
		if s == string(v[1:len(v)-1]) {
			return true
		}
	}
	return false
}

func stringsOf(v jsontext.Value) ([]string, bool) {
	if rawjson.Kind(v) != '[' {
		return nil, false
	}
	list := []string{}
	for a := rawjson.Elements(v); a.Next(); {
		s, ok := rawjson.String(a.Value)
		if !ok {
			return nil, false
		}
		list = append(list, s)
	}
	return list, true
}
