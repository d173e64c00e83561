package watch

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/parley-mcp/parley/conformance/revision"
	"github.com/parley-mcp/parley/conformance/schema"
)

// shapes are the requirements that say what one kind of message must have: the schema judges them, at the place that they
// are about.
var shapes = []struct {
	id, method string
	answer     bool   // the client's result for the server's request of that method
	place      string // a pattern of the JSON pointers that it is about; empty for all
}{
	{id: "tools.call", method: "tools/call"},
	{id: "schema.call-tool-request.required", method: "tools/call", place: "^/params(/name)?$"},
	{id: "schema.get-prompt-request.required", method: "prompts/get", place: "^/params(/name)?$"},
	{id: "prompts.arguments-strings", method: "prompts/get", place: "^/params/arguments"},
	{id: "schema.read-resource-request.required", method: "resources/read", place: "^/params(/uri)?$"},
	{id: "schema.subscribe-request.required", method: "resources/subscribe", place: "^/params(/uri)?$"},
	{id: "schema.unsubscribe-request.required", method: "resources/unsubscribe", place: "^/params(/uri)?$"},
	{id: "schema.set-level-request.required", method: "logging/setLevel", place: "^/params(/level)?$"},
	{id: "logging.levels", method: "logging/setLevel", place: "^/params(/level)?$"},
	{id: "schema.complete-request.required", method: "completion/complete", place: "^/params(/(argument|ref).*)?$"},
	{id: "completion.ref-types", method: "completion/complete", place: "^/params(/ref.*)?$"},
	{id: "subscriptions.filter-required", method: "subscriptions/listen", place: "^/params(/notifications)?$"},
	{id: "subscriptions.filter-fields", method: "subscriptions/listen", place: "^/params/notifications/"},
	{id: "ping.no-params-needed", method: "ping"},
	{id: "cancellation.notification-shape", method: "notifications/cancelled"},
	{id: "cancellation.request-id-required", method: "notifications/cancelled", place: "^/params(/requestId)?$"},
	{id: "schema.progress-notification.required", method: "notifications/progress", place: "^/params(/progress(Token)?)?$"},
	{id: "schema.progress-numbers", method: "notifications/progress", place: "^/params/(progress|total)$"},
	{id: "roots.list", method: "roots/list", answer: true},
	{id: "schema.root.required", method: "roots/list", answer: true, place: "^/result/roots/"},
	{id: "schema.elicit-result.required", method: "elicitation/create", answer: true, place: "^/result(/action)?$"},
	{id: "elicitation.content-value-types", method: "elicitation/create", answer: true, place: "^/result/content"},
	{id: "elicitation.content-value-types-with-string-arrays", method: "elicitation/create", answer: true, place: "^/result/content"},
	{id: "sampling.content-types-text-image-audio", method: "sampling/createMessage", answer: true, place: "^/result/content"},
	{id: "sampling.content-types-with-tools", method: "sampling/createMessage", answer: true, place: "^/result/content"},
}

func schemaChecks() []*Check {
	out := []*Check{
		{Name: "schema", Story: "Every message fits the schema of its revision.", Requirements: []string{"schema.source-of-truth"},
			look: func(w *Watcher, m *message) (string, bool) {
				return w.problem(m, func(p schema.Problem) bool { return p.Kind == schema.KindSchema }), m.value != nil
			}},
		{Name: "envelope", Story: "A request and a notification have the members of their kind.",
			Requirements: []string{"schema.jsonrpc-request.required", "schema.jsonrpc-notification.required"},
			look: func(w *Watcher, m *message) (string, bool) {
				return w.problem(m, func(p schema.Problem) bool { return p.Kind == schema.KindShape }), m.method != ""
			}},
		{Name: "vocabulary", Story: "No message uses what only another revision defines.",
			Requirements: []string{"lifecycle.respect-negotiated-version", "lifecycle.versions-agree-on-one"}, when: handshake,
			look: func(w *Watcher, m *message) (string, bool) {
				if m.method == "initialize" { // nothing is agreed yet, and a client offers what newer revisions have
					return "", false
				}
				return w.problem(m, func(p schema.Problem) bool { return p.Kind == schema.KindForeign }), m.value != nil
			}},
		{Name: "methods", Story: "A client sends no requests but those of its revision.", Requirements: revision.ClientRequests, when: handshake,
			look: func(w *Watcher, m *message) (string, bool) {
				if m.request() && !w.schema.ClientSends(m.method, true) {
					return m.method + " is no request of a client", true
				}
				return "", m.request()
			}},
		{Name: "notes", Story: "A client sends no notifications but those of its revision.", Requirements: revision.ClientNotifications, when: handshake,
			look: func(w *Watcher, m *message) (string, bool) {
				if m.notification() && !w.schema.ClientSends(m.method, false) {
					return m.method + " is no notification of a client", true
				}
				return "", m.notification()
			}},
	}
	for _, s := range shapes {
		place := regexp.MustCompile(s.place)
		what := s.method
		if s.answer {
			what = "The answer to " + s.method
		}
		out = append(out, &Check{Name: "shape-" + strings.ReplaceAll(s.id, ".", "-"), Requirements: []string{s.id},
			Story: fmt.Sprintf("%s is as the schema has it.", what),
			when:  func(f revision.Facts) bool { return f.Handshake || !s.answer },
			look: func(w *Watcher, m *message) (string, bool) {
				if s.answer && (m.value.Get("result") == nil || m.id == nil || w.asked[m.id.String()].Get("method").Str() != s.method) ||
					!s.answer && m.method != s.method {
					return "", false
				}
				return w.problem(m, func(p schema.Problem) bool { return p.Kind == schema.KindSchema && place.MatchString(p.Path) }), true
			}})
	}
	return out
}

// problem is what the schema has against a message, of those problems that count.
func (w *Watcher) problem(m *message, counts func(schema.Problem) bool) string {
	if m.value == nil || w.schema == nil {
		return ""
	}
	method := ""
	if m.response() && m.id != nil {
		method = w.asked[m.id.String()].Get("method").Str()
	}
	problems := w.schema.CheckClientMessage(jsontext.Value(m.value.Append(nil)), method)
	if i := slices.IndexFunc(problems, counts); i >= 0 {
		return fmt.Sprintf("%s: %s", m.what(), problems[i])
	}
	return ""
}
