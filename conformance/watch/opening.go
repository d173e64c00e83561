package watch

import (
	"fmt"
	"slices"

	"github.com/parley-mcp/parley/conformance/revision"
)

// openingChecks are about the handshake, and about what stands in its place in every request.
var openingChecks = []*Check{
	{Name: "initialize-first", Story: "The first message is the request initialize.", when: handshake,
		Requirements: []string{"lifecycle.initialization-first", "session.begins-with-initialization"},
		look: func(w *Watcher, m *message) (string, bool) {
			if w.opening != "" || w.lost || m.value == nil || m.method == "ping" {
				return "", false
			}
			if m.method != "initialize" {
				return fmt.Sprintf("%s came before initialize", m.what()), true
			}
			return "", true
		}},
	{Name: "initialize", Story: "Initialize names a version, the capabilities, and the client.", when: handshake,
		Requirements: []string{"lifecycle.client-sends-initialize", "lifecycle.version-client-sends-supported", "base.base-and-lifecycle-supported"},
		look: func(_ *Watcher, m *message) (string, bool) {
			if m.method != "initialize" {
				return "", false
			}
			p := m.params()
			if p.Get("protocolVersion").Str() == "" || kind(p.Get("capabilities")) != '{' || kind(p.Get("clientInfo")) != '{' {
				return "the params of initialize are " + show(p), true
			}
			return "", true
		}},
	{Name: "initialize-alone", Story: "Initialize is no part of a batch.", Requirements: []string{"lifecycle.initialize-not-batched"},
		when: func(f revision.Facts) bool { return f.Batches },
		look: func(_ *Watcher, m *message) (string, bool) {
			if m.method == "initialize" && m.inside {
				return "initialize came in an array", true
			}
			return "", m.method == "initialize"
		}},
	{Name: "client-info", Story: "A client says its name and version when it opens.", when: handshake,
		Requirements: []string{"schema.implementation.required"},
		look: func(_ *Watcher, m *message) (string, bool) {
			info := m.params().Get("clientInfo")
			if m.method == "initialize" && (kind(info.Get("name")) != '"' || kind(info.Get("version")) != '"') {
				return "clientInfo is " + show(info) + ": want a name and a version", true
			}
			return "", m.method == "initialize"
		}},
	{Name: "version-form", Story: "A version is a date.", Requirements: []string{"lifecycle.version-format"}, when: handshake,
		look: func(_ *Watcher, m *message) (string, bool) {
			if m.method != "initialize" {
				return "", false
			}
			if v := m.params().Get("protocolVersion").Str(); !isDate(v) {
				return fmt.Sprintf("protocolVersion is %q: want YYYY-MM-DD", v), true
			}
			return "", true
		}},
	{Name: "capability-objects", Story: "A capability is an object.", Requirements: []string{"schema.capabilities-are-objects"}, when: handshake,
		look: func(_ *Watcher, m *message) (string, bool) {
			if m.method != "initialize" {
				return "", false
			}
			caps := m.params().Get("capabilities")
			if kind(caps) == '{' {
				for _, c := range caps.Members {
					if c.Value.Kind != '{' {
						return fmt.Sprintf("the capability %s is %s", c.Name, show(c.Value)), true
					}
				}
			}
			return "", true
		}},
	{Name: "initialized", Story: "The client says that it is ready, before it asks for anything but a ping.", when: handshake,
		Requirements: []string{"lifecycle.initialized-notification"},
		look: func(w *Watcher, m *message) (string, bool) {
			if !w.opened || m.value == nil || m.response() || m.method == "ping" || m.method == "initialize" {
				return "", false
			}
			if !w.initialized && m.method != "notifications/initialized" && m.method != "notifications/cancelled" {
				return m.method + " came before notifications/initialized", true
			}
			return "", true
		}},
	{Name: "patience", Story: "Nothing but a ping is asked for before initialize was answered.", when: handshake,
		Requirements: []string{"lifecycle.client-no-requests-before-init-response"},
		look: func(w *Watcher, m *message) (string, bool) {
			if w.opening == "" || !m.request() || m.method == "ping" || m.method == "initialize" {
				return "", false
			}
			if !w.opened {
				return m.method + " came before the answer to initialize", true
			}
			return "", true
		}},

	{Name: "meta-params", Story: "Every request has params with _meta.", Requirements: []string{"meta.params-required"}, when: perRequest,
		look: func(_ *Watcher, m *message) (string, bool) {
			if m.request() && kind(m.value.Get("params", "_meta")) != '{' {
				return m.method + " has no params._meta", true
			}
			return "", m.request()
		}},
	{Name: "meta-version", Story: "Every request names the version of the protocol in _meta.", when: perRequest,
		Requirements: []string{"meta.protocol-version-required", "transport.metadata-in-body", "transport.stdio.metadata-inline"},
		look:         inMeta(revision.MetaVersion, '"')},
	{Name: "meta-capabilities", Story: "Every request names the capabilities of the client in _meta.", when: perRequest,
		Requirements: []string{"meta.client-capabilities-required"}, look: inMeta(revision.MetaCapabilities, '{')},
	{Name: "meta-client", Story: "Every request names the client in _meta.", when: perRequest,
		Requirements: []string{"meta.client-info-included"}, look: inMeta(revision.MetaClient, '{')},
	{Name: "meta-client-name", Story: "A client that names itself says its name and version.", when: perRequest,
		Requirements: []string{"schema.implementation.required"},
		look: func(_ *Watcher, m *message) (string, bool) {
			info := m.meta(revision.MetaClient)
			if m.request() && info != nil && (kind(info.Get("name")) != '"' || kind(info.Get("version")) != '"') {
				return "the client is " + show(info) + ": want a name and a version", true
			}
			return "", m.request() && info != nil
		}},
	{Name: "no-responses", Story: "A client sends no responses.", when: perRequest,
		Requirements: []string{"base.client-no-responses", "transport.http.no-client-responses", "transport.stdio.no-client-responses",
			"base.notification-no-response"},
		look: func(_ *Watcher, m *message) (string, bool) {
			if m.response() {
				return "a response came: " + show(m.value), true
			}
			return "", m.value != nil
		}},
	{Name: "discover", Story: "The request server/discover has nothing but _meta.", when: perRequest,
		Requirements: []string{"discover.request-no-params"},
		look: func(_ *Watcher, m *message) (string, bool) {
			if m.method != "server/discover" {
				return "", false
			}
			if p := m.params(); p != nil && slices.ContainsFunc(p.Members, notMeta) {
				return "the params of server/discover are " + show(p), true
			}
			return "", true
		}},
}

// inMeta is a check for a member of _meta.
func inMeta(key string, want byte) func(*Watcher, *message) (string, bool) {
	return func(_ *Watcher, m *message) (string, bool) {
		if m.request() && kind(m.meta(key)) != want {
			return fmt.Sprintf("%s has %s in the place of params._meta[%q]", m.method, show(m.meta(key)), key), true
		}
		return "", m.request()
	}
}

// what says what a message is, in a word.
func (m *message) what() string {
	if m.method != "" {
		return m.method
	}
	return "a response"
}
