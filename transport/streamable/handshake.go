package streamable

import (
	"context"
	"errors"
	"net/http"

	"github.com/parley-mcp/parley/internal/jsonrpc"
	"github.com/parley-mcp/parley/negotiate"
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/session"
	"github.com/parley-mcp/parley/transport/internal/rpc"
)

// serveHandshake serves a message of a client that opens with initialize: within a session, or statelessly.
func (h *Handler) serveHandshake(q *request, m *jsonrpc.Message) {
	switch {
	case m.Kind == jsonrpc.Notification:
		h.notified(q, m)
		q.w.WriteHeader(http.StatusAccepted)
	case m.Kind == jsonrpc.Response:
		if q.session != nil {
			h.questions.Answered(q.sessionID, m)
		}
		q.w.WriteHeader(http.StatusAccepted)
	case m.Method == protocol.MethodInitialize:
		h.initialize(q, m)
	default:
		h.call(q, m)
	}
}

// initialize opens a session, unless the server has none. Nothing is kept before all is checked.
func (h *Handler) initialize(q *request, m *jsonrpc.Message) {
	if mismatched(q.r.Header, m.Method) {
		h.fail(q.w, http.StatusBadRequest, m.ID, q.codec, protocol.HeaderMismatch("Mcp-Method is not %q", m.Method))
		return
	}
	reply := h.begin(q, m.Method, false)
	defer q.life.end()
	ctx := &q.life
	in := &q.in
	in.Codec, in.Principal = q.codec, q.principal
	if h.sessions.Remembers() {
		in.Session = unborn{}
	}
	buf := getBuffer()
	response := rpc.Answer(ctx, h.server, m, in, *buf)
	defer func() { putBuffer(buf, response.Head) }()
	if response.Result != nil && h.sessions != session.None {
		p := in.Params.(*protocol.InitializeParams)
		id, err := h.sessions.Open(ctx, &session.State{
			Revision:     q.codec.Features().Revision,
			Client:       p.Client,
			Capabilities: p.Capabilities,
			Principal:    q.principal,
		})
		if err != nil {
			h.failSelect(q.w, m.ID, negotiate.Decision{Lifecycle: protocol.Handshake}, err)
			return
		}
		q.w.Header()[headerSession] = []string{id}
	}
	reply.finish(&response)
	if h.sessions == session.None { // a store may hold the context for longer than it is asked
		q.done(&response)
	}
}

// unborn is the session that initialize is about to make.
type unborn struct{ server.Session }

// Name implements server.Session: nothing can be told to a session before it is there.
func (unborn) Name() string { return "" }

// call serves a request. A client that goes away has not cancelled it (2025-11-25
// basic/transports#sending-messages-to-the-server).
func (h *Handler) call(q *request, m *jsonrpc.Message) {
	reply := h.begin(q, m.Method, true)
	defer q.life.end()
	if err := h.start(q, m.ID, &q.life); err != nil {
		h.fail(q.w, http.StatusOK, m.ID, q.codec, err)
		return
	}
	defer h.done(q)
	h.answer(&q.life, m, h.incoming(q, m, reply, &q.in), reply)
}

// incoming fills in what is known of a request from its session.
func (h *Handler) incoming(q *request, m *jsonrpc.Message, reply *reply, in *server.Incoming) *server.Incoming {
	in.Codec, in.Principal, in.Stream = q.codec, q.principal, reply
	in.Meta, _ = q.codec.DecodeMeta(m.Meta) // a progress token of the wrong type is none
	if s := q.session; s != nil {
		in.SessionID, in.Client, in.Capabilities, in.LogLevel = q.sessionID, &s.Client, &s.Capabilities, s.LogLevel
		if h.sessions.Remembers() {
			in.Session = reply
		}
	}
	return in
}

// Name implements server.Session.
func (r *reply) Name() string { return r.q.sessionID }

// SetLevel implements server.Session.
func (r *reply) SetLevel(ctx context.Context, level protocol.LogLevel) error {
	changed := *r.q.session
	changed.LogLevel = level
	return r.q.h.sessions.Save(ctx, r.q.sessionID, &changed)
}

// Watch implements server.Session.
func (r *reply) Watch(_ context.Context, uri string) error {
	changes, err := r.q.h.open.get(r.q).subscription(r.q.h.server)
	if err != nil {
		return err
	}
	return changes.Watch(uri)
}

// Unwatch implements server.Session.
func (r *reply) Unwatch(_ context.Context, uri string) {
	if changes, err := r.q.h.open.get(r.q).subscription(r.q.h.server); err == nil {
		changes.Unwatch(uri)
	}
}

// start makes a call known to its session, so that it can be cancelled; done ends that.
func (h *Handler) start(q *request, id jsonrpc.ID, call rpc.Canceler) error {
	if q.session == nil {
		return nil
	}
	// What is answered at once cannot be cancelled in time.
	if q.atOnce && h.calls.Runs(q.sessionID, id) || !q.atOnce && !h.calls.Start(q.sessionID, &q.running, id, call) {
		return protocol.InvalidRequest("a request with the id %s is still running", id)
	}
	return nil
}

func (h *Handler) done(q *request) {
	if q.session != nil && !q.atOnce {
		h.calls.Done(q.sessionID, &q.running)
	}
}

// notified acts on a notification; one that is unknown or wrong is ignored, since nobody could be told.
func (h *Handler) notified(q *request, m *jsonrpc.Message) {
	p, err := q.codec.DecodeNotification(m.Method, m.Params)
	if err != nil {
		return
	}
	if q.session == nil {
		return
	}
	switch p := p.(type) {
	case *protocol.CancelledParams:
		if id, ok := jsonrpc.ParseID(p.RequestID); ok {
			h.calls.Cancel(q.sessionID, id)
		}
	case *protocol.ProgressParams:
		h.questions.Progressed(q.sessionID, p.Token)
	}
}

// hasSessions reports whether there can be sessions: a server of revisions without handshake ignores them.
func (h *Handler) hasSessions() bool {
	return h.served.Has(protocol.Handshake) && h.sessions != session.None
}

// endsSessions reports whether a client can end its session.
func (h *Handler) endsSessions() bool { return h.hasSessions() && h.sessions.Remembers() }

// delete ends the session that a request names (2025-11-25 basic/transports#session-management).
func (h *Handler) delete(w http.ResponseWriter, r *http.Request) {
	if !h.endsSessions() {
		h.notAllowed(w, r)
		return
	}
	leaveBody(w, r)
	q := &request{h: h, w: w, r: r, principal: h.server.PrincipalOf(r.Context(), r.Header)}
	d, err := h.selectRevision(q, negotiate.Claims{HTTP: true, Header: r.Header[headerVersion]})
	if d.Lifecycle == protocol.PerRequest { // the header names a revision that has no sessions
		h.notAllowed(w, r)
		return
	}
	if err == nil && q.session == nil {
		err = negotiate.ErrSessionRequired
	}
	if err == nil {
		err = h.sessions.Delete(r.Context(), q.sessionID, q.principal)
	}
	switch {
	case errors.Is(err, session.ErrNotSupported):
		h.notAllowed(w, r)
	case err != nil:
		h.failSelect(w, jsonrpc.ID{}, d, err)
	default:
		w.WriteHeader(http.StatusNoContent)
	}
}
