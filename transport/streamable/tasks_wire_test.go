package streamable_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/transport/streamable"
)

// Tasks, where it takes several clients, limits or time to see what is right: whose task it is, how many there may be, and
// what becomes of those that are over. What one client sees is said by the transcripts of tasks and ext-tasks.

// withTasks are the revisions that have them.
var withTasks = []string{nov, modern}

// knowsTasks is the metadata of a client that knows tasks.
const knowsTasks = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
	`"io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}`

// ask returns the bytes of a request of a client that knows tasks. name is what the request mirrors.
func (l lane) ask(method, name, params string, more ...string) string {
	if l.revision == modern {
		params = join(params, knowsTasks)
	}
	return request(`{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{`+params+`}}`, override(l.lines(method, name), more)...)
}

// about returns the bytes of a request about a task.
func (l lane) about(method, task string, more ...string) string {
	params := `"taskId":"` + task + `"`
	if method == "tasks/update" {
		params += `,"inputResponses":{}`
	}
	return l.ask(method, task, params, more...)
}

// begin calls a tool that becomes a task, and returns its id; empty if there is none.
func (e *endpoint) begin(l lane, tool string, more ...string) (string, message) {
	e.t.Helper()
	params := `"name":"` + tool + `","arguments":{}`
	if l.revision == nov {
		params += `,"task":{}`
	}
	m := e.exchange(l.ask("tools/call", tool, params, more...)).last(e.t)
	return e.state(m).ID, m
}

// A state is what an answer says of a task.
type state struct {
	ID         string         `json:"taskId"`
	Status     string         `json:"status"`
	ResultType string         `json:"resultType"`
	Error      jsontext.Value `json:"error"`
	Task       struct {
		ID string `json:"taskId"`
	} `json:"task"`
	Tasks []struct {
		ID string `json:"taskId"`
	} `json:"tasks"`
	Next string `json:"nextCursor"`
}

func (e *endpoint) state(m message) state {
	e.t.Helper()
	var s state
	if m.Result != nil {
		require.NoError(e.t, json.Unmarshal(m.Result, &s))
	}
	if s.ID == "" {
		s.ID = s.Task.ID
	}
	return s
}

// job adds a tool that is always a task.
func (e *endpoint) job(name string, run func(context.Context) error) {
	e.t.Helper()
	e.tool(name, protocol.TaskRequired, func(ctx context.Context, _ *server.Call) error { return run(ctx) })
}

func (e *endpoint) tool(name string, support protocol.TaskSupport, run func(context.Context, *server.Call) error) {
	e.t.Helper()
	require.NoError(e.t, e.Server.AddRawTool(server.Tool{Name: name, InputSchema: []byte(`{"type":"object"}`), TaskSupport: support},
		func(ctx context.Context, c *server.Call, _ jsontext.Value) (*protocol.CallToolResult, error) {
			if err := run(ctx, c); err != nil {
				return nil, err
			}
			return &protocol.CallToolResult{Content: []protocol.Content{&protocol.TextContent{Text: "done"}}}, nil
		}))
}

// endless works until nobody wants it any more.
func endless(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

const ada, eve = "Authorization: Bearer ada/1", "Authorization: Bearer eve/1"

// A task belongs to the principal that began it, in whichever session. To anybody else there is no such task.
//
// Proves: tasks.bind-to-authorization
// Proves: tasks.reject-foreign
// Proves: tasks.list-only-own
// Proves: ext-tasks.auth-checked
func TestTasksOfOthers(t *testing.T) {
	e := serve(t, streamable.Options{}, byToken)
	e.job("endless", endless)
	each(t, withTasks, func(t *testing.T, revision string) {
		mine, elsewhere, other := e.open(revision, ada), e.open(revision, ada), e.open(revision, eve)
		id, m := e.begin(mine, "endless", ada)
		require.NotEmpty(t, id, "%+v", m)
		methods := []string{"tasks/get", "tasks/cancel", "tasks/result"}
		if revision == modern {
			methods[2] = "tasks/update"
		}
		for _, method := range methods {
			m := e.exchange(other.about(method, id, eve)).last(t)
			assert.Equal(t, -32602, m.code(), method)
			assert.Equal(t, e.exchange(other.about(method, "there-is-none", eve)).last(t).Error, m.Error, "%s: nobody is told that it is there", method)
		}
		if revision == nov {
			assert.Empty(t, e.state(e.exchange(other.ask("tasks/list", "", "", eve)).last(t)).Tasks)
			assert.Equal(t, id, e.state(e.exchange(elsewhere.ask("tasks/list", "", "", ada)).last(t)).Tasks[0].ID)
		}
		assert.Equal(t, "working", e.state(e.exchange(elsewhere.about("tasks/get", id, ada)).last(t)).Status, "it is hers everywhere")
		assert.Zero(t, e.exchange(elsewhere.about("tasks/cancel", id, ada)).last(t).code())
		assert.Equal(t, "cancelled", e.state(e.exchange(mine.about("tasks/get", id, ada)).last(t)).Status)
	})
}

// A client that listens is promised nothing about the task of another.
//
// Proves: ext-tasks.listen-ack-task-ids
func TestListenToTasksOfOthers(t *testing.T) {
	e := serve(t, streamable.Options{}, func(o *server.Options) { loud(o); byToken(o) })
	e.job("endless", endless)
	l := e.open(modern)
	id, _ := e.begin(l, "endless", ada)
	for header, want := range map[string]string{ada: `{"taskIds":["` + id + `"]}`, eve: `{}`} {
		f := e.stream(l.ask("subscriptions/listen", "", `"notifications":{"taskIds":["`+id+`"]}`, header))
		var ack struct {
			Notifications jsontext.Value `json:"notifications"`
		}
		require.NoError(t, json.Unmarshal(f.message().Params, &ack))
		assert.JSONEq(t, want, string(ack.Notifications))
		f.leave()
	}
}

// The list of tasks comes in pages, and says how to go on until there is no more.
//
// Proves: tasks.list-next-cursor
// Proves: tasks.list-pagination
// Proves: tasks.list-complete
func TestTaskListInPages(t *testing.T) {
	e := serve(t, streamable.Options{}, func(o *server.Options) { byToken(o); o.PageSize = 2 })
	e.job("endless", endless)
	l := e.open(nov, ada)
	var want, got []string
	for range 5 {
		id, _ := e.begin(l, "endless", ada)
		want = append(want, id)
	}
	cursor, pages := "", 0
	for {
		page := e.state(e.exchange(l.ask("tasks/list", "", cursor, ada)).last(t))
		require.LessOrEqual(t, len(page.Tasks), 2)
		for _, task := range page.Tasks {
			got = append(got, task.ID)
		}
		if pages++; page.Next == "" {
			break
		}
		cursor = `"cursor":"` + page.Next + `"`
	}
	assert.Equal(t, 3, pages)
	assert.ElementsMatch(t, want, got)
}

// Whoever cannot tell his clients apart does not show them one another's tasks.
//
// Proves: tasks.no-list-without-identification
// Proves: tasks.list-capability
func TestTasksOfNobodyAreNotListed(t *testing.T) {
	for known, want := range map[bool]int{true: 0, false: -32601} {
		e := serve(t, streamable.Options{}, func(o *server.Options) {
			if known {
				byToken(o)
			}
		})
		e.job("endless", endless)
		opening := e.exchange(request(initialize(nov), ada))
		assert.Equal(t, known, strings.Contains(opening.body, `"list":{}`), opening.body)
		l := e.open(nov, ada)
		assert.Equal(t, want, e.exchange(l.ask("tasks/list", "", "", ada)).last(t).code())
	}
}

// One client has so many tasks and no more, whatever others have. One that is over and still kept counts.
//
// Proves: tasks.limit-concurrent
func TestTasksHaveABound(t *testing.T) {
	e := serve(t, streamable.Options{}, func(o *server.Options) { byToken(o); o.Tasks.MaxPerPrincipal = 2 })
	e.job("endless", endless)
	each(t, withTasks, func(t *testing.T, revision string) {
		mine, others := "Authorization: Bearer "+revision+"/1", "Authorization: Bearer another"+revision+"/1"
		l, other := e.open(revision, mine), e.open(revision, others)
		for range 2 {
			id, m := e.begin(l, "endless", mine)
			require.NotEmpty(t, id, "%+v", m)
		}
		id, m := e.begin(l, "endless", mine)
		assert.Empty(t, id)
		assert.Equal(t, -32603, m.code())
		id, _ = e.begin(other, "endless", others)
		assert.NotEmpty(t, id)
	})
}

// When the time of a task is over, its work ends, and there is no such task any more.
//
// Proves: tasks.cleanup-expired
// Proves: tasks.unknown-id-32602
// Proves: ext-tasks.get-unknown-32602
func TestTasksExpire(t *testing.T) {
	e := serve(t, streamable.Options{}, func(o *server.Options) { o.Tasks.TTL = time.Millisecond })
	expired := make(chan struct{})
	e.job("endless", func(ctx context.Context) error {
		defer func() { expired <- struct{}{} }()
		return endless(ctx)
	})
	each(t, withTasks, func(t *testing.T, revision string) {
		l := e.open(revision)
		id, m := e.begin(l, "endless")
		require.NotEmpty(t, id, "%+v", m)
		<-expired
		assert.Equal(t, -32602, e.exchange(l.about("tasks/get", id)).last(t).code())
	})
}

// A call that fails with an error of the protocol fails with the same error as a task.
//
// Proves: ext-tasks.failed-exact-error
// Proves: tasks.result-same-jsonrpc-error
// Proves: tasks.result-exact
func TestTasksFailAsCallsDo(t *testing.T) {
	e := serve(t, streamable.Options{}, nil)
	failure := &protocol.Error{Kind: protocol.KindApplication, Code: 1234, Message: "it is out of order", Data: []byte(`{"since":"yesterday"}`)}
	e.tool("broken", protocol.TaskOptional, func(_ context.Context, c *server.Call) error {
		c.Task()
		return failure
	})
	each(t, withTasks, func(t *testing.T, revision string) {
		l := e.open(revision)
		plain := e.exchange(l.tool("1", "broken", "", "")).last(t)
		require.Equal(t, 1234, plain.code())
		id, m := e.begin(l, "broken")
		require.NotEmpty(t, id, "%+v", m)
		if revision == nov {
			assert.Equal(t, plain.Error, e.exchange(l.about("tasks/result", id)).last(t).Error)
			return
		}
		var got state
		for got.Status != "failed" {
			got = e.state(e.exchange(l.about("tasks/get", id)).last(t))
			require.Contains(t, []string{"working", "failed"}, got.Status)
		}
		want, err := json.Marshal(plain.Error)
		require.NoError(t, err)
		assert.JSONEq(t, string(want), string(got.Error))
	})
}

// A handler that breaks down fails its task with an internal error, and tells nobody why.
//
// Proves: ext-tasks.internal-error-32603
// Proves: tasks.internal-32603
func TestTasksThatBreakDown(t *testing.T) {
	e := serve(t, streamable.Options{}, nil)
	e.job("breaks-down", func(context.Context) error { panic("a secret") })
	each(t, withTasks, func(t *testing.T, revision string) {
		l := e.open(revision)
		id, m := e.begin(l, "breaks-down")
		require.NotEmpty(t, id, "%+v", m)
		if revision == nov {
			m := e.exchange(l.about("tasks/result", id)).last(t)
			assert.Equal(t, -32603, m.code())
			assert.NotContains(t, m.Error.Message, "secret")
			return
		}
		var got state
		for got.Status != "failed" {
			got = e.state(e.exchange(l.about("tasks/get", id)).last(t))
			require.Contains(t, []string{"working", "failed"}, got.Status)
		}
		assert.Contains(t, string(got.Error), "-32603")
		assert.NotContains(t, string(got.Error), "secret")
	})
}

// The extension is for revisions without a handshake. In a session a client that declares it is a client like any other.
//
// Proves: ext-tasks.not-under-2025-11-25
func TestTheExtensionIsNotForSessions(t *testing.T) {
	e := serve(t, streamable.Options{}, nil)
	e.job("required", func(context.Context) error { return nil })
	e.tool("optional", protocol.TaskOptional, func(_ context.Context, c *server.Call) error {
		if c.Task() {
			return errors.New("nobody has asked for a task")
		}
		return nil
	})
	opening := strings.Replace(initialize(nov), `"capabilities":{}`, `"capabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}`, 1)
	a := e.exchange(request(opening))
	require.Equal(t, 200, a.status)
	l := lane{nov, a.header.Get("Mcp-Session-Id")}
	m := e.exchange(l.tool("1", "optional", "", "")).last(t)
	assert.NotContains(t, string(m.Result), "resultType")
	assert.Contains(t, string(m.Result), `"text":"done"`)
	assert.Equal(t, -32601, e.exchange(l.tool("2", "required", "", "")).last(t).code())
	assert.Equal(t, -32601, e.exchange(l.about("tasks/update", "any")).last(t).code())
}

// A client that has come to speak the newer revision finds the tasks that it began under the older one.
//
// Proves: ext-tasks.legacy-tasks-still-reachable
func TestTasksOutliveTheirRevision(t *testing.T) {
	e := serve(t, streamable.Options{}, byToken)
	e.job("endless", endless)
	id, _ := e.begin(e.open(nov, ada), "endless", ada)
	l := e.open(modern)
	assert.Equal(t, "working", e.state(e.exchange(l.about("tasks/get", id, ada)).last(t)).Status)
	assert.Equal(t, "complete", e.state(e.exchange(l.about("tasks/cancel", id, ada)).last(t)).ResultType)
	assert.Equal(t, "cancelled", e.state(e.exchange(l.about("tasks/get", id, ada)).last(t)).Status)
}
