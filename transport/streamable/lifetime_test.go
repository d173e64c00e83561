package streamable_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/session"
	"github.com/parley-mcp/parley/transport/internal/transporttest"
	"github.com/parley-mcp/parley/transport/streamable"
)

// What time does: keep-alives, time-outs, sessions that expire, a server that shuts down. Where nothing but time passes, it
// passes in a bubble of testing/synctest, without a network.

// A recorder is a ResponseWriter whose body can be read while it is written.
type recorder struct {
	mu     sync.Mutex
	header http.Header
	status int
	body   bytes.Buffer
}

func newRecorder() *recorder { return &recorder{header: http.Header{}} }

func (r *recorder) Header() http.Header { return r.header }

func (r *recorder) WriteHeader(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.status == 0 {
		r.status = status
	}
}

func (r *recorder) Write(b []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.body.Write(b)
}

func (r *recorder) Flush() {}

func (r *recorder) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.body.String()
}

// local serves without a network.
type local struct {
	*transporttest.Fixture
	t       testing.TB
	handler *streamable.Handler
}

func inProcess(t testing.TB, o streamable.Options, with func(*server.Options)) *local {
	f := transporttest.New(t, with)
	h, err := streamable.New(f.Server, o)
	require.NoError(t, err)
	return &local{f, t, h}
}

// do serves a request that was written as bytes.
func (s *local) do(raw string) *recorder {
	w := newRecorder()
	s.serve(w, raw)
	return w
}

func (s *local) serve(w http.ResponseWriter, raw string) { s.handler.ServeHTTP(w, parse(s.t, raw)) }

// parse turns the bytes of a request into one.
func parse(t testing.TB, raw string) *http.Request {
	head, body, _ := strings.Cut(raw, "\r\n\r\n")
	lines := strings.Split(head, "\r\n")
	method, _, _ := strings.Cut(lines[0], " ")
	r := httptest.NewRequest(method, "/mcp", strings.NewReader(body))
	for _, line := range lines[1:] {
		name, value, ok := strings.Cut(line, ":")
		require.True(t, ok)
		switch {
		case strings.EqualFold(name, "Host"):
			r.Host = strings.TrimSpace(value)
		case !strings.EqualFold(name, "Content-Length"):
			r.Header.Add(name, strings.Trim(value, " \t"))
		}
	}
	return r
}

func (s *local) open(revision string) lane {
	if revision == modern {
		return lane{revision: modern}
	}
	w := s.do(request(initialize(revision)))
	require.Equal(s.t, 200, w.status, w.String())
	return lane{revision, w.header.Get("Mcp-Session-Id")}
}

// bubble runs a test for each revision where time is at the test's command.
func bubble(t *testing.T, revisions []string, o streamable.Options, with func(*server.Options), test func(t *testing.T, s *local, l lane)) {
	each(t, revisions, func(t *testing.T, revision string) {
		synctest.Test(t, func(t *testing.T) {
			s := inProcess(t, o, with)
			test(t, s, s.open(revision))
		})
	})
}

func TestKeepAlive(t *testing.T) {
	bubble(t, all, streamable.Options{KeepAlive: 15 * time.Second}, nil, func(t *testing.T, s *local, l lane) {
		w := newRecorder()
		go s.serve(w, l.tool("1", "stubborn", "", `"progressToken":1`))
		<-s.Entered
		time.Sleep(61 * time.Second)
		synctest.Wait()
		assert.Equal(t, 4, strings.Count(w.String(), ":\n\n"))
		s.Release()
		<-s.Sent
		synctest.Wait()
		whole := w.String()
		assert.Contains(t, whole, "released")
		time.Sleep(time.Hour)
		synctest.Wait()
		assert.Equal(t, whole, w.String(), "silence after the end")
	})
}

func TestNoKeepAlive(t *testing.T) {
	bubble(t, all, streamable.Options{KeepAlive: -1}, nil, func(t *testing.T, s *local, l lane) {
		w := newRecorder()
		go s.serve(w, l.tool("1", "stubborn", "", `"progressToken":1`))
		<-s.Entered
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		assert.NotContains(t, w.String(), ":\n\n")
		s.Release()
		<-s.Sent
	})
}

func TestCallTimeout(t *testing.T) {
	bubble(t, all, streamable.Options{CallTimeout: time.Minute}, nil, func(t *testing.T, s *local, l lane) {
		began := time.Now()
		w := s.do(l.tool("1", "slow", "", ""))
		assert.Equal(t, time.Minute, time.Since(began))
		assert.ErrorIs(t, <-s.Ended, context.DeadlineExceeded)
		assert.Equal(t, 200, w.status)
		assert.Contains(t, w.String(), `"id":1`, "the client gets an answer")
		assert.Contains(t, w.String(), `"isError":true`)
	})
	bubble(t, all, streamable.Options{CallTimeout: -1}, nil, func(t *testing.T, s *local, l lane) {
		go func() {
			time.Sleep(100 * time.Hour)
			s.Release()
		}()
		assert.Contains(t, s.do(l.tool("1", "slow", "", "")).String(), "released")
	})
}

func TestSessionExpires(t *testing.T) { // S-07
	short := func(o *server.Options) {
		store, err := session.NewLRU(session.LRUOptions{IdleTimeout: 10 * time.Minute})
		if err != nil {
			panic(err)
		}
		o.Sessions = store
	}
	bubble(t, handshakes, streamable.Options{}, short, func(t *testing.T, s *local, l lane) {
		defer func() { _ = s.Server.Sessions().Close() }()
		ping := l.call("1", "ping", "", "")
		for range 5 { // use keeps it alive
			time.Sleep(9 * time.Minute)
			require.Equal(t, 200, s.do(ping).status)
		}
		w := newRecorder()
		done := make(chan struct{})
		go func() {
			defer close(done)
			s.serve(w, l.tool("1", "slow", "", ""))
		}()
		<-s.Entered
		time.Sleep(14 * time.Minute) // and so does a call that runs
		assert.Empty(t, s.Ended)
		assert.Equal(t, 202, s.do(l.notify("notifications/initialized", "")).status)
		time.Sleep(9 * time.Minute / 10)
		s.Release()
		<-done
		assert.Contains(t, w.String(), "released")
		assert.Equal(t, 200, s.do(ping).status)
		time.Sleep(11 * time.Minute)
		assert.Equal(t, 404, s.do(ping).status)
		for range 1000 { // which never send DELETE
			s.open(l.revision)
		}
		store := s.Server.Sessions().(*session.LRU)
		assert.Equal(t, 1000, store.Len())
		time.Sleep(11 * time.Minute)
		synctest.Wait()
		assert.Zero(t, store.Len(), "without traffic too")
	})
}

func TestEvictionCancelsCalls(t *testing.T) {
	few := func(o *server.Options) {
		store, err := session.NewLRU(session.LRUOptions{MaxSessions: 1})
		if err != nil {
			panic(err)
		}
		o.Sessions = store
	}
	bubble(t, handshakes, streamable.Options{}, few, func(t *testing.T, s *local, l lane) {
		defer func() { _ = s.Server.Sessions().Close() }()
		done := make(chan *recorder)
		go func() { done <- s.do(l.tool("1", "slow", "", "")) }()
		<-s.Entered
		s.open(l.revision) // there is room for one
		assert.Error(t, <-s.Ended)
		assert.Empty(t, (<-done).String())
		assert.Equal(t, 404, s.do(l.call("2", "ping", "", "")).status)
	})
}

func TestShutdownWaits(t *testing.T) {
	bubble(t, all, streamable.Options{}, nil, func(t *testing.T, s *local, l lane) {
		answered := make(chan *recorder)
		go func() { answered <- s.do(l.tool("1", "slow", "", "")) }()
		<-s.Entered
		ended := make(chan error, 2)
		for range 2 { // two may wait
			go func() { ended <- s.handler.Shutdown(t.Context()) }()
		}
		synctest.Wait()
		assert.Empty(t, ended, "it waits")
		for range 10 {
			w := s.do(l.call("2", "tools/list", "", ""))
			assert.Equal(t, 503, w.status)
			assert.NotEmpty(t, w.header.Get("Retry-After"))
		}
		s.Release()
		assert.Contains(t, (<-answered).String(), "released")
		synctest.Wait()
		require.Len(t, ended, 2, "both have ended")
		assert.NoError(t, <-ended)
		assert.NoError(t, <-ended)
		assert.NoError(t, s.handler.Shutdown(t.Context()), "once more")
		assert.Equal(t, 503, s.do(l.call("2", "tools/list", "", "")).status)
	})
}

func TestShutdownGivesUp(t *testing.T) {
	bubble(t, all, streamable.Options{}, nil, func(t *testing.T, s *local, l lane) {
		answered := make(chan *recorder)
		go func() { answered <- s.do(l.tool("1", "slow", "", "")) }()
		<-s.Entered
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		assert.ErrorIs(t, s.handler.Shutdown(ctx), context.DeadlineExceeded)
		assert.ErrorContains(t, <-s.Ended, "shutting down")
		w := <-answered
		assert.Contains(t, w.String(), `"isError":true`, "the client is told")
	})
}

// A broken store fails in every way.
type broken struct{ session.Store }

var errStore = errors.New("secret: no route to the store")

func (broken) Open(context.Context, *session.State) (string, error) { return "", errStore }
func (broken) Get(context.Context, string, string) (*session.State, error) {
	return nil, errStore
}
func (broken) Remembers() bool                              { return true }
func (broken) Delete(context.Context, string, string) error { return errStore }
func (broken) Watch(session.Watcher)                        {}

func TestStoreFails(t *testing.T) {
	e := serve(t, streamable.Options{}, func(o *server.Options) { o.Sessions = broken{} })
	each(t, handshakes, func(t *testing.T, revision string) {
		l := lane{revision, "0123456789abcdefghijkl"}
		for _, r := range []string{request(initialize(revision)), l.call("1", "ping", "", ""), l.notify("notifications/initialized", ""), requestOf("DELETE", "", l.lines("", "")...)} {
			a := e.exchange(r)
			assert.Equal(t, 503, a.status, a.body)
			assert.Equal(t, -32603, a.last(t).code())
			assert.NotContains(t, a.body, "secret")
			assert.Empty(t, a.header.Get("Mcp-Session-Id"))
		}
	})
	assert.Contains(t, e.Log.String(), errStore.Error())
	e.works(lane{revision: modern})
}
