package server_test

import (
	"context"
	"errors"
	"runtime"
	"strconv"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/revisions"
	"github.com/parley-mcp/parley/server"
)

// A tool that may run as a task is written once: where there are tasks its handler goes on as one, elsewhere it answers.
func TestTaskAtEachRevision(t *testing.T) {
	for _, codec := range revisions.All() {
		f := codec.Features()
		t.Run(string(f.Revision), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newServer(t, server.Options{})
				var wasTask bool
				addTaskTool(t, s, "job", protocol.TaskOptional, func(ctx context.Context, c *server.Call) (string, error) {
					roots, err := c.Roots(ctx, "roots") // each revision has them
					if err != nil {
						return "", err
					}
					wasTask = c.Task()
					time.Sleep(time.Minute)
					again, err := c.Roots(ctx, "more")
					return "in " + roots[0].URI + again[0].URI, err
				})
				p := newPeer(t, s, codec).declare(able)
				u := func(string, object) (string, error) { return `{"roots":[{"uri":"file:///a"}]}`, nil }
				switch {
				case f.TasksOnRequest.Holds():
					assert.Equal(t, "in file:///afile:///a", text(t, p.follow(p.task("job", "{}"), u)))
				case f.TasksByServer.Holds():
					first := p.mustTurn("job", "{}", "", "")
					require.Contains(t, first.asked, "roots", "what comes before the task is asked within the call")
					created := p.mustTurn("job", "{}", `{"roots":{"roots":[{"uri":"file:///a"}]}}`, first.state).result
					require.Equal(t, "task", created["resultType"])
					assert.Equal(t, "in file:///afile:///a", text(t, p.follow(created["taskId"].(string), u)))
				default:
					result, _ := p.converse("job", "{}", u)
					assert.Equal(t, "in file:///afile:///a", text(t, result))
				}
				assert.Equal(t, f.TasksOnRequest.Holds() || f.TasksByServer.Holds(), wasTask)
			})
		})
	}
}

// Proves: tasks.tool-forbidden-32601
// Proves: tasks.tool-required-32601
// Proves: tasks.undeclared-type-processed-normally
// Proves: tasks.created-by-task-param
// Proves: tasks.create-task-result
// Proves: tasks.create-result-has-no-operation-result
func TestToolLevelNegotiation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, server.Options{})
		addTools(t, s, "never")
		p := onRequest(t, s)
		params := func(tool, more string) string { return `{"name":"` + tool + `","arguments":{}` + more + `}` }
		assert.Contains(t, p.raw("tools/call", params("never", `,"task":{}`)), `"content"`, "no tool has tasks: what asks for them is ignored")

		for name, support := range map[string]protocol.TaskSupport{"may": protocol.TaskOptional, "must": protocol.TaskRequired} {
			addTaskTool(t, s, name, support, func(context.Context, *server.Call) (string, error) { return name, nil })
		}
		assert.Equal(t, protocol.KindMethodNotFound, p.fails("tools/call", params("never", `,"task":{}`)).Kind)
		assert.Equal(t, protocol.KindMethodNotFound, p.fails("tools/call", params("must", ``)).Kind)
		assert.Contains(t, p.raw("tools/call", params("may", ``)), `"content"`)
		assert.Contains(t, p.raw("tools/call", params("may", `,"task":{}`)), `"task"`)
		assert.Contains(t, p.raw("tools/call", params("must", `,"task":{"ttl":5}`)), `"task"`)
		assert.Contains(t, p.raw("tools/list", `{}`), `"execution":{"taskSupport":"required"}`)
		time.Sleep(time.Second)
	})
}

// Where the server decides, only a request that declares the extension can become a task, whatever earlier ones said.
//
// Proves: ext-tasks.not-to-undeclared-client
// Proves: ext-tasks.required-32021
// Proves: ext-tasks.methods-undeclared-32021
// Proves: ext-tasks.legacy-capability-not-declaring
func TestTasksAreDeclared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, server.Options{})
		addTaskTool(t, s, "must", protocol.TaskRequired, func(context.Context, *server.Call) (string, error) { return "", nil })
		addTaskTool(t, s, "may", protocol.TaskOptional, func(_ context.Context, c *server.Call) (string, error) {
			return strconv.FormatBool(c.Task()), nil
		})
		id := byServer(t, s).task("must", "{}")
		for _, capabilities := range []string{`{}`, `{"tasks":{"requests":{}}}`, `{"extensions":{"io.modelcontextprotocol/ui":{}}}`} {
			p := newest(t, s).declare(capabilities)
			assert.Equal(t, "false", text(t, p.result("tools/call", `{"name":"may","arguments":{},"task":{"ttl":1}}`)), "a legacy task member asks for nothing")
			for method, params := range map[string]string{"tools/call": `{"name":"must","arguments":{}}`, "tasks/get": ofTask(id),
				"tasks/cancel": ofTask(id), "tasks/update": `{"taskId":"` + id + `","inputResponses":{}}`,
				"subscriptions/listen": `{"notifications":{"taskIds":["` + id + `"]}}`} {
				failed := p.fails(method, params)
				assert.Equal(t, protocol.KindMissingCapability, failed.Kind, method)
				require.NotNil(t, failed.Required, method)
				assert.Contains(t, failed.Required.Extensions, "io.modelcontextprotocol/tasks", method)
			}
		}
		assert.Equal(t, "true", text(t, byServer(t, s).follow(byServer(t, s).task("may", "{}"), nil)))
	})
}

// Proves: tasks.capability
// Proves: ext-tasks.server-advertises
// Proves: ext-tasks.legacy-capabilities-not-advertised
func TestTasksAreAdvertised(t *testing.T) {
	opening := func(t *testing.T, s *server.Server, codec protocol.Codec) string {
		if codec.Features().Lifecycle == protocol.PerRequest {
			return newPeer(t, s, codec).raw("server/discover", "{}")
		}
		return newPeer(t, s, codec).raw("initialize", `{"protocolVersion":"x","capabilities":{},"clientInfo":{"name":"c","version":"1"}}`)
	}
	said := map[protocol.Revision]string{
		"2026-07-28": `"extensions":{"io.modelcontextprotocol/tasks":{}}`,
		"2025-11-25": `"tasks":{"cancel":{},"requests":{"tools":{"call":{}}}}`,
	}
	s := newServer(t, server.Options{})
	addTools(t, s, "never")
	for _, codec := range revisions.All() {
		assert.NotContains(t, opening(t, s, codec), `tasks`, "no tool can run as one")
		p := newPeer(t, s, codec).declare(able)
		assert.Equal(t, protocol.KindMethodNotFound, p.fails("tasks/get", ofTask("x")).Kind)
	}
	addTaskTool(t, s, "job", protocol.TaskOptional, func(context.Context, *server.Call) (string, error) { return "", nil })
	for _, codec := range revisions.All() {
		// F-05: earlier revisions do not hear of it.
		if want := said[codec.Features().Revision]; want != "" {
			assert.Contains(t, opening(t, s, codec), want)
		} else {
			assert.NotContains(t, opening(t, s, codec), `tasks`)
		}
	}
	somebody := onRequest(t, s)
	somebody.in.Principal = "ada"
	assert.Contains(t, somebody.raw("initialize", `{"protocolVersion":"x","capabilities":{},"clientInfo":{"name":"c","version":"1"}}`),
		`"tasks":{"list":{},"cancel":{}`, "tasks can be listed where it is known whose they are")
	assert.Contains(t, opening(t, s, withTasks()[1]), `"tasks":{"cancel":{}`, "and only there")
}

// What a call ends with is what its task ends with; each revision has its own word for a tool that failed.
//
// Proves: ext-tasks.failed-jsonrpc-only
// Proves: ext-tasks.failed-exact-error
// Proves: ext-tasks.completed-exact-result
// Proves: tasks.tool-iserror-is-failed
// Proves: tasks.result-success-response
// Proves: tasks.result-same-jsonrpc-error
// Proves: tasks.result-has-related-task
// Proves: tasks.result-when-terminal
// Proves: tasks.result-matches-request-type
// Proves: tasks.failed-status-message
// Proves: tasks.failure-is-failed-status
// Proves: ext-tasks.failed-status-message
// Proves: ext-tasks.failed-error
// Proves: ext-tasks.get-completed
// Proves: ext-tasks.get-failed
// Proves: ext-tasks.completed-includes-tool-errors
// Proves: ext-tasks.method-errors-completed
// Proves: ext-tasks.status-specific-fields
func TestHowTasksEnd(t *testing.T) {
	own := &protocol.Error{Kind: protocol.KindApplication, Code: 7, Message: "my own", Data: []byte(`{"a":1}`)}
	for name, test := range map[string]struct {
		result, failed  string // at the revisions where the server decides, and where clients do
		message         string
		run             func() (string, error)
		error           *protocol.Error
		resultOrMessage string
	}{
		"a result":  {"completed", "completed", "", func() (string, error) { return "fine", nil }, nil, "fine"},
		"isError":   {"completed", "failed", "it broke", func() (string, error) { return "", errors.New("it broke") }, nil, "it broke"},
		"an error":  {"failed", "failed", "my own", func() (string, error) { return "", own }, own, ""},
		"a panic":   {"failed", "failed", "internal error", func() (string, error) { panic("oh") }, protocol.Internal(), ""},
		"no answer": {"failed", "failed", "internal error", func() (string, error) { return "", server.ErrInputRequired }, protocol.Internal(), ""},
	} {
		t.Run(name, func(t *testing.T) {
			eachTaskRevision(t, server.Options{}, func(t *testing.T, s *server.Server, p *peer) {
				addTaskTool(t, s, "job", protocol.TaskRequired, func(context.Context, *server.Call) (string, error) { return test.run() })
				id := p.task("job", "{}")
				synctest.Wait()
				stands := p.get(id)
				if !p.asksForTasks() {
					assert.Equal(t, test.result, stands["status"])
					if test.error == nil {
						assert.Equal(t, test.resultOrMessage, text(t, stands["result"].(object)))
						assert.Equal(t, "complete", stands["result"].(object)["resultType"])
						return
					}
					e := p.in.Codec.Error(test.error)
					got := stands["error"].(object)
					assert.EqualValues(t, e.Code, got["code"])
					assert.Equal(t, e.Message, got["message"])
					assert.Equal(t, test.message, stands["statusMessage"])
					return
				}
				assert.Equal(t, test.failed, stands["status"])
				if test.message != "" {
					assert.Equal(t, test.message, stands["statusMessage"])
				}
				if test.error != nil {
					assert.Equal(t, test.error, p.fails("tasks/result", ofTask(id)))
					return
				}
				result := p.result("tasks/result", ofTask(id))
				assert.Equal(t, test.resultOrMessage, text(t, result))
				assert.Equal(t, object{"io.modelcontextprotocol/related-task": object{"taskId": id}}, result["_meta"])
			})
		})
	}
}

// Proves: tasks.cancel-status-before-response
// Proves: tasks.cancelled-stays
// Proves: tasks.cancel-terminal-32602
// Proves: ext-tasks.cancel-empty-ack
// Proves: ext-tasks.cancel-terminal-ack
// Proves: tasks.cancel-stops-execution
// Proves: tasks.terminal-final
// Proves: tasks.last-updated-at
// Proves: ext-tasks.terminal-final
// Proves: ext-tasks.get-cancelled
func TestCancelTask(t *testing.T) {
	eachTaskRevision(t, server.Options{}, func(t *testing.T, s *server.Server, p *peer) {
		causes := addWaiter(t, s, protocol.TaskOptional)
		id := p.task("wait", "{}")
		before := p.get(id)
		time.Sleep(time.Second)
		said := p.result("tasks/cancel", ofTask(id))
		assert.ErrorIs(t, <-causes, context.Canceled, "the handler is told")
		synctest.Wait()
		after := p.get(id)
		assert.Equal(t, "cancelled", after["status"], "what the handler returns then is no result")
		assert.NotContains(t, after, "result")
		assert.Less(t, before["lastUpdatedAt"], after["lastUpdatedAt"])
		assert.Equal(t, before["createdAt"], after["createdAt"])
		if p.asksForTasks() {
			assert.Equal(t, "cancelled", said["status"])
			assert.Equal(t, protocol.KindInvalidParams, p.fails("tasks/cancel", ofTask(id)).Kind)
			assert.Equal(t, protocol.KindInvalidRequest, p.fails("tasks/result", ofTask(id)).Kind)
		} else {
			assert.NotContains(t, said, "status")
			assert.Equal(t, "complete", p.result("tasks/cancel", ofTask(id))["resultType"])
		}
		assert.Equal(t, "cancelled", p.status(id))
	})
}

// Proves: tasks.unknown-id-32602
// Proves: ext-tasks.get-unknown-32602
// Proves: ext-tasks.update-cancel-unknown-32602
func TestUnknownTask(t *testing.T) {
	eachTaskRevision(t, server.Options{}, func(t *testing.T, s *server.Server, p *peer) {
		addWaiter(t, s, protocol.TaskOptional)
		methods := []string{"tasks/get", "tasks/cancel"}
		if p.asksForTasks() {
			methods = append(methods, "tasks/result")
		} else {
			methods = append(methods, "tasks/update")
		}
		for _, method := range methods {
			for _, id := range []string{"", "unknown"} {
				failed := p.fails(method, `{"taskId":"`+id+`","inputResponses":{}}`)
				assert.Equal(t, protocol.KindInvalidParams, failed.Kind, method)
				assert.Contains(t, failed.Message, "no such task", method)
			}
		}
	})
}

// Proves: tasks.ttl-overridable
// Proves: tasks.ttl-in-get
// Proves: tasks.limit-ttl
// Proves: tasks.cleanup-expired
// Proves: tasks.unknown-id-32602
func TestTasksExpire(t *testing.T) {
	eachTaskRevision(t, server.Options{Tasks: server.TaskOptions{TTL: time.Minute, MaxTTL: time.Hour}}, func(t *testing.T, s *server.Server, p *peer) {
		causes := addWaiter(t, s, protocol.TaskOptional)
		id := p.task("wait", "{}")
		member := "ttlMs"
		if p.asksForTasks() {
			member = "ttl"
		}
		assert.EqualValues(t, 60_000, p.get(id)[member])
		time.Sleep(time.Minute - 1)
		synctest.Wait()
		assert.Equal(t, "working", p.status(id))
		time.Sleep(time.Nanosecond)
		assert.ErrorContains(t, <-causes, "expired")
		assert.Contains(t, p.fails("tasks/get", ofTask(id)).Message, "no such task")
		if !p.asksForTasks() {
			return
		}
		for asked, want := range map[string]int{`1500`: 1500, `9000000000000000000`: 3_600_000, `0`: 60_000, `-1`: 60_000, `null`: 60_000} {
			created := p.result("tools/call", `{"name":"wait","arguments":{},"task":{"ttl":`+asked+`}}`)["task"].(object)
			assert.EqualValues(t, want, created["ttl"], asked)
		}
		short := p.result("tools/call", `{"name":"wait","arguments":{},"task":{"ttl":1}}`)["task"].(object)["taskId"].(string)
		failed := p.fails("tasks/result", ofTask(short)) // waits
		assert.Contains(t, failed.Message, "no such task")
	})
}

// Proves: tasks.limit-concurrent
func TestTaskLimits(t *testing.T) {
	eachTaskRevision(t, server.Options{Tasks: server.TaskOptions{TTL: time.Minute, Max: 3, MaxPerPrincipal: 2}}, func(t *testing.T, s *server.Server, p *peer) {
		release := make(chan struct{})
		addTaskTool(t, s, "stubborn", protocol.TaskRequired, func(context.Context, *server.Call) (string, error) { <-release; return "", nil })
		addTaskTool(t, s, "may", protocol.TaskOptional, func(_ context.Context, c *server.Call) (string, error) {
			return strconv.FormatBool(c.Task()), nil
		})
		params := `{"name":"stubborn","arguments":{},"task":{}}`
		full := func(p *peer) {
			t.Helper()
			assert.Contains(t, p.fails("tools/call", params).Message, "too many tasks")
			if !p.asksForTasks() {
				assert.Equal(t, "false", text(t, p.result("tools/call", `{"name":"may","arguments":{}}`)), "what need not be a task is answered")
			}
		}
		p.in.Principal = "ada"
		p.task("stubborn", "{}")
		p.task("stubborn", "{}")
		full(p)
		p.in.Principal = "bob"
		p.task("stubborn", "{}")
		full(p)
		time.Sleep(time.Minute)
		synctest.Wait()
		full(p) // what does not heed its end still counts
		close(release)
		synctest.Wait()
		p.task("stubborn", "{}")
		p.task("stubborn", "{}")
		p.in.Principal = "ada"
		p.task("stubborn", "{}")
	})
}

// Proves: tasks.bind-to-authorization
// Proves: tasks.reject-foreign
// Proves: ext-tasks.auth-checked
func TestForeignTasks(t *testing.T) {
	eachTaskRevision(t, server.Options{}, func(t *testing.T, s *server.Server, p *peer) {
		addWaiter(t, s, protocol.TaskOptional)
		p.in.Principal = "ada"
		id := p.task("wait", "{}")
		for _, other := range []string{"bob", ""} {
			p.in.Principal = other
			for _, method := range []string{"tasks/get", "tasks/cancel"} {
				assert.Equal(t, p.fails(method, ofTask("unknown")), p.fails(method, ofTask(id)), "nobody is told that there is one")
			}
		}
		p.in.Principal = "ada"
		assert.Equal(t, "working", p.status(id))
	})
}

// Proves: tasks.list-pagination
// Proves: tasks.list-next-cursor
// Proves: tasks.list-complete
// Proves: tasks.list-only-own
// Proves: tasks.list-bad-cursor-32602
// Proves: tasks.no-list-without-identification
// Proves: tasks.list-capability
// Proves: tasks.no-related-meta-in-results
func TestListTasks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, server.Options{PageSize: 2, Tasks: server.TaskOptions{TTL: time.Minute}})
		addWaiter(t, s, protocol.TaskOptional)
		p := onRequest(t, s)
		p.in.Principal = "bob"
		assert.Equal(t, `{"tasks":[]}`, p.raw("tasks/list", `{}`))
		p.task("wait", "{}")
		p.in.Principal = "ada"
		var began []string
		for range 5 {
			began = append(began, p.task("wait", "{}"))
		}
		page := func(cursor string) (ids []string, next string) {
			r := p.result("tasks/list", `{`+cursor+`}`)
			for _, e := range r["tasks"].([]any) {
				entry := e.(object)
				ids = append(ids, entry["taskId"].(string))
				assert.Equal(t, "working", entry["status"])
				assert.NotContains(t, r, "_meta")
			}
			next, _ = r["nextCursor"].(string)
			return ids, next
		}
		ids, next := page("")
		assert.Equal(t, began[:2], ids)
		second, last := page(`"cursor":"` + next + `"`)
		assert.Equal(t, began[2:4], second)
		third, none := page(`"cursor":"` + last + `"`)
		assert.Equal(t, began[4:], third)
		assert.Empty(t, none)
		for _, cursor := range []string{"", "x", "!", "Ag", next + "AA"} {
			assert.Equal(t, protocol.KindInvalidParams, p.fails("tasks/list", `{"cursor":"`+cursor+`"}`).Kind, cursor)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		assert.Equal(t, `{"tasks":[]}`, p.raw("tasks/list", `{}`))
		assert.Equal(t, `{"tasks":[]}`, p.raw("tasks/list", `{"cursor":"`+last+`"}`), "a cursor outlives its task")

		assert.Equal(t, protocol.KindMethodNotFound, onRequest(t, s).fails("tasks/list", `{}`).Kind, "nobody in particular has no list")
	})
}

// A task is one, however it was begun: who speaks another revision finds it under its id.
//
// Proves: ext-tasks.legacy-tasks-still-reachable
func TestTasksAreOfNoRevision(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, server.Options{})
		addTaskTool(t, s, "ask", protocol.TaskRequired, func(ctx context.Context, c *server.Call) (string, error) {
			var in confirmation
			err := c.Elicit(ctx, "sure", "Sure?", &in)
			return strconv.FormatBool(in.Sure), err
		})
		older, newer := onRequest(t, s), byServer(t, s)
		assert.Equal(t, "true", text(t, newer.follow(older.task("ask", "{}"), accept(`{"sure":true}`))))
		assert.Equal(t, "true", text(t, older.follow(newer.task("ask", "{}"), accept(`{"sure":true}`))))
	})
}

// Close ends what runs, and waits for it.
func TestCloseEndsTasks(t *testing.T) {
	eachTaskRevision(t, server.Options{}, func(t *testing.T, s *server.Server, p *peer) {
		causes := addWaiter(t, s, protocol.TaskOptional)
		p.task("wait", "{}")
		id := p.task("wait", "{}")
		waited := make(chan *protocol.Error, 1)
		if p.asksForTasks() {
			go func() {
				_, failed := p.ask("tasks/result", ofTask(id))
				waited <- failed
			}()
			synctest.Wait()
		}
		require.NoError(t, s.Close())
		assert.Len(t, causes, 2)
		if p.asksForTasks() {
			assert.Equal(t, protocol.KindInternal, (<-waited).Kind)
		}
		assert.Equal(t, protocol.KindInternal, p.fails("tools/call", `{"name":"wait","arguments":{},"task":{}}`).Kind)
	})
}

func TestCloseDoesNotWaitForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, err := server.New(server.Options{Info: info})
		require.NoError(t, err)
		release := make(chan struct{})
		addTaskTool(t, s, "stubborn", protocol.TaskRequired, func(context.Context, *server.Call) (string, error) { <-release; return "", nil })
		byServer(t, s).task("stubborn", "{}")
		assert.ErrorContains(t, s.Close(), "still run")
		close(release)
	})
}

// Proves: ext-tasks.reserved-names
func TestTaskOptions(t *testing.T) {
	for fault, o := range map[string]server.Options{
		"negative":                      {Tasks: server.TaskOptions{Max: -1}},
		"MaxTTL is less than TTL":       {Tasks: server.TaskOptions{TTL: time.Hour, MaxTTL: time.Minute}},
		"io.modelcontextprotocol/tasks": {Extensions: map[string][]byte{"io.modelcontextprotocol/tasks": []byte("{}")}},
	} {
		o.Info = info
		_, err := server.New(o)
		assert.ErrorContains(t, err, fault)
	}
	s := newServer(t, server.Options{})
	err := server.AddTool(s, server.Tool{Name: "t", TaskSupport: "sometimes"}, func(context.Context, *server.Call, struct{}) (string, error) { return "", nil })
	assert.ErrorContains(t, err, "sometimes")
}

// An id is the receiver's, and nobody guesses it: 26 characters of 32.
//
// Proves: tasks.id-string
// Proves: tasks.id-unique
// Proves: tasks.begin-working
// Proves: tasks.secure-ids-without-binding
// Proves: ext-tasks.id-entropy
// Proves: ext-tasks.created-durably
func TestTaskIDs(t *testing.T) {
	eachTaskRevision(t, server.Options{}, func(t *testing.T, s *server.Server, p *peer) {
		addTaskTool(t, s, "job", protocol.TaskRequired, func(context.Context, *server.Call) (string, error) { return "", nil })
		seen, letters := map[string]bool{}, map[rune]bool{}
		for range 100 {
			created := p.begin("job", "{}")
			id := created["taskId"].(string)
			assert.Equal(t, "working", created["status"], "however fast it is")
			assert.Contains(t, []string{"working", "completed"}, p.status(id), "it is there before its creation is answered")
			assert.False(t, seen[id])
			assert.Len(t, id, 26)
			seen[id] = true
			for _, r := range id {
				letters[r] = true
			}
		}
		assert.Len(t, letters, 32)
	})
}

// Whoever asks for a task of a tool with scopes needs them too, since the task has its result.
//
// Proves: ext-tasks.auth-checked
func TestTasksNeedTheScopesOfTheirTool(t *testing.T) {
	refused := protocol.InvalidRequest("no")
	allowed := true
	o := server.Options{Allow: func(context.Context, []string) error {
		if allowed {
			return nil
		}
		return refused
	}}
	eachTaskRevision(t, o, func(t *testing.T, s *server.Server, p *peer) {
		allowed = true
		require.NoError(t, server.AddTool(s, server.Tool{Name: "job", TaskSupport: protocol.TaskRequired, Scopes: []string{"a"}},
			func(context.Context, *server.Call, struct{}) (string, error) { return "secret", nil }))
		id := p.task("job", "{}")
		synctest.Wait()
		assert.Equal(t, "completed", p.status(id))
		allowed = false
		methods := []string{"tasks/get", "tasks/cancel"}
		if p.asksForTasks() {
			methods = append(methods, "tasks/result")
			p.in.Principal = "ada"
			allowed = true
			p.task("job", "{}")
			assert.Contains(t, p.raw("tasks/list", "{}"), "taskId")
			allowed = false
			assert.Equal(t, `{"tasks":[]}`, p.raw("tasks/list", "{}"))
			p.in.Principal = ""
		} else {
			l := listenAs(t, s, able, "", "1", `{"taskIds":["`+id+`"]}`)
			assert.Equal(t, `"map[]"`, l.acknowledged("1"))
			l.cancel()
			<-l.ended
		}
		for _, method := range methods {
			assert.Equal(t, "invalid request: no", p.fails(method, ofTask(id)).Message, method)
		}
	})
}

// A task that is over is kept for its result, and not with all of its request.
func TestTaskLetsGoOfItsRequest(t *testing.T) {
	type key struct{}
	eachTaskRevision(t, server.Options{}, func(t *testing.T, s *server.Server, p *peer) {
		addTaskTool(t, s, "job", protocol.TaskOptional, func(_ context.Context, c *server.Call) (string, error) {
			c.Task()
			time.Sleep(time.Second)
			return "done", nil
		})
		large := new([1 << 20]byte)
		held := weak.Make(large)
		raw, failed := p.askWith(context.WithValue(context.Background(), key{}, large), "tools/call", `{"name":"job","arguments":{},"task":{}}`)
		require.Nil(t, failed)
		created := decode(t, []byte(raw))
		if inner, ok := created["task"].(object); ok {
			created = inner
		}
		runtime.GC()
		assert.NotNil(t, held.Value(), "while it runs its handler has it")
		large = nil
		time.Sleep(2 * time.Second)
		synctest.Wait()
		runtime.GC()
		assert.Nil(t, held.Value())
		assert.Equal(t, "completed", p.status(created["taskId"].(string)))
	})
}
