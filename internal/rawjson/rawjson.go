// Package rawjson reads JSON that has already been checked for validity: it splits objects and arrays, and looks members
// up, without decoding and without allocating.
//
// Everything a peer sends is validated once, by jsontext, when its envelope is parsed; what is read afterwards are spans of
// that text. Given text that is not valid JSON the functions here return nonsense, but they neither panic nor run away.
package rawjson

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// An Object walks over the members of a JSON object in their order.
//
//	for o := rawjson.Members(raw); o.Next(); {
//		use(o.Key(), o.Value)
//	}
type Object struct {
	// Value is the current member's value.
	Value jsontext.Value

	b   []byte
	i   int
	key []byte // with its quotes
}

// Members returns a walk over raw, which is empty if raw is not an object.
func Members(raw []byte) Object {
	i := space(raw, 0)
	if i >= len(raw) || raw[i] != '{' {
		return Object{}
	}
	return Object{b: raw, i: i + 1}
}

// Next moves on to the next member and reports whether there is one.
func (o *Object) Next() bool {
	i := space(o.b, o.i)
	if i < len(o.b) && o.b[i] == ',' {
		i = space(o.b, i+1)
	}
	if i >= len(o.b) || o.b[i] != '"' {
		return false
	}
	end := skipString(o.b, i)
	o.key = o.b[i:end]
	i = space(o.b, end)
	if i >= len(o.b) || o.b[i] != ':' {
		return false
	}
	i = space(o.b, i+1)
	end = skip(o.b, i)
	o.Value = o.b[i:end:end]
	o.i = end
	return end > i
}

// Key returns the current member's name. It is only valid until the next call of Next, and must not be written to.
func (o *Object) Key() []byte {
	k := o.key[1 : len(o.key)-1]
	if bytes.IndexByte(k, '\\') < 0 {
		return k
	}
	k, _ = jsontext.AppendUnquote(nil, o.key)
	return k
}

// An Array walks over the elements of a JSON array.
type Array struct {
	// Value is the current element.
	Value jsontext.Value

	b []byte
	i int
}

// Elements returns a walk over raw, which is empty if raw is not an array.
func Elements(raw []byte) Array {
	i := space(raw, 0)
	if i >= len(raw) || raw[i] != '[' {
		return Array{}
	}
	return Array{b: raw, i: i + 1}
}

// Next moves on to the next element and reports whether there is one.
func (a *Array) Next() bool {
	i := space(a.b, a.i)
	if i < len(a.b) && a.b[i] == ',' {
		i = space(a.b, i+1)
	}
	if i >= len(a.b) || a.b[i] == ']' {
		return false
	}
	end := skip(a.b, i)
	a.Value = a.b[i:end:end]
	a.i = end
	return end > i
}

// Lookup returns the value of the member of obj that has the given name.
func Lookup(obj []byte, name string) (jsontext.Value, bool) {
	for o := Members(obj); o.Next(); {
		if string(o.Key()) == name {
			return o.Value, true
		}
	}
	return nil, false
}

// Kind returns the kind of raw: '{', '[', '"', '0', 't', 'f', 'n', or 0 if raw is empty.
func Kind(raw []byte) byte {
	i := space(raw, 0)
	if i >= len(raw) {
		return 0
	}
	if c := raw[i]; c != '-' && (c < '0' || c > '9') {
		return c
	}
	return '0'
}

// String returns the text of a JSON string; ok is false if raw is none.
func String(raw []byte) (s string, ok bool) {
	if len(raw) < 2 || raw[0] != '"' {
		return "", false
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1]), true
	}
	b, _ := jsontext.AppendUnquote(nil, raw)
	return string(b), true
}

// Depth returns how deeply raw nests: 0 for a scalar, 1 for [] and {}.
func Depth(raw []byte) int {
	depth, deepest := 0, 0
	for i := 0; i < len(raw); {
		switch raw[i] {
		case '"':
			i = skipString(raw, i)
			continue
		case '{', '[':
			depth++
			deepest = max(deepest, depth)
		case '}', ']':
			depth--
		}
		i++
	}
	return deepest
}

// Any decodes raw into nil, bool, json.Number, string, []any and map[string]any. Numbers keep every digit.
func Any(raw []byte) any {
	switch i := space(raw, 0); Kind(raw) {
	case '{':
		m := map[string]any{}
		for o := Members(raw); o.Next(); {
			m[string(o.Key())] = Any(o.Value)
		}
		return m
	case '[':
		l := []any{}
		for a := Elements(raw); a.Next(); {
			l = append(l, Any(a.Value))
		}
		return l
	case '"':
		s, _ := String(raw[i:skip(raw, i)])
		return s
	case '0':
		return json.Number(bytes.TrimSpace(raw))
	case 't':
		return true
	case 'f':
		return false
	}
	return nil
}

// AppendSorted appends a digest of raw: each value once, the members of objects in the order of their names, so that texts
// that differ in that order or in blanks alone become the same. It is no JSON. Members of raw itself that are named in leaveOut are left out.
func AppendSorted(dst []byte, raw []byte, leaveOut ...string) []byte {
	switch Kind(raw) {
	case '{':
		type member struct {
			key   string
			value []byte
		}
		var members []member
		for o := Members(raw); o.Next(); {
			if key := string(o.Key()); !slices.Contains(leaveOut, key) {
				members = append(members, member{key, o.Value})
			}
		}
		slices.SortFunc(members, func(a, b member) int { return strings.Compare(a.key, b.key) })
		dst = append(dst, '{')
		for _, m := range members {
			dst = append(AppendString(dst, m.key), ':')
			dst = append(AppendSorted(dst, m.value), ',')
		}
		return append(dst, '}')
	case '[':
		dst = append(dst, '[')
		for a := Elements(raw); a.Next(); {
			dst = append(AppendSorted(dst, a.Value), ',')
		}
		return append(dst, ']')
	}
	return append(dst, bytes.TrimSpace(raw)...)
}

func space(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

// skip returns the index behind the value that begins at b[i].
func skip(b []byte, i int) int {
	if i >= len(b) {
		return i
	}
	switch b[i] {
	case '"':
		return skipString(b, i)
	case '{', '[':
		for depth := 0; i < len(b); {
			switch b[i] {
			case '"':
				i = skipString(b, i)
				continue
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
			i++
		}
		return i
	}
	for i < len(b) {
		switch b[i] {
		case ',', '}', ']', ' ', '\n', '\t', '\r':
			return i
		}
		i++
	}
	return i
}

// skipString returns the index behind the string that begins at b[i].
func skipString(b []byte, i int) int {
	start := i
	for i++; i < len(b); i++ {
		j := bytes.IndexByte(b[i:], '"')
		if j < 0 {
			return len(b)
		}
		i += j
		escapes := 0
		for k := i - 1; k > start && b[k] == '\\'; k-- {
			escapes++
		}
		if escapes%2 == 0 {
			return i + 1
		}
	}
	return len(b)
}
