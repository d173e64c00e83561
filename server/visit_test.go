package server_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
)

// named is a session with a name.
type named struct {
	server.Session
	name string
}

// Name implements server.Session.
func (n named) Name() string { return n.name }

// newVisiting returns a server whose tool t gives out an elicitation id.
func newVisiting(t *testing.T, o server.Options) *server.Server {
	s := newServer(t, o)
	require.NoError(t, server.AddTool(s, server.Tool{Name: "t"},
		func(_ context.Context, c *server.Call, _ struct{}) (string, error) { return c.ElicitationID() }))
	return s
}

// elicitationID returns an id that a tool makes for p.
func (p *peer) elicitationID(tool string) string {
	p.t.Helper()
	return p.result("tools/call", `{"name":"`+tool+`"}`)["content"].([]any)[0].(object)["text"].(string)
}

// Whoever is sent the link of another is found out, on the page and at the end, whatever he changes in it.
//
// Proves: elicitation.same-user-completes
// Proves: elicitation.identity-mechanism-resilient
func TestAnElicitationIsOneUsers(t *testing.T) {
	s := newVisiting(t, server.Options{})
	ada := newest(t, s)
	ada.in.Principal = "ada"
	id := ada.elicitationID("t")
	assert.NoError(t, s.CheckElicitation(id, "ada"))
	assert.NoError(t, s.ElicitationComplete(id, "ada"))
	assert.NotEqual(t, id, ada.elicitationID("t"))
	for _, other := range []string{"bob", "", "ad", "adaa", "ADA"} {
		assert.ErrorIs(t, s.CheckElicitation(id, other), server.ErrNotElicited, other)
		assert.ErrorIs(t, s.ElicitationComplete(id, other), server.ErrNotElicited, other)
	}
	for i := range id { // each character counts
		changed := []byte(id)
		if changed[i]++; strings.ContainsAny(string(changed[i]), "-_") {
			changed[i] = '0'
		}
		if string(changed) != id && i < len(id)-1 { // the last may have bits that say nothing
			assert.ErrorIs(t, s.CheckElicitation(string(changed), "ada"), server.ErrNotElicited, i)
		}
		assert.ErrorIs(t, s.CheckElicitation(id[:i], "ada"), server.ErrNotElicited)
	}
	assert.ErrorIs(t, newVisiting(t, server.Options{}).CheckElicitation(id, "ada"), server.ErrNotElicited, "another server")
	assert.ErrorIs(t, s.CheckElicitation(id+"x", "ada"), server.ErrNotElicited)

	anybody := newest(t, s).elicitationID("t")
	assert.ErrorIs(t, s.CheckElicitation(anybody, ""), server.ErrNotElicited, "nobody can be recognised")
	assert.NoError(t, s.ElicitationComplete(anybody, ""))
}

// What travels in requests does not pass for an id, though the same keys seal it.
func TestAStateIsNoElicitation(t *testing.T) {
	keys := [][]byte{make([]byte, 32)}
	s := newVisiting(t, server.Options{StateKeys: keys})
	require.NoError(t, server.AddTool(s, server.Tool{Name: "ask"}, func(ctx context.Context, c *server.Call, _ struct{}) (string, error) {
		return "", c.Elicit(ctx, "k", "?", &struct{}{})
	}))
	p := newest(t, s)
	p.in.Principal = "ada"
	p.in.Capabilities = &protocol.ClientCapabilities{Elicitation: &protocol.ElicitationCapability{Form: true}}
	state := p.result("tools/call", `{"name":"ask"}`)["requestState"].(string)
	assert.ErrorIs(t, s.CheckElicitation(state, "ada"), server.ErrNotElicited)
	failed := p.fails("tools/call", `{"name":"ask","requestState":"`+p.elicitationID("t")+`"}`)
	assert.Equal(t, protocol.KindInvalidParams, failed.Kind)
	replica := newVisiting(t, server.Options{StateKeys: keys})
	assert.NoError(t, replica.CheckElicitation(p.elicitationID("t"), "ada"), "a replica has the same keys")
}

func TestElicitationsExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newVisiting(t, server.Options{StateTTL: time.Minute})
		p := newest(t, s)
		p.in.Principal = "ada"
		id := p.elicitationID("t")
		time.Sleep(time.Minute)
		assert.NoError(t, s.CheckElicitation(id, "ada"))
		time.Sleep(time.Second)
		assert.ErrorIs(t, s.CheckElicitation(id, "ada"), server.ErrNotElicited)
		assert.ErrorIs(t, s.ElicitationComplete(id, "ada"), server.ErrNotElicited)
	})
}

// The client that was asked is told, in its session, and no other: not even another of the same user.
//
// Proves: elicitation.complete-only-to-initiator
// Proves: elicitation.complete-has-id
func TestCompletionsAreToldToWhoWasAsked(t *testing.T) {
	s := newVisiting(t, server.Options{})
	subs := map[string]*server.Subscription{"everybody": subscribe(t, s, allLists)}
	for _, name := range []string{"1", "2"} {
		sub, err := s.SubscribeSession(name)
		require.NoError(t, err)
		t.Cleanup(sub.Close)
		subs[name] = sub
	}
	p := newest(t, s)
	p.in.Principal, p.in.Session = "ada", named{name: "1"}
	first, second := p.elicitationID("t"), p.elicitationID("t")
	for _, id := range []string{first, second, first} {
		require.NoError(t, s.ElicitationComplete(id, "ada"))
	}
	assert.Len(t, subs["1"].Wake(), 1)
	var told []string
	for _, n := range subs["1"].Take() {
		told = append(told, n.(*protocol.ElicitationCompleteNotification).ID)
	}
	assert.Equal(t, []string{first, second}, told)
	for _, name := range []string{"2", "everybody"} {
		assert.Empty(t, subs[name].Take(), name)
	}
	for range 150 {
		require.NoError(t, s.ElicitationComplete(p.elicitationID("t"), "ada"))
	}
	assert.Len(t, subs["1"].Take(), 100, "a reader that does not come costs no more")

	p.in.Session = named{name: "gone"}
	assert.NoError(t, s.ElicitationComplete(p.elicitationID("t"), "ada"), "nobody listens")
	subs["1"].Close()
	assert.NoError(t, s.ElicitationComplete(first, "ada"))
	assert.Empty(t, subs["1"].Take())
}

// The question has the id that is in its URL.
func TestVisitsOfAPage(t *testing.T) {
	s := newServer(t, server.Options{})
	require.NoError(t, server.AddTool(s, server.Tool{Name: "t"}, func(ctx context.Context, c *server.Call, _ struct{}) (string, error) {
		return "agreed", c.Visit(ctx, "k", "Go there.", func(id string) string { return "https://example.com/?e=" + id })
	}))
	p := newest(t, s)
	p.in.Principal = "ada"
	p.in.Capabilities = &protocol.ClientCapabilities{Elicitation: &protocol.ElicitationCapability{URL: true}}
	asked := p.result("tools/call", `{"name":"t"}`)
	uri := asked["inputRequests"].(object)["k"].(object)["params"].(object)["url"].(string)
	_, id, _ := strings.Cut(uri, "?e=")
	assert.NoError(t, s.CheckElicitation(id, "ada"))
	assert.Contains(t, p.raw("tools/call", `{"name":"t","requestState":"`+asked["requestState"].(string)+`","inputResponses":{"k":{"action":"accept"}}}`), "agreed")
}
