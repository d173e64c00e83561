package rawjson_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/internal/rawjson"
)

// The package is a shortcut past a full decoder, so that its tests compare it with one.

func TestMembersAndElements(t *testing.T) {
	raw := []byte(` { "a" : 1 , "b\"}" : "x\\" , "\u0063" : [ {"d":"]"} , [] , "," ] , "e" : { } , "f":null } `)
	var keys, values []string
	for o := rawjson.Members(raw); o.Next(); {
		keys = append(keys, string(o.Key()))
		values = append(values, string(o.Value))
	}
	assert.Equal(t, []string{"a", `b"}`, "c", "e", "f"}, keys)
	assert.Equal(t, []string{"1", `"x\\"`, `[ {"d":"]"} , [] , "," ]`, "{ }", "null"}, values)

	list, ok := rawjson.Lookup(raw, "c")
	require.True(t, ok)
	var items []string
	for a := rawjson.Elements(list); a.Next(); {
		items = append(items, string(a.Value))
	}
	assert.Equal(t, []string{`{"d":"]"}`, "[]", `","`}, items)

	_, ok = rawjson.Lookup(raw, "A")
	assert.False(t, ok, "names are case-sensitive")
	assert.Equal(t, 3, rawjson.Depth(raw))
}

func TestAnyKeepsDigits(t *testing.T) {
	got := rawjson.Any([]byte(`{"n": [9007199254740993, 1.10, -0], "t": true, "f": false, "z": null, "s": "\u00e9"}`))
	assert.Equal(t, map[string]any{
		"n": []any{json.Number("9007199254740993"), json.Number("1.10"), json.Number("-0")},
		"t": true, "f": false, "z": nil, "s": "é",
	}, got)
}

func FuzzAgainstDecoder(f *testing.F) {
	for _, s := range []string{`{}`, `[1,"a",{"b":[]}]`, `{"a\\":"\"","b":{"c":[[]]}}`, `"x"`, `-1e5`, `{"a":1`, `"\`, `[`, `{"a"`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		got := rawjson.Any(b) // must end, whatever b is
		rawjson.Depth(b)
		if !jsontext.Value(b).IsValid() {
			return
		}
		var want any
		dec := json.NewDecoder(bytes.NewReader(b))
		dec.UseNumber()
		require.NoError(t, dec.Decode(&want))
		require.Equal(t, want, got)
	})
}

func TestAppendSorted(t *testing.T) {
	sorted := func(s string) string { return string(rawjson.AppendSorted(nil, []byte(s), "_meta")) }
	assert.Equal(t, sorted(`{"b":[1,{"y":1,"x":"a"}],"a":2,"_meta":{"x":1}}`), sorted(` {"_meta":7, "a": 2,"b":[1, {"x":"a","y":1} ]} `))
	assert.NotEqual(t, sorted(`{"a":{"_meta":1}}`), sorted(`{"a":{"_meta":2}}`), "only members of the value itself are left out")
	assert.NotEqual(t, sorted(`{"a":9007199254740993}`), sorted(`{"a":9007199254740992}`))
	assert.NotEqual(t, sorted(`{"a":[1,2]}`), sorted(`{"a":[2,1]}`))
}

func FuzzAppendString(f *testing.F) {
	for _, s := range []string{"", "plain text of some length", "a\"b\\c\n\t\r\b\f\x00\x1f\x7f", "größe \u2028 \U0001F600", "\xff\xc3(", "1234567\"", "12345678\x1f"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want, _ := jsontext.AppendQuote(nil, s)
		require.Equal(t, string(want), string(rawjson.AppendString(nil, s)))
	})
}

func BenchmarkAppendString(b *testing.B) {
	text := strings.Repeat("some text with a \"quoted\" word, and at the end of each line of some eighty bytes: \n", 50)
	var dst []byte
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		dst = rawjson.AppendString(dst[:0], text)
	}
}
