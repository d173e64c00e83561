package streamable_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/internal/rawjson"
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/transport/streamable"
)

// 2026-07-28 basic/patterns/subscriptions over HTTP: a request whose answer is a stream that lasts.

func listen(id, filter string, more ...string) string {
	return lane{revision: modern}.call(id, "subscriptions/listen", `"notifications":{`+filter+`}`, "", more...)
}

// tag returns the subscription id of a message.
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
	e := serve(t, streamable.Options{}, loud)
	for _, id := range []string{`1`, `"1"`, `"é"`} {
		f := e.stream(listen(id, `"toolsListChanged":true,"resourceSubscriptions":["file:///hello","other:///nope"]`))
		ack := f.message()
		assert.Equal(t, "notifications/subscriptions/acknowledged", ack.Method, "it comes first")
		assert.Equal(t, id, tag(ack))
		filter, _ := rawjson.Lookup(ack.Params, "notifications")
		assert.JSONEq(t, `{"toolsListChanged":true,"resourceSubscriptions":["file:///hello"]}`, string(filter))
		e.Server.PromptsChanged() // not asked for
		e.Server.ResourceUpdated("file:///other")
		e.Server.ResourceUpdated("file:///hello")
		m := f.message()
		assert.Equal(t, "notifications/resources/updated", m.Method)
		assert.Equal(t, id, tag(m))
		e.Server.ToolsChanged()
		m = f.message()
		assert.Equal(t, "notifications/tools/list_changed", m.Method)
		assert.Equal(t, id, tag(m))
		assert.Empty(t, f.ids, "no event ids")
		f.leave()
	}
}

func TestEachSubscriptionIsTold(t *testing.T) {
	e := serve(t, streamable.Options{}, loud)
	l := e.open(nov)
	get := e.stream(l.listening())
	get.next()
	var all []*flow
	for i := range 20 { // also with the same id: there are no sessions in which one could be taken
		f := e.stream(listen(fmt.Sprint(i%10), `"toolsListChanged":true`))
		f.message()
		all = append(all, f)
	}
	e.Server.ToolsChanged()
	for i, f := range all {
		m := f.message()
		assert.Equal(t, "notifications/tools/list_changed", m.Method)
		assert.Equal(t, fmt.Sprint(i%10), tag(m), "M-44")
	}
	assert.Empty(t, tag(get.message()), "a session's stream has none")
}

func TestListenSaysNothingElse(t *testing.T) { // P-11
	e := asking(t, streamable.Options{}, loud)
	f := e.stream(lane{revision: modern}.call("1", "subscriptions/listen", `"notifications":{"toolsListChanged":true}`, `"io.modelcontextprotocol/logLevel":"debug","progressToken":1`))
	f.message()
	l := lane{revision: modern}
	assert.Len(t, e.exchange(l.tool("2", "noisy", "", `"io.modelcontextprotocol/logLevel":"debug"`)).messages(t), 4)
	assert.Len(t, e.exchange(l.tool("3", "steps", "", `"progressToken":1`)).messages(t), 4)
	e.Server.ToolsChanged()
	assert.Equal(t, "notifications/tools/list_changed", f.message().Method, "and nothing before it")
}

func TestListenIsRefused(t *testing.T) {
	e := serve(t, streamable.Options{}, loud)
	a := e.exchange(listen("1", "", "Accept: application/json"))
	assert.Equal(t, 406, a.status)
	assert.Equal(t, "1", string(a.last(t).ID))
	var uris []string
	for i := range server.MaxResources + 1 {
		uris = append(uris, fmt.Sprintf(`"file:///%d"`, i))
	}
	a = e.exchange(listen("1", `"resourceSubscriptions":[`+strings.Join(uris, ",")+`]`))
	assert.Equal(t, -32600, a.last(t).code())
	assert.NotEqual(t, "text/event-stream", a.header.Get("Content-Type"))
	for _, wrong := range []string{`"notifications":7`, `"notifications":{"toolsListChanged":1}`, `"notifications":{"resourceSubscriptions":[7]}`, ``} {
		a = e.exchange(lane{revision: modern}.call("1", "subscriptions/listen", wrong, ""))
		assert.Equal(t, -32602, a.last(t).code(), wrong)
	}
	l := e.open(nov)
	assert.Equal(t, -32601, e.exchange(l.call("1", "subscriptions/listen", `"notifications":{}`, "")).last(t).code(), "unknown in a session")
	assert.Equal(t, 404, e.exchange(lane{revision: modern}.call("1", "resources/subscribe", `"uri":"file:///hello"`, "")).status)
}

func TestListenToAQuietServer(t *testing.T) {
	e := serve(t, streamable.Options{}, nil)
	f := e.stream(listen("1", `"toolsListChanged":true,"resourceSubscriptions":["file:///hello"]`))
	ack := f.message()
	filter, _ := rawjson.Lookup(ack.Params, "notifications")
	assert.JSONEq(t, `{}`, string(filter))
	e.Server.ToolsChanged()
	go e.shutdown()
	assert.Contains(t, string(f.message().Result), `"resultType":"complete"`)
	f.end()
}

func TestListenWhatThePrincipalSees(t *testing.T) {
	e := serve(t, streamable.Options{}, func(o *server.Options) {
		loud(o)
		byToken(o)
		o.Visible.Resource = func(principal string, _ *protocol.Resource) bool { return principal == "ada" }
		o.Visible.ResourceTemplate = func(string, *protocol.ResourceTemplate) bool { return false }
	})
	eve := e.stream(listen("1", `"resourceSubscriptions":["file:///hello"],"toolsListChanged":true`, "Authorization: Bearer eve/1"))
	filter, _ := rawjson.Lookup(eve.message().Params, "notifications")
	assert.JSONEq(t, `{"toolsListChanged":true}`, string(filter))
	ada := e.stream(listen("1", `"resourceSubscriptions":["file:///hello"]`, "Authorization: Bearer ada/1"))
	ada.message()
	e.Server.ResourceUpdated("file:///hello")
	assert.Equal(t, "notifications/resources/updated", ada.message().Method)
	e.Server.ToolsChanged()
	assert.Equal(t, "notifications/tools/list_changed", eve.message().Method)
}

func TestListenerThatLeaves(t *testing.T) {
	e := serve(t, streamable.Options{}, loud)
	for range 20 {
		f := e.stream(listen("1", `"toolsListChanged":true`))
		f.message()
		f.leave()
		e.Server.ToolsChanged()
	}
	e.shutdown() // nothing is left
}

// A reader that does not read loses its stream, and holds up nobody.
func TestListenerThatDoesNotRead(t *testing.T) {
	e := serve(t, streamable.Options{WriteTimeout: 100 * 1e6, MaxStreams: 3}, loud)
	l := e.open(nov)
	long := "file:///hello/" + strings.Repeat("x", 64<<10)
	slowGet, slowListen := e.dial(), e.dial()
	require.Zero(t, e.exchange(subscribing(l, "file:///hello")).last(t).code())
	for c, raw := range map[io.Writer]string{slowGet: l.listening(), slowListen: listen("1", `"resourceSubscriptions":["file:///hello"]`)} {
		_, err := io.WriteString(c, raw)
		require.NoError(t, err)
	}
	good := e.stream(listen("2", `"resourceSubscriptions":["file:///hello"]`))
	good.message()
	gone := 0
	for i := 0; gone < 2; i++ {
		e.Server.ResourceUpdated(fmt.Sprint(long, i))
		assert.Contains(t, string(good.message().Params), fmt.Sprint("x", i, `"`), "nobody else waits")
		select {
		case <-e.gone:
			gone++
		default:
		}
	}
	e.works(l)
	assert.Equal(t, 204, e.exchange(l.ending()).status)
	good.leave()
	e.shutdown()
}

// Who ends the session of a reader that does not read does not wait for it.
func TestEndingASlowReader(t *testing.T) {
	e := serve(t, streamable.Options{}, loud) // in which it has 30 s
	l := e.open(nov)
	require.Zero(t, e.exchange(subscribing(l, "file:///hello")).last(t).code())
	slow := e.dial()
	_, err := io.WriteString(slow, l.listening())
	require.NoError(t, err)
	_, err = slow.Read(make([]byte, 1))
	require.NoError(t, err, "the stream is open")
	_, err = io.WriteString(e.dial(), l.tool("3", "flood", "", `"progressToken":1`))
	require.NoError(t, err)
	receive(t, e.Entered, "the call runs")
	long := "file:///hello/" + strings.Repeat("x", 1<<20)
	for i := range 30 {
		e.Server.ResourceUpdated(fmt.Sprint(long, i))
	}
	assert.Equal(t, 204, e.exchange(l.ending()).status)
	assert.Error(t, receive(t, e.Sent, "the call that floods is cut off"))
	e.shutdown()
}
