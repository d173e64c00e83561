package drive

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/parley-mcp/parley/internal/sse"
)

// HTTP is a [Conn] to an MCP endpoint. Every request opens a connection of its own.
type HTTP struct {
	endpoint *url.URL
	arrivals chan Arrival
	ctx      context.Context
	cancel   context.CancelCauseFunc
	running  sync.WaitGroup
}

// NewHTTP returns a connection to an http or https URL. Nothing is opened before the first Send.
func NewHTTP(endpoint *url.URL) *HTTP {
	ctx, cancel := context.WithCancelCause(context.Background())
	return &HTTP{endpoint: endpoint, arrivals: make(chan Arrival, 16), ctx: ctx, cancel: cancel}
}

// ParseEndpoint reads the URL of an endpoint.
func ParseEndpoint(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	if err != nil {
		return nil, err
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("%q is no endpoint: write it in full, such as http://127.0.0.1:8080/mcp", s)
	}
	if u.Path == "" {
		u.Path = "/"
	}
	return u, nil
}

// Arrivals implements Conn.
func (h *HTTP) Arrivals() <-chan Arrival { return h.arrivals }

// Hangup implements Conn.
func (h *HTTP) Hangup(x *Exchange) { x.cancel(ErrHungUp) }

// Close implements Conn.
func (h *HTTP) Close() {
	h.cancel(ErrHungUp)
	h.running.Wait()
}

// DialTimeout bounds the making of a connection.
const DialTimeout = 10 * time.Second

// Send implements Conn. The exchange lives until it ends, is hung up, or the connection is closed, whatever becomes of ctx.
func (h *HTTP) Send(ctx context.Context, r Request) (*Exchange, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if r.Method == "" {
		r.Method = http.MethodPost
	}
	inner, cancel := context.WithCancelCause(h.ctx)
	x := &Exchange{Label: r.Label, Request: r, cancel: cancel}
	h.running.Go(func() {
		err := h.exchange(inner, x)
		if cause := context.Cause(inner); cause != nil {
			err = cause
		}
		h.deliver(h.ctx, Arrival{Kind: End, Exchange: x, Err: err})
		cancel(nil)
	})
	return x, nil
}

// deliver waits until somebody takes the arrival, or the context ends.
func (h *HTTP) deliver(ctx context.Context, a Arrival) {
	select {
	case h.arrivals <- a:
	case <-ctx.Done():
	}
}

func (h *HTTP) exchange(ctx context.Context, x *Exchange) error {
	conn, err := h.dial(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()

	written := make(chan error, 1)
	go func() { written <- h.write(conn, x) }()
	limited := &io.LimitedReader{R: io.TeeReader(conn, &x.received), N: maxHead}
	err = h.read(ctx, limited, x)
	if err != nil {
		_ = conn.Close()
		if werr := <-written; werr != nil {
			return fmt.Errorf("%w (while sending: %v)", err, werr)
		}
	} else {
		_ = conn.Close()
		<-written
	}
	return err
}

func (h *HTTP) dial(ctx context.Context) (net.Conn, error) {
	host := h.endpoint.Host
	if h.endpoint.Port() == "" {
		host = net.JoinHostPort(h.endpoint.Hostname(), map[string]string{"http": "80", "https": "443"}[h.endpoint.Scheme])
	}
	d := net.Dialer{Timeout: DialTimeout}
	if h.endpoint.Scheme == "https" {
		secure := tls.Dialer{NetDialer: &d, Config: &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}}}
		return secure.DialContext(ctx, "tcp", host)
	}
	return d.DialContext(ctx, "tcp", host)
}

// write puts the request on the wire.
func (h *HTTP) write(conn net.Conn, x *Exchange) error {
	r := x.Request
	out := io.MultiWriter(&x.sent, conn)
	if _, err := out.Write(h.head(r)); err != nil {
		return err
	}
	if err := writeBody(out, r); err != nil {
		return err
	}
	if r.Hangup {
		x.cancel(ErrHungUp)
		return nil
	}
	if half, ok := conn.(*net.TCPConn); ok && r.Length != nil && *r.Length > len(r.Body) {
		return half.CloseWrite() // the rest that was claimed never comes
	}
	return nil
}

func (h *HTTP) head(r Request) []byte {
	path := h.endpoint.RequestURI()
	if r.Path != "" {
		path = r.Path
	}
	b := []byte(r.Method + " " + path + " HTTP/1.1\r\n")
	if !has(r.Header, "Host") {
		b = append(b, "Host: "+h.endpoint.Host+"\r\n"...)
	}
	if !has(r.Header, "Connection") {
		b = append(b, "Connection: close\r\n"...) // no request follows on this one
	}
	for _, f := range r.Header {
		b = append(b, f.Name+": "+f.Value+"\r\n"...)
	}
	switch {
	case r.Length != nil:
		b = append(b, "Content-Length: "+strconv.Itoa(*r.Length)+"\r\n"...)
	case len(r.Split) > 0:
		b = append(b, "Transfer-Encoding: chunked\r\n"...)
	case len(r.Body) > 0 || r.Method == http.MethodPost:
		b = append(b, "Content-Length: "+strconv.Itoa(len(r.Body))+"\r\n"...)
	}
	return append(b, "\r\n"...)
}

func writeBody(out io.Writer, r Request) error {
	if len(r.Split) == 0 {
		_, err := out.Write(r.Body)
		return err
	}
	from := 0
	for _, to := range append(r.Split, len(r.Body)) {
		to = min(to, len(r.Body))
		if to > from {
			if _, err := fmt.Fprintf(out, "%x\r\n%s\r\n", to-from, r.Body[from:to]); err != nil {
				return err
			}
		}
		from = to
	}
	_, err := io.WriteString(out, "0\r\n\r\n")
	return err
}

func has(header []Field, name string) bool {
	for _, f := range header {
		if strings.EqualFold(f.Name, name) {
			return true
		}
	}
	return false
}

// maxHead bounds the head of an answer, in bytes.
const maxHead = 1 << 20

// read takes the answer apart.
func (h *HTTP) read(ctx context.Context, limited *io.LimitedReader, x *Exchange) error {
	in := bufio.NewReader(limited)
	var resp *http.Response
	for {
		var err error
		if resp, err = http.ReadResponse(in, &http.Request{Method: x.Request.Method}); err != nil {
			if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
				return fmt.Errorf("the server closed the connection without an answer")
			}
			return err
		}
		if resp.StatusCode >= 200 || resp.StatusCode == http.StatusSwitchingProtocols {
			break
		}
	}
	defer func() { _ = resp.Body.Close() }()
	limited.N = MaxAnswer
	x.setHead(resp.StatusCode, resp.Header)
	h.deliver(ctx, Arrival{Kind: Head, Exchange: x})
	if media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); media == "text/event-stream" {
		return h.events(ctx, resp.Body, x)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, MaxFrame+1))
	if len(body) > MaxFrame {
		body, err = body[:MaxFrame], ErrFlood
	}
	if len(body) > 0 {
		h.deliver(ctx, Arrival{Kind: Frame, Exchange: x, Data: body})
	}
	return err
}

func (h *HTTP) events(ctx context.Context, body io.Reader, x *Exchange) error {
	in := sse.NewReader(body, MaxFrame)
	for ctx.Err() == nil {
		e, err := in.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, sse.ErrTooLong):
			return ErrFlood
		case err != nil:
			return err
		}
		a := Arrival{Kind: Bare, Exchange: x, Event: &e}
		if e.Message() {
			a.Kind, a.Data = Frame, e.Data
		}
		h.deliver(ctx, a)
	}
	return context.Cause(ctx)
}

func count(n int) string { return strconv.Itoa(n) }
