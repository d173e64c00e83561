package streamable_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/session"
	"github.com/parley-mcp/parley/transport/internal/transporttest"
	"github.com/parley-mcp/parley/transport/streamable"
)

// Defects that others have shipped, one exchange each. The name of a case begins with the id of its class: V version
// negotiation, F fields of one revision in another, S sessions, H headers, statuses and bodies, J JSON-RPC, O Origin and
// Host, P utilities, M the mirrored headers and _meta of 2026-07-28, E servers of both eras.

// A known is one exchange. {session} in its lines is the session that was opened at the revision in.
type known struct {
	name    string
	in      string
	method  string // of HTTP; POST if empty
	lines   []string
	body    string
	with    func(*server.Options)
	options streamable.Options
	status  int
	code    int
	// has and lacks are texts that stand in the whole answer, headers included, or must not.
	has, lacks []string
	check      func(t *testing.T, e *endpoint, a answer)
}

func (k known) run(t *testing.T) {
	e := serve(t, k.options, k.with)
	l := lane{}
	if k.in != "" {
		l = e.open(k.in)
	}
	lines := make([]string, len(k.lines))
	for i, line := range k.lines {
		lines[i] = strings.ReplaceAll(line, "{session}", l.session)
	}
	method := k.method
	if method == "" {
		method = "POST"
	}
	a := e.exchange(requestOf(method, k.body, lines...))
	assert.Equal(t, k.status, a.status, a.body)
	if method == "HEAD" {
		assert.Empty(t, a.body)
	} else if messages := a.messages(t); len(messages) > 0 {
		assert.Equal(t, k.code, messages[len(messages)-1].code(), a.body)
	} else {
		assert.Zero(t, k.code, "an error was expected")
	}
	whole := a.body
	for name, values := range a.header {
		whole += "\n" + name + ": " + strings.Join(values, ", ")
	}
	for _, text := range k.has {
		assert.Contains(t, whole, text)
	}
	for _, text := range k.lacks {
		assert.NotContains(t, whole, text)
	}
	if k.check != nil {
		k.check(t, e, a)
	}
}

func runKnown(t *testing.T, cases []known) {
	for _, k := range cases {
		t.Run(k.name, k.run)
	}
}

// in are the headers within the session that was opened.
func inSession(revision string, more ...string) []string {
	return override(lane{revision, "{session}"}.lines("", ""), more)
}

// perRequest are the headers of a request of 2026-07-28.
func perRequest(method string, more ...string) []string {
	return override(lane{revision: modern}.lines(method, ""), more)
}

func only(revisions ...protocol.Revision) func(*server.Options) {
	return func(o *server.Options) { o.Revisions = revisions }
}

const metaOnly = `{"_meta":{` + modernMeta + `}}`

// Proves: versioning.dual-era-initialize-legacy
// Proves: transport.http.legacy-interop-behaviour
// Proves: lifecycle.version-counter-offer-latest
func TestKnownVersions(t *testing.T) {
	runKnown(t, []known{
		{name: "V-01 a version that nobody knows is not echoed", body: initialize("2099-01-01"), status: 200, has: []string{`"protocolVersion":"2025-11-25"`}, lacks: []string{"2099"}},
		{name: "V-02 an older version is agreed to", body: initialize(march), status: 200, has: []string{`"protocolVersion":"2025-03-26"`}},
		{name: "V-05 a header on initialize, newer than the server", lines: []string{"MCP-Protocol-Version: 2025-11-25"}, body: initialize(nov), with: only(march), status: 200, has: []string{`"protocolVersion":"2025-03-26"`}},
		{name: "V-05 a header of the next era on initialize", lines: []string{"MCP-Protocol-Version: 2026-07-28"}, body: initialize(nov), status: 200, has: []string{`"protocolVersion":"2025-11-25"`}},
		{name: "V-07 no header within a session", in: nov, lines: []string{"Mcp-Session-Id: {session}"}, body: `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, status: 200, has: []string{`"title":"Echo"`}},
		{name: "V-07 no header and no session", body: `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, with: func(o *server.Options) { o.Sessions = session.None }, status: 200, lacks: []string{`"title"`, `outputSchema`}},
		{name: "V-08 a header that is no version", in: nov, lines: []string{"MCP-Protocol-Version: not-a-version", "Mcp-Session-Id: {session}"}, body: `{"jsonrpc":"2.0","id":3,"method":"ping"}`, status: 400, code: -32022},
		{name: "V-08 the same at 2025-06-18", in: june, lines: []string{"MCP-Protocol-Version: not-a-version", "Mcp-Session-Id: {session}"}, body: `{"jsonrpc":"2.0","id":3,"method":"ping"}`, status: 400, code: -32022},
		{name: "V-08 the same on DELETE", in: nov, method: "DELETE", lines: []string{"MCP-Protocol-Version: not-a-version", "Mcp-Session-Id: {session}"}, status: 400, code: -32022},
		{name: "V-08 before the header existed", in: march, lines: []string{"MCP-Protocol-Version: not-a-version", "Mcp-Session-Id: {session}"}, body: `{"jsonrpc":"2.0","id":3,"method":"ping"}`, status: 200},
		{name: "V-09 a client of before the header", in: march, lines: []string{"Mcp-Session-Id: {session}"}, body: `{"jsonrpc":"2.0","id":2,"method":"ping"}`, status: 200},
		{name: "V-10 header and body of initialize differ: the body wins", lines: []string{"MCP-Protocol-Version: 2025-11-25"}, body: initialize(june), status: 200, has: []string{`"protocolVersion":"2025-06-18"`},
			check: func(t *testing.T, e *endpoint, a answer) { // and the session is of that revision
				b := e.exchange(request(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"big","arguments":{}}}`, "Mcp-Session-Id: "+a.header.Get("Mcp-Session-Id")))
				assert.Equal(t, -32602, b.last(t).code(), "2025-06-18 says so, 2025-11-25 has isError")
			}},
		{name: "V-14 the operator's list, in the handshake", with: only(nov, june), body: initialize(march), status: 200, has: []string{`"protocolVersion":"2025-11-25"`}},
		{name: "V-14 the operator's list, per request", with: only(nov, june), lines: perRequest("server/discover"), body: `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":` + metaOnly + `}`, status: 400, code: -32022, has: []string{`"supported":["2025-11-25","2025-06-18"]`, `"requested":"2026-07-28"`}},
		{name: "V-14 the operator's list, in the header", in: nov, with: only(nov, june), lines: []string{"MCP-Protocol-Version: 2025-03-26", "Mcp-Session-Id: {session}"}, body: `{"jsonrpc":"2.0","id":1,"method":"ping"}`, status: 400, code: -32022},
	})
}

func TestKnownFields(t *testing.T) {
	list := func(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/list"}` }
	users := `{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"list_users","arguments":{}}}`
	nope := func(meta string) string {
		return `{"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"file:///nope"` + meta + `}}`
	}
	newer := []string{"resultType", "ttlMs", "cacheScope", "io.modelcontextprotocol/"}
	runKnown(t, []known{
		{name: "F-01 no outputSchema and title at 2025-03-26", in: march, lines: inSession(march), body: list("2"), status: 200, lacks: []string{"outputSchema", `"title"`}},
		{name: "F-01 no structuredContent at 2025-03-26", in: march, lines: inSession(march), body: users, status: 200, lacks: []string{"structuredContent"}, has: []string{`"type":"text"`, `ada`}},
		{name: "F-01 no resource_link at 2025-03-26", in: march, lines: inSession(march), body: strings.ReplaceAll(users, "list_users", "link"), status: 200, lacks: []string{"resource_link"}, has: []string{"file:///hello"}},
		{name: "F-02 structuredContent is an object at 2025-06-18", in: june, lines: inSession(june), body: users, status: 200, lacks: []string{`"structuredContent":[`}, has: []string{"ada"}},
		{name: "F-02 structuredContent is an object at 2025-11-25", in: nov, lines: inSession(nov), body: users, status: 200, lacks: []string{`"structuredContent":[`}, has: []string{"ada"}},
		{name: "F-03 no resultType before 2026-07-28", in: nov, lines: inSession(nov), body: `{"jsonrpc":"2.0","id":5,"method":"ping"}`, status: 200, check: func(t *testing.T, _ *endpoint, a answer) {
			assert.JSONEq(t, `{"jsonrpc":"2.0","id":5,"result":{}}`, a.body)
		}},
		{name: "F-04 no cache hints before 2026-07-28", in: june, lines: inSession(june), body: `{"jsonrpc":"2.0","id":6,"method":"resources/list"}`, status: 200, lacks: newer},
		{name: "F-04 cache hints on what can be cached alone", lines: perRequest("tools/call", "Mcp-Name: whoami"), body: `{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"whoami","arguments":{},"_meta":{` + modernMeta + `}}}`, status: 200, lacks: []string{"ttlMs", "cacheScope"}},
		{name: "F-05 no tasks and extensions at 2025-06-18", body: initialize(june), with: func(o *server.Options) { o.Extensions = map[string][]byte{"com.example/x": []byte(`{}`)} }, status: 200, lacks: []string{"tasks", "extensions"}},
		{name: "F-10 capabilities are open", lines: perRequest("server/discover"), body: `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"roots":{"listChanged":true},"sampling":{"x":{}}}}}}`, status: 200, has: []string{"supportedVersions"}},
		{name: "F-12 a missing resource at 2026-07-28", lines: perRequest("resources/read", "Mcp-Name: file:///nope"), body: nope(`,"_meta":{` + modernMeta + `}`), status: 200, code: -32602, lacks: []string{"contents"}},
		{name: "F-12 a missing resource at 2025-11-25", in: nov, lines: inSession(nov), body: nope(""), status: 200, code: -32002, lacks: []string{"contents"}},
		{name: "F-12 a missing resource at 2025-03-26", in: march, lines: inSession(march), body: nope(""), status: 200, code: -32002, lacks: []string{"contents"}},
	})
	t.Run("F-07 no priming event before 2025-11-25", func(t *testing.T) {
		e := serve(t, streamable.Options{}, nil)
		each(t, []string{march, june}, func(t *testing.T, revision string) {
			a := e.exchange(e.open(revision).tool("1", "steps", "", `"progressToken":1`))
			assert.True(t, strings.HasPrefix(a.body, "event: message\ndata: {"), a.body)
			assert.NotContains(t, a.body, "retry:")
			assert.Len(t, a.messages(t), 4)
		})
	})
}

// Proves: security.guide.no-session-authentication
// Proves: security.guide.session-bound-to-user
// Proves: security.requests-verified 2025-06-18 2025-11-25
func TestKnownSessions(t *testing.T) {
	stateless := func(o *server.Options) { o.Sessions = session.None }
	list := `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":` + metaOnly + `}`
	runKnown(t, []known{
		{name: "S-02 an unknown session is 404", lines: []string{"MCP-Protocol-Version: 2025-06-18", "Mcp-Session-Id: gone-0002"}, body: `{"jsonrpc":"2.0","id":8,"method":"ping"}`, status: 404, code: -32600, has: []string{`"id":8`}},
		{name: "S-05 an unknown method within a session is 200", in: june, lines: inSession(june), body: `{"jsonrpc":"2.0","id":9,"method":"no/such"}`, status: 200, code: -32601},
		{name: "S-05 the same at 2026-07-28 is 404", lines: perRequest("no/such"), body: `{"jsonrpc":"2.0","id":9,"method":"no/such","params":` + metaOnly + `}`, status: 404, code: -32601},
		{name: "S-14 characters beyond ASCII", in: nov, lines: inSession(nov, "Mcp-Session-Id: s-1é"), body: `{"jsonrpc":"2.0","id":2,"method":"ping"}`, status: 404, code: -32600},
		{name: "S-14 a NUL never arrives", in: nov, lines: []string{"Mcp-Session-Id: s\x001"}, body: `{"jsonrpc":"2.0","id":2,"method":"ping"}`, status: 400},
		{name: "S-14 an id is not trimmed inside", in: nov, lines: inSession(nov, "Mcp-Session-Id: {session} x"), body: `{"jsonrpc":"2.0","id":2,"method":"ping"}`, status: 404, code: -32600},
		{name: "S-16 a session beside a request of 2026-07-28", lines: perRequest("tools/list", "Mcp-Session-Id: left-over"), body: list, status: 200, lacks: []string{"Mcp-Session-Id"}},
		{name: "S-17 a server without sessions ignores the header", with: stateless, lines: []string{"MCP-Protocol-Version: 2025-11-25", "Mcp-Session-Id: whatever"}, body: `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, status: 200, lacks: []string{"Mcp-Session-Id"}},
		{name: "S-17 and gives none", with: stateless, body: initialize(nov), status: 200, lacks: []string{"Mcp-Session-Id"}},
		{name: "S-17 and has no DELETE", with: stateless, method: "DELETE", lines: []string{"Mcp-Session-Id: whatever"}, status: 405, code: -32600, has: []string{"Allow: POST"}, lacks: []string{"DELETE"}},
		{name: "S-16 a server of 2026-07-28 alone ignores the header", with: only(modern), lines: []string{"Mcp-Session-Id: left-over"}, body: `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, status: 400, code: -32020},
		{name: "S-16 and has no DELETE", with: only(modern), method: "DELETE", lines: []string{"Mcp-Session-Id: left-over"}, status: 405, code: -32600, has: []string{"Allow: POST"}, lacks: []string{"DELETE"}},
		{name: "S-16 no DELETE for a client of 2026-07-28", in: nov, method: "DELETE", lines: inSession(nov, "MCP-Protocol-Version: 2026-07-28"), status: 405, code: -32600, check: func(t *testing.T, e *endpoint, _ answer) {
			e.works(e.open(nov))
		}},
	})
	t.Run("S-15 the header is sent once", func(t *testing.T) {
		e := serve(t, streamable.Options{}, nil)
		a := e.exchange(request(initialize(nov)))
		require.Len(t, a.header["Mcp-Session-Id"], 1)
		assert.Regexp(t, `^[\x21-\x7E]{20,}$`, a.header.Get("Mcp-Session-Id"), "S-14")
	})
	t.Run("S-12 S-13 a session belongs to its principal, not to a token", func(t *testing.T) {
		e := serve(t, streamable.Options{}, byToken)
		each(t, handshakes, func(t *testing.T, revision string) {
			l := e.open(revision, "Authorization: Bearer alice/1")
			call := func(lines ...string) int { return e.exchange(l.call("2", "tools/list", "", "", lines...)).status }
			assert.Equal(t, 200, call("Authorization: Bearer alice/1"))
			assert.Equal(t, 200, call("Authorization: Bearer alice/2"), "refreshed")
			assert.Equal(t, 404, call("Authorization: Bearer bob/1"))
			assert.Equal(t, 404, call())
			stolen := requestOf("DELETE", "", append(l.lines("", ""), "Authorization: Bearer bob/1")...)
			assert.Equal(t, 404, e.exchange(stolen).status)
			assert.Equal(t, 200, call("Authorization: Bearer alice/3"), "bob has not ended it")
		})
	})
	t.Run("S-18 a sealed session is known to all replicas", func(t *testing.T) {
		replica := func() *endpoint {
			store, err := session.NewSealed(session.SealedOptions{Keys: [][]byte{[]byte("0123456789abcdef0123456789abcdef")}})
			require.NoError(t, err)
			return serve(t, streamable.Options{}, func(o *server.Options) { o.Sessions = store })
		}
		one, two := replica(), replica()
		each(t, handshakes, func(t *testing.T, revision string) {
			l := one.open(revision)
			two.works(l)
			a := two.exchange(requestOf("DELETE", "", l.lines("", "")...))
			assert.Equal(t, 405, a.status)
			assert.Equal(t, "POST", a.header.Get("Allow"))
		})
	})
}

// byToken names the principal of a token such as "alice/1".
func byToken(o *server.Options) { o.Principal = transporttest.ByToken }

func TestKnownOrigins(t *testing.T) {
	ping := `{"jsonrpc":"2.0","id":2,"method":"ping"}`
	bad := func(name string, lines ...string) known {
		return known{name: name, lines: lines, body: ping, status: 403, code: -32600}
	}
	good := func(name string, line string) known {
		return known{name: name, in: nov, lines: inSession(nov, line), body: ping, status: 200}
	}
	runKnown(t, []known{
		{name: "O-02 a rebound Host", method: "GET", lines: []string{"Host: rebind.evil.example:8931", "Accept: text/event-stream"}, status: 403, code: -32600},
		bad("O-02 a rebound Host on POST", "Host: rebind.evil.example:8931"),
		{name: "O-02 a rebound Host on HEAD", method: "HEAD", lines: []string{"Host: rebind.evil.example:8931"}, status: 403},
		{name: "O-02 a rebound Host on DELETE", method: "DELETE", lines: []string{"Host: rebind.evil.example:8931"}, status: 403, code: -32600},
		good("O-03 IPv6", "Origin: http://[::1]:8931"),
		good("O-03 upper case", "Origin: http://LOCALHOST:8931"),
		good("O-03 another port", "Origin: http://127.0.0.1:3000"),
		good("O-03 a final dot", "Origin: http://localhost.:8931"),
		bad("O-03 a longer name", "Origin: http://localhost.evil.example"),
		bad("O-03 a longer address", "Origin: http://127.0.0.1.evil.example"),
		bad("O-03 a user", "Origin: http://localhost:1@evil.example"),
		bad("O-03 a path", "Origin: http://localhost:8931/x"),
		bad("O-04 null", "Origin: null"),
		{name: "O-04 null, listed", in: nov, lines: inSession(nov, "Origin: null"), options: streamable.Options{AllowedOrigins: []string{"null"}}, body: ping, status: 200},
		bad("O-05 two origins", "Origin: http://localhost:8931", "Origin: https://evil.example"),
		bad("O-05 two origins in one field", "Origin: http://localhost:8931 https://evil.example"),
		bad("O-05 a port that is none", "Origin: http://localhost:abc"),
		bad("O-05 no origin in it", "Origin: "),
		{name: "O-05 two hosts", lines: []string{"Host: 127.0.0.1:8931", "Host: rebind.evil.example"}, body: ping, status: 400},
		bad("O-06 a forwarding header", "Host: rebind.evil.example:8931", "X-Forwarded-Host: localhost", "Forwarded: host=localhost"),
	})
	t.Run("O-06 the name in the request line counts", func(t *testing.T) {
		e := serve(t, streamable.Options{}, nil)
		r := strings.Replace(request(ping), "POST /mcp", "POST http://rebind.evil.example/mcp", 1)
		assert.Equal(t, 403, e.exchange(r).status)
	})
}
