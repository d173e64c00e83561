package streamable_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/session"
	"github.com/parley-mcp/parley/transport/streamable"
)

// FuzzPost sends any body, in the lane of any revision. Whatever it is, the answer is whole: JSON, events or nothing, with a
// status that blames the client or nobody.
func FuzzPost(f *testing.F) {
	for lane := range byte(6) {
		for _, body := range []string{
			initialize(june),
			`{"jsonrpc":"2.0","id":1,"method":"ping"}`,
			`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"AQAA","_meta":{` + modernMeta + `}}}`,
			`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"steps","arguments":{},"_meta":{"progressToken":0,` + modernMeta + `}}}`,
			`{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":{"name":"query","arguments":{"region":"eu","n":4.2e1},"_meta":{` + modernMeta + `}}}`,
			`{"jsonrpc":"2.0","id":0,"method":"resources/read","params":{"uri":"file:///nope","_meta":{` + modernMeta + `}}}`,
			`{"jsonrpc":"2.0","id":0,"method":"prompts/get","params":{"name":"greet","_meta":{` + modernMeta + `}}}`,
			`{"jsonrpc":"2.0","id":0,"method":"logging/setLevel","params":{"level":"error"}}`,
			`{"jsonrpc":"2.0","id":0,"method":"server/discover","params":{"_meta":{` + modernMeta + `}}}`,
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}`,
			`{"jsonrpc":"2.0","id":"s","result":{}}`,
			`[{"jsonrpc":"2.0","id":1,"method":"ping"},7,{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"noisy"}}]`,
			`{"a":"\ud800"}`, `{"jsonrpc":"2.0","id":1,"id":2}`, `[[[[`, `[]`, "\xff", ``,
		} {
			f.Add(lane, []byte(body))
		}
	}
	s := inProcess(f, streamable.Options{MaxBody: 64 << 10, MaxDepth: 32, MaxBatch: 8}, func(o *server.Options) {
		store, err := session.NewLRU(session.LRUOptions{MaxSessions: 1000})
		require.NoError(f, err)
		f.Cleanup(func() { _ = store.Close() })
		o.Sessions = store
	})
	for _, name := range []string{"slow", "stubborn", "flood", "panics", "nothing"} { // which do that on purpose
		require.True(f, s.Server.RemoveTool(name))
	}
	f.Fuzz(func(t *testing.T, lane byte, body []byte) {
		w := (&local{s.Fixture, t, s.handler}).fuzz(t, lane, body)
		result := w.Result()
		assert.True(t, result.StatusCode < 500, "%d %s", result.StatusCode, w.Body)
		a := answer{status: result.StatusCode, header: result.Header, body: w.Body.String()}
		switch a.status {
		case http.StatusAccepted, http.StatusNoContent:
			assert.Empty(t, a.body)
			return
		}
		messages := a.messages(t)
		assert.NotEmpty(t, messages)
		for i, m := range messages {
			assert.Equal(t, m.Method == "", m.Result != nil || m.Error != nil, "a response or a notification")
			assert.NotEqual(t, -32603, m.code(), "%s", body)
			if m.ID != nil {
				assert.True(t, bytes.Contains(body, m.ID) || bytes.ContainsAny(m.ID, `"`), "an id that came")
			}
			if strings.HasPrefix(result.Header.Get("Content-Type"), "text/event-stream") && i == len(messages)-1 {
				assert.Empty(t, m.Method, "a stream ends with a response")
			}
		}
	})
}

// fuzz serves a body in a lane: one of the four revisions, with no header at all, or with a dead session.
func (s *local) fuzz(t *testing.T, which byte, body []byte) *httptest.ResponseRecorder {
	ctx, cancel := context.WithTimeout(t.Context(), time.Second) // a subscription has no other end
	defer cancel()
	r := httptest.NewRequestWithContext(ctx, "POST", "/mcp", bytes.NewReader(body))
	r.Host = "127.0.0.1:8931"
	r.Header.Set("Content-Type", "application/json")
	var lines []string
	switch which %= 6; which {
	case 4:
	case 5:
		lines = []string{"Mcp-Session-Id: gone"}
	default:
		lines = s.open(all[which]).lines("", "")
	}
	if which == 3 && jsontext.Value(body).IsValid() {
		lines = override(lines, mirrored(string(body)))
	}
	for _, line := range lines {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Add(name, value)
	}
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	return w
}

// FuzzHeaders sends any Accept, Content-Type, Origin and Host: none makes the server fail, or its guard open.
func FuzzHeaders(f *testing.F) {
	f.Add("application/json, text/event-stream", "application/json", "http://localhost:1", "127.0.0.1")
	f.Add("*/*;q=0.1, text/*", "application/json; charset=utf-8", "null", "[::1]:80")
	f.Add(";,;q=", "text/plain; x=\"application/json\"", "http://localhost.evil.example", "localhost.")
	f.Add("application/json;q=NaN", "", "https://a@b", "")
	s := inProcess(f, streamable.Options{CORS: true}, nil)
	body := lane{revision: modern}
	text, _ := body.body("1", "tools/list", "", "")
	f.Fuzz(func(t *testing.T, accept, contentType, origin, host string) {
		r := httptest.NewRequest("POST", "/mcp", strings.NewReader(text))
		r = r.WithContext(localAddress(r.Context(), loopback))
		r.Host = host
		r.Header = http.Header{"Accept": {accept}, "Content-Type": {contentType}, "Origin": {origin},
			"Mcp-Protocol-Version": {modern}, "Mcp-Method": {"tools/list"}}
		w := httptest.NewRecorder()
		s.handler.ServeHTTP(w, r)
		assert.Contains(t, []int{200, 403, 406, 415}, w.Code)
		if w.Code != 403 {
			low := strings.ToLower(origin)
			assert.True(t, strings.Contains(low, "localhost") || strings.Contains(low, "127.") || strings.Contains(low, ":1") || strings.Contains(low, "[0"), origin)
			assert.Equal(t, origin, w.Header().Get("Access-Control-Allow-Origin"))
		} else {
			assert.Empty(t, w.Header().Get("Access-Control-Allow-Origin"))
		}
	})
}
