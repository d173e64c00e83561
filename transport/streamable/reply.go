package streamable

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/transport/internal/rpc"
)

// A reply is the answer to one POST: a JSON body, unless something is said before the end or the client reads only
// events, and then an event stream. It decides as late as possible, because statuses are only possible before a stream
// has begun.
type reply struct {
	q      *request
	ctx    context.Context // of the call that is answered
	status func(code int) int
	batch  bool
	parts  [][]byte // of a batch, while it is not a stream

	mu     sync.Mutex
	stream *stream // once it has begun
	over   bool    // nobody but the owner may begin it any more
}

// begin starts the call that a request asks for, and returns its reply. alone says that the client's going away is not its
// end. q.life must be ended.
func (h *Handler) begin(q *request, method string, alone bool) *reply {
	q.life.begin(q.r.Context(), alone)
	if q.atOnce = h.server.AnswersAtOnce(method); !q.atOnce {
		h.lives.watch(&q.life, q.shard, method != protocol.MethodListen)
	}
	r := &q.reply
	q.in.Call = &q.call
	r.q, r.ctx, r.status = q, &q.life, q.codec.Features().ErrorStatus
	return r
}

// Notify implements server.Stream. What a client cannot read is left out.
func (r *reply) Notify(n protocol.Notification) error {
	if !r.q.accept.sse {
		return nil
	}
	buf := getBuffer()
	message, err := rpc.AppendNotification(*buf, r.q.codec, n)
	if err == nil {
		err = r.event(message)
	} else if errors.Is(err, protocol.ErrNotInRevision) {
		err = nil
	}
	putBuffer(buf, message)
	return err
}

// Ask implements server.Stream: it sends a request on the call's own stream, and the answer comes in a POST of its own, by
// which it has to find its way back.
func (r *reply) Ask(ctx context.Context, q protocol.Question) (protocol.Answer, error) {
	if r.q.session == nil || !r.q.accept.sse || !r.q.codec.Features().ServerRequests.Holds() {
		return nil, server.ErrNoWayBack
	}
	return r.q.h.questions.Ask(ctx, rpc.Asker{
		Session: r.q.sessionID,
		Codec:   r.q.codec,
		Timeout: r.q.h.options.AskTimeout,
		Send:    r.event,
	}, q)
}

// Detach implements server.Stream.
func (r *reply) Detach(retry time.Duration) bool {
	if !r.resumable() || !r.q.accept.sse || !r.q.codec.Features().PrimingEvent.Holds() {
		return false
	}
	st := r.begin()
	return st != nil && st.hangUp(retry)
}

// resumable reports whether a client that has lost its connection can come back for the rest.
func (r *reply) resumable() bool {
	return r.q.session != nil && r.q.h.pushes() && r.q.codec.Features().Resumption.Holds()
}

// event sends a message on the stream, which it begins if need be.
func (r *reply) event(message []byte) error {
	if st := r.begin(); st != nil {
		return st.send(message)
	}
	return errNobody
}

// begin turns the reply into a stream, unless it is over: then there is nothing left to be written to.
func (r *reply) begin() *stream {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stream == nil && !r.over {
		r.open()
	}
	return r.stream
}

// open is begin with the lock held.
func (r *reply) open() {
	if r.resumable() {
		r.stream = r.q.h.open.get(r.q).newStream(r.q.h)
	} else {
		r.stream = newStream(r.q.h, "", "")
	}
	r.stream.attach(newConn(r.q), r.resumable() && r.q.codec.Features().PrimingEvent.Holds())
}

// close keeps others from beginning the stream, and returns it; nil if there is none, and needs to be none.
func (r *reply) close(needed bool) *stream {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stream == nil && needed {
		r.open()
	}
	r.over = true
	return r.stream
}

// finish sends the response and ends the exchange.
func (r *reply) finish(response *rpc.Response) {
	if st := r.close(!r.q.accept.json); st != nil {
		_ = st.send(response.Message()) // a client that is gone needs no answer
		st.end()
		return
	}
	status := http.StatusOK
	switch {
	case response.Challenge != "":
		r.q.w.Header().Set("WWW-Authenticate", response.Challenge)
		status = http.StatusForbidden
	case response.Code != 0:
		status = r.status(response.Code)
	}
	r.q.h.write(r.q.w, status, response.Head, response.Tail)
}

// abandon ends the exchange without a response: the request was cancelled.
func (r *reply) abandon() {
	if st := r.close(false); st != nil {
		st.end()
	} else {
		r.q.w.WriteHeader(http.StatusNoContent)
	}
}

// add collects a response of a batch, or sends it if the reply is a stream already.
func (r *reply) add(message []byte) {
	if r.isStreaming() || !r.q.accept.json {
		_ = r.event(message)
		return
	}
	r.parts = append(r.parts, message)
}

// finishBatch sends what was collected.
func (r *reply) finishBatch() {
	st := r.close(false)
	switch {
	case st != nil:
		for _, p := range r.parts {
			_ = st.send(p)
		}
		st.end()
	case len(r.parts) == 0:
		r.q.w.WriteHeader(http.StatusAccepted)
	default:
		body := []byte{'['}
		for i, p := range r.parts {
			if i > 0 {
				body = append(body, ',')
			}
			body = append(body, p...)
		}
		r.q.h.write(r.q.w, http.StatusOK, append(body, ']'))
	}
}

// sessionEnded reports whether the session has ended while the call ran.
func (r *reply) sessionEnded() bool { return errors.Is(context.Cause(r.ctx), rpc.ErrSessionEnded) }

func (r *reply) isStreaming() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stream != nil
}

// isCancelled reports whether nobody wants the answer any more: the client said so, or it is gone where that says so, or
// its session has ended.
func isCancelled(ctx context.Context) bool {
	if ctx.Err() == nil {
		return false
	}
	cause := context.Cause(ctx)
	return !errors.Is(cause, context.DeadlineExceeded) && !errors.Is(cause, errStopped)
}

// Buffers for messages on their way out. The profile shows that growing them is most of what a small call allocates.
var buffers = sync.Pool{New: func() any { b := make([]byte, 0, 2048); return &b }}

const maxPooled = 64 << 10 // what one large result needed is not kept

func getBuffer() *[]byte { return buffers.Get().(*[]byte) }

// putBuffer gives back a buffer that has grown to used.
func putBuffer(buf *[]byte, used []byte) {
	if cap(used) <= maxPooled {
		*buf = used[:0]
		buffers.Put(buf)
	}
}
