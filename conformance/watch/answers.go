package watch

import (
	"fmt"
	"strings"

	"github.com/parley-mcp/parley/conformance/match"
	"github.com/parley-mcp/parley/conformance/revision"
)

// answerChecks are about what a client answers when it is asked: in responses where there is a handshake, else in
// inputResponses.
var answerChecks = []*Check{
	{Name: "response", Story: "A response has a result or an error, and not both.", when: handshake,
		Requirements: []string{"base.response-result-or-error", "base.response-not-both"},
		look: func(_ *Watcher, m *message) (string, bool) {
			if m.value == nil || m.value.Kind != '{' || m.method != "" {
				return "", false
			}
			if (m.value.Get("result") != nil) == (m.value.Get("error") != nil) {
				return "a response has one of result and error: " + show(m.value), true
			}
			return "", true
		}},
	{Name: "response-id", Story: "A response repeats the id of a request that the server has made.", when: handshake,
		Requirements: []string{"base.result-id-matches", "base.error-response-same-id", "base.error-id-matches", "base.notification-no-response"},
		look: func(w *Watcher, m *message) (string, bool) {
			if !m.response() {
				return "", false
			}
			switch id := m.id; {
			case id == nil || w.asked[id.String()] == nil:
				return fmt.Sprintf("a response came to %s, and no request has that id", show(id)), true
			case w.told[id.String()]:
				return fmt.Sprintf("a second response came to %s", id), true
			}
			return "", true
		}},
	{Name: "error", Story: "An error has a whole number as code, and a message.", when: handshake,
		Requirements: []string{"base.error-object-shape", "base.error-code-integer"},
		look: func(_ *Watcher, m *message) (string, bool) {
			failure := m.value.Get("error")
			if failure == nil {
				return "", false
			}
			if !wholeNumber(failure.Get("code")) || kind(failure.Get("message")) != '"' {
				return "the error is " + show(failure), true
			}
			return "", true
		}},
	{Name: "pong", Story: "A ping is answered with an empty result.", when: handshake,
		Requirements: []string{"ping.empty-result", "ping.respond-promptly"},
		look: func(w *Watcher, m *message) (string, bool) {
			if !m.response() || m.id == nil || w.asked[m.id.String()].Get("method").Str() != "ping" {
				return "", false
			}
			if len(others(m.value.Get("result"), "_meta").Members) > 0 || m.value.Get("result") == nil {
				return "the answer to a ping is " + show(m.value), true
			}
			return "", true
		}},
	{Name: "roots", Story: "The answer to roots/list is a list of file:// URIs.", Requirements: []string{"roots.file-uri"},
		look: answers("roots/list", func(_, result *match.Value) string {
			for _, root := range itemsOf(result.Get("roots")) {
				if !strings.HasPrefix(root.Get("uri").Str(), "file://") {
					return "a root is " + show(root) + ": want a file:// URI"
				}
			}
			return ""
		})},
	{Name: "elicitation-action", Story: "An elicitation is accepted, declined or cancelled.", Requirements: []string{"elicitation.actions"},
		look: answers("elicitation/create", func(_, result *match.Value) string {
			switch result.Get("action").Str() {
			case "accept", "decline", "cancel":
				return ""
			}
			return "the action is " + show(result.Get("action"))
		})},
	{Name: "elicitation-content", Story: "What a form is answered with fits its schema.", Requirements: []string{"elicitation.accept-content"},
		look: answers("elicitation/create", func(params, result *match.Value) string {
			switch content := result.Get("content"); {
			case result.Get("action").Str() != "accept":
				return ""
			case params.Get("mode").Str() == "url" && content != nil:
				return "an answer to a URL has the content " + show(content)
			case params.Get("mode").Str() == "url":
				return ""
			default:
				return unfit(params.Get("requestedSchema"), content)
			}
		})},
	declared("roots", "roots/list"),
	declared("sampling", "sampling/createMessage"),
	declared("elicitation", "elicitation/create"),
	{Name: "sampling-result", Story: "A message of a model has a role, content and the model's name.", Requirements: []string{"sampling.result-fields", "sampling.message-shape", "schema.role-enum"},
		look: answers("sampling/createMessage", func(_, result *match.Value) string {
			role := result.Get("role").Str()
			if role != "assistant" && role != "user" || result.Get("content") == nil || kind(result.Get("model")) != '"' {
				return "the message is " + show(result)
			}
			return ""
		})},
}

// declared is a check that what a client answers it has declared: at the opening, or in the request that brings the answer.
func declared(capability, method string) *Check {
	return &Check{Name: capability + "-declared", Story: "A client that answers " + method + " has declared " + capability + ".",
		Requirements: []string{capability + ".capability"},
		look: func(w *Watcher, m *message) (string, bool) {
			for _, a := range w.answersIn(m) {
				if a.request.Get("method").Str() != method {
					continue
				}
				caps := w.client
				if m.request() {
					caps = m.meta(revision.MetaCapabilities)
				}
				if !revision.Declares(caps, capability) {
					return method + " was answered, and the client did not declare " + capability, true
				}
				return "", true
			}
			return "", false
		}}
}

// answers looks at each answer to a method that a message holds.
func answers(method string, look func(params, result *match.Value) string) func(*Watcher, *message) (string, bool) {
	return func(w *Watcher, m *message) (string, bool) {
		seen, problem := false, ""
		for _, a := range w.answersIn(m) {
			if a.request.Get("method").Str() != method {
				continue
			}
			seen = true
			if problem == "" {
				problem = look(a.request.Get("params"), a.result)
			}
		}
		return problem, seen
	}
}

// An answer is a result of the client, with what it was asked.
type answer struct{ request, result *match.Value }

func (w *Watcher) answersIn(m *message) []answer {
	if m.response() && m.id != nil && m.value.Get("result") != nil {
		if request := w.asked[m.id.String()]; request != nil {
			return []answer{{request, m.value.Get("result")}}
		}
		return nil
	}
	responses := m.params().Get("inputResponses")
	r := w.roundOf(m)
	if r == nil || responses == nil {
		return nil
	}
	var out []answer
	for _, member := range responses.Members {
		if request := r.asks.Get(member.Name); request != nil {
			out = append(out, answer{request, member.Value})
		}
	}
	return out
}

// unfit says why content does not fit the schema of a form: the kinds, choices and required members that forms have.
func unfit(schema, content *match.Value) string {
	if kind(content) != '{' {
		return "the content is " + show(content) + ": want an object"
	}
	for _, name := range itemsOf(schema.Get("required")) {
		if content.Get(name.Str()) == nil {
			return fmt.Sprintf("the content lacks %s, which the form requires", name.Str())
		}
	}
	for _, m := range content.Members {
		field := schema.Get("properties").Get(m.Name)
		if field == nil {
			return fmt.Sprintf("the content has %s, for which the form does not ask", m.Name)
		}
		if problem := unfitField(field, m.Value); problem != "" {
			return fmt.Sprintf("the field %s %s", m.Name, problem)
		}
	}
	return ""
}

func unfitField(field, v *match.Value) string {
	fits := map[string]bool{
		"string": v.Kind == '"', "number": v.Kind == '0', "integer": wholeNumber(v), "boolean": v.Kind == 't' || v.Kind == 'f',
		"array": v.Kind == '[',
	}
	if want := field.Get("type").Str(); !fits[want] {
		return fmt.Sprintf("is %s: want a %s", show(v), want)
	}
	choices := itemsOf(field.Get("enum"))
	for _, choice := range itemsOf(field.Get("oneOf")) {
		choices = append(choices, choice.Get("const"))
	}
	if len(choices) == 0 {
		return ""
	}
	for _, choice := range choices {
		if match.Equal(choice, v) {
			return ""
		}
	}
	return "is " + show(v) + ", which is none of the choices"
}

func itemsOf(v *match.Value) []*match.Value {
	if v == nil {
		return nil
	}
	return v.Items
}
