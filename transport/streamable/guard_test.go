package streamable_test

import (
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/transport/internal/transporttest"
	"github.com/parley-mcp/parley/transport/streamable"
)

// Which pages may call which server. The rows are what a browser, a proxy or a program sends; local is the address on which
// the server was reached.

func TestOriginsAndHosts(t *testing.T) {
	const loopback, loopback6, lan, container, public = "127.0.0.1", "::1", "192.168.1.20", "172.17.0.2", "203.0.113.9"
	listed := streamable.Options{AllowedOrigins: []string{"https://app.example.com", "http://dev.example.com:3000", "https://shop.example.com:443"}}
	chosen := streamable.Options{OriginAllowed: func(o string) bool { return strings.HasSuffix(o, ".example.org") }}
	proxied := streamable.Options{AllowedHosts: []string{"mcp.example.com", "other.example.com:8443"}}
	for _, c := range []struct {
		name          string
		local         string
		host, origin  string
		options       streamable.Options
		allowed       bool
		withoutOrigin bool
	}{
		{name: "a program on this machine", local: loopback, host: "127.0.0.1:8931", withoutOrigin: true, allowed: true},
		{name: "by name", local: loopback, host: "localhost:8931", withoutOrigin: true, allowed: true},
		{name: "by name, IPv6", local: loopback6, host: "localhost", withoutOrigin: true, allowed: true},
		{name: "by address, IPv6", local: loopback6, host: "[::1]:8931", withoutOrigin: true, allowed: true},
		{name: "another loopback address", local: "127.0.0.2", host: "127.0.0.2:8931", withoutOrigin: true, allowed: true},
		{name: "a page on this machine", local: loopback, host: "127.0.0.1:8931", origin: "http://localhost:3000", allowed: true},
		{name: "a page on this machine, IPv6", local: loopback6, host: "[::1]:8931", origin: "http://[::1]:6274", allowed: true},
		{name: "a page by HTTPS on this machine", local: loopback, host: "localhost:8931", origin: "https://localhost", allowed: true},
		{name: "a name rebound to this machine", local: loopback, host: "evil.example:8931", origin: "http://evil.example:8931"},
		{name: "the same without an origin", local: loopback, host: "evil.example:8931", withoutOrigin: true},
		{name: "the same by HTTPS", local: loopback, host: "evil.example", origin: "https://evil.example"},
		{name: "no host", local: loopback, host: "", withoutOrigin: true},
		{name: "a page elsewhere", local: loopback, host: "127.0.0.1:8931", origin: "https://evil.example"},
		{name: "a proxy on this machine", local: loopback, host: "mcp.example.com", withoutOrigin: true, options: proxied, allowed: true},
		{name: "a proxy on this machine, any port", local: loopback, host: "MCP.example.com:443", withoutOrigin: true, options: proxied, allowed: true},
		{name: "a proxy with its port", local: loopback, host: "other.example.com:8443", withoutOrigin: true, options: proxied, allowed: true},
		{name: "a proxy with another port", local: loopback, host: "other.example.com:8444", withoutOrigin: true, options: proxied},
		{name: "a page of the proxy's name", local: loopback, host: "mcp.example.com", origin: "http://mcp.example.com", options: proxied, allowed: true},
		{name: "every host", local: loopback, host: "evil.example", withoutOrigin: true, options: streamable.Options{AllowedHosts: []string{"*"}}, allowed: true},
		{name: "every host, and a page of it", local: loopback, host: "evil.example", origin: "http://evil.example", options: streamable.Options{AllowedHosts: []string{"*"}}},

		{name: "a program in the LAN", local: lan, host: "192.168.1.20:8931", withoutOrigin: true, allowed: true},
		{name: "a program in the LAN, by name", local: lan, host: "nas.local:8931", withoutOrigin: true, allowed: true},
		{name: "a page of the server's address", local: lan, host: "192.168.1.20:8931", origin: "http://192.168.1.20:8931", allowed: true},
		{name: "a page of the server's address, another port", local: lan, host: "192.168.1.20:8931", origin: "http://192.168.1.20:3000"},
		{name: "a page of another machine", local: lan, host: "192.168.1.20:8931", origin: "http://192.168.1.30:8931"},
		{name: "a name rebound to the LAN", local: lan, host: "evil.example:8931", origin: "http://evil.example:8931"},
		{name: "a page of the server's name by HTTPS", local: lan, host: "nas.example", origin: "https://nas.example", allowed: true},
		{name: "the same, with the port named once", local: lan, host: "nas.example:443", origin: "https://nas.example", allowed: true},
		{name: "a page on another port by HTTPS", local: lan, host: "nas.example", origin: "https://nas.example:8443"},
		{name: "a container by its address", local: container, host: "172.17.0.2:8080", withoutOrigin: true, allowed: true},
		{name: "a container by a mapped port", local: container, host: "localhost:8080", withoutOrigin: true, allowed: true},
		{name: "a page for a container by a mapped port", local: container, host: "localhost:8080", origin: "http://localhost:6274", allowed: true},
		{name: "a container by a service name", local: container, host: "mcp:8080", withoutOrigin: true, allowed: true},
		{name: "a page elsewhere, of a container", local: container, host: "localhost:8080", origin: "https://evil.example"},
		{name: "a public server", local: public, host: "mcp.example.com", withoutOrigin: true, allowed: true},
		{name: "a public server behind TLS", local: public, host: "mcp.example.com", origin: "https://mcp.example.com", allowed: true},
		{name: "a page elsewhere, of a public server", local: public, host: "mcp.example.com", origin: "https://evil.example"},

		{name: "a listed origin, its port is the default", local: public, host: "mcp.example.com", origin: "https://shop.example.com", options: listed, allowed: true},
		{name: "a listed origin", local: public, host: "mcp.example.com", origin: "https://app.example.com", options: listed, allowed: true},
		{name: "a listed origin in upper case", local: public, host: "mcp.example.com", origin: "HTTPS://APP.example.com", options: listed, allowed: true},
		{name: "a listed origin with a port", local: public, host: "mcp.example.com", origin: "http://dev.example.com:3000", options: listed, allowed: true},
		{name: "another scheme", local: public, host: "mcp.example.com", origin: "http://app.example.com", options: listed},
		{name: "another port", local: public, host: "mcp.example.com", origin: "https://app.example.com:444", options: listed},
		{name: "a longer name", local: public, host: "mcp.example.com", origin: "https://app.example.com.evil.example", options: listed},
		{name: "a name below", local: public, host: "mcp.example.com", origin: "https://x.app.example.com", options: listed},
		{name: "a chosen origin", local: public, host: "mcp.example.com", origin: "https://a.example.org", options: chosen, allowed: true},
		{name: "an origin not chosen", local: public, host: "mcp.example.com", origin: "https://a.example.com", options: chosen},
		{name: "no origin that could be chosen", local: public, host: "mcp.example.com", origin: "https://a/.example.org", options: chosen},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := transporttest.New(t, nil)
			h, err := streamable.New(f.Server, c.options)
			require.NoError(t, err)
			for _, method := range []string{"POST", "GET", "DELETE", "OPTIONS", "HEAD"} {
				r := httptest.NewRequest(method, "/mcp", strings.NewReader(initialize(nov)))
				r.Host = c.host
				r.Header.Set("Content-Type", "application/json")
				if !c.withoutOrigin {
					r.Header.Set("Origin", c.origin)
				}
				r = r.WithContext(localAddress(r.Context(), &net.TCPAddr{IP: net.ParseIP(c.local), Port: 8931}))
				w := httptest.NewRecorder()
				h.ServeHTTP(w, r)
				assert.Equal(t, c.allowed, w.Code != http.StatusForbidden, "%s: %d %s", method, w.Code, w.Body)
				assert.Empty(t, w.Header().Get("Access-Control-Allow-Origin"), "CORS is off")
				if method == "POST" && c.allowed {
					assert.Equal(t, http.StatusOK, w.Code)
				}
			}
		})
	}
}

func TestRefusedBeforeTheBody(t *testing.T) {
	e := serve(t, streamable.Options{}, nil)
	for _, c := range []struct {
		line   string
		status int
	}{
		{"Origin: https://evil.example", 403},
		{"Host: evil.example", 403},
		{"Content-Type: text/plain", 415},
		{"Accept: text/html", 406},
	} {
		for _, how := range [][]string{{}, {"Expect: 100-continue"}, {"Transfer-Encoding: chunked", "-Content-Length"}} {
			lines := append([]string{c.line, "Content-Length: 1000"}, how...)
			if len(how) == 2 {
				lines = append([]string{c.line}, how...)
			}
			a := e.exchange(request("", lines...)) // whose body never comes
			assert.Equal(t, c.status, a.status, "%v", lines)
			assert.Equal(t, -32600, a.last(t).code())
			assert.Empty(t, a.last(t).ID)
			assert.True(t, a.closes)
		}
	}
	for _, method := range []string{"GET", "DELETE", "PUT", "OPTIONS"} {
		a := e.exchange(requestOf(method, "", "Content-Length: 1000"))
		assert.Contains(t, []int{400, 405}, a.status, method)
		assert.True(t, a.closes)
	}
	t.Run("and a body that is wanted is asked for", func(t *testing.T) {
		l := e.open(nov)
		c := e.dial()
		head, body, _ := strings.Cut(l.tool("1", "echo", `"text":"hi"`, "", "Expect: 100-continue"), "\r\n\r\n")
		_, err := io.WriteString(c, head+"\r\n\r\n")
		require.NoError(t, err)
		r := newReader(c)
		line, err := r.ReadString('\n')
		require.NoError(t, err)
		assert.Equal(t, "HTTP/1.1 100 Continue\r\n", line)
		_, err = r.ReadString('\n')
		require.NoError(t, err)
		_, err = io.WriteString(c, body)
		require.NoError(t, err)
		assert.Equal(t, 200, e.read(r, "POST").status)
	})
}

func TestCORS(t *testing.T) {
	const page = "https://app.example.com"
	e := serve(t, streamable.Options{CORS: true, AllowedOrigins: []string{page}}, nil)
	preflight := func(more ...string) answer {
		return e.exchange(requestOf("OPTIONS", "", append(more, "Access-Control-Request-Method: POST")...))
	}
	a := preflight("Origin: "+page, "Access-Control-Request-Headers: content-type, MCP-Protocol-Version,mcp-session-id, Mcp-Param-Region, x-evil, authorization")
	assert.Equal(t, http.StatusNoContent, a.status)
	assert.Equal(t, page, a.header.Get("Access-Control-Allow-Origin"))
	assert.Equal(t, "POST, GET, DELETE", a.header.Get("Access-Control-Allow-Methods"))
	assert.Equal(t, "content-type, mcp-protocol-version, mcp-session-id, mcp-param-region, authorization", a.header.Get("Access-Control-Allow-Headers"))
	assert.Contains(t, a.header["Vary"], "Origin")
	assert.NotEmpty(t, a.header.Get("Access-Control-Max-Age"))
	assert.Empty(t, a.header.Get("Access-Control-Allow-Credentials"))

	a = preflight("Origin: https://evil.example")
	assert.Equal(t, 403, a.status)
	assert.Empty(t, a.header.Get("Access-Control-Allow-Origin"))
	assert.Equal(t, 405, e.exchange(requestOf("OPTIONS", "", "Origin: "+page)).status, "no preflight")
	assert.Equal(t, 405, preflight().status, "no page")

	each(t, all, func(t *testing.T, revision string) {
		l := e.open(revision, "Origin: "+page)
		for _, meta := range []string{"", `"progressToken":1`} { // JSON and events
			a := e.exchange(l.tool("1", "steps", "", meta, "Origin: "+page))
			assert.Equal(t, 200, a.status)
			assert.Equal(t, page, a.header.Get("Access-Control-Allow-Origin"))
			assert.Contains(t, a.header.Get("Access-Control-Expose-Headers"), "Mcp-Session-Id")
			assert.Contains(t, a.header["Vary"], "Origin")
		}
		a := e.exchange(l.tool("1", "echo", "", ""))
		assert.Empty(t, a.header.Get("Access-Control-Allow-Origin"), "no page")
		assert.Contains(t, a.header["Vary"], "Origin")
		a = e.exchange(l.send("{", "Origin: "+page))
		assert.Equal(t, page, a.header.Get("Access-Control-Allow-Origin"), "the page can read why")
	})
	off := serve(t, streamable.Options{AllowedOrigins: []string{page}}, nil)
	a = off.exchange(requestOf("OPTIONS", "", "Origin: "+page, "Access-Control-Request-Method: POST"))
	assert.Equal(t, 405, a.status)
	assert.Empty(t, a.header.Get("Access-Control-Allow-Origin"))
}

func TestOptionsThatAreWrong(t *testing.T) {
	f := transporttest.New(t, nil)
	for name, o := range map[string]streamable.Options{
		"AllowedOrigins: \"*\"":                      {AllowedOrigins: []string{"*"}},
		"AllowedOrigins: \"example.com\"":            {AllowedOrigins: []string{"example.com"}},
		"AllowedOrigins: \"https://example.com/\"":   {AllowedOrigins: []string{"https://example.com/"}},
		"AllowedOrigins: \"https://example.com:x\"":  {AllowedOrigins: []string{"https://example.com:x"}},
		"AllowedOrigins: \"https://me@example.com\"": {AllowedOrigins: []string{"https://me@example.com"}},
		"negative limit":                             {MaxBody: -1},
		"negative limit, of depth":                   {MaxDepth: -1},
		"negative limit, of batches":                 {MaxBatch: -1},
		"negative limit, of reading":                 {ReadTimeout: -1},
		"negative limit, of writing":                 {WriteTimeout: -1},
	} {
		_, err := streamable.New(f.Server, o)
		part, _, _ := strings.Cut(name, ",")
		assert.ErrorContains(t, err, part)
	}
}

func TestHTTP2(t *testing.T) { // O-06: the name is in :authority
	f := transporttest.New(t, func(*server.Options) {})
	h, err := streamable.New(f.Server, streamable.Options{})
	require.NoError(t, err)
	ts := httptest.NewUnstartedServer(h)
	ts.EnableHTTP2 = true
	ts.StartTLS()
	defer ts.Close()
	transport := ts.Client().Transport.(*http.Transport)
	transport.TLSClientConfig.ServerName = "example.com" // which the certificate names
	transport.TLSClientConfig.MinVersion = tls.VersionTLS12
	post := func(l lane, body, name, host string) (*http.Response, string) {
		r, err := http.NewRequestWithContext(t.Context(), "POST", ts.URL+"/mcp", strings.NewReader(body))
		require.NoError(t, err)
		r.Header.Set("Content-Type", "application/json")
		for _, line := range l.lines("tools/call", name) {
			k, v, _ := strings.Cut(line, ": ")
			r.Header.Set(k, v)
		}
		r.Host = host
		res, err := ts.Client().Do(r)
		require.NoError(t, err)
		defer func() { _ = res.Body.Close() }()
		text, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		return res, string(text)
	}
	l := lane{revision: modern}
	body, name := l.body("1", "tools/call", `"name":"steps","arguments":{}`, `"progressToken":1`)
	res, text := post(l, body, name, "")
	assert.Equal(t, 2, res.ProtoMajor)
	assert.Equal(t, "text/event-stream", res.Header.Get("Content-Type"))
	assert.Equal(t, 4, strings.Count(text, "data: "))
	res, _ = post(l, body, name, "rebind.evil.example")
	assert.Equal(t, 403, res.StatusCode)
	res, text = post(lane{}, initialize(nov), "", "")
	require.Equal(t, 200, res.StatusCode, text)
	for _, kib := range []string{"1", "2048"} {
		old := lane{nov, res.Header.Get("Mcp-Session-Id")}
		body, name = old.body("1", "tools/call", `"name":"big","arguments":{"kib":`+kib+`}`, "")
		_, text = post(old, body, name, "")
		assert.Contains(t, text, "bbb")
	}
}
