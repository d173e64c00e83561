package streamable_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/internal/rawjson"
	"github.com/parley-mcp/parley/internal/sse"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/transport/streamable"
)

// Batches, which 2025-03-26 has.

func TestBatch(t *testing.T) {
	e := serve(t, streamable.Options{MaxBatch: 5}, nil)
	l := e.open(march)
	one := func(id, method, params, meta string) string {
		body, _ := l.body(id, method, params, meta)
		return body
	}
	ping1, ping2 := one("1", "ping", "", ""), one(`"2"`, "ping", "", "")
	note := `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	response := `{"jsonrpc":"2.0","id":"s","result":{}}`
	steps := one("3", "tools/call", `"name":"steps","arguments":{}`, `"progressToken":7`)
	for _, c := range []struct {
		name, body string
		accept     string
		status     int
		json       string // the whole body
		ids        string // of the responses, in order
		code       int    // of the only answer
	}{
		{name: "one element", body: "[" + ping1 + "]", status: 200, json: `[{"jsonrpc":"2.0","id":1,"result":{}}]`},
		{name: "requests and notifications", body: "[" + note + "," + ping1 + "," + note + "," + ping2 + "]", status: 200, json: `[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":"2","result":{}}]`},
		{name: "notifications alone", body: "[" + note + "," + note + "]", status: 202},
		{name: "responses alone", body: "[" + response + "," + response + "]", status: 202},
		{name: "requests and responses", body: "[" + ping1 + "," + response + "]", status: 400, code: -32600},
		{name: "elements that are no messages", body: "[1," + ping1 + `,{},"x"]`, status: 200, ids: ",1,,"},
		{name: "an element without its version", body: `[{"id":9,"method":"ping"}]`, status: 200, ids: "9"},
		{name: "errors among results", body: "[" + one("1", "no/such", "", "") + "," + ping2 + "]", status: 200, ids: `1,"2"`},
		{name: "one that streams", body: "[" + ping1 + "," + steps + "," + ping2 + "]", status: 200, ids: `3,"2",1`},
		{name: "one that could stream, and may not", body: "[" + ping1 + "," + steps + "]", accept: "application/json", status: 200, ids: "1,3"},
		{name: "events alone", body: "[" + ping1 + "," + ping2 + "]", accept: "text/event-stream", status: 200, ids: `1,"2"`},
		{name: "events alone, and nothing to say", body: "[" + note + "]", accept: "text/event-stream", status: 202},
		{name: "equal ids", body: "[" + ping1 + "," + ping1 + "]", status: 200, ids: "1,1"},
		{name: "initialize", body: "[" + initialize(march) + "]", status: 400, code: -32600},
		{name: "initialize among others", body: "[" + ping1 + "," + initialize(march) + "]", status: 400, code: -32600},
		{name: "too many", body: "[" + strings.Join([]string{ping1, ping1, ping1, ping1, ping1, ping1}, ",") + "]", status: 400, code: -32600},
		{name: "a batch in a batch", body: "[[" + ping1 + "]]", status: 200, ids: ""},
		{name: "a panic among others", body: "[" + one("1", "tools/call", `"name":"panics","arguments":{}`, "") + "," + ping2 + "]", status: 200, ids: `1,"2"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var lines []string
			if c.accept != "" {
				lines = append(lines, "Accept: "+c.accept)
			}
			a := e.exchange(l.send(c.body, lines...))
			require.Equal(t, c.status, a.status, a.body)
			assert.Empty(t, a.header.Get("Mcp-Session-Id"))
			messages := a.messages(t)
			switch {
			case c.status == 202:
				assert.Empty(t, a.body)
			case c.status == 400:
				require.Len(t, messages, 1)
				assert.Equal(t, c.code, messages[0].code())
			case c.json != "":
				assert.JSONEq(t, c.json, a.body)
			default:
				var ids []string
				for _, m := range messages {
					if m.Method == "" {
						ids = append(ids, string(m.ID))
					}
				}
				assert.ElementsMatch(t, strings.Split(c.ids, ","), ids)
				if a.header.Get("Content-Type") == "application/json" {
					assert.Equal(t, byte('['), a.body[0])
				}
			}
		})
	}
	t.Run("progress comes before its response", func(t *testing.T) {
		messages := e.exchange(l.send("[" + ping1 + "," + steps + "]")).messages(t)
		require.Len(t, messages, 5)
		seen := 0
		for _, m := range messages {
			switch {
			case m.Method != "":
				seen++
			case string(m.ID) == "3":
				assert.Equal(t, 3, seen)
			}
		}
	})
	t.Run("a cancelled one has no response", func(t *testing.T) {
		running := e.start(l.send("[" + ping1 + "," + one("8", "tools/call", `"name":"slow","arguments":{}`, "") + "," + ping2 + "]"))
		receive(t, e.Entered, "the call runs")
		assert.Equal(t, 202, e.exchange(l.notify("notifications/cancelled", `"requestId":8`)).status)
		receive(t, e.Ended, "it is cancelled")
		a := receive(t, running.answer, "the others are answered")
		assert.JSONEq(t, `[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":"2","result":{}}]`, a.body)
	})
	t.Run("a cancellation within a batch", func(t *testing.T) {
		running := e.start(l.tool("9", "slow", "", ""))
		receive(t, e.Entered, "the call runs")
		a := e.exchange(l.send(`[{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}]`))
		assert.Equal(t, 202, a.status)
		receive(t, e.Ended, "it is cancelled")
		assert.Empty(t, receive(t, running.answer, "its exchange ends").body)
	})
	t.Run("no session", func(t *testing.T) {
		assert.Equal(t, 400, e.exchange(lane{revision: march}.send("["+ping1+"]")).status)
		assert.Equal(t, 404, e.exchange(lane{march, "gone"}.send("["+ping1+"]")).status)
	})
}

func TestSessionHeader(t *testing.T) { // where it belongs: on the answer to initialize, and nowhere else
	e := serve(t, streamable.Options{}, nil)
	each(t, all, func(t *testing.T, revision string) {
		l := e.open(revision)
		for _, r := range []string{l.tool("1", "steps", "", `"progressToken":1`), l.tool("1", "echo", "", ""), l.call("1", "no/such", "", ""),
			l.notify("notifications/initialized", ""), l.send("{"), requestOf("GET", "", l.lines("", "")...), requestOf("DELETE", "", l.lines("", "")...)} {
			assert.Empty(t, e.exchange(r).header.Values("Mcp-Session-Id"))
		}
		if revision != modern {
			a := e.exchange(request(initialize(revision), "Accept: text/event-stream"))
			assert.Len(t, a.header.Values("Mcp-Session-Id"), 1)
			assert.Contains(t, string(a.last(t).Result), revision)
			second := e.exchange(request(initialize(revision), "Mcp-Session-Id: "+a.header.Get("Mcp-Session-Id")))
			assert.NotEqual(t, a.header.Get("Mcp-Session-Id"), second.header.Get("Mcp-Session-Id"), "another session")
			e.works(lane{revision, a.header.Get("Mcp-Session-Id")})
		}
	})
}

func TestBatchOfResponses(t *testing.T) { // answers what the server has asked
	e := serve(t, streamable.Options{}, nil)
	require.NoError(t, server.AddTool(e.Server, server.Tool{Name: "roots"}, func(ctx context.Context, c *server.Call, _ struct{}) (string, error) {
		roots, err := c.Roots(ctx, "r")
		if err != nil || len(roots) == 0 {
			return "", errors.Join(errors.New("no roots"), err)
		}
		return roots[0].URI, nil
	}))
	a := e.exchange(request(strings.Replace(initialize(march), `"capabilities":{}`, `"capabilities":{"roots":{}}`, 1)))
	l := lane{march, a.header.Get("Mcp-Session-Id")}
	c := e.dial()
	_, err := io.WriteString(c, l.tool("1", "roots", "", ""))
	require.NoError(t, err)
	res, err := http.ReadResponse(newReader(c), &http.Request{Method: "POST"})
	require.NoError(t, err)
	events := sse.NewReader(res.Body, 1<<20)
	asked, err := events.Next()
	require.NoError(t, err)
	id, ok := rawjson.Lookup(asked.Data, "id")
	require.True(t, ok, "%s", asked.Data)
	a = e.exchange(l.send(`[{"jsonrpc":"2.0","id":` + string(id) + `,"result":{"roots":[{"uri":"file:///mine"}]}}]`))
	assert.Equal(t, 202, a.status)
	answered, err := events.Next()
	require.NoError(t, err)
	assert.Contains(t, string(answered.Data), "file:///mine")
	require.NoError(t, res.Body.Close())
}
