package streamable

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/parley-mcp/parley/internal/jsonrpc"
	"github.com/parley-mcp/parley/negotiate"
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/session"
	"github.com/parley-mcp/parley/transport/internal/rpc"
)

// A request is one POST on its way through.
type request struct {
	h         *Handler
	shard     *lifeShard
	w         http.ResponseWriter
	r         *http.Request
	accept    accepted
	principal string
	codec     protocol.Codec
	// sessionID and session belong to a handshake request that names one.
	sessionID string
	session   *session.State
	// What follows belongs to the call, once there is one. It stands here to be allocated together.
	life    life
	running rpc.Running
	reply   reply
	in      server.Incoming
	call    server.Call
	// atOnce: the server answers by itself, and no author's code sees the call. free: it has, and nobody holds the request.
	atOnce, free bool
}

// Requests that nobody holds any more serve others. The profile shows that taking memory for them, and collecting it, is a
// sixth of what a ping or a list costs.
var requests = sync.Pool{New: newRequest}

func newRequest() any { return new(request) }

// done notes that a request is answered.
func (q *request) done(response *rpc.Response) {
	q.free = q.atOnce && response.Result != nil && q.reply.stream == nil
}

// post reads a body, and forks.
func (h *Handler) post(w http.ResponseWriter, r *http.Request, shard *lifeShard) {
	if !isJSON(r.Header["Content-Type"]) {
		h.turnAway(w, r, http.StatusUnsupportedMediaType, "Content-Type must be application/json")
		return
	}
	accept := parseAccept(r.Header["Accept"])
	if !accept.json && !accept.sse {
		h.turnAway(w, r, http.StatusNotAcceptable, "Accept must list application/json and text/event-stream")
		return
	}
	body, status := h.read(w, r)
	if status != 0 {
		h.turnAway(w, r, status, http.StatusText(status))
		return
	}
	packet, fault := h.served.Parse(body, h.options.MaxDepth, h.options.MaxBatch)
	if fault != nil {
		h.write(w, http.StatusBadRequest, jsonrpc.AppendError(nil, jsonrpc.ID{}, fault))
		return
	}
	q := requests.Get().(*request)
	q.h, q.w, q.r, q.shard, q.accept = h, w, r, shard, accept
	q.principal = h.server.PrincipalOf(r.Context(), r.Header)
	h.serve(q, &packet)
	if q.free {
		*q = request{}
		requests.Put(q)
	}
}

// serve serves what a POST brought.
func (h *Handler) serve(q *request, packet *jsonrpc.Packet) {
	if packet.Batch {
		h.batch(q, packet.Messages)
		return
	}
	m := &packet.Single
	if m.Error != nil {
		h.write(q.w, http.StatusBadRequest, jsonrpc.AppendError(nil, m.ID, m.Error))
		return
	}
	d, err := h.choose(q, &m.Message)
	switch {
	case err != nil:
		if m.Kind != jsonrpc.Request {
			m.ID = jsonrpc.ID{} // the id of a response is one of ours
		}
		h.failSelect(q.w, m.ID, d, err)
	case d.Lifecycle == protocol.PerRequest:
		h.servePerRequest(q, &m.Message)
	default:
		h.serveHandshake(q, &m.Message)
	}
}

// choose applies the negotiation's rules to a message, and puts into q what they found.
func (h *Handler) choose(q *request, m *jsonrpc.Message) (negotiate.Decision, error) {
	version, err := h.served.Claim(m)
	if err != nil {
		return negotiate.Decision{Lifecycle: protocol.PerRequest}, err
	}
	claims := negotiate.Claims{
		Method:       m.Method,
		Response:     m.Kind == jsonrpc.Response,
		Notification: m.Kind == jsonrpc.Notification,
		HTTP:         true,
		Header:       q.r.Header[headerVersion],
		Meta:         version,
	}
	if m.Method == protocol.MethodInitialize {
		claims.Requested = rpc.RequestedVersion(m)
	}
	return h.selectRevision(q, claims)
}

func (h *Handler) selectRevision(q *request, claims negotiate.Claims) (negotiate.Decision, error) {
	if len(q.r.Header[headerSession]) > 0 && h.hasSessions() {
		claims.Session = q
	}
	d, err := h.served.Select(claims)
	if err == nil {
		q.codec = h.served.Codec(d.Revision)
	}
	return d, err
}

// Negotiated implements negotiate.Session: it looks up the session that the request names. The id is used as it came;
// repeated fields must agree.
func (q *request) Negotiated() (protocol.Revision, error) {
	ids := q.r.Header[headerSession]
	for _, id := range ids[1:] {
		if id != ids[0] {
			return "", protocol.InvalidRequest("%s is there more than once", headerSession)
		}
	}
	s, err := q.h.sessions.Get(q.r.Context(), ids[0], q.principal)
	if err != nil {
		return "", err
	}
	q.sessionID, q.session = ids[0], s
	return s.Revision, nil
}

// trusted is the Content-Length up to which memory is set aside before the body is there; beyond, it grows with the body.
const trusted = 64 << 10

// read returns the body, or the status that says why not.
func (h *Handler) read(w http.ResponseWriter, r *http.Request) (body []byte, status int) {
	if r.ContentLength > h.options.MaxBody {
		return nil, http.StatusRequestEntityTooLarge
	}
	setReadDeadline(w, h.options.ReadTimeout)
	var err error
	if n := r.ContentLength; n >= 0 && n <= trusted {
		body = make([]byte, n)
		_, err = io.ReadFull(r.Body, body)
	} else {
		body, err = io.ReadAll(io.LimitReader(r.Body, h.options.MaxBody+1))
	}
	setReadDeadline(w, 0)
	switch {
	case int64(len(body)) > h.options.MaxBody:
		return nil, http.StatusRequestEntityTooLarge
	case err == nil:
		return body, 0
	case isTimeout(err):
		return nil, http.StatusRequestTimeout
	}
	return nil, http.StatusBadRequest
}

// setReadDeadline says how long reading the body may take, 0 for ever, if the writer can. The check in front avoids an
// error, which costs more than the deadline, for a writer that cannot.
func setReadDeadline(w http.ResponseWriter, timeout time.Duration) {
	switch w := w.(type) {
	case interface{ SetReadDeadline(time.Time) error }:
		_ = w.SetReadDeadline(deadline(timeout))
	case interface{ Unwrap() http.ResponseWriter }:
		setReadDeadline(w.Unwrap(), timeout)
	}
}

// deadline returns when timeout is over, zero for 0.
func deadline(timeout time.Duration) time.Time {
	if timeout == 0 {
		return time.Time{}
	}
	return time.Now().Add(timeout)
}

func isTimeout(err error) bool {
	var t interface{ Timeout() bool }
	return errors.As(err, &t) && t.Timeout()
}

// mismatched reports whether a mirrored method contradicts the body.
func mismatched(header http.Header, method string) bool {
	values := header[headerMethod]
	return len(values) > 0 && (len(values) > 1 || strings.Trim(values[0], " \t") != method)
}
