package server_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/revisions"
	"github.com/parley-mcp/parley/server"
)

// A subscription of a revision without sessions is a request that lasts.

// A listener is one such request.
type listener struct {
	peer    *peer
	heard   chan string // what is said, as JSON with its method
	closing chan struct{}
	cancel  context.CancelFunc
	ended   chan listened
}

type listened struct {
	result string
	failed error
}

// loud hands on what is said.
type loud struct {
	server.Stream
	l *listener
}

// Notify implements server.Stream.
func (s *loud) Notify(n protocol.Notification) error {
	raw, err := s.l.peer.in.Codec.Append(nil, n)
	s.l.heard <- strings.TrimPrefix(n.Method(), "notifications/") + " " + string(raw)
	return err
}

func listen(t testing.TB, s *server.Server, principal, id, filter string) *listener {
	t.Helper()
	return listenAs(t, s, `{}`, principal, id, filter)
}

// listenAs is listen for a client with these capabilities.
func listenAs(t testing.TB, s *server.Server, capabilities, principal, id, filter string) *listener {
	t.Helper()
	p := newest(t, s).declare(capabilities)
	ctx, cancel := context.WithCancel(context.Background())
	l := &listener{p, make(chan string, 100), make(chan struct{}), cancel, make(chan listened, 1)}
	params := `{"notifications":` + filter + `}`
	p.in.Stream, p.in.Closing, p.in.Principal = &loud{l: l}, l.closing, principal
	p.in.ID, p.in.Method, p.in.RawParams = jsontext.Value(id), "subscriptions/listen", jsontext.Value(params)
	p.in.Meta.LogLevel = protocol.LogDebug // which is of no use here
	var err error
	p.in.Params, err = p.in.Codec.DecodeRequest("subscriptions/listen", jsontext.Value(params))
	require.NoError(t, err)
	t.Cleanup(cancel)
	go func() {
		result, err := s.Dispatch(ctx, s.NewCall(&p.in))
		var out []byte
		if err == nil {
			out, err = p.in.Codec.Append(nil, result)
		}
		l.ended <- listened{string(out), err}
	}()
	return l
}

// acknowledged returns the filter that is honoured.
func (l *listener) acknowledged(id string) string {
	l.peer.t.Helper()
	method, params, _ := strings.Cut(<-l.heard, " ")
	require.Equal(l.peer.t, "subscriptions/acknowledged", method, "it comes first")
	m := decode(l.peer.t, []byte(params))
	assert.Contains(l.peer.t, params, `"io.modelcontextprotocol/subscriptionId":`+id)
	raw, err := jsontext.AppendQuote(nil, fmt.Sprint(m["notifications"]))
	require.NoError(l.peer.t, err)
	return string(raw)
}

func TestListen(t *testing.T) {
	s := newServer(t, server.Options{})
	addTools(t, s, "a")
	addResources(t, s, "file:///r")
	for _, id := range []string{`1`, `"1"`, `"é"`, `9007199254740993`} {
		l := listen(t, s, "", id, `{"toolsListChanged":true,"promptsListChanged":true,"resourceSubscriptions":["file:///r"]}`)
		assert.Equal(t, `"map[resourceSubscriptions:[file:///r] toolsListChanged:true]"`, l.acknowledged(id), "prompts are not offered")
		s.ToolsChanged()
		assert.Equal(t, `tools/list_changed {"_meta":{"io.modelcontextprotocol/subscriptionId":`+id+`}}`, <-l.heard)
		s.ResourcesChanged() // not asked for
		s.PromptsChanged()
		s.ResourceUpdated("file:///other")
		s.ResourceUpdated("file:///r/part")
		got := <-l.heard
		assert.Contains(t, got, `resources/updated {`)
		assert.Contains(t, got, `"uri":"file:///r/part"`)
		assert.Contains(t, got, `"io.modelcontextprotocol/subscriptionId":`+id)

		// The end is a result, behind what was announced before.
		s.ToolsChanged()
		close(l.closing)
		end := <-l.ended
		require.NoError(t, end.failed)
		assert.Contains(t, <-l.heard, "tools/list_changed")
		assert.Empty(t, l.heard)
		assert.Contains(t, end.result, `"resultType":"complete"`)
		assert.Contains(t, end.result, `"io.modelcontextprotocol/subscriptionId":`+id)
	}
}

// Proves: resources.check-permissions 2026-07-28
func TestListenHonoursWhatThereIs(t *testing.T) {
	visible := server.Visible{
		Resource:         func(principal string, r *protocol.Resource) bool { return principal == "ada" || r.Name != "secret" },
		ResourceTemplate: func(principal string, _ *protocol.ResourceTemplate) bool { return principal == "ada" },
	}
	s := newServer(t, server.Options{Visible: visible})
	addTools(t, s, "a")
	require.NoError(t, s.AddResource(server.Resource{URI: "file:///open", Name: "open"}, reader("x")))
	require.NoError(t, s.AddResource(server.Resource{URI: "file:///secret", Name: "secret"}, reader("x")))
	require.NoError(t, s.AddResourceTemplate(server.ResourceTemplate{URITemplate: "note:{id}", Name: "notes"}, reader("x")))
	filter := `{"toolsListChanged":false,"resourcesListChanged":true,"resourceSubscriptions":["file:///open","file:///secret","file:///open","note:7","file:///unknown",""]}`
	eve := listen(t, s, "eve", "1", filter)
	assert.Equal(t, `"map[resourceSubscriptions:[file:///open] resourcesListChanged:true]"`, eve.acknowledged("1"))
	ada := listen(t, s, "ada", "2", filter)
	assert.Equal(t, `"map[resourceSubscriptions:[file:///open file:///secret note:7] resourcesListChanged:true]"`, ada.acknowledged("2"))
	s.ResourceUpdated("file:///secret")
	assert.Contains(t, <-ada.heard, "file:///secret")
	s.ResourceUpdated("file:///open")
	assert.Contains(t, <-eve.heard, "file:///open", "and nothing before")
	for _, l := range []*listener{eve, ada} {
		l.cancel()
		assert.Error(t, (<-l.ended).failed)
	}
}

func TestListenToNothing(t *testing.T) { // OP-47
	for name, o := range map[string]server.Options{"nothing is offered": {}, "a server that announces nothing": {Quiet: true}} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, o)
			if o.Quiet {
				addTools(t, s, "a")
				addResources(t, s, "file:///r")
			}
			l := listen(t, s, "", "1", `{"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true,"resourceSubscriptions":["file:///r"]}`)
			assert.Equal(t, `"map[]"`, l.acknowledged("1"))
			s.ToolsChanged()
			s.ResourceUpdated("file:///r")
			close(l.closing)
			require.NoError(t, (<-l.ended).failed)
			assert.Empty(t, l.heard)
		})
	}
}

func TestListenToTooMuch(t *testing.T) {
	s := newServer(t, server.Options{})
	require.NoError(t, s.AddResourceTemplate(server.ResourceTemplate{URITemplate: "note:{id}", Name: "notes"}, reader("x")))
	uris := `"note:0"` + strings.Repeat(`,"note:0"`, server.MaxResources)
	l := listen(t, s, "", "1", `{"resourceSubscriptions":[`+uris+`]}`)
	end := <-l.ended
	var e *protocol.Error
	require.ErrorAs(t, end.failed, &e)
	assert.Equal(t, protocol.KindInvalidRequest, e.Kind)
	assert.Contains(t, e.Message, "1000")
	assert.Empty(t, l.heard, "and no acknowledgment before")
}

func TestListenIsCancelled(t *testing.T) {
	s := newServer(t, server.Options{})
	addTools(t, s, "a")
	for range 100 { // whichever comes first
		l := listen(t, s, "", "1", `{"toolsListChanged":true}`)
		l.acknowledged("1")
		l.cancel()
		s.ToolsChanged()
		assert.Error(t, (<-l.ended).failed)
		assert.Empty(t, l.heard, "nothing is said after a cancellation")
	}
}

func TestSubscriptionsOfOtherLifecycle(t *testing.T) { // P-12
	s := newServer(t, server.Options{})
	addResources(t, s, "file:///r")
	for _, codec := range revisions.All() {
		p := newPeer(t, s, codec).declare(`{}`)
		if codec.Features().Lifecycle == protocol.PerRequest {
			assert.Equal(t, protocol.KindMethodNotFound, p.fails("resources/subscribe", `{"uri":"file:///r"}`).Kind)
			assert.Equal(t, protocol.KindMethodNotFound, p.fails("resources/unsubscribe", `{"uri":"file:///r"}`).Kind)
			continue
		}
		assert.Equal(t, protocol.KindMethodNotFound, p.fails("subscriptions/listen", `{"notifications":{}}`).Kind)
		assert.Equal(t, protocol.KindMethodNotFound, p.fails("resources/subscribe", `{"uri":"file:///r"}`).Kind, "no session remembers it")
		w := &watched{}
		p.in.Session = w
		p.raw("resources/subscribe", `{"uri":"file:///r"}`)
		assert.Equal(t, protocol.KindResourceNotFound, p.fails("resources/subscribe", `{"uri":"file:///unknown"}`).Kind)
		p.raw("resources/unsubscribe", `{"uri":"file:///r"}`)
		p.raw("resources/unsubscribe", `{"uri":"file:///never"}`)
		assert.Equal(t, []string{"+file:///r", "-file:///r", "-file:///never"}, w.calls)
	}
	quiet := newServer(t, server.Options{Quiet: true})
	addResources(t, quiet, "file:///r")
	p := newPeer(t, quiet, revisions.All()[1])
	p.in.Session = &watched{}
	assert.Equal(t, protocol.KindMethodNotFound, p.fails("resources/subscribe", `{"uri":"file:///r"}`).Kind)
}

// watched is a session that notes what it is asked to watch.
type watched struct {
	server.Session
	calls []string
}

func (w *watched) Watch(_ context.Context, uri string) error {
	w.calls = append(w.calls, "+"+uri)
	return nil
}

func (w *watched) Unwatch(_ context.Context, uri string) { w.calls = append(w.calls, "-"+uri) }
