package schema

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/internal/rawjson"
)

// What the quick check accepts, the full validator must accept: that is all that makes it right. The fuzz function
// compares them over schemas and values.

var quickSchemas = []string{
	`{"type":"object","properties":{"a":{"type":"string"},"n":{"type":"integer"}},"required":["a"],"additionalProperties":false}`,
	`{"type":"object","properties":{"t":{"type":["null","array"],"items":{"type":"string","enum":["x","y"]}}}}`,
	`{"type":"object","properties":{"o":{"type":"object","properties":{"b":{"type":"boolean"},"f":{"type":"number"}},"required":["b"]},"any":true}}`,
}

func TestQuickAcceptsWithoutAllocating(t *testing.T) {
	for i, value := range []string{`{"a":"x","n":9007199254740993}`, `{"t":["x","y"]}`, `{"o":{"b":true,"f":1.5},"any":[1],"more":1}`} {
		q := compileQuick(jsontext.Value(quickSchemas[i]))
		require.NotNil(t, q)
		raw := jsontext.Value(value)
		assert.True(t, q.accepts(raw))
		assert.Zero(t, testing.AllocsPerRun(10, func() { q.accepts(raw) }))
	}
}

func TestQuickLeavesTheRest(t *testing.T) {
	for _, schema := range []string{
		`{"type":"object","minProperties":1}`, `{"properties":{"a":{"$ref":"#"}}}`, `{"anyOf":[{}]}`, `{"required":["unknown"]}`,
		`{"additionalProperties":{"type":"string"}}`, `{"enum":[1]}`, `{"type":"string","minLength":1}`, `false`,
	} {
		assert.Nil(t, compileQuick(jsontext.Value(schema)), schema)
	}
	q := compileQuick(jsontext.Value(quickSchemas[0]))
	for _, value := range []string{`{}`, `{"a":1}`, `{"a":"x","n":1.0}`, `{"a":"x","b":1}`, `[]`, `null`} {
		assert.False(t, q.accepts(jsontext.Value(value)), value)
	}
}

func FuzzQuick(f *testing.F) {
	for _, s := range quickSchemas {
		f.Add(s, `{"a":"x","n":1,"t":["x"],"o":{"b":true}}`)
	}
	f.Fuzz(func(t *testing.T, schema, value string) {
		if len(schema) > 1000 || !jsontext.Value(value).IsValid() || rawjson.Depth([]byte(value)) > 50 {
			return
		}
		s, err := Compile(jsontext.Value(schema))
		if err != nil || s.quick == nil || !s.quick.accepts(jsontext.Value(value)) {
			return
		}
		s.quick = nil
		require.NoError(t, s.Validate(jsontext.Value(value)), "%s against %s", value, schema)
	})
}
