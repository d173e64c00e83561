package record

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/parley-mcp/parley/conformance/match"
	"github.com/parley-mcp/parley/internal/sse"
)

// Bounds, in bytes and in messages.
const (
	maxBody   = 8 << 20
	maxEvents = 10_000
)

// An event is one thing that travelled.
type event struct {
	fromServer bool
	method     string       // HTTP method of what the client sent
	status     int          // HTTP status of what the server sent
	message    *match.Value // nil if it was none
	asked      *event       // what the client sent, of what the server sent in answer
}

// A Recorder is an http.Handler that passes requests on to an endpoint and keeps the messages. It may be used by many
// clients, but the transcript is then a mixture.
type Recorder struct {
	endpoint *url.URL
	client   *http.Client

	mu     sync.Mutex
	events []*event
	secret []string
}

// New returns a recorder for an endpoint.
func New(endpoint *url.URL) *Recorder {
	return &Recorder{endpoint: endpoint, client: &http.Client{
		Transport:     &http.Transport{DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// hopByHop are the headers that belong to one connection (RFC 9110 section 7.6.1).
var hopByHop = []string{"Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Te", "Trailer",
	"Transfer-Encoding", "Upgrade"}

// ServeHTTP implements http.Handler.
func (r *Recorder) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxBody))
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	sent := &event{method: req.Method}
	sent.message, _ = match.Parse(body)
	r.keepSecrets(req.Header)
	r.add(sent)
	resp, err := r.pass(req.Context(), req, body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer func() { _ = resp.Body.Close() }()
	for name, values := range resp.Header {
		w.Header()[name] = values
	}
	for _, name := range hopByHop {
		w.Header().Del(name)
	}
	w.WriteHeader(resp.StatusCode)
	r.answer(w, resp, sent)
}

func (r *Recorder) pass(ctx context.Context, req *http.Request, body []byte) (*http.Response, error) {
	out, err := http.NewRequestWithContext(ctx, req.Method, r.endpoint.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	out.Header = req.Header.Clone()
	for _, name := range hopByHop {
		out.Header.Del(name)
	}
	return r.client.Do(out)
}

// answer copies the answer to the client as it comes, and keeps the messages in it.
func (r *Recorder) answer(w http.ResponseWriter, resp *http.Response, sent *event) {
	came := func(data []byte) {
		e := &event{fromServer: true, status: resp.StatusCode, asked: sent}
		e.message, _ = match.Parse(data)
		r.add(e)
	}
	if media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); media != "text/event-stream" {
		data, _ := io.ReadAll(io.LimitReader(resp.Body, maxBody))
		came(data)
		_, _ = w.Write(data)
		return
	}
	if sent.method == http.MethodGet {
		came(nil)
	}
	flush(w)
	in := sse.NewReader(io.TeeReader(resp.Body, &flushing{w}), maxBody)
	for {
		e, err := in.Next()
		if err != nil {
			return
		}
		if e.Message() {
			came(e.Data)
		}
	}
}

type flushing struct{ w http.ResponseWriter }

func (f *flushing) Write(p []byte) (int, error) {
	n, err := f.w.Write(p)
	flush(f.w)
	return n, err
}

func flush(w http.ResponseWriter) {
	if err := http.NewResponseController(w).Flush(); errors.Is(err, http.ErrNotSupported) {
		return
	}
}

func (r *Recorder) add(e *event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.events) < maxEvents {
		r.events = append(r.events, e)
	}
}

// keepSecrets remembers the credentials of a request, so that they can be masked wherever they stand.
func (r *Recorder) keepSecrets(h http.Header) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, value := range h.Values("Authorization") {
		if _, token, ok := strings.Cut(value, " "); ok && len(token) > 5 {
			r.secret = append(r.secret, token)
		}
	}
}
