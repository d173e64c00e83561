package stdio_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/internal/rawjson"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/transport/internal/transporttest"
	"github.com/parley-mcp/parley/transport/stdio"
)

// What a server says unprompted over a pipe: questions and their answers, changes, subscriptions. Both lifecycles share it.

func asking(t testing.TB) *transporttest.Fixture {
	f := transporttest.New(t, func(o *server.Options) { o.Quiet = false })
	f.AddAsking(t)
	return f
}

// able is opening for a client that can do everything.
func able(revision string) []string {
	lines := opening(revision)
	if revision != modern {
		lines[0] = strings.Replace(lines[0], `"capabilities":{}`, `"capabilities":`+transporttest.Everything, 1)
	}
	return lines
}

func converse(t testing.TB, f *transporttest.Fixture, revision string, o stdio.Options) *peer {
	t.Helper()
	p := connect(t, f, o, able(revision)...)
	if revision != modern {
		assert.Equal(t, `"init"`, string(p.next().ID))
	}
	return p
}

func (p *peer) asked(method string) string {
	p.t.Helper()
	m := p.next()
	require.Equal(p.t, method, m.Method)
	return string(m.ID)
}

func (p *peer) respond(id, result string) {
	p.t.Helper()
	p.send(`{"jsonrpc":"2.0","id":` + id + `,"result":` + result + `}`)
}

func accepted(reason string) string {
	return `{"action":"accept","content":{"sure":true,"reason":"` + reason + `"}}`
}

// text returns the text of the next message, the result of a tool.
func (p *peer) text(id string) string {
	p.t.Helper()
	m := p.next()
	require.Equal(p.t, id, string(m.ID))
	content, _ := rawjson.Lookup(m.Result, "content")
	for each := rawjson.Elements(content); each.Next(); {
		raw, _ := rawjson.Lookup(each.Value, "text")
		s, _ := rawjson.String(raw)
		return s
	}
	return ""
}

func TestAsk(t *testing.T) {
	each(t, []string{june, nov}, func(t *testing.T, revision string) {
		f := asking(t)
		p := converse(t, f, revision, stdio.Options{})
		p.send(tool(revision, "1", "confirm", ""))
		id := p.asked("elicitation/create")
		p.respond(`"`+id+`"`, accepted("a string"))
		p.respond(id+"0", accepted("no question"))
		p.respond("1", accepted("the call's id"))
		p.send(`{"jsonrpc":"2.0","id":"ka","error":{"code":-32601,"message":"no ping"}}`)
		p.respond(id, accepted("mine"))
		p.respond(id, accepted("twice"))
		assert.Equal(t, "because mine", p.text("1"))

		p.send(tool(revision, "2", "confirm", ""))
		p.respond(p.asked("elicitation/create"), `{"action":"perhaps"}`)
		assert.Contains(t, p.text("2"), "malformed")
		p.send(tool(revision, "3", "confirm", ""))
		p.send(`{"jsonrpc":"2.0","id":` + p.asked("elicitation/create") + `,"error":{"code":-1,"message":"away"}}`)
		assert.Contains(t, p.text("3"), "away (-1)")

		p.send(tool(revision, "4", "three", ""))
		var ids []string
		var messages []string
		for range 3 {
			m := p.next()
			ids = append(ids, string(m.ID))
			message, _ := rawjson.Lookup(m.Params, "message")
			messages = append(messages, strings.Trim(string(message), `"`))
		}
		for i := 2; i >= 0; i-- {
			p.respond(ids[i], accepted(messages[i]))
		}
		assert.Equal(t, "abc", p.text("4"))
	})
}

func TestAskWhatTheRevisionLacks(t *testing.T) {
	p := converse(t, asking(t), march, stdio.Options{})
	p.send(tool(march, "1", "confirm", ""))
	assert.Equal(t, -32602, p.next().code())
	p.send(tool(march, "2", "where", ""))
	p.respond(p.asked("roots/list"), `{"roots":[{"uri":"file:///w"}]}`)
	assert.Contains(t, p.text("2"), "file:///w")
	for _, id := range []string{"3", "4"} {
		p.send(tool(march, id, "where", ""))
	}
	one, two := p.asked("roots/list"), p.asked("roots/list")
	answer := func(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"result":{"roots":[]}}` }
	p.send("[" + answer(two) + "," + answer(one) + "]") // 2025-03-26 basic#batching
	got := []string{string(p.next().ID), string(p.next().ID)}
	assert.ElementsMatch(t, []string{"3", "4"}, got)
}

func TestAskWithoutCapabilities(t *testing.T) {
	each(t, handshakes, func(t *testing.T, revision string) {
		p := connect(t, asking(t), stdio.Options{}, opening(revision)...)
		p.next()
		p.send(tool(revision, "1", "confirm", ""))
		assert.Equal(t, -32602, p.next().code())
	})
	p := connect(t, asking(t), stdio.Options{})
	p.send(tool(modern, "1", "confirm", ""))
	assert.Equal(t, -32021, p.next().code())
}

// Proves: cancellation.notification-shape 2025-06-18 2025-11-25
// Proves: cancellation.request-id-required 2025-06-18 2025-11-25
// Proves: cancellation.timeout-established 2025-06-18 2025-11-25
// Proves: cancellation.timeout-cancels 2025-06-18 2025-11-25
// Proves: lifecycle.handle-request-timeout 2025-06-18 2025-11-25
func TestAskTimesOut(t *testing.T) {
	each(t, []string{june, nov}, func(t *testing.T, revision string) {
		synctest.Test(t, func(t *testing.T) {
			p := converse(t, asking(t), revision, stdio.Options{AskTimeout: 2 * time.Second})
			p.send(tool(revision, "1", "confirm", ""))
			id := p.asked("elicitation/create")
			began := time.Now()
			time.Sleep(time.Second)
			p.send(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + id + `,"progress":1}}`)
			m := p.next()
			assert.Equal(t, 3*time.Second, time.Since(began), "a sign of life grants the time anew")
			assert.Equal(t, "notifications/cancelled", m.Method)
			assert.Contains(t, string(m.Params), `"requestId":`+id)
			assert.Contains(t, p.text("1"), "not answered in time")
			require.NoError(t, p.in.Close())
			assert.NoError(t, <-p.ended)
			for range p.lines {
				t.Error("nothing more is said")
			}
		})
	})
}

func TestEndWhileAsking(t *testing.T) {
	each(t, []string{june, nov}, func(t *testing.T, revision string) {
		f := asking(t)
		again := make(chan error, 1)
		require.NoError(t, server.AddTool(f.Server, server.Tool{Name: "insists"}, func(ctx context.Context, c *server.Call, _ struct{}) (string, error) {
			_ = c.Elicit(ctx, "one", "?", &transporttest.Reason{})
			again <- c.Elicit(ctx, "two", "?", &transporttest.Reason{})
			return "insisted", nil
		}))
		p := converse(t, f, revision, stdio.Options{Linger: time.Hour})
		p.send(tool(revision, "1", "insists", ""))
		p.asked("elicitation/create")
		require.NoError(t, p.in.Close())
		assert.ErrorContains(t, receive(t, again, "it asks again"), "gone")
		messages := p.rest()
		assert.Contains(t, string(response(t, messages, "1").Result), "insisted")
		assert.NoError(t, receive(t, p.ended, "the server ends"))
		for _, m := range messages {
			assert.NotEqual(t, "elicitation/create", m.Method, "nothing is asked of a client that is gone")
		}
	})
}

// Proves: cancellation.only-own-requests 2025-06-18 2025-11-25
// Proves: cancellation.request-in-flight 2025-06-18 2025-11-25
// Proves: cancellation.receiver-no-response 2025-06-18 2025-11-25
// Proves: cancellation.sender-ignores-late-response 2025-06-18 2025-11-25
func TestCancelWhileAsking(t *testing.T) {
	each(t, []string{june, nov}, func(t *testing.T, revision string) {
		p := converse(t, asking(t), revision, stdio.Options{})
		p.send(tool(revision, "1", "confirm", ""))
		id := p.asked("elicitation/create")
		p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
		m := p.next()
		assert.Equal(t, "notifications/cancelled", m.Method)
		assert.Contains(t, string(m.Params), `"requestId":`+id)
		p.respond(id, accepted("late"))
		p.send(request(revision, "2", "ping", ""))
		assert.Equal(t, "2", string(p.next().ID), "and no response to what was cancelled")
	})
}

func TestChanges(t *testing.T) {
	each(t, handshakes, func(t *testing.T, revision string) {
		f := asking(t)
		p := connect(t, f, stdio.Options{}, initialize(revision))
		p.next()
		f.Server.ToolsChanged() // nobody is told before the client is ready
		p.send(request(revision, "1", "ping", ""))
		assert.Equal(t, "1", string(p.next().ID))
		p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`) // once more changes nothing
		p.send(request(revision, "2", "resources/subscribe", `"uri":"file:///hello"`))
		assert.Zero(t, p.next().code())
		f.Server.ResourceUpdated("file:///other")
		f.Server.ResourceUpdated("file:///hello/part")
		m := p.next()
		assert.Equal(t, "notifications/resources/updated", m.Method)
		assert.JSONEq(t, `{"uri":"file:///hello/part"}`, string(m.Params))
		f.Server.PromptsChanged()
		assert.Equal(t, "notifications/prompts/list_changed", p.next().Method)
		p.send(request(revision, "3", "resources/unsubscribe", `"uri":"file:///hello"`))
		assert.Zero(t, p.next().code())
		f.Server.ResourceUpdated("file:///hello")
		f.Server.ToolsChanged()
		assert.Equal(t, "notifications/tools/list_changed", p.next().Method)
		p.send(request(revision, "4", "resources/subscribe", `"uri":"other:///nope"`))
		assert.Equal(t, -32002, p.next().code())
		p.send(request(revision, "5", "subscriptions/listen", `"notifications":{}`))
		assert.Equal(t, -32601, p.next().code())
		require.NoError(t, p.in.Close())
		assert.Empty(t, p.rest())
	})
}

func TestChangesOfAQuietServer(t *testing.T) {
	each(t, handshakes, func(t *testing.T, revision string) {
		f := transporttest.New(t, nil)
		p := connect(t, f, stdio.Options{}, opening(revision)...)
		assert.NotContains(t, string(p.next().Result), `"subscribe":true`)
		f.Server.ToolsChanged()
		p.send(request(revision, "1", "resources/subscribe", `"uri":"file:///hello"`))
		assert.Equal(t, -32601, p.next().code())
	})
}

func listen(id, filter string) string {
	return request(modern, id, "subscriptions/listen", `"notifications":{`+filter+`}`)
}

func tag(m message) string {
	in := m.Params
	if in == nil {
		in = m.Result
	}
	meta, _ := rawjson.Lookup(in, "_meta")
	id, _ := rawjson.Lookup(meta, "io.modelcontextprotocol/subscriptionId")
	return string(id)
}

func TestListen(t *testing.T) {
	f := asking(t)
	p := connect(t, f, stdio.Options{})
	p.send(listen("1", `"toolsListChanged":true`))
	ack := p.next()
	assert.Equal(t, "notifications/subscriptions/acknowledged", ack.Method)
	assert.Equal(t, "1", tag(ack))
	p.send(listen(`"1"`, `"promptsListChanged":true,"resourceSubscriptions":["file:///hello","other:///x"]`))
	ack = p.next()
	assert.Equal(t, `"1"`, tag(ack))
	filter, _ := rawjson.Lookup(ack.Params, "notifications")
	assert.JSONEq(t, `{"promptsListChanged":true,"resourceSubscriptions":["file:///hello"]}`, string(filter))
	f.Server.ToolsChanged()
	assert.Equal(t, "1", tag(p.next()))
	f.Server.ResourceUpdated("file:///hello")
	m := p.next()
	assert.Equal(t, `"1"`, tag(m))
	assert.Equal(t, "notifications/resources/updated", m.Method)
	p.send(listen("1", ``))
	assert.Equal(t, -32600, p.next().code(), "S-20: the id is in use")

	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	p.send(request(modern, "2", "tools/list", "")) // the line before it has been read
	assert.Equal(t, "2", string(p.next().ID), "no response to what was cancelled")
	f.Server.ToolsChanged() // of which nobody wants to hear any more
	f.Server.PromptsChanged()
	m = p.next()
	assert.Equal(t, `"1"`, tag(m))
	assert.Equal(t, "notifications/prompts/list_changed", m.Method)

	require.NoError(t, p.in.Close())
	rest := p.rest()
	require.Len(t, rest, 1)
	assert.Equal(t, `"1"`, string(rest[0].ID))
	assert.Equal(t, `"1"`, tag(rest[0]))
	assert.Contains(t, string(rest[0].Result), `"resultType":"complete"`, "a graceful end")
	assert.NoError(t, receive(t, p.ended, "the server ends"))
}

func TestBothLifecyclesOnOnePipe(t *testing.T) {
	each(t, handshakes, func(t *testing.T, revision string) {
		f := asking(t)
		p := converse(t, f, revision, stdio.Options{})
		p.send(listen("1", `"toolsListChanged":true`))
		assert.Equal(t, "1", tag(p.next()))
		f.Server.ToolsChanged()
		tags := []string{tag(p.next()), tag(p.next())}
		assert.ElementsMatch(t, []string{"", "1"}, tags, "once for the session, and once for the subscription")
		// A question of the session beside a call of the other lifecycle, which gets none.
		p.send(tool(revision, "2", "where", ""))
		id := p.asked("roots/list")
		p.send(strings.Replace(tool(modern, "3", "confirm", ""), `Capabilities":{}`, `Capabilities":`+transporttest.Everything, 1))
		m := p.next()
		assert.Equal(t, "3", string(m.ID))
		assert.Contains(t, string(m.Result), "input_required")
		p.respond(id, `{"roots":[]}`)
		p.text("2")
	})
}

func TestDetachIsNothingOnAPipe(t *testing.T) {
	each(t, all, func(t *testing.T, revision string) {
		f := asking(t)
		p := converse(t, f, revision, stdio.Options{})
		p.send(progressing(revision, "1", "absent", "1"))
		p.next()
		receive(t, f.Entered, "the call runs")
		f.Release()
		p.next()
		assert.Equal(t, "false", p.text("1"))
	})
}

// Many calls at once: each one's messages are in order, with the result last, and nothing is lost or comes twice.
func TestStress(t *testing.T) {
	each(t, all, func(t *testing.T, revision string) {
		f := asking(t)
		p := converse(t, f, revision, stdio.Options{})
		const calls, steps = 100, 20
		var sending sync.WaitGroup
		sending.Go(func() {
			for i := range calls {
				p.send(strings.Replace(progressing(revision, fmt.Sprint(i), "chatty", fmt.Sprint(i)), `"arguments":{}`, fmt.Sprintf(`"arguments":{"count":%d}`, steps), 1))
			}
		})
		next := make([]int, calls)
		for done := 0; done < calls; {
			m := p.next()
			if m.Method == "" {
				var i int
				_, err := fmt.Sscan(string(m.ID), &i)
				require.NoError(t, err)
				assert.Equal(t, steps, next[i], "the result is last")
				next[i] = -1
				done++
				continue
			}
			token, _ := rawjson.Lookup(m.Params, "progressToken")
			var i int
			_, err := fmt.Sscan(string(token), &i)
			require.NoError(t, err)
			next[i]++
			progress, _ := rawjson.Lookup(m.Params, "progress")
			assert.Equal(t, fmt.Sprint(next[i]), string(progress), "in order")
		}
		sending.Wait()
	})
}
