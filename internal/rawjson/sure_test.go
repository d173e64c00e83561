package rawjson_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"

	"github.com/parley-mcp/parley/internal/rawjson"
)

const usual = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"message":"a \"quoted\" line\nand é, 漢字 😀, \\ and \/",` +
	`"n":[-0.5e+10,0,12,true,false,null,[],{}]},"_meta":{"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"}}}}`

func TestSure(t *testing.T) {
	for _, text := range []string{usual, " \t\r\n1 ", `""`, `[ 1 , 2 ]`, `{ "a" : 1 , "A" : 2 }`, `{"":{"":{}}}`, strings.Repeat("[", 8) + strings.Repeat("]", 8)} {
		assert.True(t, rawjson.Sure([]byte(text), 8), text)
	}
	for _, text := range []string{
		"", " ", "x", "{", "[", `"`, `"\`, `"\u0061"`, `{"\n":1}`, "\"a\nb\"", "\"\x7f\x1f\"", "\"\xff\"", "\"\xed\xa0\x80\"",
		`{"a":1,"a":2}`, `{"a":{"b":1,"c":2,"b":3}}`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{,}`, `{"a":1 "b":2}`, `{"a":1]`, `[1}`, `[1,]`, `[,]`, `[1 2]`,
		`{a:1}`, `{"a":1}}`, `1 2`, `nul`, `nulll`, `True`, `01`, `-`, `-01`, `1.`, `.5`, `1e`, `1e+`, `+1`, `0x1`, `NaN`, `--1`,
		strings.Repeat("[", 9) + strings.Repeat("]", 9), strings.Repeat(`{"a":`, 9) + "1" + strings.Repeat("}", 9), strings.Repeat("[", 1_000_000),
	} {
		assert.False(t, rawjson.Sure([]byte(text), 8), text)
	}
	// Each place within a word of eight bytes, and what is next to it.
	for n := range 20 {
		for _, c := range []string{"\x00", "\x1f", "\x80", "\xff", `\u0061`} {
			text := `"` + strings.Repeat(" ", n) + c + strings.Repeat("!", 20-n) + `"`
			assert.False(t, rawjson.Sure([]byte(text), 1), "%q", text)
		}
		for _, c := range []string{" ", "\x7f", "é", `\"`, `\\`, `\n`} {
			text := `"` + strings.Repeat(" ", n) + c + strings.Repeat("!", 20-n) + `"`
			assert.True(t, rawjson.Sure([]byte(text), 1), "%q", text)
		}
	}
}

// An object of many members takes the long way, however many it is too many by.
func TestSureOfManyMembers(t *testing.T) {
	for n := 1; n < 40; n++ {
		var members []string
		for i := range n {
			members = append(members, fmt.Sprintf(`"m%d":%d`, i, i))
		}
		text := "{" + strings.Join(members, ",") + "}"
		assert.Equal(t, n <= 16, rawjson.Sure([]byte(text), 1), n)
		assert.False(t, rawjson.Sure([]byte("{"+strings.Join(append(members, `"m0":0`), ",")+"}"), 1), n)
	}
}

// What Sure is sure of, jsontext accepts.
func FuzzSure(f *testing.F) {
	for _, text := range []string{usual, `{"a":[1,{"b":"\\"}],"c":-0.1E-2}`, "\"\xed\xa0\x80\"", `"\ud800"`, `{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, `{"b":{"a":{}},"a":{"c":{},"d":1}}`, "[[[[[[[[[[", `[1e400]`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		const depth = 8
		sure := rawjson.Sure(text, depth)
		members, inner, split := rawjson.Split(text, depth, "a", nil, nil)
		if want := sure && rawjson.Kind(text) == '{'; split != want {
			t.Errorf("%q splits: %v", text, split)
		}
		if !sure {
			return
		}
		if split {
			assert.Equal(t, walk(text), members)
			within, _ := rawjson.Lookup(text, "a")
			assert.Equal(t, walk(within), inner)
		}
		if !jsontext.Value(text).IsValid() {
			t.Errorf("%q is not valid", text)
		}
		if got := rawjson.Depth(text); got > depth {
			t.Errorf("%q nests %d deep", text, got)
		}
	})
}

// message is a small call, as clients send it.
const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"message":"abcdefghijklmnopqrstuvwxyzabcdef"},` +
	`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`

// walk returns the members of an object as the other way of reading it finds them.
func walk(raw []byte) (members []rawjson.Member) {
	for o := rawjson.Members(raw); o.Next(); {
		members = append(members, rawjson.Member{Name: o.Key(), Value: o.Value})
	}
	return members
}

func TestSplit(t *testing.T) {
	members, inner, ok := rawjson.Split([]byte(usual), 8, "params", nil, nil)
	assert.True(t, ok)
	assert.Equal(t, walk([]byte(usual)), members)
	assert.Equal(t, walk(members[3].Value), inner)
	assert.Len(t, inner, 3)
	members, inner, ok = rawjson.Split([]byte(`{"params":[{"x":1}],"y":{"params":{"z":1}}}`), 8, "params", nil, nil)
	assert.True(t, ok)
	assert.Len(t, members, 2)
	assert.Empty(t, inner)
	_, _, ok = rawjson.Split([]byte(`[]`), 8, "params", nil, nil)
	assert.False(t, ok)
}

func BenchmarkSure(b *testing.B) {
	text := []byte(message)
	for b.Loop() {
		if !rawjson.Sure(text, 64) {
			b.Fatal()
		}
	}
}

// What jsontext needs for the same.
func BenchmarkIsValid(b *testing.B) {
	text := jsontext.Value(message)
	for b.Loop() {
		if !text.IsValid() {
			b.Fatal()
		}
	}
}
