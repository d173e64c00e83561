package streamable_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/session"
	"github.com/parley-mcp/parley/transport/streamable"
)

// Streams that a client opens by GET, for what the server says unprompted, before 2026-07-28.

func subscribing(l lane, uri string) string {
	return l.call(`"sub"`, "resources/subscribe", `"uri":"`+uri+`"`, "")
}

func TestStandaloneStream(t *testing.T) {
	e := serve(t, streamable.Options{}, loud)
	each(t, handshakes, func(t *testing.T, revision string) {
		l := e.open(revision)
		f := e.stream(l.listening())
		if revision == nov { // F-07
			event := f.next()
			assert.True(t, event.HasID && event.HasData && len(event.Data) == 0, "an event to come back with")
		}
		e.Server.ToolsChanged()
		m := f.message()
		assert.Equal(t, "notifications/tools/list_changed", m.Method)
		assert.Empty(t, m.ID)
		assert.NotContains(t, string(m.Params), "subscriptionId")
		require.NotEmpty(t, f.last)
		if revision != nov {
			assert.Len(t, f.ids, 1, "F-07: nothing comes before the first message")
		}

		e.Server.ResourceUpdated("file:///hello") // nobody has subscribed: P-12
		assert.Zero(t, e.exchange(subscribing(l, "file:///hello")).last(t).code())
		e.Server.ResourceUpdated("file:///other")
		e.Server.ResourceUpdated("file:///hello")
		assert.JSONEq(t, `{"uri":"file:///hello"}`, string(f.message().Params))
		e.Server.ResourceUpdated("file:///hello/part")
		assert.JSONEq(t, `{"uri":"file:///hello/part"}`, string(f.message().Params))
		assert.Zero(t, e.exchange(l.call("7", "resources/unsubscribe", `"uri":"file:///hello"`, "")).last(t).code())
		e.Server.ResourceUpdated("file:///hello")
		e.Server.PromptsChanged()
		assert.Equal(t, "notifications/prompts/list_changed", f.message().Method, "and nothing between")

		assert.Equal(t, 204, e.exchange(l.ending()).status)
		f.end() // S-08
	})
}

func TestSubscribeErrors(t *testing.T) { // P-12
	e := serve(t, streamable.Options{}, loud)
	quiet := serve(t, streamable.Options{}, nil)
	none := serve(t, streamable.Options{}, func(o *server.Options) { o.Quiet, o.Sessions = false, session.None })
	each(t, handshakes, func(t *testing.T, revision string) {
		l := e.open(revision)
		assert.Equal(t, -32002, e.exchange(subscribing(l, "other:///nope")).last(t).code())
		assert.Contains(t, e.exchange(request(initialize(revision))).body, `"subscribe":true`)
		for _, other := range []*endpoint{quiet, none} {
			a := other.exchange(request(initialize(revision)))
			assert.NotContains(t, a.body, `"subscribe":true`)
			l := lane{revision, a.header.Get("Mcp-Session-Id")}
			assert.Equal(t, -32601, other.exchange(subscribing(l, "file:///hello")).last(t).code(), "H: not declared")
		}
	})
}

func TestSubscriptionsAreBounded(t *testing.T) {
	e := serve(t, streamable.Options{}, loud)
	l := e.open(nov)
	c := e.dial()
	r := newReader(c)
	var code int
	for i := range server.MaxResources + 1 {
		_, err := io.WriteString(c, subscribing(l, fmt.Sprintf("file:///%d", i)))
		require.NoError(t, err)
		if code = e.read(r, "POST").last(t).code(); i < server.MaxResources {
			require.Zero(t, code)
		}
	}
	assert.Equal(t, -32600, code)
}

func TestNoStandaloneStream(t *testing.T) { // H-05, H-07
	sealed := func(o *server.Options) {
		store, err := session.NewSealed(session.SealedOptions{Keys: [][]byte{make([]byte, 32)}})
		require.NoError(t, err)
		o.Sessions, o.Quiet = store, false
	}
	for name, with := range map[string]func(*server.Options){
		"quiet":  nil,
		"none":   func(o *server.Options) { o.Quiet, o.Sessions = false, session.None },
		"sealed": sealed,
		"modern": func(o *server.Options) { o.Quiet = false; only(modern)(o) },
	} {
		t.Run(name, func(t *testing.T) {
			e := serve(t, streamable.Options{}, with)
			l := lane{revision: nov}
			if name != "modern" {
				l = e.open(nov)
			}
			for _, raw := range []string{l.listening(), l.listening("Last-Event-ID: 1-0"), l.listening("Accept: application/json"), requestOf("GET", "")} {
				a := e.exchange(raw)
				assert.Equal(t, 405, a.status, a.body)
				assert.NotContains(t, a.header.Get("Allow"), "GET")
				assert.Contains(t, a.header.Get("Allow"), "POST")
			}
		})
	}
}

func TestStandaloneStreamRefused(t *testing.T) {
	e := serve(t, streamable.Options{}, func(o *server.Options) { loud(o); byToken(o) })
	ada := "Authorization: Bearer ada/1"
	each(t, handshakes, func(t *testing.T, revision string) {
		l := e.open(revision, ada)
		for want, raw := range map[int]string{
			406: l.listening(ada, "Accept: application/json"),
			404: l.listening("Authorization: Bearer eve/1"), // S-12
			400: lane{revision: revision}.listening(ada),
			405: l.listening(ada, "MCP-Protocol-Version: 2026-07-28"),
		} {
			a := e.exchange(raw)
			assert.Equal(t, want, a.status, a.body)
			assert.Equal(t, "application/json", a.header.Get("Content-Type"))
		}
		assert.Equal(t, 404, e.exchange(lane{revision, "nobody-has-this-one-00"}.listening(ada)).status)
		f := e.stream(l.listening(ada, "Accept: */*")) // the control
		f.leave()
	})
}

func TestSeveralStandaloneStreams(t *testing.T) { // S-21
	e := serve(t, streamable.Options{}, loud)
	each(t, handshakes, func(t *testing.T, revision string) {
		l := e.open(revision)
		streams := make([]*flow, 3)
		for i := range streams {
			streams[i] = e.stream(l.listening())
		}
		const updates = 200
		require.Zero(t, e.exchange(subscribing(l, "file:///hello")).last(t).code())
		got := make(chan string, 2*updates)
		ids := make(chan string, 2*updates)
		var readers sync.WaitGroup
		for _, f := range streams {
			readers.Go(func() {
				for {
					event, err := f.events.Next()
					if err != nil {
						return
					}
					ids <- event.ID
					if event.Message() {
						got <- string(event.Data)
					}
				}
			})
		}
		seen := map[string]bool{}
		for i := range updates {
			e.Server.ResourceUpdated(fmt.Sprintf("file:///hello/%d", i))
		}
		for range updates {
			m := receive(t, got, "an update")
			assert.False(t, seen[m], "each on one stream: %s", m)
			seen[m] = true
		}
		assert.Equal(t, 204, e.exchange(l.ending()).status)
		readers.Wait()
		close(ids)
		unique := map[string]bool{}
		for id := range ids {
			assert.False(t, unique[id], "an id is one event's in the session")
			unique[id] = true
		}
		assert.Empty(t, got)
	})
}

func TestOneStreamTooMany(t *testing.T) {
	e := serve(t, streamable.Options{}, loud)
	each(t, handshakes, func(t *testing.T, revision string) {
		l := e.open(revision)
		type end struct {
			last string // the last event id
			err  error
		}
		ends := make(chan end, 9)
		for range cap(ends) {
			f := e.stream(l.listening())
			go func() {
				var e end
				for e.err == nil {
					event, err := f.events.Next()
					if e.err = err; event.HasID {
						e.last = event.ID
					}
				}
				ends <- e
			}()
		}
		oldest := receive(t, ends, "one of them ends")
		assert.Equal(t, io.EOF, oldest.err, "whole")
		if revision == nov {
			e.stream(resume(l, oldest.last)) // it can be taken up again, in the place of the next
			assert.Equal(t, io.EOF, receive(t, ends, "another ends").err)
		}
		assert.Empty(t, ends, "and no more")
		assert.Equal(t, 204, e.exchange(l.ending()).status)
		for range cap(ends) - 2 {
			assert.Equal(t, io.EOF, receive(t, ends, "the others end with the session").err)
		}
	})
}

func TestTooManyStreams(t *testing.T) {
	e := serve(t, streamable.Options{MaxStreams: 2}, loud)
	l := e.open(nov)
	f, g := e.stream(l.listening()), e.stream(lane{revision: modern}.call("1", "subscriptions/listen", `"notifications":{}`, ""))
	for _, raw := range []string{l.listening(), (lane{revision: modern}).call("2", "subscriptions/listen", `"notifications":{}`, "")} {
		a := e.exchange(raw)
		assert.Equal(t, 503, a.status)
		assert.NotEmpty(t, a.header.Get("Retry-After"))
	}
	e.works(l)
	f.leave()
	g.leave()
	for range 2 {
		receive(t, e.gone, "the server sees it")
	}
	begin := time.Now()
	for status := 0; status != http.StatusOK; { // once their handlers have returned
		require.Less(t, time.Since(begin), patience)
		a := e.flow(l.listening())
		status = a.res.StatusCode
		a.leave()
	}
}

func TestDeleteRacesWithNotifications(t *testing.T) { // S-09
	e := asking(t, streamable.Options{}, loud)
	each(t, handshakes, func(t *testing.T, revision string) {
		for range 30 {
			l := e.open(revision)
			f := e.stream(l.listening())
			var all sync.WaitGroup
			begin := make(chan struct{})
			deleted := make(chan int, 3)
			for range cap(deleted) {
				all.Go(func() {
					<-begin
					deleted <- e.exchange(l.ending()).status
				})
			}
			for i, raw := range []string{l.tool("1", "chatty", `"count":20`, `"progressToken":1`), l.tool("2", "chatty", `"count":20`, `"progressToken":1`), subscribing(l, "file:///hello")} {
				all.Go(func() {
					<-begin
					assert.Contains(t, []int{200, 204, 404}, e.exchange(raw).status, i)
				})
			}
			all.Go(func() {
				<-begin
				g := e.flow(l.listening())
				assert.Contains(t, []int{200, 404}, g.res.StatusCode)
				_, _ = io.Copy(io.Discard, g.res.Body) // which ends
			})
			all.Go(func() {
				<-begin
				for range 20 {
					e.Server.ToolsChanged()
				}
			})
			all.Go(func() { _, _ = io.Copy(io.Discard, f.res.Body) })
			close(begin)
			all.Wait()
			won := 0
			for range cap(deleted) {
				if <-deleted == 204 {
					won++
				}
			}
			assert.Equal(t, 1, won)
		}
	})
}

// Proves: subscriptions.graceful-result
// Proves: subscriptions.graceful-result-shape
// Proves: subscriptions.graceful-close-after-result
func TestShutdownEndsStreams(t *testing.T) { // M-31
	e := asking(t, streamable.Options{}, loud)
	l := e.open(nov)
	f := e.stream(l.listening())
	call := e.stream(l.tool("1", "absent", "", `"progressToken":1`))
	receive(t, e.Entered, "the call runs")
	_ = call.message()
	resumed := e.stream(l.listening("Last-Event-ID: " + call.last))
	listens := []*flow{}
	for _, id := range []string{`1`, `"1"`} {
		g := e.stream(lane{revision: modern}.call(id, "subscriptions/listen", `"notifications":{"toolsListChanged":true}`, ""))
		assert.Equal(t, "notifications/subscriptions/acknowledged", g.message().Method)
		listens = append(listens, g)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		e.shutdown()
	}()
	for i, g := range listens {
		m := g.message()
		assert.Equal(t, []string{`1`, `"1"`}[i], string(m.ID))
		assert.Contains(t, string(m.Result), `"resultType":"complete"`)
		assert.Contains(t, string(m.Result), `"io.modelcontextprotocol/subscriptionId":`+string(m.ID))
		g.end()
	}
	for {
		if _, err := f.events.Next(); err != nil {
			assert.Equal(t, io.EOF, err)
			break
		}
	}
	e.Release()
	assert.Equal(t, "notifications/progress", resumed.message().Method, "a call that runs is answered")
	assert.Equal(t, "true", resumed.text())
	resumed.end()
	<-done
}

func TestStreamsExpireWithTheirSession(t *testing.T) { // S-07, S-08
	short := func(o *server.Options) {
		loud(o)
		store, err := session.NewLRU(session.LRUOptions{IdleTimeout: time.Minute, MaxSessions: 1})
		if err != nil {
			panic(err)
		}
		o.Sessions = store
	}
	bubble(t, handshakes, streamable.Options{KeepAlive: -1}, short, func(t *testing.T, s *local, l lane) {
		defer func() { _ = s.Server.Sessions().Close() }()
		w, done := newRecorder(), make(chan struct{})
		go func() {
			defer close(done)
			s.serve(w, l.listening())
		}()
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		assert.Equal(t, 200, s.do(l.call("1", "ping", "", "")).status, "a stream that is read keeps its session")
		s.open(l.revision) // there is room for one
		<-done
		assert.Equal(t, 404, s.do(l.listening()).status)
		s.Server.ToolsChanged()
		assert.NotContains(t, w.String(), "list_changed")
	})
}

func TestKeepAliveOnStreams(t *testing.T) {
	with := streamable.Options{KeepAlive: 15 * time.Second}
	bubble(t, all, with, loud, func(t *testing.T, s *local, l lane) {
		w, done := newRecorder(), make(chan struct{})
		raw := l.listening()
		if l.revision == modern {
			raw = l.call("1", "subscriptions/listen", `"notifications":{}`, "")
		}
		go func() {
			defer close(done)
			s.serve(w, raw)
		}()
		time.Sleep(61 * time.Second)
		synctest.Wait()
		assert.Equal(t, 4, strings.Count(w.String(), ":\n\n"))
		require.NoError(t, s.handler.Shutdown(t.Context()))
		<-done
		whole := w.String()
		time.Sleep(time.Hour)
		assert.Equal(t, whole, w.String())
	})
}
