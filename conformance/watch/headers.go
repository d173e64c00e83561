package watch

import (
	"fmt"
	"mime"
	"strconv"
	"strings"

	"github.com/parley-mcp/parley/conformance/mirror"
	"github.com/parley-mcp/parley/conformance/revision"
)

func versionHeader(f revision.Facts) bool { return f.VersionHeader && f.Handshake }
func mirrors(f revision.Facts) bool       { return f.MirrorHeaders }

// headerChecks are about the HTTP request that carries a message.
var headerChecks = []*Check{
	{Name: "http-method", Story: "Messages travel in POST.", transport: overHTTP,
		Requirements: []string{"transport.http.post-per-message", "transport.http.client-uses-post"},
		look: func(_ *Watcher, m *message) (string, bool) {
			if m.Method != "POST" && m.value != nil {
				return "a message came in " + m.Method, true
			}
			return "", m.Method == "POST"
		}},
	{Name: "accept", Story: "A POST accepts application/json and text/event-stream.", transport: overHTTP,
		Requirements: []string{"transport.http.post-accept-both"},
		look: func(_ *Watcher, m *message) (string, bool) {
			if m.Method != "POST" {
				return "", false
			}
			return m.accepts("application/json", "text/event-stream"), m.first
		}},
	{Name: "accept-stream", Story: "A GET accepts text/event-stream.", transport: overHTTP, when: handshake,
		Requirements: []string{"transport.http.get-accept"},
		look: func(_ *Watcher, m *message) (string, bool) {
			if m.Method != "GET" {
				return "", false
			}
			return m.accepts("text/event-stream"), true
		}},
	{Name: "session", Story: "A client that was given a session id repeats it.", transport: overHTTP, when: handshake,
		Requirements: []string{"session.client-includes-id"},
		look: func(w *Watcher, m *message) (string, bool) {
			if w.session == "" || !m.first || m.method == "initialize" {
				return "", false
			}
			if got := m.Header.Get("Mcp-Session-Id"); got != w.session {
				return fmt.Sprintf("%s has the session id %q: want %q", m.carrier(), got, w.session), true
			}
			return "", true
		}},
	{Name: "version-header", Story: "Everything behind initialize has the header MCP-Protocol-Version.", transport: overHTTP, when: versionHeader,
		Requirements: []string{"transport.http.protocol-version-header"},
		look: func(w *Watcher, m *message) (string, bool) {
			if !w.opened || !m.first || m.method == "initialize" {
				return "", false
			}
			if m.Header.Get("MCP-Protocol-Version") == "" {
				return m.carrier() + " has no MCP-Protocol-Version", true
			}
			return "", true
		}},
	{Name: "version-negotiated", Story: "The header MCP-Protocol-Version is the version that was agreed.", transport: overHTTP, when: versionHeader,
		Requirements: []string{"transport.http.protocol-version-header-negotiated"},
		look: func(w *Watcher, m *message) (string, bool) {
			got := m.Header.Get("MCP-Protocol-Version")
			if !w.opened || !m.first || m.method == "initialize" || got == "" {
				return "", false
			}
			if got != w.version {
				return fmt.Sprintf("%s has MCP-Protocol-Version %q: want %q", m.carrier(), got, w.version), true
			}
			return "", true
		}},
	{Name: "version-of-the-body", Story: "The header MCP-Protocol-Version is what the body says.", transport: overHTTP, when: mirrors,
		Requirements: []string{"transport.http.protocol-version-header", "transport.http.version-header-matches-body", "transport.http.standard-headers-sent"},
		look: func(_ *Watcher, m *message) (string, bool) {
			want := m.meta(revision.MetaVersion).Str()
			if !m.request() || want == "" {
				return "", false
			}
			if got := m.Header.Get("MCP-Protocol-Version"); got != want {
				return fmt.Sprintf("%s has MCP-Protocol-Version %q, and %q in its body", m.method, got, want), true
			}
			return "", true
		}},
	{Name: "method-header", Story: "The header Mcp-Method is the method of the request.", transport: overHTTP, when: mirrors,
		Requirements: []string{"transport.http.mcp-method-header", "transport.http.standard-headers-sent"},
		look: func(_ *Watcher, m *message) (string, bool) {
			if got := m.Header.Get("Mcp-Method"); m.request() && got != m.method {
				return fmt.Sprintf("%s has Mcp-Method %q", m.method, got), true
			}
			return "", m.request()
		}},
	{Name: "name-header", Story: "The header Mcp-Name is the name or the URI that the request is about.", transport: overHTTP, when: mirrors,
		Requirements: []string{"transport.http.mcp-name-header", "transport.http.standard-headers-sent"},
		look: func(w *Watcher, m *message) (string, bool) {
			want, ok := w.name(m)
			if !ok {
				return "", false
			}
			if got, _ := mirror.Decode(m.Header.Get("Mcp-Name")); got != want {
				return fmt.Sprintf("%s has Mcp-Name %q, and %q in its body", m.method, m.Header.Get("Mcp-Name"), want), true
			}
			return "", true
		}},
	{Name: "name-encoded", Story: "A name that no header can hold as it is travels in Base64.", transport: overHTTP, when: mirrors,
		Requirements: []string{"transport.http.mcp-name-encoding"},
		look: func(w *Watcher, m *message) (string, bool) {
			want, ok := w.name(m)
			if !ok || mirror.Safe(want) {
				return "", false
			}
			if _, wrapped := mirror.Decode(m.Header.Get("Mcp-Name")); !wrapped {
				return fmt.Sprintf("%s has Mcp-Name %q: want %q", m.method, m.Header.Get("Mcp-Name"), mirror.Encode(want)), true
			}
			return "", true
		}},
}

// name is what Mcp-Name repeats; ok is false if the request has none.
func (w *Watcher) name(m *message) (name string, ok bool) {
	member := w.facts.NameOf[m.method]
	if !m.request() || member == "" {
		return "", false
	}
	v := m.params().Get(member)
	return v.Str(), v != nil
}

// accepts says which of the media types the header Accept lacks.
func (m *message) accepts(types ...string) string {
	var lacks []string
	for _, want := range types {
		found := false
		for _, part := range strings.Split(strings.Join(m.Header.Values("Accept"), ","), ",") {
			media, params, err := mime.ParseMediaType(strings.TrimSpace(part))
			if q, bad := strconv.ParseFloat(params["q"], 64); err == nil && media == want && (bad != nil || q > 0) {
				found = true
			}
		}
		if !found {
			lacks = append(lacks, want)
		}
	}
	if lacks == nil {
		return ""
	}
	return fmt.Sprintf("%s has Accept %q, which lacks %s", m.carrier(), m.Header.Get("Accept"), strings.Join(lacks, " and "))
}

// carrier names the HTTP request.
func (m *message) carrier() string {
	if m.method != "" {
		return m.Method + " of " + m.method
	}
	return m.Method
}
