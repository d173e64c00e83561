// Package wire is what the revisions share: reading the members of a JSON object, writing them, and a codec made of
// tables. It knows no revision and no vocabulary; only the spokes can import it.
package wire

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/parley-mcp/parley/internal/rawjson"
	"github.com/parley-mcp/parley/protocol"
)

// An Object reads the members of a JSON object by name. Unknown members are ignored, and a member that is null counts as
// absent. The first member that is missing or wrong is remembered: read on, and ask Err at the end.
//
// An Object is valid until the decoding it belongs to ends, and must not be kept.
type Object struct {
	members []member
	reading *reading
	// What errors call the object: a name at the top, else a member of parent, or an element of that member.
	name   string
	parent *Object
	index  int
}

type member struct{ key, value []byte }

// A reading is one decoding: the first error, and the objects met so far, kept for the next one.
type reading struct {
	err     *protocol.Error
	objects []*Object
	used    int
}

// noIndex marks an object that is no element of an array.
const noIndex = -1

var readings = sync.Pool{New: func() any { return new(reading) }}

// Read calls f with the object raw, which is valid JSON or nil; nil and null are the empty object. name names it in errors.
// What f returns must not hold the Object. The error is of KindInvalidParams.
func Read[T any](raw jsontext.Value, name string, f func(*Object) T) (T, error) {
	r := readings.Get().(*reading)
	v := f(r.object(raw, Object{name: name, index: noIndex}))
	err := r.err
	r.release()
	if err != nil {
		var none T
		return none, err
	}
	return v, nil
}

// object reads raw into an object that is called like named.
func (r *reading) object(raw jsontext.Value, named Object) *Object {
	if r.used == len(r.objects) {
		r.objects = append(r.objects, new(Object))
	}
	o := r.objects[r.used]
	r.used++
	*o = Object{members: o.members[:0], reading: r, name: named.name, parent: named.parent, index: named.index}
	switch rawjson.Kind(raw) {
	case '{':
	case 0, 'n':
		return o
	default:
		o.Fail("%s must be an object", o.path())
		return o
	}
	for m := rawjson.Members(raw); m.Next(); {
		if rawjson.Kind(m.Value) != 'n' {
			o.members = append(o.members, member{m.Key(), m.Value})
		}
	}
	return o
}

// release keeps r for the next decoding, without what it has read.
func (r *reading) release() {
	const most = 64 // objects, and members of one, worth keeping
	for _, o := range r.objects[:r.used] {
		clear(o.members)
		*o = Object{members: o.members[:0]}
		if cap(o.members) > most {
			o.members = nil
		}
	}
	if len(r.objects) > most {
		r.objects = nil
	}
	r.err, r.used = nil, 0
	readings.Put(r)
}

// Fail records what is wrong, unless something is already.
func (o *Object) Fail(format string, args ...any) {
	if o.reading.err == nil {
		o.reading.err = protocol.InvalidParams(format, args...)
	}
}

// Path names the member in errors.
func (o *Object) Path(name string) string { return o.path() + "." + name }

func (o *Object) path() string {
	switch {
	case o.parent == nil:
		return o.name
	case o.index == noIndex:
		return o.parent.Path(o.name)
	}
	return fmt.Sprintf("%s[%d]", o.parent.Path(o.name), o.index)
}

// Has reports whether there is a member of that name.
func (o *Object) Has(name string) bool { return o.get(name) != nil }

func (o *Object) get(name string) jsontext.Value {
	for i := range o.members {
		if string(o.members[i].key) == name {
			return o.members[i].value
		}
	}
	return nil
}

func (o *Object) require(name string) jsontext.Value {
	v := o.get(name)
	if v == nil {
		o.Fail("%s is required", o.Path(name))
	}
	return v
}

// kind returns the member if it is of that kind or absent.
func (o *Object) kind(name string, kind byte, article string) jsontext.Value {
	v := o.get(name)
	if v != nil && rawjson.Kind(v) != kind {
		o.Fail("%s must be %s", o.Path(name), article)
		return nil
	}
	return v
}

// String returns a required string.
func (o *Object) String(name string) string {
	o.require(name)
	return o.OptString(name)
}

// OptString returns a string, "" if it is absent.
func (o *Object) OptString(name string) string {
	s, _ := rawjson.String(o.kind(name, '"', "a string"))
	return s
}

// OptStringPtr returns a string, nil if it is absent.
func (o *Object) OptStringPtr(name string) *string {
	raw := o.kind(name, '"', "a string")
	if raw == nil {
		return nil
	}
	s, _ := rawjson.String(raw)
	return &s
}

// OptEnum returns a string that is one of allowed, "" if it is absent.
func (o *Object) OptEnum(name string, allowed ...string) string {
	s := o.OptString(name)
	if s == "" && !o.Has(name) {
		return ""
	}
	for _, a := range allowed {
		if s == a {
			return s
		}
	}
	o.Fail("%s must be one of %q", o.Path(name), allowed)
	return ""
}

// OptBool returns a boolean, false if it is absent.
func (o *Object) OptBool(name string) bool {
	b := o.OptBoolPtr(name)
	return b != nil && *b
}

// OptBoolPtr returns a boolean, nil if it is absent.
func (o *Object) OptBoolPtr(name string) *bool {
	v := o.get(name)
	if v == nil {
		return nil
	}
	if k := rawjson.Kind(v); k != 't' && k != 'f' {
		o.Fail("%s must be a boolean", o.Path(name))
		return nil
	}
	b := string(v) == "true"
	return &b
}

// OptInt returns an integer, nil if it is absent.
func (o *Object) OptInt(name string) *int64 {
	v := o.kind(name, '0', "an integer")
	if v == nil {
		return nil
	}
	n, err := strconv.ParseInt(string(v), 10, 64)
	if err != nil {
		o.Fail("%s must be an integer", o.Path(name))
	}
	return &n
}

// OptFloat returns a number, nil if it is absent.
func (o *Object) OptFloat(name string) *float64 {
	v := o.kind(name, '0', "a number")
	if v == nil {
		return nil
	}
	f, err := strconv.ParseFloat(string(v), 64)
	if err != nil {
		o.Fail("%s is out of range", o.Path(name))
	}
	return &f
}

// Require demands a member of any kind but null.
func (o *Object) Require(name string) { o.require(name) }

// OptRaw returns a value of any kind, nil if it is absent.
func (o *Object) OptRaw(name string) jsontext.Value { return o.get(name) }

// OptRawObject returns an object undecoded, nil if it is absent.
func (o *Object) OptRawObject(name string) jsontext.Value { return o.kind(name, '{', "an object") }

// OptBase64 returns bytes, nil if they are absent.
func (o *Object) OptBase64(name string) []byte {
	if !o.Has(name) {
		return nil
	}
	b, err := base64.StdEncoding.AppendDecode([]byte{}, []byte(o.OptString(name)))
	if err != nil {
		o.Fail("%s must be Base64", o.Path(name))
	}
	return b
}

// Token returns a value that is a string or a number, nil if it is absent.
func (o *Object) Token(name string) jsontext.Value {
	v := o.get(name)
	if k := rawjson.Kind(v); v != nil && k != '"' && k != '0' {
		o.Fail("%s must be a string or a number", o.Path(name))
		return nil
	}
	return v
}

// OptStrings returns a list of strings, nil if it is absent.
func (o *Object) OptStrings(name string) []string {
	var list []string
	for a := rawjson.Elements(o.kind(name, '[', "an array")); a.Next(); {
		s, ok := rawjson.String(a.Value)
		if !ok {
			o.Fail("%s must hold strings", o.Path(name))
			return nil
		}
		list = append(list, s)
	}
	return list
}

// OptStringMap returns an object of strings, nil if it is absent.
func (o *Object) OptStringMap(name string) map[string]string {
	v := o.kind(name, '{', "an object")
	if v == nil {
		return nil
	}
	m := map[string]string{}
	for f := rawjson.Members(v); f.Next(); {
		s, ok := rawjson.String(f.Value)
		if !ok {
			o.Fail("%s.%s must be a string", o.Path(name), f.Key())
			return nil
		}
		m[string(f.Key())] = s
	}
	return m
}

// OptRawMap returns an object whose values stay undecoded, without those that are null; nil if it is absent.
func (o *Object) OptRawMap(name string) map[string]jsontext.Value {
	v := o.kind(name, '{', "an object")
	if v == nil {
		return nil
	}
	m := map[string]jsontext.Value{}
	for f := rawjson.Members(v); f.Next(); {
		if rawjson.Kind(f.Value) != 'n' {
			m[string(f.Key())] = f.Value
		}
	}
	return m
}

// OptObjectMap is OptRawMap for values that must be objects.
func (o *Object) OptObjectMap(name string) map[string]jsontext.Value {
	m := o.OptRawMap(name)
	for key, v := range m {
		if rawjson.Kind(v) != '{' {
			o.Fail("%s must be an object", o.Path(name)+"."+key)
		}
	}
	return m
}

// Object returns a required object.
func (o *Object) Object(name string) *Object {
	return o.reading.object(o.require(name), Object{name: name, parent: o, index: noIndex})
}

// OptObject returns an object, nil if it is absent.
func (o *Object) OptObject(name string) *Object {
	if !o.Has(name) {
		return nil
	}
	return o.Object(name)
}

// Each calls f for each element of an array of objects, which may be absent.
func (o *Object) Each(name string, f func(*Object)) {
	i := 0
	for a := rawjson.Elements(o.kind(name, '[', "an array")); a.Next(); i++ {
		inner := o.reading.object(a.Value, Object{name: name, parent: o, index: i})
		if rawjson.Kind(a.Value) == 'n' {
			o.Fail("%s must be an object", inner.path())
		}
		f(inner)
	}
}

// EachOrOne calls f for each element of an array of objects, or for a single object in its place. It is required.
func (o *Object) EachOrOne(name string, f func(*Object)) {
	v := o.require(name)
	if rawjson.Kind(v) == '[' {
		o.Each(name, f)
	} else if v != nil {
		f(o.Object(name))
	}
}
