package server_test

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/revisions"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/session"
)

// Rounds: the client comes back with its answers, and with a state that it must not be able to read, change, keep for long,
// or use for anything else.

// A turn is one request of a tool's conversation, and what came back.
type turn struct {
	state, json string
	asked       object // by key
	result      object
}

// turn calls a tool with what the client brings along. more are further members of the params.
func (p *peer) turn(tool, arguments, responses, state string, more ...string) (turn, *protocol.Error) {
	p.t.Helper()
	params := `{"name":"` + tool + `","arguments":` + arguments
	if responses != "" {
		params += `,"inputResponses":` + responses
	}
	if state != "" {
		quoted, err := json.Marshal(state)
		require.NoError(p.t, err)
		params += `,"requestState":` + string(quoted)
	}
	raw, failed := p.ask("tools/call", params+strings.Join(more, "")+"}")
	if failed != nil {
		return turn{}, failed
	}
	result := decode(p.t, []byte(raw))
	out := turn{json: raw, result: result}
	if result["resultType"] == "input_required" {
		out.state = result["requestState"].(string)
		out.asked = result["inputRequests"].(object)
		require.NotEmpty(p.t, out.asked, "M-36: a result that asks says what it asks")
	}
	return out, nil
}

// mustTurn is turn without an error.
func (p *peer) mustTurn(tool, arguments, responses, state string) turn {
	p.t.Helper()
	out, failed := p.turn(tool, arguments, responses, state)
	require.Nil(p.t, failed)
	return out
}

func keys(m object) (list []string) {
	for key := range m {
		list = append(list, key)
	}
	return list
}

// wizard asks three things, the last two at once, and does two things in between.
type wizard struct{ tickets, mails int }

func (w *wizard) add(t testing.TB, s *server.Server) {
	addTool(t, s, "wizard", func(ctx context.Context, c *server.Call) (string, error) {
		var a, b, d confirmation
		if err := c.Elicit(ctx, "a", "?", &a); err != nil {
			return "", err
		}
		ticket, err := server.Once(ctx, c, "ticket", func() (int, error) {
			w.tickets++
			return w.tickets, nil
		})
		if err != nil {
			return "", err
		}
		if err := c.Ask(ctx, server.Form("b", "?", &b), server.Form("d", "?", &d)); err != nil {
			return "", err
		}
		mail, err := server.Once(ctx, c, "mail", func() (string, error) {
			w.mails++
			return "sent", nil
		})
		return fmt.Sprint(a.Reason, b.Reason, d.Reason, ticket, mail), err
	})
}

func answers(pairs ...string) string {
	var list []string
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, `"`+pairs[i]+`":{"action":"accept","content":{"sure":true,"reason":"`+pairs[i+1]+`"}}`)
	}
	return "{" + strings.Join(list, ",") + "}"
}

func TestRounds(t *testing.T) {
	s := newServer(t, server.Options{})
	var w wizard
	w.add(t, s)
	p := newest(t, s).declare(everything)

	one := p.mustTurn("wizard", `{}`, "", "")
	assert.Equal(t, []string{"a"}, keys(one.asked))
	assert.NotContains(t, one.json, `"content"`, "M-22: a result of its own")
	two := p.mustTurn("wizard", `{}`, answers("a", "x"), one.state)
	assert.ElementsMatch(t, []string{"b", "d"}, keys(two.asked))
	assert.Equal(t, 1, w.tickets)
	assert.NotEqual(t, one.state, two.state)

	// One of two answers, one that nobody asked for, and another answer to what has been answered: the missing one is asked again.
	three := p.mustTurn("wizard", `{}`, answers("b", "y", "unknown", "?", "a", "changed"), two.state)
	assert.Equal(t, []string{"d"}, keys(three.asked))
	four := p.mustTurn("wizard", `{}`, answers("d", "z"), three.state)
	assert.Equal(t, "xyz1sent", strings.ReplaceAll(text(t, four.result), " ", ""))
	assert.Equal(t, wizard{1, 1}, w, "what was done before is not done again")

	// Without its answers the client is asked the same again, and without its state from the beginning.
	again := p.mustTurn("wizard", `{}`, "", two.state)
	assert.ElementsMatch(t, []string{"b", "d"}, keys(again.asked))
	again = p.mustTurn("wizard", `{}`, `{}`, "")
	assert.Equal(t, []string{"a"}, keys(again.asked))
	assert.Equal(t, 1, w.tickets)
}

func TestFirstCallWithAnswers(t *testing.T) {
	s := newServer(t, server.Options{})
	var w wizard
	w.add(t, s)
	p := newest(t, s).declare(everything)
	done := p.mustTurn("wizard", `{}`, answers("a", "x", "b", "y", "d", "z"), "")
	assert.Contains(t, text(t, done.result), "sent")
	part := p.mustTurn("wizard", `{}`, answers("a", "x", "d", "z"), "")
	assert.Equal(t, []string{"b"}, keys(part.asked))
}

func TestNullAndMalformedAnswers(t *testing.T) {
	s := newServer(t, server.Options{})
	var w wizard
	w.add(t, s)
	p := newest(t, s).declare(everything)
	for _, wrong := range []string{`{"a":null}`, `{"a":7}`, `{"a":[]}`, `{"a":{}}`, `{"a":{"action":"accept","content":{"sure":1}}}`, `{"a":{"roots":[]}}`} {
		again := p.mustTurn("wizard", `{}`, wrong, "")
		assert.Equal(t, []string{"a"}, keys(again.asked), wrong)
	}
	for _, wrong := range []string{`null`, `7`, `[]`, `"a"`} {
		_, failed := p.turn("wizard", `{}`, wrong, "")
		if wrong == `null` {
			continue // like none
		}
		require.NotNil(t, failed, wrong)
		assert.Equal(t, protocol.KindInvalidParams, failed.Kind)
	}
}

func TestDeclinedInRounds(t *testing.T) {
	s := newServer(t, server.Options{})
	addTool(t, s, "optional", func(ctx context.Context, c *server.Call) (string, error) {
		var a, b confirmation
		if err := c.Elicit(ctx, "a", "?", &a); err != nil && !errors.Is(err, server.ErrDeclined) {
			return "", err
		}
		if err := c.Elicit(ctx, "b", "?", &b); err != nil {
			return "", err
		}
		return fmt.Sprint(a.Sure, b.Sure), nil
	})
	p := newest(t, s).declare(everything)
	one := p.mustTurn("optional", `{}`, `{"a":{"action":"decline"}}`, "")
	assert.Equal(t, []string{"b"}, keys(one.asked))
	two := p.mustTurn("optional", `{}`, answers("b", ""), one.state)
	assert.Equal(t, "false true", text(t, two.result), "a no is remembered, and asked for once")
}

func TestBoundOnRounds(t *testing.T) {
	s := newServer(t, server.Options{MaxRounds: 3})
	var w wizard
	w.add(t, s)
	p := newest(t, s).declare(everything)
	state := ""
	for range 3 {
		state = p.mustTurn("wizard", `{}`, "", state).state
	}
	_, failed := p.turn("wizard", `{}`, "", state)
	require.NotNil(t, failed)
	assert.Equal(t, protocol.KindInvalidRequest, failed.Kind)
	assert.Contains(t, failed.Message, "3 rounds")
	done := p.mustTurn("wizard", `{}`, answers("a", "", "b", "", "d", ""), state)
	assert.Contains(t, text(t, done.result), "sent", "an answer is served at any time")
}

// key returns a random key.
func key() []byte {
	k := make([]byte, 32)
	_, _ = rand.Read(k)
	return k
}

// Proves: mrtr.user-bound-state
// Proves: mrtr.request-state-principal
// Proves: mrtr.request-state-integrity
// Proves: elicitation.bound-to-client-and-user 2026-07-28
// Proves: elicitation.state-bound-to-user 2026-07-28
func TestStateIsBound(t *testing.T) {
	shared := key()
	s := newServer(t, server.Options{StateKeys: [][]byte{shared}})
	var w wizard
	w.add(t, s)
	addTool(t, s, "other", nil2)
	addPrompts(t, s, "wizard")
	p := newest(t, s).declare(everything)
	p.in.Principal = "ada"
	args := `{"n":1.50,"deep":{"a":[1,2],"b":null},"s":"é"}`
	state := p.mustTurn("wizard", args, "", "").state
	b := answers("a", "x")

	_, failed := p.turn("wizard", args, b, state)
	require.Nil(t, failed, "the control")
	_, failed = p.turn("wizard", ` { "s" : "é", "deep": {"b":null, "a": [1, 2]} , "n":1.50}`, b, state, `,"_meta":{"progressToken":9,"x":{"y":1}}`)
	assert.Nil(t, failed, "the order of members, blanks and _meta do not count")

	refused := func(why string, failed *protocol.Error) {
		t.Helper()
		require.NotNil(t, failed, why)
		assert.Equal(t, protocol.KindInvalidParams, failed.Kind, why)
		assert.NotContains(t, failed.Message, "expired", "it says no more than that it is refused")
	}
	for _, other := range []string{`{}`, `{"n":1.5,"deep":{"a":[1,2],"b":null},"s":"é"}`, `{"n":1.50,"deep":{"a":[2,1],"b":null},"s":"é"}`, `{"n":1.50,"deep":{"a":[1,2]},"s":"é"}`, `{"n":1.50,"deep":{"a":[1,2],"b":null},"s":"e"}`} {
		_, failed = p.turn("wizard", other, b, state)
		refused("other arguments: "+other, failed)
	}
	_, failed = p.turn("other", args, b, state)
	refused("another tool, which asks nothing", failed)
	_, failed = p.turn("wizard", args, b, state, `,"more":1`)
	refused("another member of the params", failed)
	raw, failed := p.ask("prompts/get", `{"name":"wizard","requestState":"`+state+`"}`)
	refused("another method: "+raw, failed)
	eve := newest(t, s).declare(everything)
	eve.in.Principal = "eve"
	_, failed = eve.turn("wizard", args, b, state)
	refused("another principal", failed)

	sealed, err := session.NewSealed(session.SealedOptions{Keys: [][]byte{shared}})
	require.NoError(t, err)
	id, err := sealed.Open(t.Context(), &session.State{Principal: "ada"})
	require.NoError(t, err)
	for name, wrong := range map[string]string{
		"nothing": "x", "a session of the same keys": id, "twice": state + state, "half": state[:len(state)/2], "blank": state + " ", "padded": state + "=",
		"a line break": state[:9] + "\n" + state[9:], "long": strings.Repeat("A", 1<<20), "base64 of nothing": base64.RawURLEncoding.EncodeToString(make([]byte, 64)),
	} {
		_, failed = p.turn("wizard", args, b, wrong)
		refused(name, failed)
		_, failed = p.turn("other", args, b, wrong)
		refused(name+", of a tool that does not ask", failed)
	}
	raw, failed = p.ask("tools/call", `{"name":"wizard","arguments":{},"requestState":""}`)
	refused("empty: "+raw, failed)
	for i := range state { // each character counts
		c := byte('A')
		if state[i] == c {
			c = 'B'
		}
		_, failed = p.turn("wizard", args, b, state[:i]+string(c)+state[i+1:])
		refused("changed", failed)
	}
	for _, wrong := range []string{`7`, `null`, `{}`} {
		raw, failed := p.ask("tools/call", `{"name":"wizard","arguments":{},"requestState":`+wrong+`}`)
		if wrong == `null` && failed == nil {
			continue
		}
		refused(raw, failed)
	}
	plain, err := base64.RawURLEncoding.DecodeString(state)
	require.NoError(t, err)
	assert.NotContains(t, string(plain), "until", "nobody can read it")
	assert.NotEqual(t, state, p.mustTurn("wizard", args, "", "").state, "nor recognize it")
}

// Proves: mrtr.request-state-ttl
func TestStateExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, server.Options{StateTTL: time.Minute})
		var w wizard
		w.add(t, s)
		p := newest(t, s).declare(everything)
		state := p.mustTurn("wizard", `{}`, "", "").state
		time.Sleep(59 * time.Second)
		next := p.mustTurn("wizard", `{}`, answers("a", ""), state).state
		time.Sleep(59 * time.Second)
		assert.NotEmpty(t, p.mustTurn("wizard", `{}`, "", next).state, "each round has its time")
		_, failed := p.turn("wizard", `{}`, answers("a", ""), state)
		require.NotNil(t, failed)
		assert.Equal(t, protocol.KindInvalidParams, failed.Kind)
	})
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, server.Options{})
		var w wizard
		w.add(t, s)
		p := newest(t, s).declare(everything)
		state := p.mustTurn("wizard", `{}`, "", "").state
		time.Sleep(16 * time.Minute)
		_, failed := p.turn("wizard", `{}`, "", state)
		assert.NotNil(t, failed, "the default is short")
	})
}

// Proves: mrtr.retry-self-contained
// Proves: base.stateless-no-connection-affinity
func TestReplicasAndRotation(t *testing.T) {
	old, fresh := key(), key()
	var w wizard
	replica := func(keys ...[]byte) *peer {
		s := newServer(t, server.Options{StateKeys: keys})
		w.add(t, s)
		return newest(t, s).declare(everything)
	}
	first, second := replica(old), replica(old)
	one := first.mustTurn("wizard", `{}`, "", "")
	two := second.mustTurn("wizard", `{}`, answers("a", "x"), one.state)
	rotating, rotated, done := replica(old, fresh), replica(fresh, old), replica(fresh)
	three := rotating.mustTurn("wizard", `{}`, answers("b", "y"), two.state)
	four := rotated.mustTurn("wizard", `{}`, "", three.state)
	assert.Equal(t, []string{"d"}, keys(four.asked))
	_, failed := done.turn("wizard", `{}`, "", three.state)
	assert.NotNil(t, failed, "of a key that was taken out")
	five := done.mustTurn("wizard", `{}`, answers("d", "z"), four.state)
	assert.Contains(t, text(t, five.result), "sent")
	assert.Equal(t, wizard{1, 1}, w, "whichever replica is asked")

	foreign := replica(key())
	_, failed = foreign.turn("wizard", `{}`, "", four.state)
	assert.NotNil(t, failed)
	alone, restarted := replica(), replica()
	_, failed = restarted.turn("wizard", `{}`, "", alone.mustTurn("wizard", `{}`, "", "").state)
	assert.NotNil(t, failed, "a key of one process")

	for _, wrong := range [][][]byte{{[]byte("short")}, {old, old}, {nil}} {
		_, err := server.New(server.Options{Info: info, Sessions: session.None, StateKeys: wrong})
		assert.ErrorContains(t, err, "StateKeys")
	}
}

func TestStateHasABound(t *testing.T) {
	s := newServer(t, server.Options{})
	addTool(t, s, "hoarder", func(ctx context.Context, c *server.Call) (string, error) {
		if _, err := server.Once(ctx, c, "big", func() (string, error) { return strings.Repeat("b", 70<<10), nil }); err != nil {
			return "", err
		}
		return "", c.Elicit(ctx, "a", "?", &confirmation{})
	})
	p := newest(t, s).declare(everything)
	_, failed := p.turn("hoarder", `{}`, "", "")
	require.NotNil(t, failed)
	assert.Equal(t, protocol.KindInternal, failed.Kind)
	var w wizard
	w.add(t, s)
	one := p.mustTurn("wizard", `{}`, `{"junk":"`+strings.Repeat("j", 1<<20)+`"}`, "")
	assert.Less(t, len(one.state), 1000, "what nobody asked for is not carried along")
}

func TestOnlyThreeMethodsAsk(t *testing.T) { // M-36
	var asks func(ctx context.Context, c *server.Call) error
	s := newServer(t, server.Options{Middleware: []server.Middleware{func(next server.Handler) server.Handler {
		return func(ctx context.Context, c *server.Call) (protocol.Result, error) {
			if asks != nil {
				if err := asks(ctx, c); err != nil {
					return nil, err
				}
			}
			return next(ctx, c)
		}
	}}})
	addTools(t, s, "echo")
	addPrompts(t, s, "p")
	addResources(t, s, "file:///r")
	asks = func(ctx context.Context, c *server.Call) error { return c.Elicit(ctx, "a", "?", &confirmation{}) }
	p := newest(t, s).declare(everything)
	for method, params := range map[string]string{"tools/call": `{"name":"echo","arguments":{}}`, "prompts/get": `{"name":"p"}`, "resources/read": `{"uri":"file:///r"}`} {
		result := p.result(method, params)
		require.Equal(t, "input_required", result["resultType"], method)
		more := strings.TrimSuffix(params, "}") + `,"requestState":"` + result["requestState"].(string) + `","inputResponses":` + answers("a", "") + "}"
		assert.Equal(t, "complete", p.result(method, more)["resultType"], method)
	}
	for _, method := range []string{"tools/list", "prompts/list", "resources/list", "resources/templates/list", "server/discover"} {
		failed := p.fails(method, `{}`)
		assert.Equal(t, protocol.KindInternal, failed.Kind, method)
	}
	asks = func(context.Context, *server.Call) error { return server.ErrInputRequired }
	for _, codec := range revisions.All() { // returned by somebody who has asked for nothing
		failed := newPeer(t, s, codec).declare(everything).fails("tools/call", `{"name":"echo","arguments":{}}`)
		assert.Equal(t, protocol.KindInternal, failed.Kind)
	}
	asks = nil
	failed := p.fails("tools/call", `{"name":"echo","arguments":{},"requestState":"forged"}`)
	assert.Equal(t, protocol.KindInvalidParams, failed.Kind, "refused whoever asks")
	for _, codec := range revisions.All()[1:] { // to which the member is unknown
		newPeer(t, s, codec).result("tools/call", `{"name":"echo","arguments":{},"requestState":"forged","inputResponses":7}`)
	}
}

func TestMiddlewareSeesThatInputIsRequired(t *testing.T) {
	var saw []error
	s := newServer(t, server.Options{Middleware: []server.Middleware{func(next server.Handler) server.Handler {
		return func(ctx context.Context, c *server.Call) (protocol.Result, error) {
			r, err := next(ctx, c)
			saw = append(saw, err)
			if err != nil {
				assert.Nil(t, r)
			}
			return r, err
		}
	}}})
	var w wizard
	w.add(t, s)
	p := newest(t, s).declare(everything)
	state := p.mustTurn("wizard", `{}`, "", "").state
	p.mustTurn("wizard", `{}`, answers("a", "", "b", "", "d", ""), state)
	require.Len(t, saw, 2)
	assert.ErrorIs(t, saw[0], server.ErrInputRequired)
	assert.NoError(t, saw[1])
}

func TestSwallowedInputRequired(t *testing.T) {
	log, written := newLog()
	s := newServer(t, server.Options{Logger: log})
	addTool(t, s, "wraps", func(ctx context.Context, c *server.Call) (string, error) {
		return "", fmt.Errorf("deploying: %w", c.Elicit(ctx, "a", "?", &confirmation{}))
	})
	addTool(t, s, "swallows", func(ctx context.Context, c *server.Call) (string, error) {
		var a confirmation
		if err := c.Elicit(ctx, "a", "?", &a); err != nil {
			return "not confirmed", nil
		}
		return "confirmed", nil
	})
	p := newest(t, s).declare(everything)
	assert.NotEmpty(t, p.mustTurn("wraps", `{}`, "", "").asked)
	assert.Empty(t, written.String())
	assert.NotEmpty(t, p.mustTurn("swallows", `{}`, "", "").asked, "what a handler makes of a missing answer is no result")
	assert.Contains(t, written.String(), "ErrInputRequired", "and its author is told")
	assert.Equal(t, "confirmed", text(t, p.mustTurn("swallows", `{}`, answers("a", ""), "").result))
}

func TestAsksInTurnEachReturn(t *testing.T) {
	s := newServer(t, server.Options{})
	addTool(t, s, "both", func(ctx context.Context, c *server.Call) (string, error) {
		var a, b confirmation
		first, second := c.Elicit(ctx, "a", "?", &a), c.Elicit(ctx, "b", "?", &b)
		return fmt.Sprint(a.Reason, b.Reason, second == nil), errors.Join(first, second)
	})
	p := newest(t, s).declare(everything)
	one := p.mustTurn("both", `{}`, "", "")
	assert.ElementsMatch(t, []string{"a", "b"}, keys(one.asked))
	two := p.mustTurn("both", `{}`, answers("b", "B"), one.state)
	assert.Equal(t, []string{"a"}, keys(two.asked))
	three := p.mustTurn("both", `{}`, answers("a", "A"), two.state)
	assert.Equal(t, "ABtrue", strings.ReplaceAll(text(t, three.result), " ", ""))
}
