package streamable_test

import (
	"fmt"
	"io"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/internal/sse"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/session"
	"github.com/parley-mcp/parley/transport/streamable"
)

// A connection breaks, and the client takes its stream up where it left it, before 2026-07-28.

func resume(l lane, id string, more ...string) string {
	return l.listening(append(more, "Last-Event-ID: "+id)...)
}

// streamOf returns the part of an event id that names its stream.
func streamOf(id string) string {
	name, _, _ := strings.Cut(id, "-")
	return name
}

func TestPriming(t *testing.T) { // F-07
	e := asking(t, streamable.Options{}, loud)
	each(t, handshakes, func(t *testing.T, revision string) {
		l := e.open(revision)
		for _, f := range []*flow{e.stream(l.tool("1", "steps", "", `"progressToken":1`)), e.stream(l.tool("2", "echo", "", "", "Accept: text/event-stream"))} {
			first := f.next()
			if revision == nov {
				assert.True(t, first.HasID && first.HasData && !first.Message() && len(first.Data) == 0, "%+v", first)
				first = f.next()
			}
			assert.True(t, first.Message())
			assert.True(t, first.HasID)
			assert.False(t, first.HasRetry)
			_, _ = io.Copy(io.Discard, f.res.Body)
		}
		assert.Equal(t, "application/json", e.exchange(l.tool("3", "echo", "", "")).header.Get("Content-Type"), "no stream where none is needed")
	})
	quiet := asking(t, streamable.Options{}, nil)
	f := quiet.stream(quiet.open(nov).tool("1", "steps", "", `"progressToken":1`))
	assert.False(t, f.next().HasID, "what cannot be taken up again has no id")
}

func TestDisconnectIsNoCancellation(t *testing.T) { // H-28, P-04
	e := asking(t, streamable.Options{}, loud)
	each(t, handshakes, func(t *testing.T, revision string) {
		l := e.open(revision)
		f := e.stream(l.tool("1", "stubborn", "", `"progressToken":1`))
		receive(t, e.Entered, "the call runs")
		assert.Contains(t, string(f.message().Params), "first")
		f.leave()
		receive(t, e.gone, "the server sees it")
		e.Release()
		assert.NoError(t, receive(t, e.Sent, "the tool speaks on"))
		g := e.stream(resume(l, f.last))
		assert.Contains(t, string(g.message().Params), "second")
		assert.Equal(t, "released", g.text())
		g.end()
		again := e.stream(resume(l, f.last))
		assert.Equal(t, g.ids[0], func() string { again.message(); return again.last }(), "as often as need be")
		rest := e.stream(resume(l, g.ids[0]))
		assert.Equal(t, "released", rest.text())
		rest.end()
		e.stream(resume(l, g.last)).end()
	})
}

func TestResumedWhileItRuns(t *testing.T) {
	e := asking(t, streamable.Options{}, loud)
	each(t, handshakes, func(t *testing.T, revision string) {
		l := e.open(revision)
		f := e.stream(l.tool("1", "stubborn", "", `"progressToken":1`))
		receive(t, e.Entered, "the call runs")
		f.message()
		g := e.stream(resume(l, f.last)) // while the old connection hangs: S-21
		h := e.stream(resume(l, f.last))
		g.end()
		e.Server.ToolsChanged() // of no concern to this stream
		e.Release()
		receive(t, e.Sent, "the tool speaks on")
		assert.Contains(t, string(h.message().Params), "second")
		assert.Equal(t, "released", h.text())
		h.end()
		f.end()
	})
}

func TestAnsweredAfterAResumption(t *testing.T) {
	e := asking(t, streamable.Options{}, loud)
	each(t, eliciting, func(t *testing.T, revision string) {
		l := e.join(revision)
		f := e.stream(l.able("1", "wizard", `"count":3`, `"progressToken":1`))
		for range 3 {
			f.message()
		}
		last := f.last
		first := f.asked("elicitation/create")
		f.leave()
		g := e.stream(resume(l, last))
		assert.Equal(t, string(first.ID), string(g.asked("elicitation/create").ID), "the question is there again")
		e.exchange(l.respond(string(first.ID), accepted("one")))
		for i := range 3 {
			assert.Contains(t, string(g.message().Params), fmt.Sprintf(`"progress":%d`, 1000+i))
		}
		e.exchange(l.respond(string(g.asked("elicitation/create").ID), accepted("two")))
		for range 3 {
			g.message()
		}
		assert.Contains(t, g.text(), "one two")
		g.end()
	})
}

// Proves: transport.http.event-ids-per-stream
// Proves: transport.http.event-id-unique
// Proves: transport.http.replay-same-stream-only
func TestReplayOfOneStreamAlone(t *testing.T) {
	e := asking(t, streamable.Options{}, loud)
	each(t, handshakes, func(t *testing.T, revision string) {
		l := e.open(revision)
		a := e.stream(l.tool(`"a"`, "chatty", `"count":5`, `"progressToken":"a"`))
		b := e.stream(l.tool(`"b"`, "chatty", `"count":5`, `"progressToken":"b"`))
		get := e.stream(l.listening())
		e.Server.ToolsChanged()
		get.message()
		for range 6 {
			a.message()
			b.message()
		}
		seen := map[string]string{}
		for name, f := range map[string]*flow{"a": a, "b": b, "get": get} {
			for _, id := range f.ids {
				assert.Empty(t, seen[id], "an id is one event's")
				assert.Equal(t, streamOf(f.ids[0]), streamOf(id), "and names its stream")
				seen[id] = name
			}
		}
		ids := a.ids
		for i, id := range ids {
			f := e.stream(resume(l, id))
			for _, want := range ids[i+1:] {
				m := f.message()
				assert.Equal(t, want, f.last)
				assert.NotContains(t, string(m.Params), `"b"`)
			}
			f.end()
		}
	})
}

func TestResumeStandalone(t *testing.T) {
	e := serve(t, streamable.Options{}, loud)
	each(t, handshakes, func(t *testing.T, revision string) {
		l := e.open(revision)
		f := e.stream(l.listening())
		e.Server.ToolsChanged()
		f.message()
		f.leave()
		receive(t, e.gone, "the server sees it")
		e.Server.PromptsChanged()
		g := e.stream(resume(l, f.last))
		assert.Equal(t, "notifications/prompts/list_changed", g.message().Method, "what came in between is not lost")
		assert.Equal(t, streamOf(f.last), streamOf(g.last))
		e.Server.ToolsChanged()
		assert.Equal(t, "notifications/tools/list_changed", g.message().Method, "and it goes on")
		assert.Equal(t, 204, e.exchange(l.ending()).status)
		g.end()
	})
}

func TestLastEventIDs(t *testing.T) { // H-24
	e := asking(t, streamable.Options{}, loud)
	each(t, handshakes, func(t *testing.T, revision string) {
		l, other := e.open(revision), e.open(revision)
		theirs := e.stream(other.tool("1", "chatty", `"count":9`, `"progressToken":1`))
		for range 10 {
			theirs.message()
		}
		mine := e.stream(l.tool("1", "chatty", `"count":2`, `"progressToken":1`))
		for range 3 {
			mine.message()
		}
		name := streamOf(mine.last)
		for _, id := range []string{
			"streamA_18446744073709551616", "x", "-", "--", name, name + "-", "-0", name + "-x", name + "--1", name + "-+1", name + "-01", name + "-99", name + "-9223372036854775807",
			name + "-18446744073709551616", name + "-1.0", "0" + name + "-0", "99-0", name + "-0-0", name + "-0\t", strings.Repeat("9", 5000), "é-0", theirs.last, // past the end here
		} {
			a := e.exchange(resume(l, id))
			if strings.TrimSpace(id) != id { // net/http trims it
				continue
			}
			assert.Equal(t, 400, a.status, id)
			assert.NotContains(t, a.body, "progress")
		}
		f := e.stream(resume(l, mine.ids[0])) // the control
		f.message()
		assert.Equal(t, 404, e.exchange(resume(lane{revision, "nobody-has-this-one-00"}, mine.ids[0])).status)
		assert.Equal(t, 406, e.exchange(resume(l, mine.ids[0], "Accept: application/json")).status)
	})
}

func TestForeignEventIDs(t *testing.T) { // two sessions have streams of the same name, and never the same events
	e := asking(t, streamable.Options{}, loud)
	l, other := e.open(nov), e.open(nov)
	mine, theirs := e.stream(l.tool("1", "chatty", `"count":2`, `"progressToken":"mine"`)), e.stream(other.tool("1", "chatty", `"count":2`, `"progressToken":"theirs"`))
	for range 3 {
		mine.message()
		theirs.message()
	}
	f := e.flow(resume(l, theirs.ids[0]))
	if f.res.StatusCode == 200 {
		assert.Contains(t, string(f.message().Params), "mine")
	} else {
		assert.Equal(t, 400, f.res.StatusCode)
	}
}

func TestEvictedEvents(t *testing.T) { // H-24
	e := asking(t, streamable.Options{EventLogBytes: 4 << 10}, loud)
	each(t, handshakes, func(t *testing.T, revision string) {
		l := e.open(revision)
		get := e.stream(l.listening())
		e.Server.ToolsChanged()
		get.message()
		f := e.stream(l.tool("1", "chatty", `"count":200`, `"progressToken":1`))
		for range 201 {
			f.message()
		}
		a := e.exchange(resume(l, f.ids[0]))
		assert.Equal(t, 400, a.status, "it says so rather than leave a gap")
		rest := e.stream(resume(l, f.ids[len(f.ids)-3]))
		rest.message()
		assert.Equal(t, "done", rest.text())
		rest.end()
		get.leave() // whose events are evicted, and which lacks none
		g := e.stream(resume(l, get.last))
		e.Server.ToolsChanged()
		assert.Equal(t, "notifications/tools/list_changed", g.message().Method)
		g.leave()
	})
}

func TestManyStreamsOfASession(t *testing.T) { // the oldest are given up, and a stream that lasts is not among them
	e := asking(t, streamable.Options{EventLogBytes: 4 << 10}, loud)
	each(t, handshakes, func(t *testing.T, revision string) {
		l := e.open(revision)
		get := e.stream(l.listening())
		e.Server.ToolsChanged()
		get.message()
		c := e.dial()
		r := newReader(c)
		var first string
		for i := range 300 {
			_, err := io.WriteString(c, l.tool(fmt.Sprint(i), "chatty", `"count":1`, `"progressToken":1`))
			require.NoError(t, err)
			a := e.read(r, "POST")
			if i == 0 {
				reader := sse.NewReader(strings.NewReader(a.body), 1<<20)
				event, err := reader.Next()
				require.NoError(t, err)
				first = event.ID
			}
		}
		assert.Equal(t, 400, e.exchange(resume(l, first)).status)
		g := e.stream(resume(l, get.last))
		e.Server.ToolsChanged()
		assert.Equal(t, "notifications/tools/list_changed", g.message().Method)
		g.leave()
	})
}

func TestDetach(t *testing.T) { // 2025-11-25 basic/transports#sending-messages-to-the-server
	e := asking(t, streamable.Options{}, loud)
	each(t, all, func(t *testing.T, revision string) {
		l := e.open(revision)
		f := e.stream(l.tool("1", "absent", "", `"progressToken":1`))
		receive(t, e.Entered, "the call runs")
		assert.Contains(t, string(f.message().Params), `"progress":1`)
		if revision != nov { // where a client does not expect it
			e.Release()
			assert.Contains(t, string(f.message().Params), `"progress":2`)
			assert.Equal(t, "false", f.text())
			f.end()
			return
		}
		event := f.next()
		assert.True(t, event.HasRetry)
		assert.Equal(t, 250*time.Millisecond, event.Retry)
		f.end()
		g := e.stream(resume(l, f.last))
		e.Release()
		assert.Contains(t, string(g.message().Params), `"progress":2`)
		assert.Equal(t, "true", g.text())
		g.end()

		f = e.stream(l.tool("2", "absent", "", `"progressToken":1`)) // and when nobody has come back yet
		receive(t, e.Entered, "the call runs")
		f.message()
		f.next()
		f.end()
		e.Release()
		g = e.stream(resume(l, f.last))
		g.message()
		assert.Equal(t, "true", g.text())
		g.end()
	})
}

func TestDetachBeforeAnythingIsSaid(t *testing.T) {
	e := asking(t, streamable.Options{}, loud)
	l := e.open(nov)
	f := e.stream(l.tool("1", "absent", "", "")) // without a progress token
	receive(t, e.Entered, "the call runs")
	assert.False(t, f.next().Message())
	assert.True(t, f.next().HasRetry)
	f.end()
	e.Release()
	g := e.stream(resume(l, f.last))
	assert.Equal(t, "true", g.text())
	for _, more := range []string{"Accept: application/json"} {
		running := e.start(l.tool("2", "absent", "", "", more))
		receive(t, e.Entered, "the call runs")
		e.Release()
		assert.Equal(t, "false", toolText(receive(t, running.answer, "it is answered").last(t)))
	}
}

func TestDetachWithoutAWayBack(t *testing.T) {
	for name, with := range map[string]func(*server.Options){"quiet": nil, "none": func(o *server.Options) { loud(o); o.Sessions = session.None }} {
		t.Run(name, func(t *testing.T) {
			e := asking(t, streamable.Options{}, with)
			l := e.open(nov)
			running := e.start(l.tool("1", "absent", "", ""))
			receive(t, e.Entered, "the call runs")
			e.Release()
			assert.Equal(t, "false", toolText(receive(t, running.answer, "it is answered").last(t)))
		})
	}
}

func TestCancelledCallEndsItsResumedStream(t *testing.T) {
	e := asking(t, streamable.Options{}, loud)
	l := e.open(nov)
	f := e.stream(l.tool("1", "stubborn", "", `"progressToken":1`))
	receive(t, e.Entered, "the call runs")
	f.message()
	g := e.stream(resume(l, f.last))
	assert.Equal(t, 202, e.exchange(l.notify("notifications/cancelled", `"requestId":1`)).status)
	e.Release()
	receive(t, e.Sent, "the tool speaks on")
	g.end()
}

func TestNoResumptionAtModern(t *testing.T) {
	e := asking(t, streamable.Options{}, loud)
	l := lane{revision: modern}
	f := e.stream(l.tool("1", "steps", "", `"progressToken":1`, "Last-Event-ID: 1-0"))
	for range 4 {
		assert.False(t, f.next().HasID)
	}
	f.end()
	e = asking(t, streamable.Options{}, loud)
	f = e.stream(l.tool("2", "stubborn", "", `"progressToken":1`))
	receive(t, e.Entered, "the call runs")
	f.message()
	f.leave()
	receive(t, e.gone, "the server sees it")
	e.Release()
	assert.Error(t, receive(t, e.Sent, "the tool speaks on"), "a disconnect cancels")
}

func TestStreamsOverHTTP2(t *testing.T) { // where no connection is one stream's own to be closed
	store, err := session.NewLRU(session.LRUOptions{})
	require.NoError(t, err)
	defer func() { _ = store.Close() }()
	e := asking(t, streamable.Options{}, func(o *server.Options) { loud(o); o.Sessions = store })
	two := httptest.NewUnstartedServer(e.handler)
	two.EnableHTTP2 = true
	two.StartTLS()
	defer two.Close()
	l := e.open(nov)
	get := func(raw string) *sse.Reader {
		r := parse(t, raw)
		r.RequestURI, r.URL.Scheme, r.URL.Host = "", "https", two.Listener.Addr().String()
		res, err := two.Client().Do(r)
		require.NoError(t, err)
		require.Equal(t, 2, res.ProtoMajor)
		require.Equal(t, 200, res.StatusCode)
		t.Cleanup(func() { _ = res.Body.Close() })
		return sse.NewReader(res.Body, 1<<20)
	}
	standalone := get(l.listening())
	call := get(l.tool("1", "absent", "", `"progressToken":1`))
	receive(t, e.Entered, "the call runs")
	for _, r := range []*sse.Reader{standalone, call} {
		_, err := r.Next()
		require.NoError(t, err)
	}
	e.Server.ToolsChanged()
	event, err := standalone.Next()
	require.NoError(t, err)
	assert.Contains(t, string(event.Data), "tools/list_changed")
	e.Release()
	for {
		event, err := call.Next()
		require.NoError(t, err)
		if strings.Contains(string(event.Data), `"result"`) {
			assert.Contains(t, string(event.Data), `"text":"false"`, "it could not hang up")
			break
		}
	}
	assert.Equal(t, 204, e.exchange(l.ending()).status)
}

// A timed recorder knows the deadline of its writes.
type timed struct {
	*recorder
	mu       sync.Mutex
	deadline time.Time
}

func (w *timed) SetWriteDeadline(d time.Time) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.deadline = d
	return nil
}

func (w *timed) Write(b []byte) (int, error) {
	w.mu.Lock()
	left := time.Until(w.deadline)
	w.mu.Unlock()
	if left < 30*time.Second || left > 45*time.Second {
		return 0, fmt.Errorf("the deadline is in %v", left)
	}
	return w.recorder.Write(b)
}

// A write has the time that it is to have, and up to half as much again. HTTP/2 ends a stream when a deadline passes, though
// nobody writes, and so has none meanwhile; a connection of HTTP/1 has none when the stream is over.
func TestDeadlineOfWritesAlone(t *testing.T) {
	for _, version := range []int{1, 2} {
		bubble(t, all, streamable.Options{KeepAlive: -1}, loud, func(t *testing.T, s *local, l lane) {
			w, done := &timed{recorder: newRecorder()}, make(chan struct{})
			r := parse(t, l.tool("1", "stubborn", "", `"progressToken":1`))
			r.ProtoMajor = version
			go func() {
				defer close(done)
				s.handler.ServeHTTP(w, r)
			}()
			<-s.Entered
			synctest.Wait()
			assert.Contains(t, w.String(), "first")
			assert.Equal(t, version == 2, w.deadline.IsZero())
			time.Sleep(10 * time.Minute)
			s.Release()
			assert.NoError(t, <-s.Sent)
			<-done
			assert.Contains(t, w.String(), "released")
			assert.True(t, w.deadline.IsZero())
		})
	}
}
