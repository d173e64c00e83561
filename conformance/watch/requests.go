package watch

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/parley-mcp/parley/conformance/match"
	"github.com/parley-mcp/parley/conformance/revision"
)

// needs are the capabilities that a server must have declared for a request.
var needs = map[string]string{
	"tools/list": "tools", "tools/call": "tools",
	"prompts/list": "prompts", "prompts/get": "prompts",
	"resources/list": "resources", "resources/read": "resources", "resources/templates/list": "resources",
	"resources/subscribe": "resources.subscribe", "resources/unsubscribe": "resources.subscribe",
	"completion/complete": "completions", "logging/setLevel": "logging",
}

// requestChecks are about what a client asks for, takes back and tells.
var requestChecks = []*Check{
	{Name: "declared-by-the-server", Story: "A client uses what the server has declared.", when: handshake,
		Requirements: []string{"lifecycle.only-negotiated-capabilities", "lifecycle.capabilities-establish-features", "base.capabilities-respected"},
		look: func(w *Watcher, m *message) (string, bool) {
			need := needs[m.method]
			if !w.opened || !m.request() || need == "" {
				return "", false
			}
			if !revision.Declares(w.server, need) {
				return fmt.Sprintf("%s came, and the server did not declare %s", m.method, need), true
			}
			return "", true
		}},
	{Name: "tools-declared", Story: "Tools are called where the server has declared tools.", when: handshake,
		Requirements: []string{"tools.call-requires-capability"},
		look: func(w *Watcher, m *message) (string, bool) {
			if m.method != "tools/call" || !w.opened {
				return "", false
			}
			if !revision.Declares(w.server, "tools") {
				return "tools/call came, and the server did not declare tools", true
			}
			return "", true
		}},
	{Name: "cursor", Story: "A cursor comes back as it was given.", Requirements: []string{"pagination.cursor-opaque"},
		look: func(w *Watcher, m *message) (string, bool) {
			cursor := m.params().Get("cursor")
			if !m.request() || cursor == nil || !strings.HasSuffix(m.method, "/list") {
				return "", false
			}
			if cursor.Kind != '"' || !w.given[m.method][cursor.Text] {
				return fmt.Sprintf("%s has the cursor %s, which no page has named", m.method, show(cursor)), true
			}
			return "", true
		}},
	{Name: "token-type", Story: "A progress token is a text or a whole number.", Requirements: []string{"progress.token-type"},
		look: func(_ *Watcher, m *message) (string, bool) {
			token := m.meta("progressToken")
			if !m.request() || token == nil {
				return "", false
			}
			if token.Kind != '"' && !wholeNumber(token) {
				return "the progress token is " + show(token), true
			}
			return "", true
		}},
	{Name: "token-unique", Story: "No progress token is that of another request which is not over.", Requirements: []string{"progress.token-unique"},
		look: func(w *Watcher, m *message) (string, bool) {
			token := m.meta("progressToken")
			if !m.request() || token == nil {
				return "", false
			}
			if owner := w.tokens[token.String()]; owner != "" {
				return fmt.Sprintf("%s has the progress token %s, which the request %s has, too", m.method, token, owner), true
			}
			return "", true
		}},
	{Name: "cancels-its-own", Story: "A client cancels requests that it has made.", Requirements: []string{"cancellation.only-own-requests"},
		look: cancels(func(w *Watcher, id *match.Value) string {
			if !w.ids[id.String()] {
				return fmt.Sprintf("the request %s was never made", show(id))
			}
			return ""
		})},
	{Name: "cancels-in-time", Story: "A client cancels requests that are not answered yet.", Requirements: []string{"cancellation.only-in-progress"},
		look: cancels(func(w *Watcher, id *match.Value) string {
			if w.closed[id.String()] {
				return fmt.Sprintf("the request %s was answered or cancelled before", id)
			}
			return ""
		})},
	{Name: "cancels-no-initialize", Story: "A client never cancels initialize.", Requirements: []string{"cancellation.not-initialize"}, when: handshake,
		look: cancels(func(w *Watcher, id *match.Value) string {
			if id.String() == w.opening {
				return fmt.Sprintf("the request %s is initialize", id)
			}
			return ""
		})},
	{Name: "cancels-by-closing", Story: "Over HTTP a client cancels by closing the answer, and sends no notification.", when: perRequest,
		transport: overHTTP, Requirements: []string{"transport.http.cancelled-not-used"},
		look: func(_ *Watcher, m *message) (string, bool) {
			if m.method == "notifications/cancelled" {
				return "notifications/cancelled came over HTTP", true
			}
			return "", m.value != nil
		}},
	{Name: "progress-of-its-own", Story: "A client reports progress of what it was asked for with a token, while it is at work.",
		Requirements: []string{"progress.only-active-tokens", "progress.in-progress-only"}, when: handshake,
		look: func(w *Watcher, m *message) (string, bool) {
			if m.method != "notifications/progress" {
				return "", false
			}
			token := m.params().Get("progressToken")
			for id, request := range w.asked {
				if match.Equal(request.Get("params", "_meta", "progressToken"), token) && !w.told[id] {
					return "", true
				}
			}
			return fmt.Sprintf("the progress token %s is that of no request at work", show(token)), true
		}},
}

// cancels looks at the id that a cancellation names.
func cancels(look func(*Watcher, *match.Value) string) func(*Watcher, *message) (string, bool) {
	return func(w *Watcher, m *message) (string, bool) {
		id := m.params().Get("requestId")
		if m.method != "notifications/cancelled" || id == nil {
			return "", false
		}
		return look(w, id), true
	}
}

func kind(v *match.Value) byte {
	if v == nil {
		return 0
	}
	return byte(v.Kind)
}

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

func notMeta(m match.Member) bool { return m.Name != "_meta" }

// others are the members of an object without those named.
func others(v *match.Value, without ...string) *match.Value {
	out := match.Object()
	if v != nil {
		for _, m := range v.Members {
			if !slices.Contains(without, m.Name) {
				out.Set(m.Name, m.Value)
			}
		}
	}
	return out
}
