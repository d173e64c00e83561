package streamable

import (
	"errors"
	"net/http"

	"github.com/parley-mcp/parley/internal/jsonrpc"
	"github.com/parley-mcp/parley/negotiate"
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/session"
	"github.com/parley-mcp/parley/transport/internal/rpc"
)

// get opens a stream for what the server says unprompted, or takes one up that broke (2025-11-25
// basic/transports#listening-for-messages-from-the-server, #resumability-and-redelivery).
func (h *Handler) get(w http.ResponseWriter, r *http.Request) {
	if !h.pushes() {
		h.notAllowed(w, r)
		return
	}
	q := &request{h: h, w: w, r: r, accept: parseAccept(r.Header["Accept"]), principal: h.server.PrincipalOf(r.Context(), r.Header)}
	if !q.accept.sse {
		h.refuse(w, http.StatusNotAcceptable, "Accept must list text/event-stream")
		return
	}
	d, err := h.selectRevision(q, negotiate.Claims{HTTP: true, Header: r.Header[headerVersion]})
	if err == nil && q.session == nil {
		err = negotiate.ErrSessionRequired
	}
	switch {
	case d.Lifecycle == protocol.PerRequest: // the header names a revision that has no such stream
		h.notAllowed(w, r)
	case err != nil:
		h.failSelect(w, jsonrpc.ID{}, d, err)
	case !q.codec.Features().StandaloneStream.Holds():
		h.notAllowed(w, r)
	default:
		h.openStream(q)
	}
}

// openStream serves a GET within its session.
func (h *Handler) openStream(q *request) {
	if !h.takeStream() {
		q.w.Header().Set("Retry-After", "5")
		h.refuse(q.w, http.StatusServiceUnavailable, "too many streams are open")
		return
	}
	defer h.giveStream()
	s := h.open.get(q)
	var st *stream
	c := newConn(q)
	var err error
	if last := q.r.Header.Get("Last-Event-Id"); last != "" && q.codec.Features().Resumption.Holds() {
		st, err = s.resume(c, last)
	} else {
		st = s.newStream(h)
		st.standalone = true
		// Before the client can see that the stream is open: what changes from then on must reach it.
		if _, err = s.subscription(h.server); err == nil {
			st.attach(c, q.codec.Features().PrimingEvent.Holds())
		}
	}
	switch {
	case err != nil && s.isOver():
		h.failSelect(q.w, jsonrpc.ID{}, negotiate.Decision{Lifecycle: protocol.Handshake}, session.ErrNotFound)
		return
	case err != nil:
		h.refuse(q.w, http.StatusBadRequest, err.Error())
		return
	}
	h.follow(q, s, st, c)
}

// resume takes up the stream of an event behind it.
func (s *openSession) resume(c *conn, last string) (*stream, error) {
	name, number, err := parseEventID(last)
	if err != nil {
		return nil, err
	}
	st := s.stream(name)
	if st == nil {
		return nil, errNoStream
	}
	return st, st.resume(c, number)
}

var errNoStream = errors.New("Last-Event-ID names no stream of this session that is still kept")

// follow keeps a connection to a stream open for as long as somebody reads and something may come. Changes are sent on
// one of the session's standalone streams, since all of them take from the same subscription.
func (h *Handler) follow(q *request, s *openSession, st *stream, c *conn) {
	defer s.read(st, c)()
	defer st.drop(c)
	var changes *server.Subscription
	var wake, ending <-chan struct{} // neither is for a call's stream, which ends with its answer
	if st.standalone {
		ending = h.ending
		var err error
		if changes, err = s.subscription(h.server); err != nil {
			return
		}
		wake = changes.Wake()
	}
	for {
		now, ended, changed := st.state()
		if now != c || ended {
			return
		}
		select {
		case <-wake:
			for _, n := range changes.Take() {
				if message, err := rpc.AppendNotification(nil, q.codec, n); err == nil {
					_ = st.send(message)
				}
			}
		case <-changed:
		case <-q.r.Context().Done():
			return
		case <-s.ended:
			return
		case <-ending:
			return
		}
	}
}

// pushes reports whether the server ever says something unprompted to a session.
func (h *Handler) pushes() bool { return h.endsSessions() && !h.server.Quiet() }

// takeStream counts a stream that lasts; false if there are too many.
func (h *Handler) takeStream() bool {
	if h.streams.Add(1) > int64(h.options.MaxStreams) {
		h.streams.Add(-1)
		return false
	}
	return true
}

func (h *Handler) giveStream() { h.streams.Add(-1) }
