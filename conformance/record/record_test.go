// A recorder stands between a client and a server. What it writes down is a transcript that the same server passes.
package record_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/parley-mcp/parley/conformance/drive"
	"github.com/parley-mcp/parley/conformance/record"
	"github.com/parley-mcp/parley/conformance/transcript"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// upstream answers by the method it finds in a body.
func upstream(t *testing.T, answers map[string]string) *record.Recorder {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		for method, answer := range answers {
			if !strings.Contains(string(body), `"method":"`+method+`"`) {
				continue
			}
			w.Header().Set("Content-Type", "application/json")
			if strings.HasPrefix(answer, "data:") {
				w.Header().Set("Content-Type", "text/event-stream")
			}
			_, _ = io.WriteString(w, answer)
			return
		}
		w.WriteHeader(http.StatusAccepted)
	}))
	t.Cleanup(srv.Close)
	u, err := drive.ParseEndpoint(srv.URL)
	require.NoError(t, err)
	return record.New(u)
}

func post(t *testing.T, h http.Handler, body string) string {
	t.Helper()
	req := httptest.NewRequestWithContext(context.Background(), http.MethodPost, "/", strings.NewReader(body))
	req.Header.Set("Authorization", "Bearer my-own-secret")
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, req)
	return rec.Body.String()
}

func TestRecordWithHandshake(t *testing.T) {
	r := upstream(t, map[string]string{
		"initialize": `{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}`,
		"tools/list": `{"jsonrpc":"2.0","id":1,"result":{"tools":[],"nextCursor":"cursor-number-one"}}`,
		"tools/call": "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":5,\"progress\":1}}\n\n" +
			"data: {\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"content\":[],\"accessToken\":\"abc\",\"text\":\"my-own-secret\"}}\n\n",
	})
	post(t, r, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}`)
	post(t, r, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	post(t, r, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	post(t, r, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"cursor-number-one"}}`)
	got := post(t, r, `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"a","_meta":{"progressToken":5}}}`)
	assert.Contains(t, got, "my-own-secret", "what passes is not changed")
	post(t, r, `{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`)

	text, err := r.Transcript()
	require.NoError(t, err)
	assert.NotContains(t, string(text), "secret")
	assert.NotContains(t, string(text), "initialize")
	_, steps, _ := strings.Cut(string(text), "transports: http\n")
	assert.Equal(t, `-- > tools/list --
{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
-- < answer to tools/list --
http: 200
{"jsonrpc": "2.0", "id": 1, "result": {"tools": [], "nextCursor": "{{$nextCursor}}"}}
-- > tools/list --
{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"cursor": "{{$nextCursor}}"}}
-- < answer to tools/list --
http: 200
{"jsonrpc": "2.0", "id": 1, "result": {"tools": [], "nextCursor": "{{$nextCursor}}"}}
-- > tools/call a --
{
  "jsonrpc": "2.0",
  "id": 3,
  "method": "tools/call",
  "params": {"name": "a", "_meta": {"progressToken": 5}}}
-- <? notifications/progress --
http: 200
{
  "jsonrpc": "2.0",
  "method": "notifications/progress",
  "params": {"progressToken": 5, "progress": 1}}
-- < answer to tools/call a --
http: 200
{"jsonrpc": "2.0", "id": 3, "result": {"content": [], "accessToken": "{{string}}", "text": "***"}}
-- > notifications/roots/list_changed --
{"jsonrpc": "2.0", "method": "notifications/roots/list_changed"}
-- < accepted --
http: 202
`, steps)
}

func TestRecordWithoutHandshake(t *testing.T) {
	r := upstream(t, map[string]string{
		"tools/call": `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"sealed-state-1"}}`,
	})
	meta := `{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},` +
		`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"url":{}},"roots":{"listChanged":true},"extensions":{"a.b/c":{}}},` +
		`"io.modelcontextprotocol/logLevel":"info","progressToken":"p"}`
	post(t, r, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":`+meta+`,"name":"a"}}`)
	post(t, r, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":`+meta+`,"name":"a","requestState":"sealed-state-1"}}`)
	text, err := r.Transcript()
	require.NoError(t, err)
	tr, err := transcript.Parse("a/b.txtar", text)
	require.NoError(t, err)
	assert.Equal(t, []string{"2026-07-28"}, tr.Revisions)
	assert.Equal(t, []string{"elicitation.url", "roots.listChanged", "extensions.a.b/c"}, tr.ClientCapabilities())
	assert.Contains(t, string(text), `logLevel=info progressToken=\"p\"`)
	assert.Equal(t, 3, strings.Count(string(text), `"requestState": "{{$requestState}}"`))
}

func TestRecordNothing(t *testing.T) {
	r := upstream(t, nil)
	_, err := r.Transcript()
	assert.ErrorContains(t, err, "names no revision")
	post(t, r, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	_, err = r.Transcript()
	assert.ErrorContains(t, err, "names no revision")
}
