package server_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
)

// What a client brings along is anything.

func FuzzRequestState(f *testing.F) {
	s := newServer(f, server.Options{}) // with a key of this process
	addTool(f, s, "ask", func(ctx context.Context, c *server.Call) (string, error) {
		return "", c.Elicit(ctx, "a", "?", &confirmation{})
	})
	base := newest(f, s).declare(everything)
	good := base.mustTurn("ask", `{}`, "", "").state
	f.Add(good)
	f.Add("")
	f.Add(good + "A")
	f.Add(good[1:])
	f.Fuzz(func(t *testing.T, state string) {
		quoted, err := json.Marshal(state)
		if err != nil {
			t.Skip("not what JSON can say")
		}
		p := newest(t, s).declare(everything)
		raw, failed := p.ask("tools/call", `{"name":"ask","arguments":{},"requestState":`+string(quoted)+`}`)
		if failed == nil && state != good {
			t.Fatalf("%q was opened: %s", state, raw)
		}
	})
}

// The id in a URL comes from a browser, and the state of whoever calls is sealed with the same keys.
func FuzzElicitationID(f *testing.F) {
	s := newServer(f, server.Options{})
	addTool(f, s, "ask", func(ctx context.Context, c *server.Call) (string, error) {
		return c.ElicitationID()
	})
	base := newest(f, s)
	base.in.Principal = "ada"
	good := base.elicitationID("ask")
	for _, id := range []string{good, "", good + "A", good[1:], "ada", good + "\x00"} {
		f.Add(id, "ada")
		f.Add(id, "bob")
	}
	f.Fuzz(func(t *testing.T, id, principal string) {
		mine := id == good && principal == "ada"
		if mine != (s.CheckElicitation(id, principal) == nil) || mine != (s.ElicitationComplete(id, principal) == nil) {
			t.Fatalf("%q passes for %q: %v", id, principal, mine)
		}
	})
}

func FuzzFormAnswer(f *testing.F) {
	s := newServer(f, server.Options{})
	addTool(f, s, "fill", func(ctx context.Context, c *server.Call) (string, error) {
		var in everyKind
		if err := c.Elicit(ctx, "f", "?", &in); err != nil {
			return "", err
		}
		if in.Name == "" || in.Age != 0 && (in.Age < 18 || in.Age > 99) || len(in.Zones) > 2 {
			panic("what does not fit got in")
		}
		return "fine", nil
	})
	for _, seed := range []string{`{"action":"accept","content":{"name":"bob","age":20,"zones":["a"]}}`, `{"action":"decline"}`, `null`, `{"action":"accept","content":{"name":"bob","age":1e2}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, answer []byte) {
		var v any
		if json.Unmarshal(answer, &v) != nil {
			t.Skip("parsed before")
		}
		p := newest(t, s).declare(everything)
		raw, failed := p.ask("tools/call", `{"name":"fill","arguments":{},"inputResponses":{"f":`+string(answer)+`}}`)
		if failed != nil {
			t.Fatalf("%v", failed)
		}
		if !strings.Contains(raw, `"input_required"`) && !strings.Contains(raw, "fine") && !strings.Contains(raw, "the user ") {
			t.Fatal(raw)
		}
	})
}

func FuzzTaskCursor(f *testing.F) {
	s := newServer(f, server.Options{PageSize: 1, Limits: server.Limits{Tools: server.Unlimited}})
	addTaskTool(f, s, "job", protocol.TaskRequired, func(context.Context, *server.Call) (string, error) { return "", nil })
	ada := func(t testing.TB) *peer {
		p := onRequest(t, s)
		p.in.Principal = "ada"
		return p
	}
	ids := map[string]bool{}
	for range 3 {
		ids[ada(f).task("job", "{}")] = true
	}
	good := ada(f).result("tasks/list", `{}`)["nextCursor"].(string)
	for _, seed := range []string{good, "", good + "A", "AgE", "Av___________8B", "AQ"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, cursor string) {
		quoted, err := json.Marshal(cursor)
		if err != nil {
			t.Skip("not what JSON can say")
		}
		raw, failed := ada(t).ask("tasks/list", `{"cursor":`+string(quoted)+`}`)
		if failed != nil {
			if failed.Kind != protocol.KindInvalidParams {
				t.Fatalf("%q: %v", cursor, failed)
			}
			return
		}
		for _, entry := range decode(t, []byte(raw))["tasks"].([]any) {
			if !ids[entry.(object)["taskId"].(string)] {
				t.Fatalf("%q leads to %s", cursor, raw)
			}
		}
	})
}

func FuzzTaskAnswer(f *testing.F) {
	s := newServer(f, server.Options{MaxRounds: 2, Limits: server.Limits{Tools: server.Unlimited}, Tasks: server.TaskOptions{TTL: time.Minute, Max: 1 << 30, MaxPerPrincipal: 1 << 30}})
	addTaskTool(f, s, "ask", protocol.TaskRequired, func(ctx context.Context, c *server.Call) (string, error) {
		var in everyKind
		err := c.Elicit(ctx, "f", "?", &in)
		if err == nil && (in.Name == "" || in.Age != 0 && (in.Age < 18 || in.Age > 99) || len(in.Zones) > 2) {
			panic("what does not fit got in")
		}
		return "fine", nil
	})
	for _, seed := range []string{`{"f":{"action":"accept","content":{"name":"bob","age":20,"zones":["a"]}}}`, `{"f":{"action":"decline"}}`, `{"f":null}`, `[]`, `{"g":7}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, answers []byte) {
		var v any
		if json.Unmarshal(answers, &v) != nil {
			t.Skip("parsed before")
		}
		p := byServer(t, s)
		id := p.task("ask", "{}")
		_, failed := p.ask("tasks/update", `{"taskId":"`+id+`","inputResponses":`+string(answers)+`}`)
		if failed != nil && failed.Kind != protocol.KindInvalidParams {
			t.Fatalf("%s: %v", answers, failed)
		}
		if stands := p.get(id); stands["status"] == "failed" {
			t.Fatalf("%s: %v", answers, stands)
		}
		p.result("tasks/cancel", ofTask(id))
	})
}
