package streamable_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/session"
	"github.com/parley-mcp/parley/transport/internal/transporttest"
	"github.com/parley-mcp/parley/transport/streamable"
)

// A tool asks the client. Before 2026-07-28 its question travels on the call's own stream, and the answer in a POST that has
// to find the call; after it the client comes back with the answer.

// asking serves tools that ask.
func asking(t testing.TB, o streamable.Options, with func(*server.Options)) *endpoint {
	t.Helper()
	e := serve(t, o, with)
	e.AddAsking(t)
	return e
}

var eliciting = []string{june, nov}

func TestAskOnTheCallsStream(t *testing.T) {
	for name, with := range map[string]func(*server.Options){"quiet": nil, "loud": loud} {
		t.Run(name, func(t *testing.T) {
			e := asking(t, streamable.Options{}, with)
			each(t, eliciting, func(t *testing.T, revision string) {
				l := e.join(revision)
				f := e.stream(l.able(`"c"`, "confirm", "", ""))
				q := f.asked("elicitation/create")
				assert.Contains(t, string(q.Params), `"message":"Sure?"`)
				token := fmt.Sprintf(`"progressToken":%s`, q.ID)
				assert.Contains(t, string(q.Params), token)
				a := e.exchange(l.respond(string(q.ID), accepted("why not")))
				assert.Equal(t, 202, a.status)
				assert.Empty(t, a.body, "H-12")
				assert.Equal(t, "because why not", f.text())
				f.end()
			})
		})
	}
}

func TestAskAtEachHandshakeRevision(t *testing.T) {
	e := asking(t, streamable.Options{}, nil)
	each(t, handshakes, func(t *testing.T, revision string) {
		l := e.join(revision)
		f := e.stream(l.able("1", "where", "", ""))
		q := f.asked("roots/list")
		assert.Equal(t, 202, e.exchange(l.respond(string(q.ID), `{"roots":[{"uri":"file:///w"}]}`)).status)
		assert.Contains(t, f.text(), "file:///w")
	})
}

func TestAskWhatTheRevisionLacks(t *testing.T) { // 2025-03-26 has no elicitation
	e := asking(t, streamable.Options{}, nil)
	l := e.join(march)
	a := e.exchange(l.able("1", "confirm", "", ""))
	assert.Equal(t, 200, a.status)
	assert.Equal(t, -32602, a.last(t).code(), "at once")
}

// Proves: elicitation.bound-to-client-and-user 2025-11-25
// Proves: elicitation.state-bound-to-user 2025-11-25
// Proves: elicitation.state-not-session-id-alone
func TestAnswersToNoQuestion(t *testing.T) { // H-12, H-29
	e := asking(t, streamable.Options{}, byToken)
	each(t, eliciting, func(t *testing.T, revision string) {
		ada, ida := "Authorization: Bearer ada/1", "Authorization: Bearer ida/1"
		l, other := e.join(revision, ada), e.join(revision, ada)
		f := e.stream(l.able("1", "confirm", "", "", ada))
		id := string(f.asked("elicitation/create").ID)
		g := e.stream(other.able("1", "confirm", "", "", ada))
		otherID := string(g.asked("elicitation/create").ID)
		require.NotEqual(t, id, otherID)
		ignored := func(raw string, status int) {
			t.Helper()
			a := e.exchange(raw)
			assert.Equal(t, status, a.status, a.body)
		}
		ignored(other.respond(id, accepted("another session's"), ada), 202)
		ignored(l.respond(otherID, accepted("another session's"), ada), 202)
		ignored(l.respond(`"`+id+`"`, accepted("a string"), ada), 202)
		ignored(l.respond(id+"0", accepted("no question"), ada), 202)
		ignored(l.respond("1", accepted("the call's own id"), ada), 202)
		ignored(l.send(`{"jsonrpc":"2.0","id":"ka-1","error":{"code":-32601,"message":"method not found"}}`, ada), 202)
		ignored(l.send(`{"jsonrpc":"2.0","error":{"code":-1,"message":"to nothing"}}`, ada), 202)
		ignored(l.respond(id, accepted("another principal"), ida), 404)
		ignored(request(`{"jsonrpc":"2.0","id":`+id+`,"result":`+accepted("no session")+`}`, ada), 400)
		ignored(l.send(`{"jsonrpc":"2.0","id":`+id+`}`, ada), 400)
		ignored(l.send(`{"jsonrpc":"2.0","id":`+id+`,"result":{},"error":{"code":1,"message":"both"}}`, ada), 400)
		ignored(l.respond(id, accepted("of the wrong era"), ada, "MCP-Protocol-Version: 2026-07-28"), 400) // E-17
		ignored(l.notify("notifications/progress", `"progressToken":`+id+`,"progress":1`)+"", 404)         // nobody's

		ignored(l.respond(id, accepted("mine"), ada), 202)
		assert.Equal(t, "because mine", f.text(), "none of those was taken for the answer")
		ignored(l.respond(id, accepted("twice"), ada), 202)
		ignored(other.respond(otherID, accepted("other"), ada), 202)
		assert.Equal(t, "because other", g.text())
		f.end()
		g.end()
	})
}

func TestAnswersThatAreWrong(t *testing.T) {
	e := asking(t, streamable.Options{}, nil)
	each(t, eliciting, func(t *testing.T, revision string) {
		l := e.join(revision)
		for answer, want := range map[string]string{
			`"result":{"action":"accept","content":{"sure":"maybe"}}`:    "does not fit",
			`"result":{"action":"accept"}`:                               "does not fit",
			`"result":{"action":"perhaps"}`:                              "malformed",
			`"result":{}`:                                                "malformed",
			`"result":{"roots":[]}`:                                      "malformed",
			`"result":{"action":"decline"}`:                              "declined",
			`"result":{"action":"cancel"}`:                               "cancelled",
			`"error":{"code":-32601,"message":"no elicitation here"}`:    "no elicitation here (-32601)",
			`"error":{"code":-1,"message":"the user is away","data":{}}`: "the user is away (-1)",
		} {
			f := e.stream(l.able("1", "confirm", "", ""))
			id := string(f.asked("elicitation/create").ID)
			assert.Equal(t, 202, e.exchange(l.send(`{"jsonrpc":"2.0","id":`+id+`,`+answer+`}`)).status)
			m := f.message()
			assert.Contains(t, toolText(m), want, "the asking call is told")
			assert.Contains(t, string(m.Result), `"isError":true`)
			f.end()
		}
	})
}

func TestAskSeveralAtOnce(t *testing.T) {
	e := asking(t, streamable.Options{}, nil)
	each(t, eliciting, func(t *testing.T, revision string) {
		l := e.join(revision)
		f := e.stream(l.able("1", "three", "", ""))
		var asked [3]message
		for i := range asked {
			asked[i] = f.asked("elicitation/create")
		}
		for i := len(asked) - 1; i >= 0; i-- {
			params := string(asked[i].Params)
			_, rest, _ := strings.Cut(params, `"message":"`)
			e.exchange(l.respond(string(asked[i].ID), accepted(rest[:1])))
		}
		assert.Equal(t, "abc", f.text())
		f.end()
	})
}

func TestNoWayBack(t *testing.T) { // H-35
	e := asking(t, streamable.Options{}, func(o *server.Options) { o.SessionsOptional = true })
	each(t, eliciting, func(t *testing.T, revision string) {
		l := e.join(revision)
		a := e.exchange(l.able("1", "confirm", "", "", "Accept: application/json"))
		assert.Equal(t, "application/json", a.header.Get("Content-Type"))
		assert.Contains(t, toolText(a.last(t)), server.ErrNoWayBack.Error())
		f := e.stream(l.able("2", "confirm", "", "", "Accept: text/event-stream"))
		e.exchange(l.respond(string(f.asked("elicitation/create").ID), accepted("by events alone")))
		assert.Equal(t, "because by events alone", f.text())

		none := lane{revision: revision}
		a = e.exchange(none.able("3", "confirm", "", ""))
		assert.Equal(t, -32602, a.last(t).code(), "without a session nothing is known of the client")
	})
}

func TestAskInASealedSession(t *testing.T) {
	e := asking(t, streamable.Options{}, func(o *server.Options) {
		store, err := session.NewSealed(session.SealedOptions{Keys: [][]byte{make([]byte, 32)}})
		require.NoError(t, err)
		o.Sessions, o.Quiet = store, false
	})
	each(t, eliciting, func(t *testing.T, revision string) {
		l := e.join(revision)
		f := e.stream(l.able("1", "wizard", `"count":1`, `"progressToken":7`))
		for _, reason := range []string{"one", "two"} {
			assert.Equal(t, "notifications/progress", f.message().Method)
			e.exchange(l.respond(string(f.asked("elicitation/create").ID), accepted(reason)))
		}
		assert.Equal(t, "notifications/progress", f.message().Method)
		assert.Contains(t, f.text(), "one two")
		assert.Empty(t, f.ids, "what is not kept has no id")
	})
}

// within bubbles a call whose events are read with the recorder that is passed to it.
func askingBubble(t *testing.T, revisions []string, o streamable.Options, test func(t *testing.T, s *local, l lane)) {
	each(t, revisions, func(t *testing.T, revision string) {
		synctest.Test(t, func(t *testing.T) {
			s := inProcess(t, o, loud)
			s.AddAsking(t)
			w := s.do(request(strings.Replace(initialize(revision), `"capabilities":{}`, `"capabilities":`+transporttest.Everything, 1)))
			require.Equal(t, 200, w.status)
			test(t, s, lane{revision, w.header.Get("Mcp-Session-Id")})
			s.do(lane{revision, w.header.Get("Mcp-Session-Id")}.ending())
		})
	})
}

// idOf returns the id of the question in a stream.
func idOf(t testing.TB, body string) string {
	t.Helper()
	for line := range strings.Lines(body) {
		if data, ok := strings.CutPrefix(line, "data: {"); ok && strings.Contains(data, `"elicitation/create"`) {
			_, rest, _ := strings.Cut(data, `"id":`)
			id, _, _ := strings.Cut(rest, ",")
			return id
		}
	}
	t.Fatal("no question in " + body)
	return ""
}

// Proves: cancellation.timeout-cancels 2025-06-18 2025-11-25
func TestAskTimesOut(t *testing.T) {
	askingBubble(t, eliciting, streamable.Options{AskTimeout: time.Minute, KeepAlive: -1}, func(t *testing.T, s *local, l lane) {
		w, done := newRecorder(), make(chan struct{})
		began := time.Now()
		go func() {
			defer close(done)
			s.serve(w, l.able("1", "confirm", "", ""))
		}()
		synctest.Wait()
		id := idOf(t, w.String())
		for i := range 3 { // a sign of life grants the time anew
			time.Sleep(50 * time.Second)
			assert.Equal(t, 202, s.do(l.notify("notifications/progress", fmt.Sprintf(`"progressToken":%s,"progress":%d`, id, i+1))).status)
			assert.Equal(t, 202, s.do(l.notify("notifications/progress", `"progressToken":"x","progress":1`)).status)
			synctest.Wait()
		}
		time.Sleep(50 * time.Second)
		synctest.Wait()
		assert.NotContains(t, w.String(), "notifications/cancelled")
		<-done
		assert.Equal(t, 210*time.Second, time.Since(began))
		before, after, found := strings.Cut(w.String(), `"method":"notifications/cancelled"`)
		require.True(t, found, "the client is told that its answer is no longer wanted")
		assert.Contains(t, after, `"requestId":`+id)
		assert.NotContains(t, before, "isError")
		assert.Contains(t, after, "not answered in time")
		assert.Equal(t, 202, s.do(l.respond(id, accepted("late"))).status)
	})
}

func TestCallEndsWhileItAsks(t *testing.T) {
	ends := map[string]func(s *local, l lane){
		"cancelled": func(s *local, l lane) { s.do(l.notify("notifications/cancelled", `"requestId":1`)) },
		"deleted":   func(s *local, l lane) { s.do(l.ending()) },
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			askingBubble(t, eliciting, streamable.Options{KeepAlive: -1}, func(t *testing.T, s *local, l lane) {
				w, done := newRecorder(), make(chan struct{})
				go func() {
					defer close(done)
					s.serve(w, l.able("1", "confirm", "", ""))
				}()
				synctest.Wait()
				id := idOf(t, w.String())
				end(s, l)
				<-done
				assert.NotContains(t, w.String(), `"result"`, "nobody waits for it")
				status := 202
				if name == "deleted" {
					status = 404
				} else {
					assert.Contains(t, w.String(), `"requestId":`+id, "and the user need not answer")
				}
				assert.Equal(t, status, s.do(l.respond(id, accepted("late"))).status)
			})
		})
	}
}

func TestTooManyQuestions(t *testing.T) {
	askingBubble(t, eliciting, streamable.Options{KeepAlive: -1}, func(t *testing.T, s *local, l lane) {
		var open sync.WaitGroup
		writers := make([]*recorder, 64)
		for i := range writers {
			writers[i] = newRecorder()
			open.Go(func() { s.serve(writers[i], l.able(fmt.Sprint(i), "confirm", "", "")) })
		}
		synctest.Wait()
		w := s.do(l.able("64", "confirm", "", ""))
		assert.Contains(t, w.String(), "64 questions to answer already")
		for _, w := range writers {
			assert.Equal(t, 202, s.do(l.respond(idOf(t, w.String()), accepted("x"))).status)
		}
		open.Wait()
		for _, w := range writers {
			assert.Contains(t, w.String(), "because x")
		}
	})
}

func TestBatchOfAnswers(t *testing.T) { // 2025-03-26 basic#batching
	e := asking(t, streamable.Options{}, nil)
	l := e.join(march)
	f, g := e.stream(l.able("1", "where", "", "")), e.stream(l.able("2", "where", "", ""))
	first, second := f.asked("roots/list").ID, g.asked("roots/list").ID
	one := func(id jsontext.Value, root string) string {
		return `{"jsonrpc":"2.0","id":` + string(id) + `,"result":{"roots":[{"uri":"` + root + `"}]}}`
	}
	a := e.exchange(l.send("[" + one(second, "file:///2") + "," + one(first, "file:///1") + "]"))
	assert.Equal(t, 202, a.status)
	assert.Empty(t, a.body)
	assert.Contains(t, f.text(), "file:///1")
	assert.Contains(t, g.text(), "file:///2")
}

func TestAskFromABatch(t *testing.T) {
	e := asking(t, streamable.Options{}, nil)
	l := e.join(march)
	where, _ := l.body("1", "tools/call", `"name":"where","arguments":{}`, "")
	ping, _ := l.body("2", "ping", "", "")
	f := e.stream(l.send("[" + where + "," + ping + "]"))
	e.exchange(l.respond(string(f.asked("roots/list").ID), `{"roots":[]}`))
	assert.Equal(t, "1", string(f.message().ID))
	assert.Equal(t, "2", string(f.message().ID))
	f.end()
}

func TestLateAsks(t *testing.T) { // by a goroutine that a handler has left behind
	e := asking(t, streamable.Options{}, loud)
	late := make(chan error, 10)
	require.NoError(t, server.AddTool(e.Server, server.Tool{Name: "leaves"}, func(ctx context.Context, c *server.Call, _ struct{}) (string, error) {
		go func() {
			<-ctx.Done()
			err := c.Elicit(context.Background(), "late", "?", &transporttest.Reason{})
			_ = c.Progress(server.Progress{Done: 1})
			if c.Detach(0) {
				err = nil
			}
			late <- err
		}()
		return "left", nil
	}))
	each(t, all, func(t *testing.T, revision string) {
		l := e.join(revision)
		a := e.exchange(l.able("1", "leaves", "", `"progressToken":1`))
		assert.Equal(t, "left", toolText(a.last(t)))
		assert.Error(t, receive(t, late, "it asks"))
	})
}

func TestAskInRounds(t *testing.T) {
	shared := make([]byte, 32)
	with := func(o *server.Options) { o.StateKeys, o.Principal = [][]byte{shared}, transporttest.ByToken }
	replicas := []*endpoint{asking(t, streamable.Options{}, with), asking(t, streamable.Options{}, with)}
	l, ada := lane{revision: modern}, "Authorization: Bearer ada/1"
	members := ""
	var last message
	for i := range 3 {
		a := replicas[i%2].exchange(l.retry(fmt.Sprint(i), "wizard", `"count":2`, `"progressToken":`+fmt.Sprint(i), members, ada))
		messages := a.messages(t)
		last = messages[len(messages)-1]
		if i == 2 {
			break
		}
		require.Contains(t, string(last.Result), `"resultType":"input_required"`)
		for _, m := range messages[:len(messages)-1] {
			assert.Contains(t, string(m.Params), fmt.Sprintf(`"progressToken":%d`, i), "each request has a token of its own")
		}
		_, rest, _ := strings.Cut(string(last.Result), `"requestState":"`)
		state, _, _ := strings.Cut(rest, `"`)
		members = `"requestState":"` + state + `","inputResponses":{"first":` + accepted("one") + `,"second":` + accepted("two") + `}`
		if i == 0 {
			members = strings.Replace(members, `,"second":`+accepted("two"), "", 1)
			forged := strings.Replace(members, `"requestState":"A`, `"requestState":"B`, 1)
			require.NotEqual(t, members, forged)
			assert.Equal(t, -32602, replicas[1].exchange(l.retry("9", "wizard", `"count":2`, "", forged, ada)).last(t).code())
			assert.Equal(t, -32602, replicas[1].exchange(l.retry("9", "wizard", `"count":2`, "", members, "Authorization: Bearer eve/1")).last(t).code())
			assert.Equal(t, -32602, replicas[1].exchange(l.retry("9", "wizard", `"count":3`, "", members, ada)).last(t).code())
		}
	}
	assert.Equal(t, "one two 1", toolText(last))
	assert.EqualValues(t, 1, replicas[0].Rows.Load()+replicas[1].Rows.Load(), "once, whichever replica")
}

func TestMissingCapabilityStatus(t *testing.T) { // M-36, P-15
	e := asking(t, streamable.Options{}, nil)
	l := lane{revision: modern}
	a := e.exchange(l.tool("1", "confirm", "", ""))
	assert.Equal(t, 400, a.status)
	assert.Equal(t, -32021, a.last(t).code())
	assert.JSONEq(t, `{"requiredCapabilities":{"elicitation":{"form":{}}}}`, string(a.last(t).Error.Data))
	urlOnly := strings.Replace(l.tool("1", "confirm", "", ""), `"io.modelcontextprotocol/clientCapabilities":{}`, `"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"url":{}}}`, 1)
	_, body, _ := strings.Cut(urlOnly, "\r\n\r\n")
	a = e.exchange(request(body, l.lines("tools/call", "confirm")...))
	assert.Equal(t, 400, a.status)
	assert.Equal(t, -32021, a.last(t).code())
}

func TestNobodyElseAsks(t *testing.T) { // M-36
	e := asking(t, streamable.Options{}, func(o *server.Options) {
		o.Middleware = []server.Middleware{func(next server.Handler) server.Handler {
			return func(ctx context.Context, c *server.Call) (protocol.Result, error) {
				if err := c.Elicit(ctx, "m", "?", &transporttest.Reason{}); err != nil {
					return nil, err
				}
				return next(ctx, c)
			}
		}}
	})
	l := lane{revision: modern}
	body, _ := l.body("1", "tools/list", "", "")
	body = strings.Replace(body, `Capabilities":{}`, `Capabilities":`+transporttest.Everything, 1)
	a := e.exchange(request(body, l.lines("tools/list", "")...))
	assert.Equal(t, -32603, a.last(t).code())
	assert.Contains(t, string(e.exchange(l.able("1", "echo", "", "")).last(t).Result), "input_required")
}
