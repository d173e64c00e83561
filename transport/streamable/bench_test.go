package streamable_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/session"
	"github.com/parley-mcp/parley/transport/internal/transporttest"
	"github.com/parley-mcp/parley/transport/streamable"
)

// What a request costs inside the process: no network, and a writer that keeps nothing.

// A sink counts what is written.
type sink struct {
	header http.Header
	status int
	bytes  int
}

func (s *sink) Header() http.Header { return s.header }
func (s *sink) WriteHeader(c int)   { s.status = c }
func (s *sink) Flush()              {}
func (s *sink) Write(b []byte) (int, error) {
	s.bytes += len(b)
	return len(b), nil
}

// serving returns a function that serves one request, and checks that it was served.
func serving(t testing.TB, h http.Handler, raw string) func() {
	_, body, _ := strings.Cut(raw, "\r\n\r\n")
	r := parse(t, raw)
	reader := strings.NewReader(body)
	r.Body = io.NopCloser(reader)
	w := &sink{header: http.Header{}}
	return func() {
		reader.Reset(body)
		clear(w.header)
		w.status, w.bytes = http.StatusOK, 0
		h.ServeHTTP(w, r)
		if w.status != http.StatusOK || w.bytes < 30 {
			t.Fatal(w.status, w.bytes)
		}
	}
}

// A way is how a client of one kind sends its requests.
type way struct {
	name    string
	handler http.Handler
	lane    lane
}

// ways returns servers of 51 tools.
func ways(t testing.TB) (all []way) {
	for _, l := range []struct {
		name     string
		revision string
		store    session.Store
	}{
		{"stateless", nov, session.None},
		{"session", nov, nil},
		{"per-request", modern, nil},
	} {
		wide := server.Rate{PerSecond: 1e9, Burst: 1e9} // which is counted as any other
		s, err := server.New(server.Options{
			Info: protocol.Implementation{Name: "bench", Version: "1"}, Sessions: l.store, Limits: server.Limits{Tools: wide},
		})
		require.NoError(t, err)
		t.Cleanup(func() { _ = s.Close() })
		for i := range 51 {
			require.NoError(t, server.AddTool(s, server.Tool{Name: fmt.Sprintf("tool%02d", i), Description: "Says what it is told."},
				func(_ context.Context, _ *server.Call, in struct {
					Text string `json:"text"`
				}) (string, error) {
					return in.Text, nil
				}))
		}
		h, err := streamable.New(s, streamable.Options{})
		require.NoError(t, err)
		at := lane{revision: l.revision}
		if l.name == "session" {
			at = (&local{t: t, handler: h}).open(l.revision)
		}
		all = append(all, way{l.name, h, at})
	}
	return all
}

func (w *way) call() string {
	return w.lane.tool("1", "tool07", `"text":"abcdefghijklmnopqrstuvwxyz"`, "")
}

func (w *way) list() string { return w.lane.call("1", "tools/list", "", "") }

func BenchmarkPost(b *testing.B) {
	for _, w := range ways(b) {
		for _, c := range []struct{ name, raw string }{{"call", w.call()}, {"list51", w.list()}} {
			b.Run(c.name+"/"+w.name, func(b *testing.B) {
				serve := serving(b, w.handler, c.raw)
				b.ReportAllocs()
				for b.Loop() {
					serve()
				}
			})
		}
	}
}

// What a request allocates is known, and small. A call: itself, its body, its params, the tool's name, arguments and
// result; per request also its name once more, for the header. A list: its body, its params, and its size.
func TestAllocations(t *testing.T) {
	if testing.CoverMode() != "" || transporttest.Race {
		t.Skip("the race detector, and counting what is covered, allocate by themselves")
	}
	most := func(t *testing.T, n float64, serve func()) {
		serve() // what is made once
		if got := testing.AllocsPerRun(500, serve); got > n {
			t.Errorf("%v allocations, at most %v are needed", got, n)
		}
	}
	for _, w := range ways(t) {
		t.Run("call/"+w.name, func(t *testing.T) { most(t, 8, serving(t, w.handler, w.call())) })
		t.Run("list/"+w.name, func(t *testing.T) { most(t, 4, serving(t, w.handler, w.list())) })
	}
	w := ways(t)[1]
	t.Run("ping", func(t *testing.T) { most(t, 1, serving(t, w.handler, w.lane.call("1", "ping", "", ""))) })
}
