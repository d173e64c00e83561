package streamable_test

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/transport/streamable"
)

func TestKnownHTTP(t *testing.T) {
	ping := `{"jsonrpc":"2.0","id":2,"method":"ping"}`
	get := func(name string, lines ...string) known {
		return known{name: name, in: nov, method: "GET", lines: append([]string{"Accept: text/event-stream"}, lines...), status: 405, code: -32600, has: []string{"Allow: POST, DELETE"}}
	}
	runKnown(t, []known{
		{name: "H-01 Accept with weights, wildcards and upper case", in: nov, lines: inSession(nov, "Accept: TEXT/EVENT-STREAM;q=0.5, application/*; q=1.0, */*"), body: ping, status: 200},
		{name: "H-02 Content-Type with a parameter", in: nov, lines: inSession(nov, "Content-Type: application/json; charset=utf-8"), body: ping, status: 200},
		{name: "H-03 Content-Type that only names JSON", in: nov, lines: inSession(nov, `Content-Type: text/plain; note="application/json"`), body: ping, status: 415, code: -32600},
		get("H-05 GET without a session", "MCP-Protocol-Version: 2025-11-25"),
		get("H-07 GET with a session, of a server that says nothing unprompted", inSession(nov)...),
		get("H-24 GET with a Last-Event-ID", inSession(nov, "Last-Event-ID: streamA_18446744073709551616")...),
		{name: "H-10 a notification is 202 without a body", in: nov, lines: inSession(nov), body: `{"jsonrpc":"2.0","method":"notifications/initialized"}`, status: 202},
		{name: "H-12 a response is 202 without a body", in: nov, lines: inSession(nov), body: `{"jsonrpc":"2.0","id":"srv-1","result":{}}`, status: 202},
		{name: "H-12 an error too", in: nov, lines: inSession(nov), body: `{"jsonrpc":"2.0","id":"srv-1","error":{"code":-1,"message":"no"}}`, status: 202},
		{name: "H-29 the client has no ping, and lives", in: nov, lines: inSession(nov), body: `{"jsonrpc":"2.0","id":"ka-1","error":{"code":-32601,"message":"method not found"}}`, status: 202, check: func(t *testing.T, e *endpoint, _ answer) { e.works(e.open(nov)) }},
		{name: "H-12 there is no response at 2026-07-28", lines: perRequest(""), body: `{"jsonrpc":"2.0","id":"srv-1","result":{}}`, status: 400, code: -32600},
		{name: "H-13 an empty body", in: nov, lines: inSession(nov), status: 400, code: -32700},
		{name: "H-13 no JSON", in: nov, lines: inSession(nov), body: "hello", status: 400, code: -32700},
		{name: "H-14 JSON that is no message", in: nov, lines: inSession(nov), body: `{"hello":1}`, status: 400, code: -32600},
		{name: "H-21 a batch at 2025-03-26", in: march, lines: inSession(march), body: `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}},{"jsonrpc":"2.0","id":2,"method":"ping"}]`, status: 200, check: func(t *testing.T, _ *endpoint, a answer) {
			assert.JSONEq(t, `[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":{}}]`, a.body)
		}},
		{name: "H-22 a batch at 2025-11-25", in: nov, lines: inSession(nov), body: `[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"write_row","arguments":{}}}]`, status: 400, code: -32600, check: func(t *testing.T, e *endpoint, _ answer) { assert.Zero(t, e.Rows.Load()) }},
		{name: "H-22 a request of 2026-07-28 inside a batch", in: march, lines: inSession(march), body: `[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"write_row","arguments":{},"_meta":{` + modernMeta + `}}}]`, status: 400, code: -32600, check: func(t *testing.T, e *endpoint, _ answer) { assert.Zero(t, e.Rows.Load()) }},
		{name: "H-33 HEAD", method: "HEAD", lines: []string{"Accept: */*"}, status: 405, has: []string{"Allow: POST"}, lacks: []string{"Mcp-Session-Id"}},
	})
	t.Run("H-27 nothing is held back", func(t *testing.T) {
		e := serve(t, streamable.Options{}, nil)
		each(t, all, func(t *testing.T, revision string) {
			c := e.dial()
			_, err := io.WriteString(c, e.open(revision).tool("1", "stubborn", "", `"progressToken":1`))
			require.NoError(t, err)
			receive(t, e.Entered, "the call runs")
			var seen strings.Builder
			for buf := make([]byte, 4096); !strings.Contains(seen.String(), `"first"`); { // while the call still runs
				n, err := c.Read(buf)
				require.NoError(t, err)
				seen.Write(buf[:n])
			}
			assert.Contains(t, seen.String(), "X-Accel-Buffering: no")
			assert.Contains(t, seen.String(), "Cache-Control: no-cache")
			e.Release()
			require.NoError(t, receive(t, e.Sent, "the call ends"))
		})
	})
	t.Run("H-34 many calls over one connection", func(t *testing.T) {
		e := serve(t, streamable.Options{}, nil)
		l := e.open(nov)
		c := e.dial()
		r := newReader(c)
		for i := range 500 {
			_, err := io.WriteString(c, l.tool(fmt.Sprint(i), "steps", "", `"progressToken":1`))
			require.NoError(t, err)
			a := e.read(r, "POST")
			require.Len(t, a.messages(t), 4)
			require.False(t, a.closes)
		}
	})
}

func TestKnownJSONRPC(t *testing.T) {
	e := serve(t, streamable.Options{}, nil)
	deep := strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)
	for _, c := range []struct {
		name, body string
		status     int
		code       int
		id         string
		modern     int // status at 2026-07-28, if it differs
	}{
		{name: "J-02 a request method without id is not run", body: `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"write_row","arguments":{}}}`, status: 202},
		{name: "J-03 an unknown notification", body: `{"jsonrpc":"2.0","method":"notifications/x-unknown","params":{}}`, status: 202},
		{name: "J-03 a notification that means nothing here", body: `{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`, status: 202},
		{name: "J-03 a cancellation that is none", body: `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}`, status: 202},
		{name: "J-03 a cancellation without params", body: `{"jsonrpc":"2.0","method":"notifications/cancelled"}`, status: 202},
		{name: "J-05 an error has the id", body: `{"jsonrpc":"2.0","id":"req-77","method":"no/such/method","params":META}`, status: 200, code: -32601, id: `"req-77"`, modern: 404},
		{name: "J-07 a string id", body: `{"jsonrpc":"2.0","id":"0042","method":"tools/list","params":META}`, status: 200, id: `"0042"`},
		{name: "J-07 a number id", body: `{"jsonrpc":"2.0","id":42,"method":"tools/list","params":META}`, status: 200, id: `42`},
		{name: "J-07 an escaped id", body: `{"jsonrpc":"2.0","id":"a\"\u0062\n","method":"tools/list","params":META}`, status: 200, id: `"a\"b\n"`},
		{name: "J-08 a large id", body: `{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/list","params":META}`, status: 200, id: `9007199254740993`},
		{name: "J-08 a very large id", body: `{"jsonrpc":"2.0","id":340282366920938463463374607431768211456,"method":"tools/list","params":META}`, status: 200, id: `340282366920938463463374607431768211456`},
		{name: "J-08 a clock", body: `{"jsonrpc":"2.0","id":1774232524389,"method":"tools/list","params":META}`, status: 200, id: `1774232524389`},
		{name: "J-08 a negative id", body: `{"jsonrpc":"2.0","id":-1,"method":"tools/list","params":META}`, status: 200, id: `-1`},
		{name: "J-10 a fractional id", body: `{"jsonrpc":"2.0","id":1.5,"method":"tools/list","params":META}`, status: 400, code: -32600},
		{name: "J-10 an id with an exponent", body: `{"jsonrpc":"2.0","id":1e0,"method":"tools/list","params":META}`, status: 400, code: -32600},
		{name: "J-11 id 0 is an id", body: `{"jsonrpc":"2.0","id":0,"method":"tools/list","params":META}`, status: 200, id: `0`},
		{name: "J-11 the empty string is an id", body: `{"jsonrpc":"2.0","id":"","method":"tools/list","params":META}`, status: 200, id: `""`},
		{name: "J-13 invalid UTF-8", body: "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":{\"text\":\"\xFF\xFE\"}}}", status: 400, code: -32700},
		{name: "J-16 no params", body: `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, status: 200, id: "1", modern: 400},
		{name: "J-16 params null", body: `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":null}`, status: 200, id: "2", modern: 400},
		{name: "J-16 params array", body: `{"jsonrpc":"2.0","id":3,"method":"tools/list","params":[]}`, status: 200, code: -32602, id: "3", modern: 400},
		{name: "J-16 params string", body: `{"jsonrpc":"2.0","id":3,"method":"tools/list","params":"x"}`, status: 200, code: -32602, id: "3", modern: 400},
		{name: "J-16 params empty", body: `{"jsonrpc":"2.0","id":4,"method":"tools/list","params":{}}`, status: 200, id: "4", modern: 400},
		{name: "J-16 cursor null", body: `{"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"cursor":null,ONLYMETA}}`, status: 200, id: "5"},
		{name: "J-17 method empty", body: `{"jsonrpc":"2.0","id":1,"method":"","params":META}`, status: 200, code: -32601, id: "1", modern: 404},
		{name: "J-17 method number", body: `{"jsonrpc":"2.0","id":2,"method":7}`, status: 400, code: -32600, id: "2"},
		{name: "J-17 neither request nor response", body: `{"jsonrpc":"2.0","id":3}`, status: 400, code: -32600, id: "3"},
		{name: "J-17 no version", body: `{"id":4,"method":"tools/list"}`, status: 400, code: -32600, id: "4"},
		{name: "J-17 an old version", body: `{"jsonrpc":"1.0","id":5,"method":"tools/list"}`, status: 400, code: -32600, id: "5"},
		{name: "J-19 deep nesting", body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"a":` + deep + `}}}`, status: 400, code: -32700},
		{name: "J-19 an id of 1 MiB", body: `{"jsonrpc":"2.0","id":"` + strings.Repeat("x", 1<<20) + `","method":"no/such"}`, status: 400, code: -32600},
		{name: "J-19 a method of 1 MiB", body: `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 1<<20) + `","params":META}`, status: 200, code: -32601, id: "1", modern: 400},
		{name: "M-39 a method that is a word of some language", body: `{"jsonrpc":"2.0","id":1,"method":"constructor","params":META}`, status: 200, code: -32601, id: "1", modern: 404},
		{name: "M-39 another", body: `{"jsonrpc":"2.0","id":1,"method":"__proto__","params":META}`, status: 200, code: -32601, id: "1", modern: 404},
		{name: "J-21 an unknown tool", body: `{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"no_such_tool","arguments":{},ONLYMETA}}`, status: 200, code: -32602, id: "4"},
		{name: "J-21 a method whose capability is not declared", body: `{"jsonrpc":"2.0","id":4,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"x","value":""},ONLYMETA}}`, status: 200, code: -32601, id: "4", modern: 404},
	} {
		t.Run(c.name, func(t *testing.T) {
			each(t, all, func(t *testing.T, revision string) {
				l, status, code := e.open(revision), c.status, c.code
				meta := `"_meta":{}`
				lines := []string{}
				if revision == modern {
					meta = `"_meta":{` + modernMeta + `}`
					lines = mirrored(c.body)
					if c.modern != 0 {
						status = c.modern
					}
					if status == 400 && code == 0 {
						code = -32602 // no _meta
					}
					if strings.HasPrefix(c.name, "J-19 a method") {
						code = -32020 // no header is that long
					}
				}
				body := strings.NewReplacer("ONLYMETA", meta, "META", "{"+meta+"}").Replace(c.body)
				a := e.exchange(l.send(body, lines...))
				assert.Equal(t, status, a.status, a.body)
				assert.Less(t, len(a.body), 8<<10, "what is refused is not repeated")
				if status == 202 {
					assert.Empty(t, a.body)
					assert.Zero(t, e.Rows.Load())
					return
				}
				m := a.last(t)
				assert.Equal(t, code, m.code(), a.body)
				assert.Equal(t, c.id, string(m.ID))
			})
		})
	}
	t.Run("J-13 a lone surrogate", func(t *testing.T) {
		each(t, all, func(t *testing.T, revision string) {
			a := e.exchange(e.open(revision).tool("2", "echo", `"text":"\ud800"`, ""))
			assert.Equal(t, 200, a.status)
			assert.Contains(t, string(a.last(t).Result), "\ufffd")
		})
	})
	t.Run("J-15 server/discover without a session", func(t *testing.T) {
		a := e.exchange(lane{revision: modern}.call("1", "server/discover", "", ""))
		assert.Equal(t, 200, a.status)
		old := serve(t, streamable.Options{}, only(nov))
		a = old.exchange(lane{revision: modern}.call("1", "server/discover", "", ""))
		assert.Equal(t, 400, a.status)
		assert.Equal(t, -32022, a.last(t).code(), "no complaint about a missing session")
	})
}

// mirrored returns the headers that repeat parts of a body.
func mirrored(body string) (lines []string) {
	var m struct {
		Method string `json:"method"`
		Params struct {
			Name string `json:"name"`
		} `json:"params"`
	}
	if json.Unmarshal([]byte(strings.NewReplacer("ONLYMETA", `"_meta":{}`, "META", "{}").Replace(body)), &m) != nil {
		return nil
	}
	if len(m.Method) < 1000 {
		lines = append(lines, "Mcp-Method: "+m.Method)
	}
	if m.Params.Name != "" {
		lines = append(lines, "Mcp-Name: "+m.Params.Name)
	}
	return lines
}

func TestKnownUtilities(t *testing.T) {
	e := serve(t, streamable.Options{}, func(o *server.Options) { o.PageSize = 2 })
	tokens := func(t *testing.T, l lane, meta string) (out []string) {
		a := e.exchange(l.tool("3", "steps", "", meta))
		messages := a.messages(t)
		for _, m := range messages[:len(messages)-1] {
			require.Equal(t, "notifications/progress", m.Method)
			out = append(out, string(m.Params))
		}
		assert.Equal(t, "3", string(messages[len(messages)-1].ID))
		return out
	}
	each(t, all, func(t *testing.T, revision string) {
		l := e.open(revision)
		t.Run("P-05 a progress token keeps its type", func(t *testing.T) {
			for _, token := range []string{`0`, `""`, `"0"`, `9007199254740993`} {
				got := tokens(t, l, `"progressToken":`+token)
				require.Len(t, got, 3)
				for i, params := range got {
					assert.JSONEq(t, fmt.Sprintf(`{"progressToken":"x","progress":%d,"total":3}`, i+1), strings.Replace(params, `"progressToken":`+token, `"progressToken":"x"`, 1), "P-06: it rises")
				}
			}
		})
		t.Run("P-06 no progress without a token", func(t *testing.T) {
			assert.Empty(t, tokens(t, l, ""))
		})
		t.Run("P-07 P-08 a list ends", func(t *testing.T) {
			seen, cursor := map[string]bool{}, ""
			for {
				a := e.exchange(l.call("3", "tools/list", cursor, ""))
				var page struct {
					Tools []struct {
						Name string `json:"name"`
					} `json:"tools"`
					Next *string `json:"nextCursor"`
				}
				require.NoError(t, json.Unmarshal(a.last(t).Result, &page))
				for _, tool := range page.Tools {
					require.False(t, seen[tool.Name], "it comes once")
					seen[tool.Name] = true
				}
				if page.Next == nil {
					break
				}
				require.NotEmpty(t, *page.Next)
				next := `"cursor":"` + *page.Next + `"`
				require.NotEqual(t, cursor, next)
				cursor = next
			}
			assert.Greater(t, len(seen), 10)
		})
		t.Run("P-09 a cursor of nobody", func(t *testing.T) {
			for _, cursor := range []string{"!!not-a-cursor!!", "", "p1", "////", "AAAA"} {
				a := e.exchange(l.call("3", "tools/list", `"cursor":"`+cursor+`"`, ""))
				assert.Equal(t, -32602, a.last(t).code(), cursor)
			}
		})
		t.Run("P-11 log messages", func(t *testing.T) {
			a := e.exchange(l.tool("5", "noisy", "", ""))
			if revision == modern {
				assert.Len(t, a.messages(t), 1, "none without opt-in")
				a = e.exchange(l.tool("5", "noisy", "", `"io.modelcontextprotocol/logLevel":"info"`))
			}
			messages := a.messages(t)
			require.Len(t, messages, 3)
			assert.Contains(t, string(messages[0].Params), `"level":"info"`)
			assert.Contains(t, string(messages[1].Params), `"level":"error"`)
		})
	})
	t.Run("P-11 the level of a session", func(t *testing.T) {
		each(t, handshakes, func(t *testing.T, revision string) {
			l, other := e.open(revision), e.open(revision)
			assert.Equal(t, 200, e.exchange(l.call("1", "logging/setLevel", `"level":"error"`, "")).status)
			assert.Len(t, e.exchange(l.tool("5", "noisy", "", "")).messages(t), 2)
			assert.Len(t, e.exchange(other.tool("5", "noisy", "", "")).messages(t), 3, "another session has its own")
			assert.Equal(t, -32602, e.exchange(l.call("1", "logging/setLevel", `"level":"warn"`, "")).last(t).code())
		})
	})
}

func TestKnownEras(t *testing.T) {
	call := func(method, name, members, meta string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{` + join(name, join(members, `"_meta":{`+meta+`}`)) + `}}`
	}
	list := call("tools/list", "", "", modernMeta)
	discover := call("server/discover", "", "", modernMeta)
	tool := func(name, arguments string) string {
		return call("tools/call", `"name":"`+name+`"`, `"arguments":{`+arguments+`}`, modernMeta)
	}
	unknown := strings.ReplaceAll(list, modern, "1900-01-01")
	mismatch := func(name, body string, lines ...string) known {
		return known{name: name, lines: append([]string{"MCP-Protocol-Version: 2026-07-28"}, lines...), body: body, status: 400, code: -32020, check: func(t *testing.T, e *endpoint, _ answer) {
			assert.Zero(t, e.Rows.Load())
		}}
	}
	fine := func(name, body string, lines ...string) known {
		return known{name: name, lines: append([]string{"MCP-Protocol-Version: 2026-07-28"}, lines...), body: body, status: 200}
	}
	calls := "Mcp-Method: tools/call"
	runKnown(t, []known{
		mismatch("M-01 Mcp-Name is another", tool("write_row", ""), calls, "Mcp-Name: list_users"),
		mismatch("M-01 Mcp-Method is another", tool("write_row", ""), "Mcp-Method: tools/list", "Mcp-Name: write_row"),
		mismatch("M-01 Mcp-Method in another case", tool("write_row", ""), "Mcp-Method: Tools/Call", "Mcp-Name: write_row"),
		mismatch("M-01 Mcp-Name in another case", tool("write_row", ""), calls, "Mcp-Name: Write_Row"),
		mismatch("M-01 Mcp-Method is missing", tool("write_row", ""), "Mcp-Name: write_row"),
		mismatch("M-01 Mcp-Name is missing", tool("write_row", ""), calls),
		mismatch("M-01 Mcp-Name of a resource is another", call("resources/read", `"uri":"file:///hello"`, "", modernMeta), "Mcp-Method: resources/read", "Mcp-Name: file:///other"),
		mismatch("M-01 Mcp-Name of a prompt is another", call("prompts/get", `"name":"greet"`, "", modernMeta), "Mcp-Method: prompts/get", "Mcp-Name: other"),
		{name: "M-03 the version header is missing", lines: []string{"Mcp-Method: tools/list"}, body: list, status: 400, code: -32020},
		{name: "M-04 no capabilities in _meta", lines: perRequest("tools/list"), body: call("tools/list", "", "", `"io.modelcontextprotocol/protocolVersion":"2026-07-28"`), status: 400, code: -32602},
		{name: "M-04 no _meta", lines: perRequest("tools/list"), body: `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`, status: 400, code: -32602},
		{name: "M-04 _meta is no object", lines: perRequest("tools/list"), body: `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":7}}`, status: 400, code: -32602},
		{name: "M-04 a version that is no string", lines: perRequest("tools/list"), body: strings.Replace(list, `"2026-07-28"`, `20260728`, 1), status: 400, code: -32602},
		{name: "M-06 T-05 an unknown version", lines: []string{"MCP-Protocol-Version: 1900-01-01", "Mcp-Method: tools/list"}, body: unknown, status: 400, code: -32022, has: []string{`"supported":["2026-07-28","2025-11-25","2025-06-18","2025-03-26"]`, `"requested":"1900-01-01"`}},
		{name: "M-06 a handshake version in _meta", lines: []string{"MCP-Protocol-Version: 2025-11-25", "Mcp-Method: tools/list"}, body: strings.ReplaceAll(list, modern, nov), status: 400, code: -32022},
		{name: "T-03 a header of another version than _meta", lines: perRequest("tools/list", "MCP-Protocol-Version: 1900-01-01"), body: list, status: 400, code: -32020},
		{name: "M-08 blanks around values", lines: []string{"MCP-Protocol-Version:  2026-07-28 ", "Mcp-Method:   tools/call ", "Mcp-Name: \techo "}, body: tool("echo", ""), status: 200},
		fine("M-10 a name in Base64", call("prompts/get", `"name":"größe"`, "", modernMeta), "Mcp-Method: prompts/get", "Mcp-Name: =?base64?Z3LDtsOfZQ==?="),
		fine("M-10 a plain name in Base64", tool("echo", ""), calls, "Mcp-Name: =?base64?ZWNobw==?="),
		{name: "M-11 the marker is case-sensitive", lines: []string{"MCP-Protocol-Version: 2026-07-28", calls, "Mcp-Name: =?BASE64?ZWNobw==?="}, body: tool("=?BASE64?ZWNobw==?=", ""), status: 200, code: -32602},
		mismatch("M-11 a look-alike is decoded", tool("=?base64?ZWNobw==?=", ""), calls, "Mcp-Name: =?base64?ZWNobw==?="),
		mismatch("M-12 Base64 that is none", tool("echo", ""), calls, "Mcp-Name: =?base64?***?="),
		mismatch("M-12 Base64 without padding", tool("echo", ""), calls, "Mcp-Name: =?base64?ZWNobw?="),
		mismatch("M-12 Base64 of no UTF-8", tool("echo", ""), calls, "Mcp-Name: =?base64?//4=?="),
		mismatch("M-12 characters beyond ASCII", call("prompts/get", `"name":"größe"`, "", modernMeta), "Mcp-Method: prompts/get", "Mcp-Name: größe"),
		mismatch("M-12 an integer of thousands of digits", tool("query", `"n":42`), calls, "Mcp-Name: query", "Mcp-Param-N: "+strings.Repeat("4", 5000)),
		mismatch("M-13 Mcp-Name twice", tool("write_row", ""), calls, "Mcp-Name: list_users", "Mcp-Name: write_row"),
		mismatch("M-13 Mcp-Name twice the same", tool("write_row", ""), calls, "Mcp-Name: write_row", "Mcp-Name: write_row"),
		mismatch("M-13 Mcp-Method twice", tool("write_row", ""), calls, calls, "Mcp-Name: write_row"),
		mismatch("M-13 the version twice", tool("write_row", ""), "MCP-Protocol-Version: 2026-07-28", calls, "Mcp-Name: write_row"),
		mismatch("M-13 a parameter twice", tool("query", `"region":"eu-1"`), calls, "Mcp-Name: query", "Mcp-Param-Region: eu-1", "Mcp-Param-Region: eu-1"),
		mismatch("M-14 a parameter is missing", tool("query", `"region":"eu-1"`), calls, "Mcp-Name: query"),
		mismatch("M-14 a parameter is another", tool("query", `"region":"eu-1"`), calls, "Mcp-Name: query", "Mcp-Param-Region: eu-2"),
		mismatch("M-14 a parameter is there, and no argument", tool("query", ``), calls, "Mcp-Name: query", "Mcp-Param-Region: eu-1"),
		fine("M-14 a parameter", tool("query", `"region":"eu-1"`), calls, "Mcp-Name: query", "Mcp-Param-Region: eu-1"),
		fine("M-14 a parameter in Base64", tool("query", `"region":"größe"`), calls, "Mcp-Name: query", "mcp-param-REGION: =?base64?Z3LDtsOfZQ==?="),
		fine("M-14 parameters of other tools are ignored", tool("echo", ``), calls, "Mcp-Name: echo", "Mcp-Param-Region: eu-1"),
		{name: "M-15 null needs no header", lines: perRequest("tools/call", "Mcp-Name: query"), body: tool("query", `"region":null`), status: 200, has: []string{`"isError":true`}},
		fine("M-15 absent needs no header", tool("query", ``), calls, "Mcp-Name: query"),
		fine("M-17 42 is 42.0", tool("query", `"n":42.0`), calls, "Mcp-Name: query", "Mcp-Param-N: 42"),
		fine("M-17 42 is 4.2e1", tool("query", `"n":4.2e1`), calls, "Mcp-Name: query", "Mcp-Param-N: 42"),
		fine("M-17 0 is -0", tool("query", `"n":0`), calls, "Mcp-Name: query", "Mcp-Param-N: -0"),
		mismatch("M-17 42 is not 43", tool("query", `"n":42`), calls, "Mcp-Name: query", "Mcp-Param-N: 43"),
		mismatch("M-17 nor what is no number", tool("query", `"n":42`), calls, "Mcp-Name: query", "Mcp-Param-N: 0x2A"),
		{name: "M-14 a handshake client mirrors nothing", in: nov, lines: inSession(nov), body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query","arguments":{"region":"eu-1"}}}`, status: 200, has: []string{"eu-1"}},
		{name: "M-19 a notification", lines: perRequest("notifications/cancelled"), body: `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, status: 202},
		{name: "M-20 M-22 M-40 resultType and cache hints, and no clientInfo", lines: perRequest("tools/list"), body: list, status: 200, has: []string{`"resultType":"complete"`, `"ttlMs":0`, `"cacheScope":"private"`}},
		{name: "M-20 of discovery", lines: perRequest("server/discover"), body: discover, status: 200, has: []string{`"resultType":"complete"`, `"ttlMs":0`, `"cacheScope":"private"`}},
		{name: "M-20 of a resource", lines: perRequest("resources/read", "Mcp-Name: file:///hello"), body: call("resources/read", `"uri":"file:///hello"`, "", modernMeta), status: 200, has: []string{`"resultType":"complete"`, `"ttlMs":0`, `"cacheScope":"private"`}},
		{name: "M-22 of a call", lines: perRequest("tools/call", "Mcp-Name: echo"), body: tool("echo", ""), status: 200, has: []string{`"resultType":"complete"`}},
		{name: "M-23 capabilities that are none", lines: perRequest("server/discover"), body: strings.Replace(discover, `{}`, `{"roots":true}`, 1), status: 400, code: -32602},
		{name: "M-24 all versions that can be used here", lines: perRequest("server/discover"), body: discover, status: 200, has: []string{`"supportedVersions":["2026-07-28","2025-11-25","2025-06-18","2025-03-26"]`}},
		{name: "M-24 and no others", with: only(modern, june), lines: perRequest("server/discover"), body: discover, status: 200, has: []string{`"supportedVersions":["2026-07-28","2025-06-18"]`}},
		{name: "M-25 no discovery within a session", in: nov, lines: inSession(nov), body: `{"jsonrpc":"2.0","id":3,"method":"server/discover","params":{}}`, status: 200, code: -32601},
		{name: "M-37 F-12 codes of the reserved range", lines: perRequest("resources/read", "Mcp-Name: file:///nope"), body: call("resources/read", `"uri":"file:///nope"`, "", modernMeta), status: 200, code: -32602},
		{name: "M-39 an unknown method has no Mcp-Name", lines: perRequest("constructor", "Mcp-Name: =?base64?***?="), body: call("constructor", `"name":"x"`, "", modernMeta), status: 404, code: -32601},
		{name: "M-41 a refused initialize leaves no session", lines: []string{"Mcp-Method: tools/list", "MCP-Protocol-Version: 2026-07-28"}, body: initialize(nov), status: 400, code: -32600, lacks: []string{"Mcp-Session-Id"}},
		{name: "M-41 nor does a malformed one", body: `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":7}}`, status: 200, code: -32602, lacks: []string{"Mcp-Session-Id"}},
		{name: "M-43 a list that depends on its reader is private", with: func(o *server.Options) {
			o.Cache.Tools = protocol.CacheHint{Public: true, TTLMs: 5}
			o.Visible.Tool = func(string, *protocol.Tool) bool { return true }
		}, lines: perRequest("tools/list"), body: list, status: 200, has: []string{`"cacheScope":"private"`}},
		{name: "M-43 one that does not need not be", with: func(o *server.Options) { o.Cache.Tools = protocol.CacheHint{Public: true, TTLMs: 5} }, lines: perRequest("tools/list"), body: list, status: 200, has: []string{`"cacheScope":"public"`, `"ttlMs":5`}},
		{name: "E-01 a server of 2026-07-28 alone names its version", with: only(modern), body: initialize(nov), status: 400, code: -32022, has: []string{`"supported":["2026-07-28"]`, "2026-07-28"}},
		{name: "E-07 T-11 a server of handshakes alone names its versions", with: only(nov, june), lines: perRequest("server/discover"), body: discover, status: 400, code: -32022, has: []string{`"supported":["2025-11-25","2025-06-18"]`}},
		{name: "E-15 a session that is none at 2026-07-28", lines: []string{"MCP-Protocol-Version: 2026-07-28", "Mcp-Session-Id: stored-id"}, body: `{"jsonrpc":"2.0","id":12,"method":"tools/list"}`, status: 400, code: -32602, has: []string{`"id":12`}},
		{name: "E-17 a response of 2026-07-28 within a session", in: nov, lines: inSession(nov, "MCP-Protocol-Version: 2026-07-28"), body: `{"jsonrpc":"2.0","id":"srv-1","result":{"_meta":{` + modernMeta + `}}}`, status: 400, code: -32600},
		{name: "initialize with the _meta of 2026-07-28 is no method", lines: perRequest("initialize"), body: strings.Replace(initialize(nov), `"params":{`, `"params":{"_meta":{`+modernMeta+`},`, 1), status: 404, code: -32601, lacks: []string{"Mcp-Session-Id"}},
		{name: "T-04 a session with the header of another handshake", in: nov, lines: inSession(nov, "MCP-Protocol-Version: 2025-06-18"), body: `{"jsonrpc":"2.0","id":3,"method":"tools/list"}`, status: 200, has: []string{`"title":"Echo"`}},
	})
	t.Run("M-18 M-42 annotations that break the rules", func(t *testing.T) {
		e := serve(t, streamable.Options{}, nil)
		for _, properties := range []string{
			`"a":{"type":"string","x-mcp-header":"Tenant"},"b":{"type":"string","x-mcp-header":"tenant"}`,
			`"a":{"type":"number","x-mcp-header":"N"}`,
			`"l":{"type":"array","items":{"type":"string","x-mcp-header":"L"}}`,
			`"a":{"type":"string","x-mcp-header":"a b"}`,
			`"a":{"anyOf":[{"type":"string","x-mcp-header":"A"}]}`,
			`"region":{"type":["string","null"],"x-mcp-header":"Region"}`,
		} {
			err := e.Server.AddRawTool(server.Tool{Name: "bad", InputSchema: []byte(`{"type":"object","properties":{` + properties + `}}`)}, nothing)
			assert.ErrorContains(t, err, "x-mcp-header", properties)
		}
	})
	t.Run("M-44 requests without a session keep apart", func(t *testing.T) {
		e := serve(t, streamable.Options{}, byToken)
		var wait sync.WaitGroup
		for i := range 50 {
			wait.Go(func() {
				name := fmt.Sprintf("caller-%d", i)
				a := e.exchange(lane{revision: modern}.tool("1", "whoami", "", "", "Authorization: Bearer "+name+"/1"))
				assert.Contains(t, a.body, `"text":"`+name+`"`)
			})
		}
		wait.Wait()
	})
}
