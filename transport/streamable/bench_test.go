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

// benchmark serves one request again and again.
func benchmark(b *testing.B, h http.Handler, raw string) {
	_, body, _ := strings.Cut(raw, "\r\n\r\n")
	r := parse(b, raw)
	reader := strings.NewReader(body)
	r.Body = io.NopCloser(reader)
	w := &sink{header: http.Header{}}
	b.ReportAllocs()
	for b.Loop() {
		reader.Reset(body)
		clear(w.header)
		w.status, w.bytes = http.StatusOK, 0
		h.ServeHTTP(w, r)
	}
	if w.status != http.StatusOK || w.bytes < 60 {
		b.Fatal(w.status, w.bytes)
	}
}

func BenchmarkPost(b *testing.B) {
	for _, l := range []struct {
		name     string
		revision string
		store    session.Store
	}{
		{"stateless", nov, session.None},
		{"session", nov, nil},
		{"per-request", modern, nil},
	} {
		s, err := server.New(server.Options{
			Info: protocol.Implementation{Name: "bench", Version: "1"}, Sessions: l.store, Limits: server.Limits{Tools: server.Unlimited},
		})
		require.NoError(b, err)
		defer func() { _ = s.Close() }()
		for i := range 51 {
			require.NoError(b, server.AddTool(s, server.Tool{Name: fmt.Sprintf("tool%02d", i), Description: "Says what it is told."},
				func(_ context.Context, _ *server.Call, in struct {
					Text string `json:"text"`
				}) (string, error) {
					return in.Text, nil
				}))
		}
		h, err := streamable.New(s, streamable.Options{})
		require.NoError(b, err)
		at := lane{revision: l.revision}
		if l.name == "session" {
			at = (&local{t: b, handler: h}).open(l.revision)
		}
		b.Run("call/"+l.name, func(b *testing.B) {
			benchmark(b, h, at.tool("1", "tool07", `"text":"abcdefghijklmnopqrstuvwxyz"`, ""))
		})
		b.Run("list51/"+l.name, func(b *testing.B) {
			benchmark(b, h, at.call("1", "tools/list", "", ""))
		})
	}
}
