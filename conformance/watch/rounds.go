package watch

import (
	"fmt"

	"github.com/parley-mcp/parley/conformance/match"
)

// A round is a request that was answered with questions (2026-07-28 basic/patterns/mrtr).
type round struct {
	request *message
	asks    *match.Value
	state   *match.Value
}

// maxRounds bounds how many are remembered.
const maxRounds = 100

func (w *Watcher) openRound(request *message, result *match.Value) {
	if w.facts.Handshake || result.Get("resultType").Str() != "input_required" {
		return
	}
	w.rounds = append(w.rounds, &round{request, result.Get("inputRequests"), result.Get("requestState")})
	if n := len(w.rounds); n > maxRounds {
		w.rounds = w.rounds[n-maxRounds:]
	}
}

// retries reports whether a request answers questions.
func (m *message) retries() bool {
	return m.request() && (m.params().Get("inputResponses") != nil || m.params().Get("requestState") != nil)
}

// roundOf is the round that a request goes on with: the last that asks for the same, else the last of the same method; nil if
// it goes on with none.
func (w *Watcher) roundOf(m *message) *round {
	if !m.retries() {
		return nil
	}
	var near *round
	for i := len(w.rounds) - 1; i >= 0; i-- {
		r := w.rounds[i]
		if r.request.method != m.method {
			continue
		}
		if match.Equal(r.original(), original(m)) {
			return r
		}
		if near == nil {
			near = r
		}
	}
	return near
}

func (r *round) original() *match.Value { return original(r.request) }

// original are the params without what a retry adds, and without _meta, which is of each request alone.
func original(m *message) *match.Value {
	return others(m.params(), "_meta", "inputResponses", "requestState")
}

// roundChecks are about the retry of a request that was answered with questions.
var roundChecks = []*Check{
	{Name: "retry-state", Story: "A retry has the state that it was given, unchanged.", when: perRequest,
		Requirements: []string{"mrtr.request-state-echoed-verbatim", "mrtr.request-state-opaque", "mrtr.no-cross-request-use"},
		look: retry(func(r *round, m *message) (string, bool) {
			if got := m.params().Get("requestState"); r.state != nil && !match.Equal(r.state, got) {
				return fmt.Sprintf("requestState is %s: want %s", show(got), show(r.state)), true
			}
			return "", r.state != nil
		})},
	{Name: "retry-no-state", Story: "A retry has no state if it was given none.", when: perRequest,
		Requirements: []string{"mrtr.request-state-not-invented"},
		look: retry(func(r *round, m *message) (string, bool) {
			if got := m.params().Get("requestState"); r.state == nil && got != nil {
				return "requestState is " + show(got) + ", and there was none", true
			}
			return "", r.state == nil
		})},
	{Name: "retry-answers", Story: "A retry answers each question under its key, and only these.", when: perRequest,
		Requirements: []string{"mrtr.all-keys-answered", "mrtr.input-responses-shape", "mrtr.client-constructs-inputs"},
		look: retry(func(r *round, m *message) (string, bool) {
			if r.asks == nil {
				return "", false
			}
			got := m.params().Get("inputResponses")
			for _, ask := range r.asks.Members {
				if kind(got.Get(ask.Name)) != '{' {
					return fmt.Sprintf("inputResponses has %s for the question %q", show(got.Get(ask.Name)), ask.Name), true
				}
			}
			for _, name := range others(got).Members {
				if r.asks.Get(name.Name) == nil {
					return fmt.Sprintf("inputResponses has %q, which nobody asked", name.Name), true
				}
				if name.Value.Get("result") != nil && name.Value.Get("jsonrpc") != nil {
					return fmt.Sprintf("inputResponses[%q] is a whole response: want its result", name.Name), true
				}
			}
			return "", true
		})},
	{Name: "retry-params", Story: "A retry asks for the same as the first request.", when: perRequest,
		Requirements: []string{"mrtr.retry-original-params"},
		look: retry(func(r *round, m *message) (string, bool) {
			if !match.Equal(r.original(), original(m)) {
				return fmt.Sprintf("the params are %s: want %s", show(original(m)), show(r.original())), true
			}
			return "", true
		})},
	{Name: "retry-id", Story: "A retry has an id of its own.", Requirements: []string{"mrtr.retry-new-id"}, when: perRequest,
		look: retry(func(r *round, m *message) (string, bool) {
			if match.Equal(r.request.id, m.id) {
				return fmt.Sprintf("the retry has the id %s of the first request", m.id), true
			}
			return "", true
		})},
}

func retry(look func(*round, *message) (string, bool)) func(*Watcher, *message) (string, bool) {
	return func(w *Watcher, m *message) (string, bool) {
		if !m.retries() {
			return "", false
		}
		r := w.roundOf(m)
		if r == nil {
			return "", false
		}
		return look(r, m)
	}
}
