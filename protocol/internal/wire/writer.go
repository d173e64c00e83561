package wire

import (
	"bytes"
	"encoding/base64"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/parley-mcp/parley/internal/rawjson"
)

// A Writer appends JSON. Its methods with a name write a member of the object that was opened last; an empty name writes an
// element of the array that was opened last. The Opt methods write nothing for a zero value.
type Writer struct {
	buf []byte
	err error
}

// Fail records that v cannot be said, unless something is recorded already.
func (w *Writer) Fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// key appends a comma if one is due, and the name.
func (w *Writer) key(name string) {
	if n := len(w.buf); n > 0 {
		switch w.buf[n-1] {
		case '{', '[', ':':
		default:
			w.buf = append(w.buf, ',')
		}
	}
	if name != "" {
		w.buf = append(w.buf, '"')
		w.buf = append(w.buf, name...)
		w.buf = append(w.buf, '"', ':')
	}
}

// Open begins an object, Close ends it.
func (w *Writer) Open(name string) { w.key(name); w.buf = append(w.buf, '{') }

// Close ends an object.
func (w *Writer) Close() { w.buf = append(w.buf, '}') }

// OpenArray begins an array, CloseArray ends it.
func (w *Writer) OpenArray(name string) { w.key(name); w.buf = append(w.buf, '[') }

// CloseArray ends an array.
func (w *Writer) CloseArray() { w.buf = append(w.buf, ']') }

// OptPart writes an object that f fills, or nothing if part is nil.
func OptPart[T any](w *Writer, name string, part *T, f func(*Writer, *T)) {
	if part == nil {
		return
	}
	w.Open(name)
	f(w, part)
	w.Close()
}

// Array writes an array of objects that f fills.
func Array[T any](w *Writer, name string, list []T, f func(*Writer, T)) {
	w.OpenArray(name)
	for _, v := range list {
		w.Open("")
		f(w, v)
		w.Close()
	}
	w.CloseArray()
}

// OptArray is Array, or nothing if the list is empty.
func OptArray[T any](w *Writer, name string, list []T, f func(*Writer, T)) {
	if len(list) > 0 {
		Array(w, name, list, f)
	}
}

// String writes a string.
func (w *Writer) String(name, s string) { w.key(name); w.buf = rawjson.AppendString(w.buf, s) }

// OptString writes a string that is not empty.
func (w *Writer) OptString(name, s string) {
	if s != "" {
		w.String(name, s)
	}
}

// OptStringPtr writes a string, also an empty one.
func (w *Writer) OptStringPtr(name string, s *string) {
	if s != nil {
		w.String(name, *s)
	}
}

// Base64 writes bytes.
func (w *Writer) Base64(name string, b []byte) {
	w.key(name)
	w.buf = append(w.buf, '"')
	w.buf = base64.StdEncoding.AppendEncode(w.buf, b)
	w.buf = append(w.buf, '"')
}

// Bool writes a boolean.
func (w *Writer) Bool(name string, b bool) { w.key(name); w.buf = strconv.AppendBool(w.buf, b) }

// OptBool writes true, or nothing.
func (w *Writer) OptBool(name string, b bool) {
	if b {
		w.Bool(name, true)
	}
}

// OptBoolPtr writes a boolean, also false.
func (w *Writer) OptBoolPtr(name string, b *bool) {
	if b != nil {
		w.Bool(name, *b)
	}
}

// Int writes an integer.
func (w *Writer) Int(name string, n int64) { w.key(name); w.buf = strconv.AppendInt(w.buf, n, 10) }

// OptInt writes an integer, also zero.
func (w *Writer) OptInt(name string, n *int64) {
	if n != nil {
		w.Int(name, *n)
	}
}

// Float writes a number. JSON has no NaN and no infinity: they become 0.
func (w *Writer) Float(name string, f float64) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		f = 0
	}
	w.Raw(name, jsontext.Value(strconv.AppendFloat(nil, f, 'f', -1, 64)))
}

// OptFloat writes a number, also zero.
func (w *Writer) OptFloat(name string, f *float64) {
	if f != nil {
		w.Float(name, *f)
	}
}

// Raw writes a JSON value as it is, but without line breaks: messages travel in lines. Nil is written as null.
func (w *Writer) Raw(name string, v jsontext.Value) {
	w.key(name)
	w.raw(v)
}

func (w *Writer) raw(v jsontext.Value) {
	if len(v) == 0 {
		v = null
	}
	if bytes.IndexByte(v, '\n') >= 0 || bytes.IndexByte(v, '\r') >= 0 {
		v = bytes.Clone(v)
		if err := v.Compact(); err != nil {
			w.Fail(err)
		}
	}
	w.buf = append(w.buf, v...)
}

var null = jsontext.Value("null")

// OptRaw is Raw, or nothing if v is nil.
func (w *Writer) OptRaw(name string, v jsontext.Value) {
	if len(v) > 0 {
		w.Raw(name, v)
	}
}

// Strings writes a list of strings.
func (w *Writer) Strings(name string, list []string) {
	w.OpenArray(name)
	for _, s := range list {
		w.String("", s)
	}
	w.CloseArray()
}

// OptStrings writes a list of strings that is not empty.
func (w *Writer) OptStrings(name string, list []string) {
	if len(list) > 0 {
		w.Strings(name, list)
	}
}

// OptRawMap writes an object of raw values in the order of their names, or nothing if it is nil.
func (w *Writer) OptRawMap(name string, m map[string]jsontext.Value) {
	if m == nil {
		return
	}
	w.Open(name)
	for _, k := range slices.Sorted(maps.Keys(m)) {
		w.Member(k, m[k])
	}
	w.Close()
}

// Member writes a member whose name may need escaping.
func (w *Writer) Member(name string, v jsontext.Value) {
	w.Name(name)
	w.raw(v)
}

// Name writes a member's name that may need escaping; its value comes next, without a name of its own.
func (w *Writer) Name(name string) {
	w.key("")
	w.buf = rawjson.AppendString(w.buf, name)
	w.buf = append(w.buf, ':')
}

// OptMeta writes _meta, or nothing if meta is no object.
func (w *Writer) OptMeta(meta jsontext.Value) {
	if IsObject(meta) {
		w.Raw("_meta", meta)
	}
}

// Rest writes the members of obj but those with one of the names, which have been written before.
func (w *Writer) Rest(obj jsontext.Value, written ...string) {
	for m := rawjson.Members(obj); m.Next(); {
		if key := string(m.Key()); !slices.Contains(written, key) {
			w.Member(key, m.Value)
		}
	}
}
