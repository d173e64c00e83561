package wire_test

import (
	"errors"
	"math"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/internal/wire"
)

func TestWriter(t *testing.T) {
	empty, no, zero, nought := "", false, int64(0), 0.0
	part := struct{ n int64 }{3}
	got := wire.JSON(func(w *wire.Writer) {
		w.String("s", "a\"\n\u2028\xff")
		w.OptString("none", "")
		w.OptStringPtr("e", &empty)
		w.OptStringPtr("none", nil)
		w.Base64("64", []byte{1, 2})
		w.Bool("b", false)
		w.OptBool("none", false)
		w.OptBoolPtr("no", &no)
		w.OptBoolPtr("none", nil)
		w.Int("i", math.MinInt64)
		w.OptInt("zero", &zero)
		w.OptInt("none", nil)
		w.Float("f", 0.1)
		w.OptFloat("nought", &nought)
		w.OptFloat("none", nil)
		w.Float("nan", math.NaN())
		w.Float("inf", math.Inf(1))
		w.Raw("r", jsontext.Value("{\n \"n\": 1.0,\r\n \"s\": \"\\n\" }"))
		w.Raw("nil", nil)
		w.OptRaw("none", nil)
		w.OptRawMap("m", map[string]jsontext.Value{"b\"": jsontext.Value("1"), "a": jsontext.Value("[]")})
		w.OptRawMap("none", nil)
		w.OptRawMap("em", map[string]jsontext.Value{})
		w.Strings("l", nil)
		w.OptStrings("ll", []string{"a", "b"})
		w.OptStrings("none", nil)
		wire.OptPart(w, "p", &part, func(w *wire.Writer, p *struct{ n int64 }) { w.Int("n", p.n) })
		wire.OptPart(w, "none", nil, func(w *wire.Writer, p *struct{ n int64 }) { w.Int("n", p.n) })
		wire.Array(w, "a", []string{"x", "y"}, func(w *wire.Writer, s string) { w.String("s", s) })
		wire.OptArray(w, "none", nil, func(w *wire.Writer, s string) { w.String("s", s) })
		w.OptMeta(jsontext.Value(`{"m":1}`))
		w.OptMeta(nil)
		w.OptMeta(jsontext.Value(`null`))
	})
	assert.Equal(t, `{"s":"a\"\n`+"\u2028\ufffd"+`","e":"","64":"AQI=","b":false,"no":false,"i":-9223372036854775808,"zero":0,`+
		`"f":0.1,"nought":0,"nan":0,"inf":0,"r":{"n":1.0,"s":"\n"},"nil":null,"m":{"a":[],"b\"":1},"em":{},"l":[],"ll":["a","b"],`+
		`"p":{"n":3},"a":[{"s":"x"},{"s":"y"}],"_meta":{"m":1}}`, string(got))
	assert.True(t, got.IsValid())
}

func TestRestLeavesOutWhatIsWritten(t *testing.T) {
	got := wire.JSON(func(w *wire.Writer) {
		w.Int("a", 1)
		w.Rest(jsontext.Value(`{"a":2,"b":3,"\u0063":4}`), "a")
		w.Rest(nil)
	})
	assert.Equal(t, `{"a":1,"b":3,"c":4}`, string(got))
}

// What cannot be said leaves the output as it was, and the first reason is given.
func TestAppendOfWhatCannotBeSaid(t *testing.T) {
	first := errors.New("first")
	c := &wire.Codec{Encode: func(w *wire.Writer, _ protocol.Outgoing) {
		w.String("a", "b")
		w.Fail(first)
		w.Fail(errors.New("second"))
	}}
	b, err := c.Append([]byte("before"), &protocol.EmptyResult{})
	assert.Equal(t, first, err)
	assert.Equal(t, "before", string(b))
	assert.Nil(t, wire.JSON(func(w *wire.Writer) { w.Fail(first) }))
}

func TestValues(t *testing.T) {
	assert.True(t, wire.DescribesObject(jsontext.Value(`{"type":"object"}`)))
	for _, schema := range []string{``, `{}`, `true`, `{"type":"array"}`, `{"type":["object"]}`, `{"properties":{"type":"object"}}`} {
		assert.False(t, wire.DescribesObject(jsontext.Value(schema)), schema)
	}
	assert.Equal(t, `{"supported":["b","a"],"requested":"c"}`,
		string(wire.UnsupportedVersion(protocol.UnsupportedVersion("c", []protocol.Revision{"b", "a"}))))
	assert.Equal(t, "m; visit u; visit v", wire.Visit(&protocol.Error{Message: "m", Elicitations: []*protocol.ElicitParams{{URL: "u"}, {URL: "v"}}}))
}
