package streamable_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/internal/rawjson"
	"github.com/parley-mcp/parley/internal/sse"
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/transport/internal/transporttest"
	"github.com/parley-mcp/parley/transport/streamable"
)

// The client of these tests writes bytes, so that it can send what no HTTP library would, and reads answers strictly.

const (
	march  = "2025-03-26"
	june   = "2025-06-18"
	nov    = "2025-11-25"
	modern = "2026-07-28"

	// patience is how long a test waits for what must come. Nothing waits that long in a run that passes.
	patience = 20 * time.Second
)

var (
	handshakes = []string{march, june, nov}
	all        = []string{march, june, nov, modern}
)

// An endpoint is a Handler that listens.
type endpoint struct {
	*transporttest.Fixture
	t       testing.TB
	handler *streamable.Handler
	server  *httptest.Server
	// gone gets the path of each request whose client went away before its end.
	gone chan string
}

func serve(t testing.TB, o streamable.Options, with func(*server.Options)) *endpoint {
	t.Helper()
	e := &endpoint{t: t, Fixture: transporttest.New(t, with), gone: make(chan string, 1000)}
	h, err := streamable.New(e.Server, o)
	require.NoError(t, err)
	e.handler = h
	e.server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		finished := make(chan struct{})
		defer close(finished)
		go func() {
			select {
			case <-r.Context().Done():
				select {
				case e.gone <- r.URL.Path:
				default: // nobody waits for so many
				}
			case <-finished:
			}
		}()
		h.ServeHTTP(w, r)
	}))
	e.server.Config.ErrorLog = nil
	e.server.Start()
	t.Cleanup(func() {
		e.server.CloseClientConnections()
		e.server.Close()
	})
	return e
}

// dial opens a connection that ends with the test, at the latest.
func (e *endpoint) dial() net.Conn {
	e.t.Helper()
	c, err := net.Dial("tcp", e.server.Listener.Addr().String())
	require.NoError(e.t, err)
	require.NoError(e.t, c.SetDeadline(time.Now().Add(patience)))
	e.t.Cleanup(func() { _ = c.Close() })
	return c
}

// An answer is what came back.
type answer struct {
	status int
	header http.Header
	body   string
	closes bool // the connection
}

// exchange writes a request as it stands, and reads its answer.
func (e *endpoint) exchange(request string) answer {
	e.t.Helper()
	c := e.dial()
	defer func() { _ = c.Close() }()
	_, err := io.WriteString(c, request)
	require.NoError(e.t, err)
	method, _, _ := strings.Cut(request, " ")
	return e.read(bufio.NewReader(c), method)
}

func (e *endpoint) read(r *bufio.Reader, method string) answer {
	e.t.Helper()
	res, err := http.ReadResponse(r, &http.Request{Method: method})
	require.NoError(e.t, err)
	body, err := io.ReadAll(res.Body)
	require.NoError(e.t, err)
	require.NoError(e.t, res.Body.Close())
	return answer{res.StatusCode, res.Header, string(body), res.Close}
}

// A message is one that the server sent.
type message struct {
	Version string         `json:"jsonrpc"`
	ID      jsontext.Value `json:"id"`
	Method  string         `json:"method"`
	Params  jsontext.Value `json:"params"`
	Result  jsontext.Value `json:"result"`
	Error   *struct {
		Code    int            `json:"code"`
		Message string         `json:"message"`
		Data    jsontext.Value `json:"data"`
	} `json:"error"`
}

func (m message) code() int {
	if m.Error == nil {
		return 0
	}
	return m.Error.Code
}

// messages returns what the body holds, be it JSON, a batch or events.
func (a answer) messages(t testing.TB) []message {
	t.Helper()
	var out []message
	one := func(text []byte) {
		var m message
		require.NoError(t, json.Unmarshal(text, &m, json.RejectUnknownMembers(true)), "%s", text)
		require.Equal(t, "2.0", m.Version)
		require.NotEqual(t, "null", string(m.ID))
		out = append(out, m)
	}
	switch a.header.Get("Content-Type") {
	case "text/event-stream":
		assert.Equal(t, "no", a.header.Get("X-Accel-Buffering"))
		assert.Equal(t, "no-cache", a.header.Get("Cache-Control"))
		for r := sse.NewReader(strings.NewReader(a.body), 64<<20); ; {
			event, err := r.Next()
			if err == io.EOF {
				return out
			}
			require.NoError(t, err)
			require.True(t, event.Message(), "%+v", event)
			require.False(t, event.HasID)
			one(event.Data)
		}
	case "application/json":
		if strings.HasPrefix(a.body, "[") {
			for each := rawjson.Elements([]byte(a.body)); each.Next(); {
				one(each.Value)
			}
			return out
		}
		one([]byte(a.body))
	case "text/plain; charset=utf-8": // net/http has refused the request itself
		require.Equal(t, 400, a.status)
	default:
		require.Empty(t, a.body)
	}
	return out
}

// last returns the last message, which is the response.
func (a answer) last(t testing.TB) message {
	t.Helper()
	m := a.messages(t)
	require.NotEmpty(t, m, "%d %v", a.status, a.header)
	return m[len(m)-1]
}

// request returns the bytes of a POST. Lines beginning with "-" take a header away, others are added; a header given
// replaces the one that is there otherwise.
func request(body string, lines ...string) string { return requestOf("POST", body, lines...) }

func requestOf(method, body string, lines ...string) string {
	defaults := []string{"Host: 127.0.0.1:8931"}
	if method == "POST" {
		defaults = append(defaults, "Content-Type: application/json", "Accept: application/json, text/event-stream",
			fmt.Sprintf("Content-Length: %d", len(body)))
	}
	var b strings.Builder
	b.WriteString(method + " /mcp HTTP/1.1\r\n")
	for _, d := range defaults {
		name, _, _ := strings.Cut(d, ":")
		if !given(lines, name) {
			b.WriteString(d + "\r\n")
		}
	}
	for _, l := range lines {
		if !strings.HasPrefix(l, "-") {
			b.WriteString(l + "\r\n")
		}
	}
	return b.String() + "\r\n" + body
}

func given(lines []string, name string) bool {
	for _, l := range lines {
		n, _, _ := strings.Cut(strings.TrimPrefix(l, "-"), ":")
		if strings.EqualFold(n, name) {
			return true
		}
	}
	return false
}

// A lane is how a client of one revision speaks.
type lane struct{ revision, session string }

// open returns the lane of a revision, after initialize where it has one.
func (e *endpoint) open(revision string, lines ...string) lane {
	e.t.Helper()
	if revision == modern {
		return lane{revision: modern}
	}
	a := e.exchange(request(initialize(revision), lines...))
	require.Equal(e.t, http.StatusOK, a.status, a.body)
	return lane{revision, a.header.Get("Mcp-Session-Id")}
}

func initialize(revision string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + revision +
		`","capabilities":{},"clientInfo":{"name":"probe","version":"0"}}}`
}

const modernMeta = `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}`

// lines are the headers of the lane, for a request of a method and name.
func (l lane) lines(method, name string) []string {
	var out []string
	if l.revision != march {
		out = append(out, "MCP-Protocol-Version: "+l.revision)
	}
	if l.session != "" {
		out = append(out, "Mcp-Session-Id: "+l.session)
	}
	if l.revision == modern {
		out = append(out, "Mcp-Method: "+method)
		if name != "" {
			out = append(out, "Mcp-Name: "+name)
		}
	}
	return out
}

// send returns the bytes of a request whose body is given.
func (l lane) send(body string, more ...string) string {
	return request(body, override(l.lines("tools/list", ""), more)...)
}

// override returns lines, those of which more has names replaced.
func override(lines, more []string) []string {
	var out []string
	for _, line := range lines {
		name, _, _ := strings.Cut(line, ":")
		if !given(more, name) {
			out = append(out, line)
		}
	}
	return append(out, more...)
}

// call returns the bytes of a request in the lane's form. params and meta are the members of an object.
func (l lane) call(id, method, params, meta string, more ...string) string {
	body, name := l.body(id, method, params, meta)
	return request(body, override(l.lines(method, name), more)...)
}

// body returns the JSON of a request, and what it mirrors as its name.
func (l lane) body(id, method, params, meta string) (body, name string) {
	if l.revision == modern {
		meta = join(modernMeta, meta)
	}
	if meta != "" {
		meta = `"_meta":{` + meta + `}`
	}
	params = "{" + join(params, meta) + "}"
	for _, member := range []string{"name", "uri", "taskId"} {
		if raw, ok := rawjson.Lookup([]byte(params), member); ok {
			name, _ = rawjson.String(raw)
		}
	}
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":` + params + `}`, name
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "," + b
}

// tool returns the bytes of a call of a tool.
func (l lane) tool(id, name, arguments, meta string, more ...string) string {
	return l.call(id, "tools/call", `"name":"`+name+`","arguments":{`+arguments+`}`, meta, more...)
}

// notify returns the bytes of a notification, which has no form of its own at any revision.
func (l lane) notify(method, params string) string {
	return request(`{"jsonrpc":"2.0","method":"`+method+`","params":{`+params+`}}`, l.lines(method, "")...)
}

// works shows that the lane is served: the control of a test that expects a refusal.
func (e *endpoint) works(l lane) {
	e.t.Helper()
	a := e.exchange(l.tool(`"control"`, "echo", `"text":"hi"`, ""))
	require.Equal(e.t, http.StatusOK, a.status, a.body)
	require.Contains(e.t, string(a.last(e.t).Result), `"text":"hi"`)
}

// receive waits for what must come.
func receive[T any](t testing.TB, c <-chan T, what string) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(patience):
		t.Fatal("this did not happen: " + what)
	}
	panic("unreachable")
}

// shutdown shows that nothing runs any more.
func (e *endpoint) shutdown() {
	e.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	require.NoError(e.t, e.handler.Shutdown(ctx))
}

// each runs a test for each of the revisions.
func each(t *testing.T, revisions []string, test func(t *testing.T, revision string)) {
	for _, r := range revisions {
		t.Run(r, func(t *testing.T) { test(t, r) })
	}
}

// A call is a request that runs beside the test.
type call struct {
	conn   net.Conn
	answer chan answer
}

// start sends a request, and reads its answer when it comes.
func (e *endpoint) start(request string) *call {
	e.t.Helper()
	c := &call{e.dial(), make(chan answer, 1)}
	_, err := io.WriteString(c.conn, request)
	require.NoError(e.t, err)
	go func() {
		defer close(c.answer)
		res, err := http.ReadResponse(bufio.NewReader(c.conn), &http.Request{Method: "POST"})
		if err != nil {
			return
		}
		defer func() { _ = res.Body.Close() }()
		var body bytes.Buffer
		_, _ = body.ReadFrom(res.Body)
		c.answer <- answer{res.StatusCode, res.Header, body.String(), res.Close}
	}()
	return c
}

func newReader(c net.Conn) *bufio.Reader { return bufio.NewReader(c) }

// nothing is the handler of tools that are not called.
func nothing(context.Context, *server.Call, jsontext.Value) (*protocol.CallToolResult, error) {
	return nil, nil
}

// localAddress returns a context as net/http makes it for a connection to an address.
func localAddress(ctx context.Context, addr net.Addr) context.Context {
	return context.WithValue(ctx, http.LocalAddrContextKey, addr)
}

var loopback = &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8931}
