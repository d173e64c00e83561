package server_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
)

// Proves: ext-tasks.listen-ack-task-ids
// Proves: ext-tasks.notification-full-task
// Proves: ext-tasks.notification-subscription-id
func TestListenToTasks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, server.Options{})
		addTaskTool(t, s, "ask", protocol.TaskRequired, func(ctx context.Context, c *server.Call) (string, error) {
			var who caller
			time.Sleep(time.Minute)
			err := c.Elicit(ctx, "who", "Who?", &who)
			return who.Name, err
		})
		p := byServer(t, s)
		p.in.Principal = "bob"
		foreign := p.task("ask", "{}")
		p.in.Principal = "ada"
		id, other := p.task("ask", "{}"), p.task("ask", "{}")
		l := listenAs(t, s, able, "ada", "7", `{"taskIds":["`+id+`","unknown","`+foreign+`","`+id+`"]}`)
		assert.Contains(t, l.acknowledged("7"), "map[taskIds:["+id+"]]", "neither unknown ones nor those of others")
		heard := func() object {
			t.Helper()
			kind, raw, _ := strings.Cut(<-l.heard, " ")
			assert.Equal(t, "tasks", kind)
			n := decode(t, []byte(raw))
			assert.Equal(t, object{"io.modelcontextprotocol/subscriptionId": 7.}, n["_meta"])
			delete(n, "_meta")
			return n
		}
		same := func(status string) {
			t.Helper()
			got, want := heard(), p.get(id)
			delete(want, "resultType")
			delete(want, "_meta")
			assert.Equal(t, want, got)
			assert.Equal(t, status, got["status"])
		}
		same("working") // how it stands now
		time.Sleep(2 * time.Minute)
		same("input_required")
		p.answer(id, object{"who": object{"action": "accept", "content": object{"name": "eve"}}})
		synctest.Wait()
		for n := heard(); n["status"] != "completed"; n = heard() {
			assert.Equal(t, "working", n["status"])
		}
		p.result("tasks/cancel", ofTask(other))
		synctest.Wait()
		assert.Empty(t, l.heard)
		close(l.closing)
		<-l.ended
	})
}

// What is over when somebody begins to listen is said all the same: the client has not missed it.
func TestListenToAnEndedTask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, server.Options{})
		addTaskTool(t, s, "job", protocol.TaskRequired, func(context.Context, *server.Call) (string, error) { return "done", nil })
		id := byServer(t, s).task("job", "{}")
		synctest.Wait()
		l := listenAs(t, s, able, "", "1", `{"taskIds":["`+id+`"]}`)
		l.acknowledged("1")
		assert.Contains(t, <-l.heard, `"status":"completed"`)
		time.Sleep(2 * time.Hour) // it is no longer kept, of which nothing is said
		synctest.Wait()
		assert.Empty(t, l.heard)
		l.cancel()
		<-l.ended
	})
}

func TestListenWhereNoTasksAre(t *testing.T) {
	s := newServer(t, server.Options{})
	addTools(t, s, "a")
	l := listen(t, s, "", "1", `{"taskIds":["x"],"toolsListChanged":true}`)
	assert.Equal(t, `"map[toolsListChanged:true]"`, l.acknowledged("1"))
	l.cancel()
	<-l.ended

	addTaskTool(t, s, "job", protocol.TaskOptional, func(context.Context, *server.Call) (string, error) { return "", nil })
	many := `{"notifications":{"taskIds":["x"` + strings.Repeat(`,"x"`, server.MaxResources) + `]}}`
	p := newest(t, s).declare(able)
	assert.Equal(t, protocol.KindInvalidRequest, p.fails("subscriptions/listen", many).Kind)
}
