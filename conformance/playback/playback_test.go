// A playback judges the client: it answers what the transcript says, under whatever id the client chose, and remembers what
// the client did wrong.
package playback_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/conformance/playback"
	"github.com/parley-mcp/parley/conformance/revision"
	"github.com/parley-mcp/parley/conformance/transcript"
)

const source = `A tool is called.

revisions: 2025-11-25
capability: tools
-- > call --
{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"_meta": "{{meta progressToken=t}}", "name": "a"}}
-- < progress --
{"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": "t", "progress": 1}}
-- < the result --
{"jsonrpc": "2.0", "id": 1, "result": {"content": []}}
-- > a note --
{"jsonrpc": "2.0", "method": "notifications/roots/list_changed"}
-- < accepted --
`

func server(t *testing.T) *playback.Server {
	t.Helper()
	return serverOf(t, source)
}

func serverOf(t *testing.T, source string) *playback.Server {
	t.Helper()
	tr, err := transcript.Parse("area/call.txtar", []byte(source))
	require.NoError(t, err)
	facts, ok := revision.Lookup(tr.Revisions[0])
	require.True(t, ok)
	return playback.New(tr, facts, playback.Lie{})
}

const (
	hello = `{"jsonrpc":"2.0","id":"a","method":"initialize","params":{}}`
	call  = `{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"_meta":{"progressToken":"t"},"name":"a"}}`
	note  = `{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`
)

func TestLines(t *testing.T) {
	s := server(t)
	var out bytes.Buffer
	in := strings.Join([]string{hello, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, call, note}, "\n")
	require.NoError(t, s.ServeLines(strings.NewReader(in), &out))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Len(t, lines, 3)
	assert.Contains(t, lines[0], `"capabilities":{"tools":{}}`)
	assert.Contains(t, lines[1], "notifications/progress")
	assert.Equal(t, `{"jsonrpc":"2.0","id":77,"result":{"content":[]}}`, lines[2], "the id is the client's")
	assert.Empty(t, s.Findings())
	<-s.Over()
}

func TestFindings(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"wrong name":      {strings.ReplaceAll(call, `"a"`, `"b"`), `params.name: want "a", got "b"`},
		"id of text":      {strings.ReplaceAll(call, "77", `"77"`), `id: want 1, got "77"`},
		"no JSON":         {"{", "no JSON"},
		"not sent at all": {"", "the client did not send it"},
		"too much":        {call + "\n" + note + "\n" + note, "the transcript expects nothing more"},
	} {
		t.Run(name, func(t *testing.T) {
			s := server(t)
			require.NoError(t, s.ServeLines(strings.NewReader(c.in), io.Discard))
			var all []string
			for _, f := range s.Findings() {
				all = append(all, f.Problem)
			}
			assert.Contains(t, strings.Join(all, "\n"), c.want)
		})
	}
}

// Over HTTP, what a client sends at once arrives in any order.
func TestEitherOrder(t *testing.T) {
	s := serverOf(t, `Two questions at once.

revisions: 2025-11-25
-- > one --
{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
-- > the other --
{"jsonrpc": "2.0", "id": 2, "method": "prompts/list"}
-- < tools --
{"jsonrpc": "2.0", "id": 1, "result": {"tools": []}}
-- < prompts --
{"jsonrpc": "2.0", "id": 2, "result": {"prompts": []}}
`)
	var out bytes.Buffer
	require.NoError(t, s.ServeLines(strings.NewReader(hello+`
{"jsonrpc":"2.0","id":8,"method":"prompts/list"}
{"jsonrpc":"2.0","id":9,"method":"tools/list"}`), &out))
	assert.Contains(t, out.String(), `"id":9,"result":{"tools":[]}`)
	assert.Contains(t, out.String(), `"id":8,"result":{"prompts":[]}`)
	assert.Empty(t, s.Findings())
	<-s.Over()
}

const polled = `A task is looked at until it is done.

revisions: 2025-11-25
-- > look --
{"jsonrpc": "2.0", "id": 1, "method": "tasks/get", "params": {"taskId": "t"}}
-- <~ at work --
{"jsonrpc": "2.0", "id": 1, "result": {"status": "working"}}
-- < done --
{"jsonrpc": "2.0", "id": 1, "result": {"status": "completed"}}
`

// A step <~ comes once, and the client has to ask again.
func TestAgain(t *testing.T) {
	look := func(id string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"tasks/get","params":{"taskId":"t"}}`
	}
	s := serverOf(t, polled)
	var out bytes.Buffer
	require.NoError(t, s.ServeLines(strings.NewReader(hello+"\n"+look("5")+"\n"+look("6")), &out))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Len(t, lines, 3)
	assert.Equal(t, `{"jsonrpc":"2.0","id":5,"result":{"status":"working"}}`, lines[1])
	assert.Equal(t, `{"jsonrpc":"2.0","id":6,"result":{"status":"completed"}}`, lines[2])
	assert.Empty(t, s.Findings())
	<-s.Over()

	s = serverOf(t, polled)
	require.NoError(t, s.ServeLines(strings.NewReader(look("5")), io.Discard))
	assert.Equal(t, []playback.Finding{{Step: "look", Problem: "the client did not send it"}}, s.Findings())
}

// TestItsOwnMistakesAreNoFindings: T-07, what the playback says wrong on purpose is not the client's fault.
func TestItsOwnMistakesAreNoFindings(t *testing.T) {
	wrong := strings.NewReplacer(`"progress": 1`, `"progress": "much"`, `{"content": []}`, `{"tools": [{"name": 1}], "resultType": "complete"}`).Replace(source)
	tr, err := transcript.Parse("area/call.txtar", []byte(wrong))
	require.NoError(t, err)
	facts, _ := revision.Lookup(tr.Revisions[0])
	s := playback.New(tr, facts, playback.Lie{})
	var out bytes.Buffer
	require.NoError(t, s.ServeLines(strings.NewReader(hello+"\n"+call+"\n"+note), &out))
	assert.Contains(t, out.String(), `"much"`)
	assert.Contains(t, out.String(), `{"name":1}`)
	assert.Empty(t, s.Findings())
}

func TestHTTP(t *testing.T) {
	s := server(t)
	srv := httptest.NewServer(s)
	defer srv.Close()
	post := func(body string) (*http.Response, string) {
		resp, err := http.Post(srv.URL, "application/json", strings.NewReader(body))
		require.NoError(t, err)
		defer func() { _ = resp.Body.Close() }()
		text, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		return resp, string(text)
	}
	_, body := post(hello)
	assert.Contains(t, body, `"protocolVersion"`)
	resp, body := post(call)
	assert.Equal(t, "text/event-stream", resp.Header.Get("Content-Type"))
	assert.Equal(t, 2, strings.Count(body, "data: "))
	assert.Contains(t, body, `"id":77`)
	resp, body = post(note)
	assert.Equal(t, http.StatusAccepted, resp.StatusCode)
	assert.Empty(t, body)
	resp, _ = post(note)
	assert.Equal(t, http.StatusBadRequest, resp.StatusCode)
	assert.Len(t, s.Findings(), 1)
}
