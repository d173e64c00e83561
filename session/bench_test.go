package session_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/session"
)

// realistic returns what a desktop client says about itself, in memory of its own, as a decoder would.
func realistic(principal string) *session.State {
	return &session.State{
		Revision: "2025-11-25",
		Client: protocol.Implementation{
			Name: strings.Clone("example-desktop"), Version: strings.Clone("1.24.3"), Title: strings.Clone("Example Desktop"),
		},
		Capabilities: protocol.ClientCapabilities{
			Roots:       &protocol.RootsCapability{ListChanged: true},
			Sampling:    &protocol.SamplingCapability{Tools: true, Context: true},
			Elicitation: &protocol.ElicitationCapability{Form: true, URL: true},
			Extensions:  map[string]jsontext.Value{"io.modelcontextprotocol/ui": jsontext.Value(`{"mimeTypes":["text/html;profile=mcp-app"]}`)},
		},
		Principal: principal,
	}
}

// BenchmarkIdleSessions says what an idle session costs, in bytes of heap, when a million are kept.
func BenchmarkIdleSessions(b *testing.B) {
	const n = 1_000_000
	for name, principal := range map[string]func(i int) string{
		"public":     func(int) string { return "" },
		"principals": func(i int) string { return fmt.Sprintf("auth0|%024d", i) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				base, goroutines := heap(), runtime.NumGoroutine()
				l, err := session.NewLRU(session.LRUOptions{MaxSessions: n})
				require.NoError(b, err)
				for i := range n {
					if _, err := l.Open(ctx, realistic(principal(i))); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(heap()-base)/n, "B/session")
				b.ReportMetric(float64(runtime.NumGoroutine()-goroutines), "goroutines")
				require.NoError(b, l.Close())
			}
		})
	}
}

func BenchmarkOpen(b *testing.B) {
	for name, s := range benchStores(b) {
		b.Run(name, func(b *testing.B) {
			state := realistic("alice")
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.Open(ctx, state); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkGet is what a session adds to each request, with all cores asking.
func BenchmarkGet(b *testing.B) {
	for name, s := range benchStores(b) {
		ids := make([]string, 1024)
		for i := range ids {
			var err error
			ids[i], err = s.Open(ctx, realistic("alice"))
			require.NoError(b, err)
		}
		for access, mask := range map[string]int{"many": 1023, "one": 0} {
			b.Run(name+"/"+access, func(b *testing.B) {
				b.ReportAllocs()
				b.RunParallel(func(pb *testing.PB) {
					for i := 0; pb.Next(); i++ {
						if _, err := s.Get(ctx, ids[i*31&mask], "alice"); err != nil {
							b.Error(err)
						}
					}
				})
			})
		}
	}
}

func benchStores(b *testing.B) map[string]session.Store {
	l, err := session.NewLRU(session.LRUOptions{})
	require.NoError(b, err)
	b.Cleanup(func() { _ = l.Close() })
	return map[string]session.Store{"LRU": l, "Sealed": newSealed(b, session.SealedOptions{})}
}
