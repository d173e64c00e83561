package streamable_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/internal/rawjson"
	"github.com/parley-mcp/parley/internal/sse"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/transport/internal/transporttest"
)

// loud is a server that announces what changes.
func loud(o *server.Options) { o.Quiet = false }

// join is open for a client that can do everything.
func (e *endpoint) join(revision string, lines ...string) lane {
	e.t.Helper()
	if revision == modern {
		return lane{revision: modern}
	}
	able := strings.Replace(initialize(revision), `"capabilities":{}`, `"capabilities":`+transporttest.Everything, 1)
	a := e.exchange(request(able, lines...))
	require.Equal(e.t, http.StatusOK, a.status, a.body)
	return lane{revision, a.header.Get("Mcp-Session-Id")}
}

// able is tool for a client that can do everything.
func (l lane) able(id, name, arguments, meta string, more ...string) string {
	return l.retry(id, name, arguments, meta, "", more...)
}

// retry is able with further members of the params.
func (l lane) retry(id, name, arguments, meta, members string, more ...string) string {
	body, _ := l.body(id, "tools/call", join(`"name":"`+name+`","arguments":{`+arguments+`}`, members), meta)
	body = strings.Replace(body, `"io.modelcontextprotocol/clientCapabilities":{}`, `"io.modelcontextprotocol/clientCapabilities":`+transporttest.Everything, 1)
	return request(body, override(l.lines("tools/call", name), more)...)
}

// respond returns the bytes of a response to a request of the server.
func (l lane) respond(id, result string, more ...string) string {
	return request(`{"jsonrpc":"2.0","id":`+id+`,"result":`+result+`}`, override(l.lines("", ""), more)...)
}

// listening returns the bytes of a GET.
func (l lane) listening(more ...string) string {
	return requestOf("GET", "", override(append(l.lines("", ""), "Accept: text/event-stream"), more)...)
}

// ending returns the bytes of a DELETE.
func (l lane) ending() string { return requestOf("DELETE", "", l.lines("", "")...) }

func accepted(reason string) string {
	return `{"action":"accept","content":{"sure":true,"reason":"` + reason + `"}}`
}

// A flow is an answer that is read while it comes.
type flow struct {
	e      *endpoint
	conn   net.Conn
	res    *http.Response
	events *sse.Reader
	// last is the id of the last event that had one; ids are all of them.
	last string
	ids  []string
}

// flow sends a request and reads the head of its answer.
func (e *endpoint) flow(raw string) *flow {
	e.t.Helper()
	f := &flow{e: e, conn: e.dial()}
	_, err := io.WriteString(f.conn, raw)
	require.NoError(e.t, err)
	method, _, _ := strings.Cut(raw, " ")
	f.res, err = http.ReadResponse(bufio.NewReader(f.conn), &http.Request{Method: method})
	require.NoError(e.t, err)
	f.events = sse.NewReader(f.res.Body, 64<<20)
	return f
}

// stream is flow for an answer that must be events.
func (e *endpoint) stream(raw string) *flow {
	e.t.Helper()
	f := e.flow(raw)
	require.Equal(e.t, http.StatusOK, f.res.StatusCode)
	require.Equal(e.t, "text/event-stream", f.res.Header.Get("Content-Type"))
	assert.Equal(e.t, "no", f.res.Header.Get("X-Accel-Buffering"), "H-27")
	assert.Equal(e.t, "no-cache", f.res.Header.Get("Cache-Control"), "H-27")
	return f
}

// next returns the next event.
func (f *flow) next() sse.Event {
	f.e.t.Helper()
	event, err := f.events.Next()
	require.NoError(f.e.t, err)
	if event.HasID {
		f.last = event.ID
		f.ids = append(f.ids, event.ID)
	}
	return event
}

// message returns the next message, whatever other events come before it.
func (f *flow) message() message {
	f.e.t.Helper()
	event := f.next()
	for !event.Message() {
		event = f.next()
	}
	var m message
	require.NoError(f.e.t, json.Unmarshal(event.Data, &m, json.RejectUnknownMembers(true)), "%s", event.Data)
	return m
}

// asked returns the next message, which is a request of the server.
func (f *flow) asked(method string) message {
	f.e.t.Helper()
	m := f.message()
	require.Equal(f.e.t, method, m.Method)
	require.NotEmpty(f.e.t, m.ID)
	return m
}

// text returns the text of the next message, which is the result of a tool.
func (f *flow) text() string {
	f.e.t.Helper()
	return toolText(f.message())
}

func toolText(m message) string {
	content, _ := rawjson.Lookup(m.Result, "content")
	for each := rawjson.Elements(content); each.Next(); {
		raw, _ := rawjson.Lookup(each.Value, "text")
		s, _ := rawjson.String(raw)
		return s
	}
	return ""
}

// end shows that the stream ends, whole, without another event.
func (f *flow) end() {
	f.e.t.Helper()
	event, err := f.events.Next()
	require.Equal(f.e.t, io.EOF, err, "%s", event.Data)
	_, err = f.res.Body.Read(make([]byte, 1))
	require.Equal(f.e.t, io.EOF, err, "the body is whole")
}

// leave closes the connection.
func (f *flow) leave() { _ = f.conn.Close() }
