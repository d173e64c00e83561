package jsonrpc_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/internal/jsonrpc"
)

// Every message of a server comes through Parse, so that what it lets through and what it says of the rest decides how
// robust the whole is. The table names the known defect classes that a case guards against.

func TestParseMessage(t *testing.T) {
	for _, c := range []struct {
		name, text string
		kind       jsonrpc.Kind
		id, method string
		code       int
	}{
		{name: "request", text: `{"jsonrpc":"2.0","id":1,"method":"ping"}`, kind: jsonrpc.Request, id: "1", method: "ping"},
		{name: "notification", text: `{"jsonrpc":"2.0","method":"x","params":{}}`, kind: jsonrpc.Notification, method: "x"},
		{name: "result", text: `{"jsonrpc":"2.0","id":"a","result":{}}`, kind: jsonrpc.Response, id: `"a"`},
		{name: "error without id", text: `{"jsonrpc":"2.0","error":{"code":1,"message":""}}`, kind: jsonrpc.Response},
		{name: "unknown members", text: `{"x":[1],"jsonrpc":"2.0","id":1,"method":"ping","ID":2}`, kind: jsonrpc.Request, id: "1", method: "ping"},
		{name: "escaped member name", text: `{"jsonrpc":"2.0","id":1,"m\u0065thod":"ping"}`, kind: jsonrpc.Request, id: "1", method: "ping"},
		{name: "J-07 string id", text: `{"jsonrpc":"2.0","id":"0042","method":"ping"}`, kind: jsonrpc.Request, id: `"0042"`, method: "ping"},
		{name: "J-08 large id", text: `{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, kind: jsonrpc.Request, id: "9007199254740993", method: "ping"},
		{name: "J-08 negative id", text: `{"jsonrpc":"2.0","id":-1,"method":"ping"}`, kind: jsonrpc.Request, id: "-1", method: "ping"},
		{name: "J-10 fractional id", text: `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, code: jsonrpc.InvalidRequest},
		{name: "J-10 exponent id", text: `{"jsonrpc":"2.0","id":1e0,"method":"ping"}`, code: jsonrpc.InvalidRequest},
		{name: "J-11 id zero", text: `{"jsonrpc":"2.0","id":0,"method":"ping"}`, kind: jsonrpc.Request, id: "0", method: "ping"},
		{name: "id null", text: `{"jsonrpc":"2.0","id":null,"method":"ping"}`, code: jsonrpc.InvalidRequest},
		{name: "id object", text: `{"jsonrpc":"2.0","id":{},"method":"ping"}`, code: jsonrpc.InvalidRequest},
		{name: "J-19 huge id", text: `{"jsonrpc":"2.0","id":"` + strings.Repeat("x", 1<<20) + `","method":"ping"}`, code: jsonrpc.InvalidRequest},
		{name: "J-14 JSON but no message", text: `{"hello":1}`, code: jsonrpc.InvalidRequest},
		{name: "scalar", text: `7`, code: jsonrpc.InvalidRequest},
		{name: "J-17 method empty", text: `{"jsonrpc":"2.0","id":1,"method":""}`, kind: jsonrpc.Request, id: "1"},
		{name: "J-17 method number", text: `{"jsonrpc":"2.0","id":2,"method":7}`, id: "2", code: jsonrpc.InvalidRequest},
		{name: "J-17 nothing", text: `{"jsonrpc":"2.0","id":3}`, id: "3", code: jsonrpc.InvalidRequest},
		{name: "J-17 no version", text: `{"id":4,"method":"ping"}`, id: "4", code: jsonrpc.InvalidRequest},
		{name: "J-17 old version", text: `{"jsonrpc":"1.0","id":5,"method":"ping"}`, id: "5", code: jsonrpc.InvalidRequest},
		{name: "result and error", text: `{"jsonrpc":"2.0","id":5,"result":{},"error":{}}`, id: "5", code: jsonrpc.InvalidRequest},
		{name: "method and result", text: `{"jsonrpc":"2.0","id":5,"result":{},"method":"x"}`, id: "5", code: jsonrpc.InvalidRequest},
		{name: "result without id", text: `{"jsonrpc":"2.0","result":{}}`, code: jsonrpc.InvalidRequest},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := jsonrpc.Parse([]byte(c.text), jsonrpc.Limits{Depth: 64})
			require.Nil(t, err)
			require.False(t, p.Batch)
			m := p.Single
			assert.Equal(t, c.id, m.ID.String())
			if c.code != 0 {
				require.NotNil(t, m.Error)
				assert.Equal(t, c.code, m.Error.Code)
				return
			}
			require.Nil(t, m.Error)
			assert.Equal(t, c.kind, m.Kind)
			assert.Equal(t, c.method, m.Method)
		})
	}
}

func TestParseRefusesThePacket(t *testing.T) {
	for _, c := range []struct {
		name, text string
		code       int
	}{
		{"H-13 empty", ``, jsonrpc.ParseError},
		{"cut off", `{"jsonrpc":"2.0","id":1,"method":`, jsonrpc.ParseError},
		{"two values", `{} {}`, jsonrpc.ParseError},
		{"J-13 invalid UTF-8", "{\"a\":\"\xff\xfe\"}", jsonrpc.ParseError},
		{"NUL", "{\"a\":\"\x00\"}", jsonrpc.ParseError},
		{"duplicate member", `{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`, jsonrpc.InvalidRequest},
		{"duplicate member far inside", `{"a":[{"b":1,"\u0062":2}]}`, jsonrpc.InvalidRequest},
		{"J-19 deep", strings.Repeat("[", 65) + strings.Repeat("]", 65), jsonrpc.ParseError},
		{"J-19 very deep", strings.Repeat("[", 1_000_000) + strings.Repeat("]", 1_000_000), jsonrpc.ParseError},
		{"empty batch", `[ ]`, jsonrpc.InvalidRequest},
		{"long batch", `[1,2,3]`, jsonrpc.InvalidRequest},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := jsonrpc.Parse([]byte(c.text), jsonrpc.Limits{Depth: 64, Batch: 2})
			require.NotNil(t, err)
			assert.Equal(t, c.code, err.Code)
		})
	}
}

func TestParseLoneSurrogate(t *testing.T) { // J-13: well-formed JSON, no Unicode text
	p, err := jsonrpc.Parse([]byte(`{"jsonrpc":"2.0","id":2,"method":"x","params":{"t":"\ud800","n":9007199254740993}}`), jsonrpc.Limits{})
	require.Nil(t, err)
	assert.Equal(t, `{"t":"`+"\ufffd"+`","n":9007199254740993}`, string(p.Single.Params))
}

func TestParseBatch(t *testing.T) {
	p, err := jsonrpc.Parse([]byte(`[{"jsonrpc":"2.0","id":1,"method":"ping"}, 5, {"jsonrpc":"2.0","method":"x"}]`), jsonrpc.Limits{Batch: 3})
	require.Nil(t, err)
	require.True(t, p.Batch)
	require.Len(t, p.Messages, 3)
	assert.Equal(t, jsonrpc.Request, p.Messages[0].Kind)
	assert.Equal(t, jsonrpc.InvalidRequest, p.Messages[1].Error.Code)
	assert.Equal(t, jsonrpc.Notification, p.Messages[2].Kind)
}

func TestIDKeys(t *testing.T) {
	key := func(raw string) string {
		id, ok := jsonrpc.ParseID(jsontext.Value(raw))
		require.True(t, ok)
		return id.Key()
	}
	assert.NotEqual(t, key(`1`), key(`"1"`))
	assert.True(t, jsonrpc.Int64ID(7).Equal(jsonrpc.Int64ID(7)))
	assert.False(t, jsonrpc.Int64ID(7).Equal(jsonrpc.StringID("7")))
	assert.Equal(t, key(`"a"`), key(`"\u0061"`))
	assert.Equal(t, jsonrpc.Int64ID(7).Key(), key(`7`))
	assert.Equal(t, jsonrpc.StringID("7").Key(), key(`"7"`))
}

func TestAppend(t *testing.T) {
	id := jsonrpc.StringID("a")
	assert.Equal(t, `{"jsonrpc":"2.0","id":"a","result":{}}`,
		string(jsonrpc.AppendEnd(append(jsonrpc.AppendResultHead(nil, id), "{}"...))))
	assert.Equal(t, `{"jsonrpc":"2.0","method":"m","params":{}}`,
		string(jsonrpc.AppendEnd(append(jsonrpc.AppendNotificationHead(nil, "m"), "{}"...))))
	assert.Equal(t, `{"jsonrpc":"2.0","id":"a","method":"m","params":{}}`,
		string(jsonrpc.AppendEnd(append(jsonrpc.AppendRequestHead(nil, id, "m"), "{}"...))))
	assert.Equal(t, `{"jsonrpc":"2.0","id":"a","error":{"code":-1,"message":"x\"y","data":[1]}}`,
		string(jsonrpc.AppendError(nil, id, &jsonrpc.Error{Code: -1, Message: `x"y`, Data: jsontext.Value(`[1]`)})))
	assert.Equal(t, `{"jsonrpc":"2.0","error":{"code":-32700,"message":"no"}}`,
		string(jsonrpc.AppendError(nil, jsonrpc.ID{}, &jsonrpc.Error{Code: jsonrpc.ParseError, Message: "no"})))
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{}}}`, `[{}]`, `{"id":"\ud800"}`, `[[[[`, `{"jsonrpc":"2.0","id":1,"error":{}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := jsonrpc.Parse(text, jsonrpc.Limits{Depth: 32, Batch: 8})
		if err != nil {
			assert.Contains(t, []int{jsonrpc.ParseError, jsonrpc.InvalidRequest}, err.Code)
			return
		}
		if !p.Batch {
			p.Messages = []jsonrpc.Parsed{p.Single}
		}
		for _, m := range p.Messages {
			if m.Error == nil {
				assert.NotZero(t, m.Kind)
				assert.Equal(t, m.Kind == jsonrpc.Request || m.Kind == jsonrpc.Response && m.Result != nil, !m.ID.IsZero() && (m.Kind != jsonrpc.Response || m.Result != nil))
			}
			if !m.ID.IsZero() {
				assert.True(t, m.ID.Raw().IsValid())
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	text := []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"message":"abcdefghijklmnopqrstuvwxyzabcdef"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := jsonrpc.Parse(text, jsonrpc.Limits{Depth: 64}); err != nil {
			b.Fatal(err)
		}
	}
}
