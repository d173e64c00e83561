package streamable_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/transport/internal/transporttest"
	"github.com/parley-mcp/parley/transport/streamable"
)

// What bad input gets, at each revision. After each bad request a good one is served in the same lane.

func TestBadBody(t *testing.T) {
	const limit = 4096
	e := serve(t, streamable.Options{MaxBody: limit, MaxDepth: 16, MaxBatch: 4}, nil)
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	cases := []struct {
		name, body string
		lines      []string
		status     int
		code       int
	}{
		{name: "too long, and withheld", lines: []string{fmt.Sprintf("Content-Length: %d", limit+1)}, status: 413, code: -32600},
		{name: "too long by far", lines: []string{"Content-Length: 9223372036854775807"}, status: 413, code: -32600},
		{name: "too long in chunks", body: fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", limit+1, strings.Repeat(" ", limit+1)), lines: []string{"-Content-Length", "Transfer-Encoding: chunked"}, status: 413, code: -32600},
		{name: "empty", status: 400, code: -32700},
		{name: "no JSON", body: `hello`, status: 400, code: -32700},
		{name: "cut off", body: `{"jsonrpc":"2.0","id":1,"method":`, status: 400, code: -32700},
		{name: "two values", body: `{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":2,"method":"ping"}`, status: 400, code: -32700},
		{name: "single quotes", body: `{'jsonrpc':'2.0','id':1,'method':'ping'}`, status: 400, code: -32700},
		{name: "NaN", body: `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":NaN}}`, status: 400, code: -32700},
		{name: "NUL", body: "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\x00\"}", status: 400, code: -32700},
		{name: "invalid UTF-8", body: "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\xfe\"}", status: 400, code: -32700},
		{name: "UTF-16", body: "\xff\xfe{\x00}\x00", status: 400, code: -32700},
		{name: "deep", body: `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":` + deep(15) + `}}`, status: 400, code: -32700},
		{name: "very deep", body: deep(2000), status: 400, code: -32700},
		{name: "no message", body: `{"hello":1}`, status: 400, code: -32600},
		{name: "a number", body: `7`, status: 400, code: -32600},
		{name: "a string", body: `"ping"`, status: 400, code: -32600},
		{name: "null", body: `null`, status: 400, code: -32600},
		{name: "a member twice", body: `{"jsonrpc":"2.0","id":1,"method":"ping","id":2}`, status: 400, code: -32600},
		{name: "a member twice, spelled differently", body: `{"jsonrpc":"2.0","id":1,"method":"ping","m\u0065thod":"tools/list"}`, status: 400, code: -32600},
		{name: "an argument twice", body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"a","text":"b"}}}`, status: 400, code: -32600},
		{name: "id null", body: `{"jsonrpc":"2.0","id":null,"method":"ping"}`, status: 400, code: -32600},
		{name: "id fractional", body: `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, status: 400, code: -32600},
		{name: "id boolean", body: `{"jsonrpc":"2.0","id":true,"method":"ping"}`, status: 400, code: -32600},
		{name: "id array", body: `{"jsonrpc":"2.0","id":[1],"method":"ping"}`, status: 400, code: -32600},
		{name: "id too long", body: `{"jsonrpc":"2.0","id":"` + strings.Repeat("x", 2000) + `","method":"ping"}`, status: 400, code: -32600},
		{name: "method null", body: `{"jsonrpc":"2.0","id":1,"method":null}`, status: 400, code: -32600},
		{name: "version missing", body: `{"id":1,"method":"ping"}`, status: 400, code: -32600},
		{name: "version old", body: `{"jsonrpc":"1.0","id":1,"method":"ping"}`, status: 400, code: -32600},
		{name: "result and error", body: `{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}`, status: 400, code: -32600},
		{name: "request and response", body: `{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}`, status: 400, code: -32600},
		{name: "empty batch", body: `[]`, status: 400, code: -32600},
		{name: "batch too long", body: `[1,2,3,4,5]`, status: 400, code: -32600},
	}
	each(t, all, func(t *testing.T, revision string) {
		l := e.open(revision)
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				a := e.exchange(l.send(c.body, c.lines...))
				assert.Equal(t, c.status, a.status)
				assert.Equal(t, c.code, a.last(t).code(), a.body)
				assert.Equal(t, c.status == 413, a.closes)
				e.works(l)
			})
		}
	})
}

func TestBodyAtTheLimit(t *testing.T) {
	e := serve(t, streamable.Options{MaxBody: 512}, nil)
	each(t, all, func(t *testing.T, revision string) {
		l := e.open(revision)
		body, name := l.body("1", "tools/call", `"name":"echo","arguments":{"text":"hi"}`, "")
		body += strings.Repeat(" ", 512-len(body))
		a := e.exchange(l.send(body, l.lines("tools/call", name)...))
		assert.Equal(t, 200, a.status, a.body)
		chunked := fmt.Sprintf("200\r\n%s\r\n0\r\n\r\n", body)
		a = e.exchange(l.send(chunked, append(l.lines("tools/call", name), "-Content-Length", "Transfer-Encoding: chunked")...))
		assert.Equal(t, 200, a.status, a.body)
	})
}

func TestBatchWhereThereIsNone(t *testing.T) { // H-22: a guard that looks at single messages alone lets these pass
	e := serve(t, streamable.Options{}, nil)
	each(t, []string{june, nov, modern}, func(t *testing.T, revision string) {
		l := e.open(revision)
		body, _ := l.body("1", "tools/call", `"name":"write_row","arguments":{}`, "")
		for _, batch := range []string{"[" + body + "]", "[" + body + "," + body + "]", `[{"jsonrpc":"2.0","method":"notifications/initialized"}]`} {
			a := e.exchange(l.send(batch))
			assert.Equal(t, 400, a.status)
			assert.Equal(t, -32600, a.last(t).code(), a.body)
		}
		assert.Zero(t, e.Rows.Load(), "nothing was run")
		e.works(l)
	})
}

func TestMediaTypes(t *testing.T) {
	e := serve(t, streamable.Options{}, nil)
	each(t, all, func(t *testing.T, revision string) {
		l := e.open(revision)
		post := func(lines ...string) answer { return e.exchange(l.tool("1", "echo", `"text":"hi"`, "", lines...)) }
		for _, lines := range [][]string{
			{"-Content-Type"}, {"Content-Type: "}, {"Content-Type: text/plain"}, {"Content-Type: application/json-seq"},
			{`Content-Type: text/plain; note="application/json"`}, {"Content-Type: application/jsonx"}, {"Content-Type: json"},
			{"Content-Type: application/json; charset=latin1"}, {"Content-Type: application/json", "Content-Type: text/plain"},
			{"Content-Type: multipart/form-data; boundary=application/json"},
		} {
			a := post(lines...)
			assert.Equal(t, 415, a.status, lines)
			assert.Equal(t, -32600, a.last(t).code())
		}
		for _, line := range []string{
			"application/json", "application/json; charset=utf-8", "application/json;charset=UTF-8", `application/json; charset="utf-8"`,
			"APPLICATION/JSON", "application/json; profile=x",
		} {
			assert.Equal(t, 200, post("Content-Type: "+line).status, line)
		}
		for _, line := range []string{
			"text/html", "application/json;q=0, text/event-stream;q=0", "application/jsonx", "*/*;q=0", "text/plain, image/*",
			"application/json-seq", "application/xml;q=1.0",
		} {
			a := post("Accept: " + line)
			assert.Equal(t, 406, a.status, line)
			assert.Equal(t, -32600, a.last(t).code())
		}
		for _, c := range []struct{ accept, answered string }{
			{"*/*", "application/json"},
			{"application/*", "application/json"},
			{"application/json", "application/json"},
			{"text/event-stream", "text/event-stream"},
			{"text/*", "text/event-stream"},
			{"text/event-stream, application/json", "application/json"},
			{"TEXT/EVENT-STREAM;q=0.5, application/*; q=1.0, */*", "application/json"},
			{"application/json;q=0, */*", "text/event-stream"},
			{"application/json;q=0.1,text/html", "application/json"},
		} {
			a := post("Accept: " + c.accept)
			assert.Equal(t, 200, a.status, c.accept)
			assert.Equal(t, c.answered, a.header.Get("Content-Type"), c.accept)
			assert.Contains(t, string(a.last(t).Result), `"text":"hi"`)
		}
		assert.Equal(t, 200, post("-Accept").status)
		assert.Equal(t, 200, post("Accept: application/json", "Accept: text/event-stream").status)
	})
}

func TestUnknownAndMissingSession(t *testing.T) {
	e := serve(t, streamable.Options{}, nil)
	each(t, handshakes, func(t *testing.T, revision string) {
		for _, id := range []string{"gone-0002", strings.Repeat("x", 22), strings.Repeat("x", 10000), "s-1é", "s\t1", ""} {
			l := lane{revision, id}
			for _, r := range []string{l.call("8", "ping", "", "", "Mcp-Session-Id: "+id), l.notify("notifications/initialized", "") + ""} {
				if id == "" && !strings.Contains(r, "Mcp-Session-Id") {
					continue
				}
				a := e.exchange(r)
				assert.Equal(t, 404, a.status, "%q", id)
				assert.Equal(t, -32600, a.last(t).code())
			}
		}
		l := lane{revision: revision}
		for _, r := range []string{l.call("8", "ping", "", ""), l.notify("notifications/initialized", ""), l.send(`{"jsonrpc":"2.0","id":1,"result":{}}`)} {
			a := e.exchange(r)
			assert.Equal(t, 400, a.status)
			assert.Equal(t, -32600, a.last(t).code())
		}
		good := e.open(revision)
		a := e.exchange(good.call("8", "ping", "", "", "Mcp-Session-Id: "+good.session, "Mcp-Session-Id: other"))
		assert.Equal(t, 400, a.status, "two that differ")
		a = e.exchange(good.call("8", "ping", "", "", "Mcp-Session-Id: "+good.session, "Mcp-Session-Id: "+good.session))
		assert.Equal(t, 200, a.status, "S-15: two that are equal are one")
		assert.Equal(t, 404, e.exchange(good.call("8", "ping", "", "", "Mcp-Session-Id: "+strings.ToUpper(good.session)+"x")).status)
	})
}

func TestArguments(t *testing.T) {
	e := serve(t, streamable.Options{}, nil)
	each(t, all, func(t *testing.T, revision string) {
		l := e.open(revision)
		a := e.exchange(l.tool("1", "big", `"kib":"many"`, ""))
		assert.Equal(t, 200, a.status)
		m := a.last(t)
		if revision == march || revision == june {
			assert.Equal(t, -32602, m.code())
			assert.Contains(t, m.Error.Message, "kib", "it says which member")
			return
		}
		require.Zero(t, m.code())
		assert.Contains(t, string(m.Result), `"isError":true`)
		assert.Contains(t, string(m.Result), "kib")
	})
}

func TestPanic(t *testing.T) {
	each(t, all, func(t *testing.T, revision string) {
		for _, tool := range []string{"panics", "nothing"} {
			e := serve(t, streamable.Options{}, nil)
			l := e.open(revision)
			a := e.exchange(l.tool("1", tool, "", ""))
			assert.Equal(t, 200, a.status, a.body)
			m := a.last(t)
			assert.Equal(t, -32603, m.code())
			assert.Equal(t, "1", string(m.ID))
			assert.NotContains(t, a.body, transporttest.Secret)
			assert.NotContains(t, a.body, ".go")
			assert.Contains(t, e.Log.String(), ".go:", "the stack is in the log")
			e.works(l)
		}
	})
}

func TestMethodsThatTheEndpointLacks(t *testing.T) {
	e := serve(t, streamable.Options{}, nil)
	each(t, all, func(t *testing.T, revision string) {
		l := e.open(revision)
		for _, method := range []string{"GET", "HEAD", "PUT", "PATCH", "OPTIONS", "TRACE", "FOO"} {
			a := e.exchange(requestOf(method, "", append(l.lines("", ""), "Accept: text/event-stream")...))
			assert.Equal(t, http.StatusMethodNotAllowed, a.status, method)
			assert.Equal(t, "POST, DELETE", a.header.Get("Allow"))
			assert.Empty(t, a.header.Get("Mcp-Session-Id"))
			assert.NotEqual(t, "text/event-stream", a.header.Get("Content-Type"))
		}
		e.works(l)
	})
}
