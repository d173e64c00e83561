package server_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
)

// What a task asks is asked of whoever comes for it: with the request for its result, or with the answer to how it stands.

type caller struct {
	Name string `json:"name"`
}

// addQuestioner adds a tool that asks two things at once.
func addQuestioner(t testing.TB, s *server.Server) {
	t.Helper()
	addTaskTool(t, s, "ask", protocol.TaskRequired, func(ctx context.Context, c *server.Call) (string, error) {
		var who caller
		var in confirmation
		err := c.Ask(ctx, server.Form("who", "Who?", &who), server.Form("sure", "Sure?", &in))
		return who.Name + " " + strconv.FormatBool(in.Sure), err
	})
}

// Proves: tasks.input-required
// Proves: tasks.input-request-related-task
// Proves: tasks.related-task-meta
// Proves: tasks.related-task-meta-shared
// Proves: tasks.leave-input-required
// Proves: tasks.result-blocks
// Proves: tasks.valid-transitions
func TestTaskAsksWithItsResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, server.Options{})
		addTaskTool(t, s, "ask", protocol.TaskRequired, func(ctx context.Context, c *server.Call) (string, error) {
			var who caller
			if err := c.Elicit(ctx, "who", "Who?", &who); err != nil {
				return "", err
			}
			time.Sleep(time.Minute)
			return who.Name, nil
		})
		p := onRequest(t, s)
		id := p.task("ask", "{}")
		synctest.Wait()
		stands := p.get(id)
		assert.Equal(t, "input_required", stands["status"])
		assert.NotContains(t, stands, "inputRequests")
		assert.NotContains(t, stands, "_meta")
		then := make(chan string, 1)
		result := p.follow(id, func(method string, params object) (string, error) {
			assert.Equal(t, object{"io.modelcontextprotocol/related-task": object{"taskId": id}}, params["_meta"])
			time.AfterFunc(time.Second, func() { then <- p.status(id) })
			return `{"action":"accept","content":{"name":"ada"}}`, nil
		})
		assert.Equal(t, "ada", text(t, result))
		assert.Equal(t, "working", <-then, "it goes on before its result is there")
		assert.Equal(t, result, p.result("tasks/result", ofTask(id)), "it is kept")
	})
}

// Proves: ext-tasks.get-input-required
// Proves: ext-tasks.get-all-outstanding
// Proves: ext-tasks.update-partial-stays
// Proves: ext-tasks.update-stale-keys-ignored
// Proves: ext-tasks.no-related-task-meta
// Proves: ext-tasks.update-empty-ack
// Proves: ext-tasks.update-result-type-complete
// Proves: ext-tasks.transitions
func TestTaskAsksWithItsStatus(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, server.Options{})
		addQuestioner(t, s)
		p := byServer(t, s)
		id := p.task("ask", "{}")
		synctest.Wait()
		open := func() []string {
			stands := p.get(id)
			require.Equal(t, "input_required", stands["status"])
			requests := stands["inputRequests"].(object)
			for _, r := range requests {
				assert.NotContains(t, r.(object)["params"], "_meta")
			}
			return slices.Sorted(maps.Keys(requests))
		}
		assert.Equal(t, []string{"sure", "who"}, open())
		ada := object{"action": "accept", "content": object{"name": "ada"}}
		p.answer(id, object{"who": ada, "other": ada, "sure": 7})
		assert.Equal(t, []string{"sure"}, open(), "what cannot be understood is still asked")
		p.answer(id, object{"who": object{"action": "accept", "content": object{"name": "eve"}}}) // is answered already
		p.answer(id, object{"sure": object{"action": "accept", "content": object{"sure": true}}})
		synctest.Wait()
		stands := p.get(id)
		assert.NotContains(t, stands, "inputRequests")
		assert.Equal(t, "ada true", text(t, stands["result"].(object)))
		p.answer(id, object{"sure": object{"action": "decline"}}) // too late, and no error
	})
}

// An answer that does not fit its form is asked for again, under a key that was not used before.
//
// Proves: ext-tasks.input-keys-unique
// Proves: ext-tasks.input-keys-not-reused
// Proves: ext-tasks.input-keys-one-request
func TestTaskAsksAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, server.Options{MaxRounds: 3})
		addTaskTool(t, s, "ask", protocol.TaskRequired, func(ctx context.Context, c *server.Call) (string, error) {
			var in, second confirmation
			err := c.Elicit(ctx, "sure", "Sure?", &in)
			return strconv.FormatBool(in.Sure), errors.Join(err, c.Elicit(ctx, "sure-2", "Really?", &second))
		})
		p := byServer(t, s)
		id := p.task("ask", "{}")
		keys := func() []string {
			synctest.Wait()
			requests, _ := p.get(id)["inputRequests"].(object)
			return slices.Collect(maps.Keys(requests))
		}
		say := func(key string, content object) {
			p.answer(id, object{key: object{"action": "accept", "content": content}})
		}
		require.Equal(t, []string{"sure"}, keys())
		say("sure", object{"sure": "perhaps"})
		require.Equal(t, []string{"sure-2"}, keys())
		say("sure-2", object{"sure": true})
		require.Equal(t, []string{"sure-2-2"}, keys(), "a key of the author's own that is taken")
		say("sure-2-2", object{"sure": true})
		synctest.Wait()
		assert.Equal(t, "completed", p.status(id))

		id = p.task("ask", "{}")
		for range 3 {
			say(keys()[0], object{"sure": "perhaps"})
		}
		for len(keys()) > 0 {
			say(keys()[0], object{"sure": true})
		}
		result := p.get(id)["result"].(object)
		assert.Equal(t, true, result["isError"])
		assert.Contains(t, text(t, result), "does not fit the form", "but not for ever")
	})
}

func TestTaskHearsARefusal(t *testing.T) {
	eachTaskRevision(t, server.Options{}, func(t *testing.T, s *server.Server, p *peer) {
		addTaskTool(t, s, "ask", protocol.TaskRequired, func(ctx context.Context, c *server.Call) (string, error) {
			err := c.Elicit(ctx, "sure", "Sure?", &confirmation{})
			if refused := new(server.ClientError); errors.Is(err, server.ErrDeclined) || errors.As(err, &refused) {
				return "then not: " + err.Error(), nil
			}
			return "", err
		})
		decline := func(string, object) (string, error) { return `{"action":"decline"}`, nil }
		assert.Equal(t, "then not: the user declined", text(t, p.follow(p.task("ask", "{}"), decline)))
		if p.asksForTasks() {
			refuse := func(string, object) (string, error) { return "", &server.ClientError{Code: -1, Message: "no user"} }
			assert.Contains(t, text(t, p.follow(p.task("ask", "{}"), refuse)), "no user")
		}
	})
}

// What cannot be asked of the client is refused at once, in a task too.
func TestTaskAsksNothingUndeclared(t *testing.T) {
	eachTaskRevision(t, server.Options{Tasks: server.TaskOptions{MaxQuestions: 2}}, func(t *testing.T, s *server.Server, p *peer) {
		addTaskTool(t, s, "ask", protocol.TaskRequired, func(ctx context.Context, c *server.Call) (string, error) {
			return strconv.FormatBool(server.CannotAsk(c.Elicit(ctx, "sure", "Sure?", &confirmation{}))), nil
		})
		addTaskTool(t, s, "much", protocol.TaskRequired, func(ctx context.Context, c *server.Call) (string, error) {
			ctx, cancel := context.WithTimeout(ctx, time.Second)
			defer cancel()
			var in [3]confirmation
			return "", c.Ask(ctx, server.Form("a", "a", &in[0]), server.Form("b", "b", &in[1]), server.Form("c", "c", &in[2]))
		})
		id := p.task("much", "{}")
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if p.asksForTasks() {
			failed := p.fails("tasks/result", ofTask(id))
			assert.Contains(t, failed.Message, "at most 2 questions")
		} else {
			assert.Contains(t, p.get(id)["error"].(object)["message"], "at most 2 questions")
		}
		p.declare(`{"extensions":{"io.modelcontextprotocol/tasks":{}}}`)
		assert.Equal(t, "true", text(t, p.follow(p.task("ask", "{}"), nil)))
	})
}

// A question that one request for the result does not get answered stays open for the next. The first answer counts.
func TestQuestionsOutliveTheirReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, server.Options{})
		addTaskTool(t, s, "ask", protocol.TaskRequired, func(ctx context.Context, c *server.Call) (string, error) {
			var who caller
			err := c.Elicit(ctx, "who", "Who?", &who)
			return who.Name, err
		})
		id := onRequest(t, s).task("ask", "{}")
		reader := func(ctx context.Context, u user) (*peer, chan string) {
			p := onRequest(t, s)
			p.in.Stream = &talker{ear{peer: p}, u}
			ended := make(chan string, 1)
			go func() {
				raw, failed := p.askWith(ctx, "tasks/result", ofTask(id))
				ended <- raw + fmt.Sprint(failed)
			}()
			synctest.Wait()
			return p, ended
		}
		lost := func(string, object) (string, error) { return "", errors.New("the client is gone") }
		_, first := reader(context.Background(), lost)
		ctx, cancel := context.WithCancel(context.Background())
		_, second := reader(ctx, lost)
		cancel()
		assert.Contains(t, <-second, "internal error")
		_, third := reader(context.Background(), accept(`{"name":"ada"}`))
		assert.Contains(t, <-third, `"text":"ada"`)
		assert.Contains(t, <-first, `"text":"ada"`, "whoever waits gets the result")
	})
}

// A call that asks before it becomes a task asks in rounds, and remembers the answers.
//
// Proves: ext-tasks.mrtr-before-create
// Proves: ext-tasks.no-request-state
func TestTaskAfterRounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, server.Options{})
		var tooEarly, once int
		addTaskTool(t, s, "ask", protocol.TaskOptional, func(ctx context.Context, c *server.Call) (string, error) {
			var who, again caller
			var in confirmation
			if err := c.Elicit(ctx, "who", "Who?", &who); err != nil {
				if c.Task() {
					tooEarly++
				}
				return "", err
			}
			if _, err := server.Once(ctx, c, "once", func() (int, error) { once++; return once, nil }); err != nil {
				return "", err
			}
			c.Task()
			err := errors.Join(c.Elicit(ctx, "who", "Who?", &again), c.Elicit(ctx, "sure", "Sure?", &in))
			return who.Name + again.Name + strconv.FormatBool(in.Sure), err
		})
		p := byServer(t, s)
		first := p.mustTurn("ask", "{}", "", "")
		created := p.mustTurn("ask", "{}", `{"who":{"action":"accept","content":{"name":"ada"}}}`, first.state)
		for _, member := range []string{"requestState", "inputRequests", "result", "error", "task"} {
			assert.NotContains(t, created.result, member)
		}
		assert.Equal(t, "task", created.result["resultType"])
		assert.Equal(t, "adaadatrue", text(t, p.follow(created.result["taskId"].(string), accept(`{"sure":true}`))))
		assert.Zero(t, tooEarly, "what is asked comes first")
		assert.Equal(t, 1, once)
	})
}

// Proves: tasks.progress-supported
// Proves: tasks.related-task-meta
func TestTaskReports(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, server.Options{Tasks: server.TaskOptions{MaxMessages: 3}})
		addTaskTool(t, s, "talk", protocol.TaskRequired, func(ctx context.Context, c *server.Call) (string, error) {
			for i := range 6 {
				assert.NoError(t, errors.Join(c.Progress(server.Progress{Done: float64(i), Message: fmt.Sprint("at ", i)}), c.Log(protocol.LogInfo, "", i)))
			}
			time.Sleep(time.Minute)
			assert.NoError(t, c.Progress(server.Progress{Done: 9}))
			time.Sleep(time.Minute)
			return "said", nil
		})
		p := onRequest(t, s)
		p.in.Session, p.in.Meta.ProgressToken = &remembering{peer: p}, []byte(`"p"`)
		p.in.RawMeta = []byte(`{"progressToken":"p"}`)
		id := p.task("talk", "{}")
		synctest.Wait()
		assert.Equal(t, "at 5", p.get(id)["statusMessage"])
		assert.Empty(t, p.said, "nothing is said outside a request for the result")
		p.result("tasks/result", ofTask(id))
		var heard []string
		for _, n := range p.said {
			raw, err := p.in.Codec.Append(nil, n)
			require.NoError(t, err)
			heard = append(heard, string(raw))
		}
		meta := `"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"` + id + `"}}}`
		assert.Equal(t, []string{ // the newest, and of progress only that
			`{"level":"info","data":4,` + meta, `{"progressToken":"p","progress":5,"message":"at 5",` + meta,
			`{"level":"info","data":5,` + meta, `{"progressToken":"p","progress":9,` + meta,
		}, heard)
		p.said = nil
		p.result("tasks/result", ofTask(id))
		assert.Empty(t, p.said, "a task that is over has nothing more to say")
	})
}

// Where the server decides, tasks have no progress and no log; the words for the status are all there is.
//
// Proves: ext-tasks.no-progress-or-log
// Proves: ext-tasks.no-progress-on-listen
func TestTaskDoesNotReport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, server.Options{})
		addTaskTool(t, s, "talk", protocol.TaskOptional, func(ctx context.Context, c *server.Call) (string, error) {
			before := c.Log(protocol.LogInfo, "", "before")
			c.Task()
			err := errors.Join(before, c.Log(protocol.LogInfo, "", "after"), c.Progress(server.Progress{Done: 1, Message: "halfway"}))
			time.Sleep(time.Minute)
			return "", err
		})
		p := byServer(t, s)
		p.in.RawMeta = []byte(`{"progressToken":"p","io.modelcontextprotocol/logLevel":"debug","io.modelcontextprotocol/protocolVersion":"x",` +
			`"io.modelcontextprotocol/clientCapabilities":` + able + `}`)
		id := p.task("talk", "{}")
		l := listenAs(t, s, able, "", "1", `{"taskIds":["`+id+`"]}`)
		l.acknowledged("1")
		assert.Equal(t, "halfway", p.get(id)["statusMessage"])
		assert.Len(t, p.said, 1, "what comes before the task is said")
		assert.Contains(t, <-l.heard, "tasks ")
		time.Sleep(time.Hour / 2)
		assert.Contains(t, <-l.heard, `"status":"completed"`)
		assert.Empty(t, l.heard)
		l.cancel()
		<-l.ended
	})
}

// What a request came with is the transport's again once it is answered.
func TestTaskKeepsItsRequest(t *testing.T) {
	eachTaskRevision(t, server.Options{}, func(t *testing.T, s *server.Server, p *peer) {
		require.NoError(t, server.AddTool(s, server.Tool{Name: "job", TaskSupport: protocol.TaskOptional},
			func(_ context.Context, c *server.Call, in caller) (string, error) {
				c.Task()
				time.Sleep(time.Minute)
				return in.Name + string(c.Params().(*protocol.CallToolParams).Arguments) + string(c.Meta()), nil
			}))
		raw, meta := []byte(`{"name":"job","arguments":{"name":"ada"},"task":{}}`), []byte(`{"m":1}`)
		in := p.in
		in.Method, in.RawParams, in.RawMeta = "tools/call", raw, meta
		var err error
		in.Params, err = in.Codec.DecodeRequest(in.Method, raw)
		require.NoError(t, err)
		result, err := s.Dispatch(context.Background(), s.NewCall(&in))
		require.NoError(t, err)
		for _, b := range [][]byte{raw, meta} {
			for i := range b {
				b[i] = 'x'
			}
		}
		in = server.Incoming{}
		id := result.(*protocol.CreateTaskResult).Task.ID
		assert.Equal(t, `ada{"name":"ada"}{"m":1}`, text(t, p.follow(id, nil)))
	})
}

// A client that goes away before there is a task has cancelled its call; afterwards it has not.
func TestRequestEndsBeforeItsTask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, server.Options{})
		var became []bool
		addTaskTool(t, s, "job", protocol.TaskOptional, func(ctx context.Context, c *server.Call) (string, error) {
			time.Sleep(time.Minute)
			became = append(became, c.Task())
			time.Sleep(time.Minute)
			return "", ctx.Err()
		})
		p := byServer(t, s)
		gone := errors.New("the client is gone")
		for _, at := range []time.Duration{30 * time.Second, 90 * time.Second} {
			ctx, cancel := context.WithCancelCause(context.Background())
			time.AfterFunc(at, func() { cancel(gone) })
			raw, failed := p.askWith(ctx, "tools/call", `{"name":"job","arguments":{}}`)
			if at < time.Minute {
				assert.Contains(t, raw, "context canceled")
				continue
			}
			require.Nil(t, failed)
			time.Sleep(time.Hour / 2)
			assert.Equal(t, "completed", p.status(decode(t, []byte(raw))["taskId"].(string)))
			assert.NotContains(t, p.get(decode(t, []byte(raw))["taskId"].(string))["result"], "isError")
			cancel(nil)
		}
		assert.Equal(t, []bool{false, true}, became)
	})
}

// A handler that does not look at its context hears from Progress that nobody wants its result any more.
func TestTaskHearsOfItsEnd(t *testing.T) {
	eachTaskRevision(t, server.Options{}, func(t *testing.T, s *server.Server, p *peer) {
		pages := make(chan int, 1)
		addTaskTool(t, s, "print", protocol.TaskRequired, func(_ context.Context, c *server.Call) (string, error) {
			for page := 0; ; page++ {
				if err := c.Progress(server.Progress{Done: float64(page)}); err != nil {
					pages <- page
					return "", err
				}
				time.Sleep(time.Second)
			}
		})
		id := p.task("print", "{}")
		time.Sleep(5*time.Second + 1)
		p.result("tasks/cancel", ofTask(id))
		assert.Equal(t, 6, <-pages)
	})
}

// Of several who wait for one result, what the task says goes to who came last: a client that comes again has lost what it had.
func TestTaskTalksToTheNewest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, server.Options{})
		speak := make(chan string)
		addTaskTool(t, s, "talk", protocol.TaskRequired, func(ctx context.Context, c *server.Call) (string, error) {
			for text := range speak {
				assert.NoError(t, c.Log(protocol.LogInfo, "", text))
			}
			return "", nil
		})
		begun := onRequest(t, s)
		begun.in.Session = &remembering{peer: begun}
		id := begun.task("talk", "{}")
		var all sync.WaitGroup
		wait := func() (*peer, context.CancelFunc) {
			p := onRequest(t, s)
			ctx, cancel := context.WithCancel(context.Background())
			all.Go(func() { _, _ = p.askWith(ctx, "tasks/result", ofTask(id)) })
			synctest.Wait()
			return p, cancel
		}
		say := func(text string) {
			speak <- text
			synctest.Wait()
		}
		heard := func(p *peer) (texts []string) {
			for _, n := range p.said {
				texts = append(texts, string(n.(*protocol.LogNotification).Data))
			}
			return texts
		}
		first, stopFirst := wait()
		say("one")
		second, stopSecond := wait()
		say("two")
		stopSecond()
		synctest.Wait()
		say("three")
		close(speak)
		all.Wait()
		stopFirst()
		assert.Equal(t, []string{`"one"`, `"three"`}, heard(first))
		assert.Equal(t, []string{`"two"`}, heard(second))
	})
}

// Where there is no room for a task, the call goes on as it was: it ends with its request.
func TestNoRoomForATask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, server.Options{Tasks: server.TaskOptions{Max: 1}})
		causes := addWaiter(t, s, protocol.TaskOptional)
		p := byServer(t, s)
		p.task("wait", "{}")
		ctx, cancel := context.WithCancelCause(context.Background())
		gone := errors.New("the client is gone")
		time.AfterFunc(time.Second, func() { cancel(gone) })
		_, _ = p.askWith(ctx, "tools/call", `{"name":"wait","arguments":{}}`)
		assert.ErrorIs(t, <-causes, gone)
	})
}

// Proves: tasks.rate-limit
func TestRequestsAboutTasksAreLimited(t *testing.T) {
	eachTaskRevision(t, server.Options{Limits: server.Limits{Tools: threeAtOnce}}, func(t *testing.T, s *server.Server, p *peer) {
		addWaiter(t, s, protocol.TaskOptional)
		id := p.task("wait", "{}")
		p.get(id)
		p.get(id)
		for _, method := range []string{"tasks/get", "tasks/cancel"} {
			failed := p.fails(method, ofTask(id))
			assert.Equal(t, 429, failed.Code, method)
			assert.JSONEq(t, `{"retryAfterMs":2000}`, string(failed.Data), method)
		}
		time.Sleep(2 * time.Second)
		p.get(id)
	})
}

// A task keeps to the pace of a call; what was held back when the call became one is said before, and what is at the end, at
// the end.
func TestPaceOfATask(t *testing.T) {
	eachTaskRevision(t, server.Options{Limits: server.Limits{Progress: server.Rate{PerSecond: 0.01, Burst: 1}}}, func(t *testing.T, s *server.Server, p *peer) {
		addTaskTool(t, s, "talk", protocol.TaskOptional, func(_ context.Context, c *server.Call) (string, error) {
			err := errors.Join(c.Progress(server.Progress{Done: 1}), c.Progress(server.Progress{Done: 2}))
			c.Task()
			for done := 3.; done < 9; done++ {
				err = errors.Join(err, c.Progress(server.Progress{Done: done, Message: "m"}))
				time.Sleep(time.Second)
			}
			return "", err
		})
		p.in.RawMeta = []byte(`{"progressToken":"p","io.modelcontextprotocol/protocolVersion":"x","io.modelcontextprotocol/clientCapabilities":` + able + `}`)
		var heard []float64
		id := p.task("talk", "{}")
		if p.asksForTasks() {
			p.result("tasks/result", ofTask(id))
		}
		for _, n := range p.said {
			heard = append(heard, n.(*protocol.ProgressNotification).Progress)
		}
		if p.asksForTasks() {
			assert.Equal(t, []float64{1, 8}, heard)
		} else {
			assert.Equal(t, []float64{1, 2}, heard)
		}
		time.Sleep(time.Minute)
	})
}
