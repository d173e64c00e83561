package match

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// A Value is one JSON value, its members in the order in which they came and its numbers as they were written.
// A nil *Value means that there is none.
type Value struct {
	// Kind is 'n' (null), 't', 'f', '"', '0' (number), '{' or '['.
	Kind jsontext.Kind
	// Text is the decoded text of a string, or the literal of a number.
	Text string
	// Members are those of an object, in order, names unique.
	Members []Member
	// Items are those of an array.
	Items []*Value
}

// A Member is one name and value of an object.
type Member struct {
	Name  string
	Value *Value
}

// Parse reads exactly one JSON value. Duplicate members, invalid UTF-8 and anything after the value are errors.
func Parse(data []byte) (*Value, error) {
	dec := jsontext.NewDecoder(bytes.NewReader(data))
	v, err := parseValue(dec)
	if err != nil {
		return nil, plain(err)
	}
	if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, &SyntaxError{Offset: dec.InputOffset(), Msg: "text after the JSON value"}
	}
	return v, nil
}

// A SyntaxError says where JSON stops being JSON.
type SyntaxError struct {
	// Offset is the byte at which the mistake was found.
	Offset int64
	Msg    string
}

func (e *SyntaxError) Error() string { return e.Msg }

// plain turns an error of the decoder into one that says what and where, without the decoder's own name.
func plain(err error) error {
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		msg := "JSON is malformed"
		if syntax.Err != nil {
			msg = syntax.Err.Error()
		}
		if syntax.JSONPointer != "" {
			msg = fmt.Sprintf("%s at %s", msg, syntax.JSONPointer)
		}
		return &SyntaxError{Offset: syntax.ByteOffset, Msg: msg}
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &SyntaxError{Msg: "JSON ends too early"}
	}
	return err
}

func parseValue(dec *jsontext.Decoder) (*Value, error) {
	tok, err := dec.ReadToken()
	if err != nil {
		return nil, err
	}
	v := &Value{Kind: tok.Kind()}
	switch v.Kind {
	case '"', '0':
		v.Text = tok.String()
	case '{':
		err = parseMembers(dec, v)
	case '[':
		for err == nil && dec.PeekKind() != ']' {
			var item *Value
			if item, err = parseValue(dec); err == nil {
				v.Items = append(v.Items, item)
			}
		}
		if err == nil {
			_, err = dec.ReadToken()
		}
	}
	return v, err
}

func parseMembers(dec *jsontext.Decoder, v *Value) error {
	for dec.PeekKind() != '}' {
		name, err := dec.ReadToken()
		if err != nil {
			return err
		}
		key := name.String()
		value, err := parseValue(dec)
		if err != nil {
			return err
		}
		v.Members = append(v.Members, Member{key, value})
	}
	_, err := dec.ReadToken()
	return err
}

// Get follows member names from v, and returns nil where one is missing.
func (v *Value) Get(names ...string) *Value {
	for _, name := range names {
		if v == nil {
			return nil
		}
		v = v.member(name)
	}
	return v
}

// All are the members of an object; none of anything else, nil included.
func (v *Value) All() []Member {
	if v == nil {
		return nil
	}
	return v.Members
}

func (v *Value) member(name string) *Value {
	for _, m := range v.Members {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

// Str returns the text of a string, and "" for anything else.
func (v *Value) Str() string {
	if v == nil || v.Kind != '"' {
		return ""
	}
	return v.Text
}

// Set replaces or appends a member of an object and returns the object.
func (v *Value) Set(name string, value *Value) *Value {
	for i := range v.Members {
		if v.Members[i].Name == name {
			v.Members[i].Value = value
			return v
		}
	}
	v.Members = append(v.Members, Member{name, value})
	return v
}

// Clone returns a copy that shares nothing with v.
func (v *Value) Clone() *Value {
	if v == nil {
		return nil
	}
	c := &Value{Kind: v.Kind, Text: v.Text}
	for _, m := range v.Members {
		c.Members = append(c.Members, Member{m.Name, m.Value.Clone()})
	}
	for _, item := range v.Items {
		c.Items = append(c.Items, item.Clone())
	}
	return c
}

// Object returns a JSON object.
func Object(members ...Member) *Value { return &Value{Kind: '{', Members: members} }

// String returns a JSON string.
func String(text string) *Value { return &Value{Kind: '"', Text: text} }

// Number returns a JSON number from its literal.
func Number(literal string) *Value { return &Value{Kind: '0', Text: literal} }

// Bool returns JSON true or false.
func Bool(b bool) *Value {
	if b {
		return &Value{Kind: 't'}
	}
	return &Value{Kind: 'f'}
}

// String returns the value as compact JSON.
func (v *Value) String() string { return string(v.Append(nil)) }

// Append appends the value as compact JSON.
func (v *Value) Append(b []byte) []byte {
	if v == nil {
		return append(b, "null"...)
	}
	switch v.Kind {
	case 'n':
		return append(b, "null"...)
	case 't':
		return append(b, "true"...)
	case 'f':
		return append(b, "false"...)
	case '0':
		return append(b, v.Text...)
	case '"':
		return appendString(b, v.Text)
	case '{':
		b = append(b, '{')
		for i, m := range v.Members {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendString(b, m.Name), ':')
			b = m.Value.Append(b)
		}
		return append(b, '}')
	default:
		b = append(b, '[')
		for i, item := range v.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = item.Append(b)
		}
		return append(b, ']')
	}
}

func appendString(b []byte, s string) []byte {
	out, err := jsontext.AppendQuote(b, s)
	if err != nil { // invalid UTF-8 is replaced, never sent on
		out, _ = jsontext.AppendQuote(b, strings.ToValidUTF8(s, "\uFFFD"))
	}
	return out
}

// kindName names a kind for people.
func kindName(k jsontext.Kind) string {
	switch k {
	case 'n':
		return "null"
	case 't', 'f':
		return "boolean"
	case '"':
		return "string"
	case '0':
		return "number"
	case '{':
		return "object"
	case '[':
		return "array"
	}
	return "nothing"
}
