package measure

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/parley-mcp/parley/bench/workload"
)

// A Local is a client that calls a handler without a network.
type Local struct {
	handler http.Handler
	writer  writer
	body    body
	call    *workload.Call
	request http.Request // what each request is a copy of
}

// NewLocal returns a client of h.
func NewLocal(h http.Handler) *Local {
	return &Local{handler: h, writer: writer{header: http.Header{}}}
}

// Do implements workload.Client.
func (l *Local) Do(c *workload.Call) (workload.Response, error) {
	l.use(c)
	l.hit(true)
	return l.response(), nil
}

// use makes c the call that hit sends. The request's context names the address that was called, as that of net/http does.
func (l *Local) use(c *workload.Call) {
	address := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080}
	ctx := context.WithValue(context.Background(), http.LocalAddrContextKey, address)
	l.call = c
	l.request = *(&http.Request{
		Method: http.MethodPost, URL: &url.URL{Path: "/mcp"}, RequestURI: "/mcp",
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Host: address.String(), RemoteAddr: "127.0.0.1:50000",
		Header: c.Header, ContentLength: int64(len(c.Body)),
	}).WithContext(ctx)
}

// hit has the call served once. The request is a new one, which costs one allocation; all else is used again.
func (l *Local) hit(keep bool) {
	r := new(http.Request)
	*r = l.request
	l.body.Reset(l.call.Body)
	r.Body = &l.body
	l.writer.reset(keep)
	l.handler.ServeHTTP(&l.writer, r)
}

// right reports whether the last answer was as long as it should be.
func (l *Local) right(length int) bool {
	return l.writer.status == http.StatusOK && l.writer.length == length
}

func (l *Local) response() workload.Response {
	h := l.writer.header
	return workload.Response{Status: l.writer.status, ContentType: h.Get("Content-Type"), Session: h.Get("Mcp-Session-Id"),
		Body: bytes.Clone(l.writer.kept)}
}

type body struct{ bytes.Reader }

func (*body) Close() error { return nil }

// A writer is an http.ResponseWriter that counts, and keeps bytes only when asked to. Like that of net/http it can flush
// and has deadlines, which here have no effect.
type writer struct {
	header http.Header
	status int
	length int
	keep   bool
	kept   []byte
}

func (w *writer) reset(keep bool) {
	clear(w.header)
	w.status, w.length, w.keep, w.kept = 0, 0, keep, w.kept[:0]
}

func (w *writer) Header() http.Header { return w.header }

func (w *writer) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

func (w *writer) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	w.length += len(p)
	if w.keep {
		w.kept = append(w.kept, p...)
	}
	return len(p), nil
}

func (w *writer) WriteString(s string) (int, error) {
	w.WriteHeader(http.StatusOK)
	w.length += len(s)
	if w.keep {
		w.kept = append(w.kept, s...)
	}
	return len(s), nil
}

func (w *writer) Flush()                           { w.WriteHeader(http.StatusOK) }
func (w *writer) SetReadDeadline(time.Time) error  { return nil }
func (w *writer) SetWriteDeadline(time.Time) error { return nil }
