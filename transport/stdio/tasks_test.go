package stdio_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/internal/rawjson"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/transport/internal/transporttest"
	"github.com/parley-mcp/parley/transport/stdio"
)

// Tasks over a pipe.

func tasking(t testing.TB) *transporttest.Fixture {
	f := transporttest.New(t, func(o *server.Options) { o.Quiet = false })
	f.AddTasks(t)
	return f
}

// aware is request for a client that knows of tasks.
func aware(revision, id, method, params string) string {
	return strings.Replace(request(revision, id, method, params), `"io.modelcontextprotocol/clientCapabilities":{}`,
		`"io.modelcontextprotocol/clientCapabilities":`+transporttest.EverythingAndTasks, 1)
}

// member returns a text in the result of the response that comes next.
func (p *peer) member(names ...string) string {
	p.t.Helper()
	v := p.next().Result
	for _, name := range names {
		v, _ = rawjson.Lookup(v, name)
	}
	s, _ := rawjson.String(v)
	return s
}

func TestTaskWithItsResult(t *testing.T) {
	p := converse(t, tasking(t), nov, stdio.Options{})
	p.send(request(nov, "1", "tools/call", `"name":"job","arguments":{},"task":{}`))
	id := p.member("task", "taskId")
	require.NotEmpty(t, id)
	p.send(request(nov, "2", "tasks/result", `"taskId":"`+id+`"`))
	m := p.next()
	assert.Contains(t, string(m.Params), `"io.modelcontextprotocol/related-task":{"taskId":"`+id+`"}`)
	p.send(request(nov, "3", "tasks/get", `"taskId":"`+id+`"`)) // while the other waits
	assert.Equal(t, "input_required", p.member("status"))
	p.respond(string(m.ID), `{"action":"perhaps"}`)
	assert.Contains(t, p.text("2"), "malformed", "as without a task")

	p.send(request(nov, "4", "tools/call", `"name":"job","arguments":{},"task":{}`))
	id = p.member("task", "taskId")
	p.send(request(nov, "5", "tasks/result", `"taskId":"`+id+`"`))
	p.respond(p.asked("elicitation/create"), accepted("why not"))
	assert.Equal(t, "because why not", p.text("5"))
}

func TestTaskWithItsStatus(t *testing.T) {
	p := converse(t, tasking(t), modern, stdio.Options{})
	p.send(aware(modern, "1", "tools/call", `"name":"job","arguments":{}`))
	id := p.member("taskId")
	require.NotEmpty(t, id)
	p.send(aware(modern, "2", "subscriptions/listen", `"notifications":{"taskIds":["`+id+`"]}`))
	assert.Contains(t, string(p.next().Params), id)
	for !strings.Contains(string(p.next().Params), `"inputRequests":{"sure":`) {
	}
	p.send(aware(modern, "3", "tasks/update", `"taskId":"`+id+`","inputResponses":{"sure":`+accepted("why not")+`}`))
	acknowledged, completed := false, false
	for !acknowledged || !completed {
		m := p.next()
		acknowledged = acknowledged || string(m.ID) == "3"
		completed = completed || strings.Contains(string(m.Params), `"text":"because why not"`)
	}
}

// A task does not hold up the end of the pipe, and ends with the server.
func TestPipeEndsWhileATaskRuns(t *testing.T) {
	f := tasking(t)
	talk(t, f, stdio.Options{}, aware(modern, "1", "tools/call", `"name":"endless","arguments":{}`))
	receive(t, f.Entered, "the task runs")
	assert.Empty(t, f.Ended)
	require.NoError(t, f.Server.Close())
	assert.ErrorContains(t, receive(t, f.Ended, "the task ends"), "closed")
}
