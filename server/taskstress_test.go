package server_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
)

// Many clients of both kinds begin tasks, answer them, listen to them, wait for them, cancel them, and let them expire, all
// at once. In the end nothing is left: there is room for as many tasks as ever, and no handler runs.
func TestManyTasks(t *testing.T) {
	const clients, each, most = 16, 40, 64
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, server.Options{Tasks: server.TaskOptions{TTL: time.Minute, Max: most, MaxPerPrincipal: most}})
		var running atomic.Int64
		addTaskTool(t, s, "job", protocol.TaskOptional, func(ctx context.Context, c *server.Call) (string, error) {
			running.Add(1)
			defer running.Add(-1)
			if !c.Task() {
				return "no task", nil
			}
			_ = c.Progress(server.Progress{Done: 1, Message: "begun"})
			var who caller
			if err := c.Elicit(ctx, "who", "Who?", &who); err != nil {
				return "", err
			}
			select {
			case <-ctx.Done():
			case <-time.After(time.Duration(rand.IntN(1000)) * time.Millisecond):
			}
			return who.Name, ctx.Err()
		})
		var all sync.WaitGroup
		var done atomic.Int64
		for client := range clients {
			all.Go(func() {
				codec := withTasks()[client%2]
				for range each {
					p := newPeer(t, s, codec).declare(able)
					p.in.Principal = fmt.Sprint(client % 3)
					p.in.Stream = &talker{ear{peer: p}, accept(`{"name":"ada"}`)}
					live(t, s, p, &done)
				}
			})
		}
		all.Wait()
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		assert.Zero(t, running.Load())
		assert.Positive(t, done.Load(), "some are seen through")
		p := byServer(t, s)
		for range most {
			p.task("job", "{}")
		}
	})
}

// live is the life of one task.
func live(t *testing.T, s *server.Server, p *peer, done *atomic.Int64) {
	raw, failed := p.ask("tools/call", `{"name":"job","arguments":{},"task":{"ttl":`+fmt.Sprint(1+rand.IntN(2000))+`}}`)
	if failed != nil {
		assert.Contains(t, failed.Message, "too many tasks")
		time.Sleep(time.Second)
		return
	}
	created := decode(t, []byte(raw))
	if inner, ok := created["task"].(object); ok {
		created = inner
	}
	id, ok := created["taskId"].(string)
	if !ok { // there was no room
		assert.Equal(t, "no task", text(t, created))
		time.Sleep(time.Second)
		return
	}
	var both sync.WaitGroup
	defer both.Wait()
	if rand.IntN(3) == 0 {
		both.Go(func() { _, _ = p.ask("tasks/cancel", ofTask(id)) })
	}
	if p.asksForTasks() {
		if _, failed := p.ask("tasks/result", ofTask(id)); failed == nil {
			done.Add(1)
		}
		return
	}
	l := listenAs(t, s, able, p.in.Principal, "1", `{"taskIds":["`+id+`"]}`)
	both.Go(func() { <-l.ended })
	defer l.cancel()
	_, _ = p.ask("tasks/update", `{"taskId":"`+id+`","inputResponses":{"who":{"action":"accept","content":{"name":"ada"}}}}`)
	for range 5 {
		raw, failed := p.ask("tasks/get", ofTask(id))
		if failed != nil {
			return // it has expired
		}
		if status := decode(t, []byte(raw))["status"]; status == "completed" {
			done.Add(1)
			return
		}
		time.Sleep(300 * time.Millisecond)
	}
}
