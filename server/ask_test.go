package server_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/revisions"
	"github.com/parley-mcp/parley/server"
)

// A handler that asks is written once. These tests run it at each revision: where the server sends requests, a stub stands
// for the transport; where it does not, the client comes back with its answers.

// A user answers what is asked: with the JSON of a result, or an error.
type user func(method string, params object) (string, error)

// A talker is an ear that answers.
type talker struct {
	ear
	user user
}

// Ask implements server.Stream.
func (s *talker) Ask(ctx context.Context, q protocol.Question) (protocol.Answer, error) {
	codec := s.peer.in.Codec
	raw, err := codec.Append(nil, q)
	if err != nil {
		return nil, err
	}
	result, err := s.user(q.Method(), decode(s.peer.t, raw))
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	answer, err := codec.DecodeAnswer(q, jsontext.Value(result))
	if err != nil {
		return nil, errors.New(err.Error()) // the client's fault, and no error of the request
	}
	return answer, nil
}

func decode(t testing.TB, raw []byte) object {
	t.Helper()
	var m object
	require.NoError(t, json.Unmarshal(raw, &m), "%s", raw)
	return m
}

// everything is what a client can declare.
const everything = `{"roots":{},"sampling":{"tools":{},"context":{}},"elicitation":{"form":{},"url":{}}}`

// declare says what the peer's client can do, in the words of its revision.
func (p *peer) declare(capabilities string) *peer {
	p.t.Helper()
	if f := p.in.Codec.Features(); f.Lifecycle == protocol.PerRequest {
		meta, err := p.in.Codec.DecodeMeta(jsontext.Value(`{"io.modelcontextprotocol/protocolVersion":"` + string(f.Revision) +
			`","io.modelcontextprotocol/clientCapabilities":` + capabilities + `}`))
		require.NoError(p.t, err)
		p.in.Capabilities = meta.Capabilities
		return p
	}
	opening, err := p.in.Codec.DecodeRequest("initialize", jsontext.Value(`{"protocolVersion":"`+string(p.in.Codec.Features().Revision)+
		`","capabilities":`+capabilities+`,"clientInfo":{"name":"c","version":"1"}}`))
	require.NoError(p.t, err)
	p.in.Capabilities = &opening.(*protocol.InitializeParams).Capabilities
	return p
}

// converse calls a tool and answers what it asks until it is done. It returns the result and how often the client had to
// come back.
func (p *peer) converse(tool, arguments string, u user) (result object, rounds int) {
	p.t.Helper()
	result, rounds, err := p.tryConverse(tool, arguments, u)
	require.Nil(p.t, err)
	return result, rounds
}

func (p *peer) tryConverse(tool, arguments string, u user) (result object, rounds int, failed *protocol.Error) {
	p.t.Helper()
	p.in.Stream = &talker{ear{peer: p}, u}
	params := `{"name":"` + tool + `","arguments":` + arguments
	more := ""
	for ; ; rounds++ {
		raw, err := p.ask("tools/call", params+more+"}")
		if err != nil {
			return nil, rounds, err
		}
		result = decode(p.t, []byte(raw))
		if result["resultType"] != "input_required" {
			return result, rounds, nil
		}
		answers := object{}
		for key, request := range result["inputRequests"].(object) {
			r := request.(object)
			answer, err := u(r["method"].(string), r["params"].(object))
			if err == nil {
				answers[key] = jsontext.Value(answer)
			}
		}
		encoded, bad := json.Marshal(answers)
		require.NoError(p.t, bad)
		state, bad := json.Marshal(result["requestState"])
		require.NoError(p.t, bad)
		more = `,"inputResponses":` + string(encoded) + `,"requestState":` + string(state)
	}
}

// text returns the text of a tool's result.
func text(t testing.TB, result object) string {
	t.Helper()
	content := result["content"].([]any)
	require.Len(t, content, 1)
	return content[0].(object)["text"].(string)
}

// asking are the revisions that have elicitation.
func asking() []protocol.Codec {
	var list []protocol.Codec
	for _, c := range revisions.All() {
		if c.Features().Revision != "2025-03-26" {
			list = append(list, c)
		}
	}
	return list
}

func eachAsking(t *testing.T, s *server.Server, test func(t *testing.T, p *peer)) {
	t.Helper()
	for _, codec := range asking() {
		t.Run(string(codec.Features().Revision), func(t *testing.T) { test(t, newPeer(t, s, codec).declare(everything)) })
	}
}

// addTool adds a tool without arguments of its own.
func addTool(t testing.TB, s *server.Server, name string, run func(ctx context.Context, c *server.Call) (string, error)) {
	t.Helper()
	require.NoError(t, server.AddTool(s, server.Tool{Name: name}, func(ctx context.Context, c *server.Call, _ map[string]any) (string, error) {
		return run(ctx, c)
	}))
}

type confirmation struct {
	Sure   bool   `json:"sure"`
	Reason string `json:"reason,omitempty"`
}

func accept(content string) user {
	return func(string, object) (string, error) { return `{"action":"accept","content":` + content + `}`, nil }
}

func TestElicit(t *testing.T) {
	s := newServer(t, server.Options{})
	addTool(t, s, "deploy", func(ctx context.Context, c *server.Call) (string, error) {
		var ok confirmation
		if err := c.Elicit(ctx, "confirm", "Deploy?", &ok); err != nil {
			return "", err
		}
		return "deployed: " + ok.Reason, nil
	})
	eachAsking(t, s, func(t *testing.T, p *peer) {
		result, _ := p.converse("deploy", `{}`, func(method string, params object) (string, error) {
			assert.Equal(t, "elicitation/create", method)
			assert.Equal(t, "Deploy?", params["message"])
			assert.Equal(t, []any{"sure"}, params["requestedSchema"].(object)["required"])
			return accept(`{"sure":true,"reason":"now"}`)(method, params)
		})
		assert.Equal(t, "deployed: now", text(t, result))
		for answer, want := range map[string]error{`{"action":"decline"}`: server.ErrDeclined, `{"action":"cancel"}`: server.ErrCancelled} {
			result, _ = p.converse("deploy", `{}`, func(string, object) (string, error) { return answer, nil })
			assert.Equal(t, true, result["isError"])
			assert.Equal(t, want.Error(), text(t, result))
		}
	})
}

func TestAskSeveral(t *testing.T) {
	s := newServer(t, server.Options{})
	addTool(t, s, "all", func(ctx context.Context, c *server.Call) (string, error) {
		var ok confirmation
		var message *protocol.CreateMessageResult
		var roots []protocol.Root
		sampling := &protocol.CreateMessageParams{MaxTokens: 5, Messages: []protocol.SamplingMessage{{Role: protocol.RoleUser, Content: []protocol.Content{&protocol.TextContent{Text: "hi"}}}}}
		err := c.Ask(ctx, server.Form("f", "?", &ok), server.Sampling("s", sampling, &message), server.Roots("r", &roots))
		if err != nil {
			return "", err
		}
		return message.Content[0].(*protocol.TextContent).Text + " " + roots[0].URI + " " + ok.Reason, nil
	})
	answer := func(method string, _ object) (string, error) {
		return map[string]string{
			"elicitation/create":     `{"action":"accept","content":{"sure":true,"reason":"yes"}}`,
			"sampling/createMessage": `{"role":"assistant","content":{"type":"text","text":"hello"},"model":"m"}`,
			"roots/list":             `{"roots":[{"uri":"file:///w"}]}`,
		}[method], nil
	}
	eachAsking(t, s, func(t *testing.T, p *peer) {
		var mu sync.Mutex
		asked := map[string]int{}
		result, rounds := p.converse("all", `{}`, func(method string, params object) (string, error) {
			mu.Lock()
			defer mu.Unlock()
			asked[method]++
			return answer(method, params)
		})
		assert.Equal(t, "hello file:///w yes", text(t, result))
		assert.LessOrEqual(t, rounds, 1, "all at once")
		assert.Equal(t, map[string]int{"elicitation/create": 1, "sampling/createMessage": 1, "roots/list": 1}, asked)
	})
}

func TestSampleAndRoots(t *testing.T) {
	s := newServer(t, server.Options{})
	addTool(t, s, "summarize", func(ctx context.Context, c *server.Call) (string, error) {
		roots, err := c.Roots(ctx, "roots")
		if err != nil {
			return "", err
		}
		m, err := c.Sample(ctx, "model", &protocol.CreateMessageParams{MaxTokens: 5})
		if err != nil {
			return "", err
		}
		return roots[0].Name + m.Model, nil
	})
	eachRevision(t, s, func(t *testing.T, p *peer) { // which all have these two
		p.declare(everything)
		result, rounds := p.converse("summarize", `{}`, func(method string, _ object) (string, error) {
			if method == "roots/list" {
				return `{"roots":[{"uri":"file:///w","name":"w"}]}`, nil
			}
			return `{"role":"assistant","content":{"type":"text","text":"x"},"model":"m"}`, nil
		})
		assert.Equal(t, "wm", text(t, result))
		assert.Contains(t, []int{0, 2}, rounds, "one after the other")
	})
}

func TestVisit(t *testing.T) {
	s := newServer(t, server.Options{})
	addTool(t, s, "pay", func(ctx context.Context, c *server.Call) (string, error) {
		return "agreed", c.Ask(ctx, server.Visit("visit", "Pay there.", "https://pay.example.com/7"))
	})
	for _, codec := range asking() {
		t.Run(string(codec.Features().Revision), func(t *testing.T) {
			p := newPeer(t, s, codec).declare(everything)
			if codec.Features().Revision == "2025-06-18" { // which has forms alone
				_, _, err := p.tryConverse("pay", `{}`, nobody(t))
				require.NotNil(t, err)
				assert.Equal(t, protocol.KindMissingCapability, err.Kind)
				return
			}
			result, _ := p.converse("pay", `{}`, func(_ string, params object) (string, error) {
				assert.Equal(t, "url", params["mode"])
				assert.Equal(t, "https://pay.example.com/7", params["url"])
				if codec.Features().ServerRequests.Holds() {
					assert.NotEmpty(t, params["elicitationId"])
				} else {
					assert.NotContains(t, params, "elicitationId")
				}
				return `{"action":"accept"}`, nil
			})
			assert.Equal(t, "agreed", text(t, result))
		})
	}
}

// nobody is a user of whom nothing may be asked.
func nobody(t testing.TB) user {
	return func(method string, _ object) (string, error) {
		t.Error("this was asked: " + method)
		return "", errors.New("not to be asked")
	}
}

func nil2(context.Context, *server.Call) (string, error) { return "", nil }

func TestClientError(t *testing.T) {
	s := newServer(t, server.Options{})
	addTool(t, s, "deploy", func(ctx context.Context, c *server.Call) (string, error) {
		err := c.Elicit(ctx, "confirm", "Deploy?", &confirmation{})
		var failed *server.ClientError
		if errors.As(err, &failed) && failed.Code == -1 {
			return failed.Message, nil
		}
		return "", err
	})
	for _, codec := range asking()[1:] {
		p := newPeer(t, s, codec).declare(everything)
		result, _ := p.converse("deploy", `{}`, func(string, object) (string, error) {
			return "", &server.ClientError{Code: -1, Message: "the user is away"}
		})
		assert.Equal(t, "the user is away", text(t, result))
	}
}

func TestAnswersThatDoNotFit(t *testing.T) {
	s := newServer(t, server.Options{})
	addTool(t, s, "deploy", func(ctx context.Context, c *server.Call) (string, error) {
		return "done", c.Elicit(ctx, "confirm", "Deploy?", &confirmation{})
	})
	answers := []string{
		`{"action":"accept"}`, `{"action":"accept","content":{}}`, `{"action":"accept","content":{"sure":"yes"}}`, `{"action":"accept","content":[]}`,
		`{"action":"maybe"}`, `{}`, `null`, `[]`, `7`, `"accept"`, `{"action":"accept","content":{"sure":true,"reason":7}}`, `{"action":"accept","content":null}`,
	}
	eachAsking(t, s, func(t *testing.T, p *peer) {
		for _, wrong := range answers {
			tries := 0
			u := func(string, object) (string, error) {
				if tries++; tries == 1 {
					return wrong, nil
				}
				return `{"action":"accept","content":{"sure":true}}`, nil
			}
			result, rounds := p.converse("deploy", `{}`, u)
			if p.in.Codec.Features().ServerRequests.Holds() {
				assert.Equal(t, true, result["isError"], "the handler is told: %s", wrong)
				assert.Equal(t, 1, tries)
			} else {
				assert.Equal(t, "done", text(t, result), "asked again: %s", wrong)
				assert.Equal(t, 2, rounds)
			}
		}
	})
}

func TestQuestionsThatAreNone(t *testing.T) {
	s := newServer(t, server.Options{})
	var content jsontext.Value
	for name, questions := range map[string][]server.Question{
		"no key":               {server.Form("", "?", &confirmation{})},
		"a key twice":          {server.Form("a", "?", &confirmation{}), server.Visit("a", "?", "https://example.com")},
		"no struct":            {server.Form("a", "?", 7)},
		"nil":                  {server.Form("a", "?", nil)},
		"a struct, no pointer": {server.Form("a", "?", confirmation{})},
		"a relative URL":       {server.Visit("a", "?", "/pay")},
		"an empty URL":         {server.Visit("a", "?", "")},
		"a field twice":        {server.Fields("a", "?", []protocol.FormField{{Name: "x", Kind: protocol.FieldString}, {Name: "x", Kind: protocol.FieldBoolean}}, &content)},
		"a field of no kind":   {server.Fields("a", "?", []protocol.FormField{{Name: "x"}}, &content)},
		"a field of no name":   {server.Fields("a", "?", []protocol.FormField{{Kind: protocol.FieldString}}, &content)},
	} {
		t.Run(name, func(t *testing.T) {
			for _, codec := range asking() {
				p := newPeer(t, s, codec).declare(everything)
				p.in.Params = &protocol.CallToolParams{}
				p.in.Stream = &talker{ear{peer: p}, nobody(t)}
				err := s.NewCall(&p.in).Ask(t.Context(), questions...)
				require.Error(t, err)
				assert.NotErrorIs(t, err, server.ErrInputRequired)
				assert.False(t, server.CannotAsk(err))
			}
		})
	}
}

func TestFieldsAtRunTime(t *testing.T) {
	s := newServer(t, server.Options{})
	addTool(t, s, "table", func(ctx context.Context, c *server.Call) (string, error) {
		var content jsontext.Value
		err := c.Ask(ctx, server.Fields("row", "?", []protocol.FormField{
			{Name: "n", Kind: protocol.FieldInteger, Required: true}, {Name: "s", Kind: protocol.FieldChoice, Options: []protocol.Option{{Value: "a"}, {Value: "b"}}},
		}, &content))
		return string(content), err
	})
	eachAsking(t, s, func(t *testing.T, p *peer) {
		result, _ := p.converse("table", `{}`, accept(`{"n":7,"s":"b"}`))
		assert.JSONEq(t, `{"n":7,"s":"b"}`, text(t, result))
	})
}

func TestTheSameKeyIsAskedOnce(t *testing.T) {
	s := newServer(t, server.Options{})
	addTool(t, s, "twice", func(ctx context.Context, c *server.Call) (string, error) {
		var first, second confirmation
		if err := c.Elicit(ctx, "confirm", "?", &first); err != nil {
			return "", err
		}
		err := c.Elicit(ctx, "confirm", "?", &second)
		return first.Reason + second.Reason, err
	})
	eachAsking(t, s, func(t *testing.T, p *peer) {
		asked := 0
		result, _ := p.converse("twice", `{}`, func(method string, params object) (string, error) {
			asked++
			return accept(`{"sure":true,"reason":"x"}`)(method, params)
		})
		assert.Equal(t, "xx", text(t, result))
		assert.Equal(t, 1, asked)
	})
}

func TestAskAfterTheAnswer(t *testing.T) {
	s := newServer(t, server.Options{})
	var kept *server.Call
	addTool(t, s, "leak", func(_ context.Context, c *server.Call) (string, error) {
		kept = c
		return "done", nil
	})
	eachAsking(t, s, func(t *testing.T, p *peer) {
		p.converse("leak", `{}`, nobody(t))
		err := kept.Elicit(t.Context(), "late", "?", &confirmation{})
		require.Error(t, err)
		assert.NotErrorIs(t, err, server.ErrInputRequired)
		assert.False(t, kept.Detach(0))
	})
}

func TestAskIsCancelled(t *testing.T) {
	s := newServer(t, server.Options{})
	addTool(t, s, "deploy", func(ctx context.Context, c *server.Call) (string, error) {
		ctx, cancel := context.WithCancel(ctx)
		cancel()
		err := c.Elicit(ctx, "confirm", "?", &confirmation{})
		assert.ErrorIs(t, err, context.Canceled)
		return "", err
	})
	for _, codec := range asking()[1:] {
		newPeer(t, s, codec).declare(everything).converse("deploy", `{}`, accept(`{"sure":true}`))
	}
}

// Where the user works is asked once in a call, and anew in the next: nothing is kept that a change of roots could make wrong.
//
// Proves: roots.server-caches
func TestRootsAreAskedOnceInACall(t *testing.T) {
	s := newServer(t, server.Options{})
	addTool(t, s, "t", func(ctx context.Context, c *server.Call) (string, error) {
		var all []string
		for range 3 {
			roots, err := c.Roots(ctx, "roots")
			if err != nil {
				return "", err
			}
			all = append(all, roots[0].URI)
		}
		return strings.Join(all, " "), nil
	})
	eachRevision(t, s, func(t *testing.T, p *peer) {
		p.declare(everything)
		for _, folder := range []string{"file:///a", "file:///b"} {
			asked := 0
			result, _ := p.converse("t", `{}`, func(string, object) (string, error) {
				asked++
				return `{"roots":[{"uri":"` + folder + `"}]}`, nil
			})
			assert.Equal(t, strings.Join([]string{folder, folder, folder}, " "), text(t, result))
			assert.Equal(t, 1, asked)
		}
	})
}
