package wire_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/internal/wire"
)

// read applies f to raw and returns the text of the error, "" if there is none.
func read(t *testing.T, raw string, f func(*wire.Object)) string {
	t.Helper()
	_, err := wire.Read(jsontext.Value(raw), "params", func(o *wire.Object) any { f(o); return nil })
	if err == nil {
		return ""
	}
	var e *protocol.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, protocol.KindInvalidParams, e.Kind)
	return strings.TrimPrefix(e.Message, "invalid params: ")
}

func TestObjectReadsEachKind(t *testing.T) {
	const raw = ` { "s" : "a\u00e9\"" , "e":"", "b":false, "i":9007199254740993, "f":0.5, "o":{"s":"x"}, "l":["a","b"],
		"m":{"k":"v","\u006b2":""}, "r":{"n":1e400}, "64":"AQI=", "t":7, "n":null, "p\u0061":1, "each":[{"s":"1"},{"s":"2"}] } `
	fault := read(t, raw, func(o *wire.Object) {
		assert.Equal(t, `aé"`, o.String("s"))
		assert.Empty(t, o.String("e"), "an empty string is there")
		assert.Equal(t, "", *o.OptStringPtr("e"))
		assert.Nil(t, o.OptStringPtr("none"))
		assert.Equal(t, "", o.OptEnum("e", "", "x"))
		assert.False(t, *o.OptBoolPtr("b"))
		assert.Nil(t, o.OptBoolPtr("none"))
		assert.False(t, o.OptBool("none"))
		assert.Equal(t, int64(9007199254740993), *o.OptInt("i"))
		assert.InDelta(t, 0.5, *o.OptFloat("f"), 0)
		assert.Equal(t, "x", o.Object("o").String("s"))
		assert.Nil(t, o.OptObject("none"))
		assert.Equal(t, []string{"a", "b"}, o.OptStrings("l"))
		assert.Equal(t, map[string]string{"k": "v", "k2": ""}, o.OptStringMap("m"))
		assert.Equal(t, map[string]jsontext.Value{"n": jsontext.Value("1e400")}, o.OptRawMap("r"))
		assert.Equal(t, `{"n":1e400}`, string(o.OptRawObject("r")))
		assert.Equal(t, []byte{1, 2}, o.OptBase64("64"))
		assert.Equal(t, "7", string(o.Token("t")))
		assert.True(t, o.Has("pa"), "a name that was escaped")
		assert.False(t, o.Has("n"), "null counts as absent")
		assert.Nil(t, o.OptRaw("n"))
		var met []string
		o.Each("each", func(o *wire.Object) { met = append(met, o.String("s")) })
		o.EachOrOne("each", func(o *wire.Object) { met = append(met, o.String("s")) })
		o.EachOrOne("o", func(o *wire.Object) { met = append(met, o.String("s")) })
		o.Each("none", func(*wire.Object) { t.Error("an absent array has elements") })
		assert.Equal(t, []string{"1", "2", "1", "2", "x"}, met)
	})
	assert.Empty(t, fault)
	assert.Empty(t, read(t, "", func(o *wire.Object) { assert.False(t, o.Has("a")) }), "no params are empty params")
}

func TestObjectSaysWhatIsWrong(t *testing.T) {
	for _, test := range []struct {
		raw, fault string
		f          func(*wire.Object)
	}{
		{`{}`, "params.a is required", func(o *wire.Object) { o.String("a") }},
		{`{"a":null}`, "params.a is required", func(o *wire.Object) { o.Require("a") }},
		{`{"a":1}`, "params.a must be a string", func(o *wire.Object) { o.String("a") }},
		{`{"a":"x"}`, `params.a must be one of ["b" "c"]`, func(o *wire.Object) { o.OptEnum("a", "b", "c") }},
		{`{"a":""}`, `params.a must be one of ["b"]`, func(o *wire.Object) { o.OptEnum("a", "b") }},
		{`{"a":"true"}`, "params.a must be a boolean", func(o *wire.Object) { o.OptBool("a") }},
		{`{"a":1.5}`, "params.a must be an integer", func(o *wire.Object) { o.OptInt("a") }},
		{`{"a":1e400}`, "params.a is out of range", func(o *wire.Object) { o.OptFloat("a") }},
		{`{"a":[]}`, "params.a must be an object", func(o *wire.Object) { o.Object("a") }},
		{`{"a":[]}`, "params.a must be an object", func(o *wire.Object) { o.OptRawObject("a") }},
		{`{"a":{"b":{}}}`, "params.a.b.c is required", func(o *wire.Object) { o.Object("a").Object("b").String("c") }},
		{`{"a":[{"b":[]},{"b":[{}]}]}`, "params.a[1].b[0].c is required", func(o *wire.Object) {
			o.Each("a", func(o *wire.Object) { o.Each("b", func(o *wire.Object) { o.String("c") }) })
		}},
		{`{"a":[{},null]}`, "params.a[1] must be an object", func(o *wire.Object) { o.Each("a", func(*wire.Object) {}) }},
		{`{"a":[1]}`, "params.a[0] must be an object", func(o *wire.Object) { o.Each("a", func(*wire.Object) {}) }},
		{`{"a":{}}`, "params.a must be an array", func(o *wire.Object) { o.Each("a", func(*wire.Object) {}) }},
		{`{}`, "params.a is required", func(o *wire.Object) { o.EachOrOne("a", func(*wire.Object) {}) }},
		{`{"a":["b",1]}`, "params.a must hold strings", func(o *wire.Object) { o.OptStrings("a") }},
		{`{"a":{"b":1}}`, "params.a.b must be a string", func(o *wire.Object) { o.OptStringMap("a") }},
		{`{"a":{"b":1}}`, "params.a.b must be an object", func(o *wire.Object) { o.OptObjectMap("a") }},
		{`{"a":"!"}`, "params.a must be Base64", func(o *wire.Object) { o.OptBase64("a") }},
		{`{"a":true}`, "params.a must be a string or a number", func(o *wire.Object) { o.Token("a") }},
		{`[]`, "params must be an object", func(*wire.Object) {}},
		{`{"a":1,"b":1}`, "params.b must be a string", func(o *wire.Object) { o.OptString("b"); o.OptString("a") }},
	} {
		assert.Equal(t, test.fault, read(t, test.raw, test.f), test.raw)
	}
}

// Objects are used again for later decodings, also at the same time: none sees what another has read.
func TestReadingsAreApart(t *testing.T) {
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			name := string('a' + rune(i))
			for range 500 {
				raw := `{"` + name + `":{"in":[{"n":"` + name + `"}]}}`
				got, err := wire.Read(jsontext.Value(raw), "params", func(o *wire.Object) string {
					s := ""
					o.Object(name).Each("in", func(o *wire.Object) { s = o.String("n") })
					if o.Has(string('a'+rune((i+1)%8))) || o.OptObject("none") != nil {
						s = "what another has read"
					}
					return s
				})
				assert.NoError(t, err)
				assert.Equal(t, name, got)
				_, err = wire.Read(jsontext.Value(raw), "params", func(o *wire.Object) string { return o.String("z") })
				assert.EqualError(t, err, "invalid params: params.z is required")
			}
		})
	}
	wg.Wait()
}
