package watch

import (
	"bytes"
	"fmt"
	"math/big"
	"strings"
	"unicode/utf8"

	"github.com/parley-mcp/parley/conformance/match"
	"github.com/parley-mcp/parley/conformance/revision"
)

// messageChecks are about the envelope of a message.
var messageChecks = []*Check{
	{Name: "json-rpc", Story: "Every message is JSON-RPC 2.0.", Requirements: []string{"base.jsonrpc-2.0"},
		look: func(_ *Watcher, m *message) (string, bool) {
			if !m.carriesMessage() {
				return "", false
			}
			switch {
			case m.value == nil:
				return "this is no JSON: " + quote(m.Body), true
			case m.value.Kind != '{':
				return "a message is an object, not " + show(m.value), true
			case m.value.Get("jsonrpc").Str() != "2.0":
				return `a message has the member jsonrpc with the value "2.0", not ` + show(m.value.Get("jsonrpc")), true
			case m.method == "" && !m.response():
				return "a message has a method, a result or an error: " + show(m.value), true
			}
			return "", true
		}},
	{Name: "utf-8", Story: "Messages are UTF-8.", Requirements: []string{"transport.utf8"},
		look: func(_ *Watcher, m *message) (string, bool) {
			if !utf8.Valid(m.Body) {
				return "the bytes are no UTF-8: " + quote(m.Body), m.first
			}
			return "", m.first && m.carriesMessage()
		}},
	{Name: "id-type", Story: "The id of a request is a text or a whole number.", Requirements: []string{"base.request-id-type"},
		look: func(_ *Watcher, m *message) (string, bool) {
			if m.request() && m.id.Kind != '"' && !wholeNumber(m.id) && m.id.Kind != 'n' {
				return fmt.Sprintf("%s has the id %s: want a text or a whole number", m.method, show(m.id)), true
			}
			if m.method != "" && m.id == nil && !strings.HasPrefix(m.method, "notifications/") {
				return m.method + " is a request, and has no id", true
			}
			return "", m.request()
		}},
	{Name: "id-null", Story: "The id of a request is never null.", Requirements: []string{"base.request-id-not-null"},
		look: func(_ *Watcher, m *message) (string, bool) {
			if m.request() && m.id.Kind == 'n' {
				return m.method + " has the id null", true
			}
			return "", m.request()
		}},
	{Name: "id-unique", Story: "No id is used twice in a session.", Requirements: []string{"base.request-id-unique-in-session"}, when: handshake,
		look: func(w *Watcher, m *message) (string, bool) {
			if m.request() && w.ids[m.id.String()] {
				return fmt.Sprintf("%s has the id %s, which an earlier request has had", m.method, m.id), true
			}
			return "", m.request()
		}},
	{Name: "id-unique-in-flight", Story: "No id is that of a request which still waits for its answer.",
		Requirements: []string{"base.request-id-unique-in-flight"}, when: perRequest,
		look: func(w *Watcher, m *message) (string, bool) {
			if m.request() && w.pending[m.id.String()] != nil {
				return fmt.Sprintf("%s has the id %s, which a request has that is not answered yet", m.method, m.id), true
			}
			return "", m.request()
		}},
	{Name: "note-id", Story: "A notification has no id.", Requirements: []string{"base.notification-no-id"},
		look: func(_ *Watcher, m *message) (string, bool) {
			if !strings.HasPrefix(m.method, "notifications/") {
				return "", false
			}
			if m.id != nil {
				return fmt.Sprintf("%s has the id %s", m.method, show(m.id)), true
			}
			return "", true
		}},
	{Name: "params", Story: "Params are an object.", Requirements: []string{"base.jsonrpc.params-structured"},
		look: func(_ *Watcher, m *message) (string, bool) {
			if m.params() == nil {
				return "", false
			}
			if m.params().Kind != '{' {
				return fmt.Sprintf("the params of %s are %s", m.method, show(m.params())), true
			}
			return "", true
		}},
	{Name: "meta-object", Story: "Under the name _meta there is an object of metadata.", Requirements: []string{"base.meta-reserved"},
		look: func(_ *Watcher, m *message) (string, bool) {
			meta := m.value.Get("params", "_meta")
			if meta == nil {
				meta = m.value.Get("result", "_meta")
			}
			if meta != nil && meta.Kind != '{' {
				return "_meta is " + show(meta), true
			}
			return "", meta != nil
		}},
	{Name: "one-message", Story: "A body, or a line, is one message and no array.",
		Requirements: []string{"transport.http.post-body-single", "transport.stdio.single-messages"},
		when:         func(f revision.Facts) bool { return !f.Batches },
		look: func(w *Watcher, m *message) (string, bool) {
			if m.first && m.whole != nil && m.whole.Kind == '[' {
				return "an array came: " + quote(m.Body), true
			}
			return "", m.first && m.carriesMessage()
		}},
	{Name: "batch", Story: "An array holds requests and notifications, or responses, and is not empty.",
		Requirements: []string{"schema.batch-arrays", "transport.http.post-body-single-or-batch"},
		when:         func(f revision.Facts) bool { return f.Batches },
		look: func(_ *Watcher, m *message) (string, bool) {
			if !m.first || m.whole == nil {
				return "", false
			}
			if m.whole.Kind != '[' {
				return "", m.carriesMessage()
			}
			responses := 0
			for _, item := range m.whole.Items {
				if item.Get("method") == nil {
					responses++
				}
			}
			if responses > 0 && responses < len(m.whole.Items) || len(m.whole.Items) == 0 {
				return "an array mixes responses with other messages, or is empty: " + quote(m.Body), true
			}
			return "", true
		}},
	{Name: "lines", Story: "A line holds a message and nothing else.", transport: overStdio,
		Requirements: []string{"transport.stdio.stdin-only-mcp", "transport.stdio.no-embedded-newlines", "transport.stdio.client-messages"},
		look: func(_ *Watcher, m *message) (string, bool) {
			if m.first && m.whole == nil {
				return "the line is no message: " + quote(m.Body), true
			}
			return "", m.first
		}},
}

// carriesMessage reports whether there should be a message in it.
func (m *message) carriesMessage() bool {
	return m.Method == "" || m.Method == "POST"
}

func wholeNumber(v *match.Value) bool {
	if v == nil || v.Kind != '0' || len(v.Text) > 64 {
		return false
	}
	r, ok := new(big.Rat).SetString(v.Text)
	return ok && r.IsInt()
}

// show prints the beginning of a value.
func show(v *match.Value) string {
	if v == nil {
		return "nothing"
	}
	return cut(v.String())
}

func quote(b []byte) string { return fmt.Sprintf("%q", cut(string(bytes.TrimSpace(b)))) }

func cut(s string) string {
	const most = 200
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "..."
	}
	return s
}
