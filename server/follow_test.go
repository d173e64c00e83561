package server_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/revisions"
	"github.com/parley-mcp/parley/server"
)

// A follower is a client that runs calls as tasks, in the way of its revision. Its tests run in a bubble: what happens in
// between has happened when synctest.Wait returns.

// able is what a client declares that can do all, tasks included.
const able = `{"roots":{},"sampling":{"tools":{},"context":{}},"elicitation":{"form":{},"url":{}},"extensions":{"io.modelcontextprotocol/tasks":{}}}`

// withTasks are the revisions that have tasks.
func withTasks() []protocol.Codec {
	var list []protocol.Codec
	for _, c := range revisions.All() {
		if f := c.Features(); f.TasksOnRequest.Holds() || f.TasksByServer.Holds() {
			list = append(list, c)
		}
	}
	return list
}

// eachTaskRevision runs a test in a bubble, with a server and a peer of each revision that has tasks.
func eachTaskRevision(t *testing.T, o server.Options, test func(t *testing.T, s *server.Server, p *peer)) {
	t.Helper()
	for _, codec := range withTasks() {
		t.Run(string(codec.Features().Revision), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newServer(t, o)
				test(t, s, newPeer(t, s, codec).declare(able))
			})
		})
	}
}

// onRequest and byServer return a peer that asks for tasks itself, or is given them.
func onRequest(t testing.TB, s *server.Server) *peer {
	return newPeer(t, s, withTasks()[1]).declare(able)
}
func byServer(t testing.TB, s *server.Server) *peer {
	return newPeer(t, s, withTasks()[0]).declare(able)
}

func (p *peer) asksForTasks() bool { return p.in.Codec.Features().TasksOnRequest.Holds() }

// begin calls a tool, and returns the task that the call has become.
func (p *peer) begin(tool, arguments string) object {
	p.t.Helper()
	params := `{"name":"` + tool + `","arguments":` + arguments
	if p.asksForTasks() {
		created := p.result("tools/call", params+`,"task":{}}`)
		require.Contains(p.t, created, "task")
		return created["task"].(object)
	}
	created := p.result("tools/call", params+"}")
	require.Equal(p.t, "task", created["resultType"], created)
	return created
}

// task is begin for who needs only the id.
func (p *peer) task(tool, arguments string) string {
	p.t.Helper()
	return p.begin(tool, arguments)["taskId"].(string)
}

func ofTask(id string) string { return `{"taskId":"` + id + `"}` }

// get returns how a task stands.
func (p *peer) get(id string) object {
	p.t.Helper()
	return p.result("tasks/get", ofTask(id))
}

// status is get for who needs only that.
func (p *peer) status(id string) string {
	p.t.Helper()
	return p.get(id)["status"].(string)
}

// answer answers questions of a task.
func (p *peer) answer(id string, answers object) {
	p.t.Helper()
	raw, err := json.Marshal(object{"taskId": id, "inputResponses": answers})
	require.NoError(p.t, err)
	assert.Equal(p.t, object{"resultType": "complete", "_meta": object{"io.modelcontextprotocol/serverInfo": object{"name": "test", "version": "1"}}},
		p.result("tasks/update", string(raw)), "it is only told that it was heard")
}

// follow answers what a task asks until it has ended, and returns its result.
func (p *peer) follow(id string, u user) object {
	p.t.Helper()
	if p.asksForTasks() {
		p.in.Stream = &talker{ear{peer: p}, u}
		return p.result("tasks/result", ofTask(id))
	}
	for {
		synctest.Wait()
		stands := p.get(id)
		switch stands["status"] {
		case "input_required":
			answers := object{}
			for key, request := range stands["inputRequests"].(object) {
				r := request.(object)
				raw, err := u(r["method"].(string), r["params"].(object))
				require.NoError(p.t, err)
				answers[key] = decode(p.t, []byte(raw))
			}
			p.answer(id, answers)
		case "working":
			time.Sleep(time.Second)
		default:
			require.Contains(p.t, stands, "result")
			return stands["result"].(object)
		}
	}
}

// addTaskTool adds a tool without arguments that can run as a task.
func addTaskTool(t testing.TB, s *server.Server, name string, support protocol.TaskSupport, run func(ctx context.Context, c *server.Call) (string, error)) {
	t.Helper()
	require.NoError(t, server.AddTool(s, server.Tool{Name: name, TaskSupport: support},
		func(ctx context.Context, c *server.Call, _ struct{}) (string, error) { return run(ctx, c) }))
}

// addWaiter adds a tool that runs until its context ends, and hands on why.
func addWaiter(t testing.TB, s *server.Server, support protocol.TaskSupport) (causes <-chan error) {
	t.Helper()
	ended := make(chan error, 100)
	addTaskTool(t, s, "wait", support, func(ctx context.Context, c *server.Call) (string, error) {
		c.Task()
		<-ctx.Done()
		ended <- context.Cause(ctx)
		return "too late", nil
	})
	return ended
}
