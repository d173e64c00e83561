package schema

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const minimal = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "", "description": "", "revision": "x", "batch": false,
  "messages": {"client": {"requests": {"a": {"params": "A", "results": ["A"]}}, "notifications": {}}},
  "errors": {},
  "$defs": {"A": {"type": "object", "properties": {"b": {"$ref": "#/$defs/B"}}}, "B": {"type": ["string", "null"]}}
}`

func TestParse(t *testing.T) {
	d, err := parse([]byte(minimal))
	require.NoError(t, err)
	a := d.Messages[client].Requests["a"].Params.node
	assert.Same(t, d.Defs["A"], a)
	assert.Equal(t, oneOrMore{"string", "null"}, a.Properties["b"].resolve().Type)
}

func TestParseRefuses(t *testing.T) {
	tests := []struct{ name, old, new, want string }{
		{"an unknown keyword", `"type": "object",`, `"type": "object", "requires": [],`, "requires"},
		{"a reference to nothing", "#/$defs/B", "#/$defs/C", `definition A: reference "#/$defs/C" names no definition`},
		{"a reference to elsewhere", "#/$defs/B", "#", `definition A: reference "#" names no definition`},
		{"a table that names nothing", `["A"]`, `["Z"]`, `the tables name "Z", which is not defined`},
		{"a definition twice", `"B": {`, `"A": {}, "B": {`, "duplicate"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			require.Contains(t, minimal, test.old)
			_, err := parse([]byte(strings.Replace(minimal, test.old, test.new, 1)))
			assert.ErrorContains(t, err, test.want)
		})
	}
}

// Two files say common things in the same order, so that a diff shows what changed and nothing else.
func TestSameLayout(t *testing.T) {
	all, err := documents()
	require.NoError(t, err)
	require.Len(t, all, 4)
	for i := 1; i < len(all); i++ {
		older, newer := memberOrder(t, all[i-1].raw), memberOrder(t, all[i].raw)
		for object, names := range newer {
			assert.Equal(t, inBoth(older[object], names), inBoth(names, older[object]),
				"%s and %s differ in the order of %s", all[i-1].Revision, all[i].Revision, object)
		}
	}
}

// inBoth gives the names that are also in other, in the order of names.
func inBoth(names, other []string) []string {
	shared := []string{}
	for _, name := range names {
		if slices.Contains(other, name) {
			shared = append(shared, name)
		}
	}
	return shared
}

// memberOrder lists the members of each object in a file, in order, by the pointer of the object.
func memberOrder(t *testing.T, raw []byte) map[string][]string {
	order := map[string][]string{}
	dec := jsontext.NewDecoder(bytes.NewReader(raw))
	for {
		token, err := dec.ReadToken()
		if err != nil {
			return order
		}
		kind, length := dec.StackIndex(dec.StackDepth())
		if kind == '{' && length%2 == 1 && token.Kind() == '"' {
			pointer := dec.StackPointer()
			order[string(pointer.Parent())] = append(order[string(pointer.Parent())], token.String())
		}
		require.NoError(t, err)
	}
}

// What a definition says of itself is a sentence in this project's words.
func TestDefinitionsAreDescribed(t *testing.T) {
	all, err := documents()
	require.NoError(t, err)
	for _, d := range all {
		for name, def := range d.Defs {
			assert.Regexp(t, `^[A-Z].*\.$`, def.Description, fmt.Sprintf("%s %s", d.Revision, name))
		}
	}
}
