package streamable_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/internal/rawjson"
	"github.com/parley-mcp/parley/internal/sse"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/transport/internal/transporttest"
	"github.com/parley-mcp/parley/transport/streamable"
)

// Tasks over HTTP: what a task asks comes with the answer to the request for its result, or in the answer to how it stands.

func tasking(t testing.TB, with func(*server.Options)) *endpoint {
	t.Helper()
	e := serve(t, streamable.Options{}, with)
	e.AddTasks(t)
	return e
}

// aware is call for a client that knows of tasks.
func (l lane) aware(id, method, params, meta string, more ...string) string {
	return declaring(l.call(id, method, params, meta, more...))
}

// declaring puts what a client can do into a request, which has its length in a header.
func declaring(raw string) string {
	head, body, _ := strings.Cut(raw, "\r\n\r\n")
	body = strings.Replace(body, `"io.modelcontextprotocol/clientCapabilities":{}`, `"io.modelcontextprotocol/clientCapabilities":`+transporttest.EverythingAndTasks, 1)
	lines := strings.Split(head, "\r\n")[1:]
	var kept []string
	for _, line := range lines {
		if !strings.HasPrefix(line, "Content-Length:") {
			kept = append(kept, line)
		}
	}
	return request(body, kept...)
}

// member returns a member of a result, further inside with each name.
func (m message) member(t testing.TB, names ...string) string {
	t.Helper()
	v := m.Result
	for _, name := range names {
		v, _ = rawjson.Lookup(v, name)
	}
	s, ok := rawjson.String(v)
	if !ok {
		return string(v)
	}
	return s
}

func ofTask(id string) string { return `"taskId":"` + id + `"` }

// Proves: tasks.no-sse-for-get
// Proves: tasks.related-task-meta
// Proves: tasks.poll-parallel-to-result
func TestTaskWithItsResult(t *testing.T) {
	e := tasking(t, nil)
	l := e.join(nov)
	created := e.exchange(l.call("1", "tools/call", `"name":"job","arguments":{},"task":{"ttl":60000}`, `"progressToken":"p"`))
	assert.Equal(t, "application/json", created.header.Get("Content-Type"))
	id := created.last(t).member(t, "task", "taskId")
	require.NotEmpty(t, id)
	related := `"io.modelcontextprotocol/related-task":{` + ofTask(id) + `}`

	lost := e.stream(l.call("2", "tasks/result", ofTask(id), ""))
	progress := lost.message()
	assert.Equal(t, "notifications/progress", progress.Method)
	assert.Contains(t, string(progress.Params), related)
	first := lost.asked("elicitation/create")
	assert.Contains(t, string(first.Params), related)
	lost.leave()

	stands := e.exchange(l.call("3", "tasks/get", ofTask(id), ""))
	assert.Equal(t, "application/json", stands.header.Get("Content-Type"))
	assert.Equal(t, "input_required", stands.last(t).member(t, "status"))
	assert.Equal(t, "asking", stands.last(t).member(t, "statusMessage"))

	f := e.stream(l.call("4", "tasks/result", ofTask(id), ""))
	again := f.asked("elicitation/create") // a client that has lost the first is asked anew
	assert.NotEqual(t, string(first.ID), string(again.ID))
	assert.Equal(t, 202, e.exchange(l.respond(string(again.ID), accepted("why not"))).status)
	m := f.message()
	for m.Method == "notifications/progress" {
		m = f.message()
	}
	assert.Equal(t, "because why not", toolText(m))
	assert.Contains(t, string(m.Result), related)
	f.end()

	other := e.join(nov) // a task is its principal's, and outlives the session that began it
	assert.Equal(t, 204, e.exchange(requestOf("DELETE", "", l.lines("", "")...)).status)
	assert.Equal(t, "completed", e.exchange(other.call("5", "tasks/get", ofTask(id), "")).last(t).member(t, "status"))
	assert.Equal(t, "because why not", toolText(e.exchange(other.call("6", "tasks/result", ofTask(id), "")).last(t)))
}

// Proves: ext-tasks.required-400
// Proves: ext-tasks.mcp-name-validated
// Proves: ext-tasks.result-method-removed
// Proves: ext-tasks.list-method-removed
func TestTaskWithItsStatus(t *testing.T) {
	e := tasking(t, nil)
	l := e.join(modern)
	created := e.exchange(l.aware("1", "tools/call", `"name":"job","arguments":{}`, "")).last(t)
	assert.Equal(t, "task", created.member(t, "resultType"))
	id := created.member(t, "taskId")

	for _, test := range []struct {
		name, request string
		status, code  int
	}{
		{"undeclared", l.call("2", "tasks/get", ofTask(id), ""), 400, -32021},
		{"a tool that needs a task", l.call("2", "tools/call", `"name":"endless","arguments":{}`, ""), 400, -32021},
		{"another name", l.aware("2", "tasks/get", ofTask(id), "", "Mcp-Name: other"), 400, -32020},
		{"no name", l.aware("2", "tasks/cancel", ofTask(id), "", "-Mcp-Name"), 400, -32020},
		{"a foreign name", l.aware("2", "tasks/update", ofTask(id)+`,"inputResponses":{}`, "", "Mcp-Name: job"), 400, -32020},
		{"M-10 a name in Base64", l.aware("2", "tasks/get", ofTask("x"), "", "Mcp-Name: =?base64?eA==?="), 200, -32602},
		{"an unknown task", l.aware("2", "tasks/get", ofTask("x"), ""), 200, -32602},
		{"what there is no more", l.aware("2", "tasks/result", ofTask(id), ""), 404, -32601},
		{"what there is no more", l.aware("2", "tasks/list", "", ""), 404, -32601},
	} {
		a := e.exchange(test.request)
		assert.Equal(t, test.status, a.status, test.name)
		assert.Equal(t, test.code, a.last(t).code(), test.name)
	}

	stands := e.exchange(l.aware("3", "tasks/get", ofTask(id), "")).last(t)
	for stands.member(t, "status") == "working" {
		stands = e.exchange(l.aware("3", "tasks/get", ofTask(id), "")).last(t)
	}
	assert.Equal(t, "Sure?", stands.member(t, "inputRequests", "sure", "params", "message"))
	ack := e.exchange(l.aware("4", "tasks/update", ofTask(id)+`,"inputResponses":{"sure":`+accepted("why not")+`}`, "")).last(t)
	assert.Equal(t, "complete", ack.member(t, "resultType"))
	for stands.member(t, "status") != "completed" {
		stands = e.exchange(l.aware("5", "tasks/get", ofTask(id), "")).last(t)
	}
	assert.Contains(t, stands.member(t, "result", "content"), "because why not")
}

// Proves: ext-tasks.notification-subscription-id
func TestTaskIsListenedTo(t *testing.T) {
	e := tasking(t, func(o *server.Options) { o.Quiet = false })
	l := e.join(modern)
	id := e.exchange(l.aware("1", "tools/call", `"name":"endless","arguments":{}`, "")).last(t).member(t, "taskId")
	receive(t, e.Entered, "the task runs")
	f := e.stream(l.aware("7", "subscriptions/listen", `"notifications":{"taskIds":["`+id+`","unknown"]}`, ""))
	assert.Contains(t, string(f.message().Params), `"taskIds":["`+id+`"]`)
	working := f.message()
	assert.Equal(t, "notifications/tasks", working.Method)
	assert.Contains(t, string(working.Params), `"status":"working"`)
	assert.Equal(t, 200, e.exchange(l.aware("2", "tasks/cancel", ofTask(id), "")).status)
	assert.ErrorIs(t, receive(t, e.Ended, "the handler is told"), context.Canceled)
	cancelled := f.message()
	assert.Contains(t, string(cancelled.Params), `"status":"cancelled"`)
	assert.Contains(t, string(cancelled.Params), `"io.modelcontextprotocol/subscriptionId":7`)
	f.leave()
}

// A handler that shuts down waits for who waits for a result, as for any call. The task is the server's, and ends with it.
func TestShutdownWhileATaskRuns(t *testing.T) {
	e := tasking(t, nil)
	l := e.join(nov)
	e.exchange(l.call("1", "tools/call", `"name":"endless","arguments":{},"task":{}`, ""))
	receive(t, e.Entered, "the task runs")
	asks := e.exchange(l.call("2", "tools/call", `"name":"job","arguments":{},"task":{}`, "")).last(t).member(t, "task", "taskId")
	waiting := e.stream(l.call("3", "tasks/result", ofTask(asks), ""))
	waiting.asked("elicitation/create")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	assert.ErrorIs(t, e.handler.Shutdown(ctx), context.Canceled)
	m := waiting.message()
	for m.Method != "" { // the question is withdrawn
		m = waiting.message()
	}
	assert.NotZero(t, m.code(), "the wait is over")
	assert.Empty(t, e.Ended, "the task goes on")
	require.NoError(t, e.Server.Close())
	assert.ErrorContains(t, receive(t, e.Ended, "the task ends"), "closed")
}

func TestKnownOfTasks(t *testing.T) {
	t.Run("F-05 earlier revisions hear nothing of tasks", func(t *testing.T) {
		e := tasking(t, nil)
		each(t, []string{march, june}, func(t *testing.T, revision string) {
			a := e.exchange(request(initialize(revision)))
			assert.Contains(t, a.body, `"tools":{}`)
			for _, word := range []string{"tasks", "extensions"} {
				assert.NotContains(t, a.body, word)
			}
			l := e.open(revision)
			assert.NotContains(t, e.exchange(l.call("1", "tools/list", "", "")).body, "execution")
			assert.Equal(t, -32601, e.exchange(l.call("2", "tasks/get", ofTask("x"), "")).last(t).code())
		})
		assert.Contains(t, e.exchange(request(initialize(nov))).body, `"tasks":{"cancel":{}`, "the control")
	})
	t.Run("S-08 DELETE ends who waits for a task, and the task goes on", func(t *testing.T) {
		e := tasking(t, nil)
		l, other := e.join(nov), e.join(nov)
		id := e.exchange(l.call("1", "tools/call", `"name":"job","arguments":{},"task":{}`, "")).last(t).member(t, "task", "taskId")
		waiting := e.stream(l.call("2", "tasks/result", ofTask(id), ""))
		waiting.asked("elicitation/create")
		assert.Equal(t, 204, e.exchange(requestOf("DELETE", "", l.lines("", "")...)).status)
		for err := error(nil); err == nil; { // until the stream ends
			var event sse.Event
			event, err = waiting.events.Next()
			assert.NotContains(t, string(event.Data), `"result"`)
		}
		assert.Equal(t, 404, e.exchange(requestOf("DELETE", "", l.lines("", "")...)).status)
		assert.Equal(t, 404, e.exchange(l.call("3", "tasks/get", ofTask(id), "")).status)
		assert.Equal(t, "input_required", e.exchange(other.call("4", "tasks/get", ofTask(id), "")).last(t).member(t, "status"))
	})
}
