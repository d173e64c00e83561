// Package streamable serves Streamable HTTP, the protocol's HTTP transport, as an http.Handler: all revisions on one
// endpoint, clients with sessions and without at the same time.
//
//	h, err := streamable.New(s, streamable.Options{})
//	http.Handle("/mcp", h)
//
// What is checked, in this order: Host and Origin, the HTTP method, Content-Type and Accept, the body's size, JSON, the
// JSON-RPC message, and then what package negotiate decides. From there on two ways part: handshake.go for the revisions
// that open with initialize, perrequest.go for those whose requests carry all that is needed.
package streamable

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"

	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/session"
	"github.com/parley-mcp/parley/transport/internal/rpc"
)

// A Handler serves one endpoint. Create it with New.
type Handler struct {
	server    *server.Server
	options   Options
	guard     *guard
	served    *rpc.Served
	sessions  session.Store
	calls     rpc.Calls
	questions rpc.Questions
	open      openSessions
	// streams counts those that last.
	streams atomic.Int64

	// lives are the calls that run; Shutdown stops them when it gives up waiting.
	lives lives
	// ending is closed when Shutdown begins: what lasts comes to its end.
	ending chan struct{}
	// closing is set by Shutdown, which waits on idle until no request is served any more.
	closing atomic.Bool
	idle    chan struct{}
}

// New returns a handler for s. The error says which option is wrong. A server's sessions can be served by one Handler.
func New(s *server.Server, o Options) (*Handler, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	g, err := newGuard(&o)
	if err != nil {
		return nil, err
	}
	h := &Handler{
		server:   s,
		options:  o,
		guard:    g,
		served:   rpc.NewServed(s.Codecs(), s.SessionsOptional()),
		sessions: s.Sessions(),
		idle:     make(chan struct{}, 1),
		ending:   make(chan struct{}),
	}
	h.lives.timeout = o.CallTimeout
	h.open.h = h
	h.sessions.Watch(&h.open)
	return h, nil
}

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	shard := h.lives.pick()
	if !h.enter(shard) {
		w.Header().Set("Retry-After", "1")
		h.turnAway(w, r, http.StatusServiceUnavailable, "the server is shutting down")
		return
	}
	defer h.leave(shard)
	if err := h.guard.check(r); err != nil {
		h.turnAway(w, r, http.StatusForbidden, err.Error())
		return
	}
	if h.options.CORS {
		setCORS(w, r)
		if isPreflight(r) {
			h.preflight(w, r)
			return
		}
	}
	switch r.Method {
	case http.MethodPost:
		h.post(w, r, shard)
	case http.MethodGet:
		h.get(w, r)
	case http.MethodDelete:
		h.delete(w, r)
	default:
		h.notAllowed(w, r)
	}
}

// notAllowed answers a method that the endpoint does not have. GET is one where the server says nothing unprompted
// (2025-11-25 basic/transports#listening-for-messages-from-the-server).
func (h *Handler) notAllowed(w http.ResponseWriter, r *http.Request) {
	allow := http.MethodPost
	if h.pushes() {
		allow += ", " + http.MethodGet
	}
	if h.endsSessions() {
		allow += ", " + http.MethodDelete
	}
	w.Header().Set("Allow", allow)
	h.turnAway(w, r, http.StatusMethodNotAllowed, "this endpoint has "+allow)
}

// errStopped is the cause of a context whose call was cut off by Shutdown.
var errStopped = errors.New("the server is shutting down")

// Shutdown refuses new requests with 503, brings streams to their end, and waits for the calls that run. When ctx ends
// first, they are cancelled, and its error returned; they may then still run for as long as their handlers ignore their
// context.
func (h *Handler) Shutdown(ctx context.Context) error {
	if !h.closing.Swap(true) {
		close(h.ending)
	}
	defer h.lives.stop(errStopped)
	for h.lives.active() {
		select {
		case <-h.idle:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	h.signalIdle() // for another Shutdown that waits
	return nil
}

func (h *Handler) enter(s *lifeShard) bool {
	s.active.Add(1)
	if h.closing.Load() {
		h.leave(s)
		return false
	}
	return true
}

func (h *Handler) leave(s *lifeShard) {
	if s.active.Add(-1) == 0 && h.closing.Load() {
		h.signalIdle()
	}
}

func (h *Handler) signalIdle() {
	select {
	case h.idle <- struct{}{}:
	default:
	}
}
