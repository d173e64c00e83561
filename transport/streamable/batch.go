package streamable

import (
	"context"
	"net/http"

	"github.com/parley-mcp/parley/internal/jsonrpc"
	"github.com/parley-mcp/parley/negotiate"
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/transport/internal/rpc"
)

// batch serves an array of messages where the revision has them (2025-03-26 basic#batching): one answer for each request,
// in one array, or as events if one of them streams. Requests and responses are not mixed, and initialize is no part of a
// batch (basic/lifecycle#initialization).
func (h *Handler) batch(q *request, messages []jsonrpc.Parsed) {
	// Like a notification, an array claims nothing in its _meta: a revision that wants that is found, and then has no batches.
	d, err := h.selectRevision(q, negotiate.Claims{HTTP: true, Header: q.r.Header[headerVersion], Notification: true})
	if err != nil {
		h.failSelect(q.w, jsonrpc.ID{}, d, err)
		return
	}
	if err := checkBatch(q.codec, messages); err != nil {
		h.fail(q.w, http.StatusBadRequest, jsonrpc.ID{}, q.codec, err)
		return
	}
	reply := h.begin(q, "", true)
	defer q.life.end()
	reply.batch = true
	for i := 0; i < len(messages) && !reply.sessionEnded(); i++ {
		h.inBatch(&q.life, q, &messages[i], reply)
	}
	reply.finishBatch()
}

func checkBatch(codec protocol.Codec, messages []jsonrpc.Parsed) error {
	if !codec.Features().Batching.Holds() {
		return protocol.InvalidRequest("this revision has no batches: send one message")
	}
	requests, responses := false, false
	for _, m := range messages {
		switch {
		case m.Method == protocol.MethodInitialize:
			return protocol.InvalidRequest("initialize cannot be part of a batch")
		case rpc.ClaimsVersion(&m.Message):
			return protocol.InvalidRequest("a request that names its revision in _meta cannot be part of a batch")
		case m.Kind == jsonrpc.Response:
			responses = true
		default:
			requests = true
		}
	}
	if requests && responses {
		return protocol.InvalidRequest("a batch holds requests and notifications, or responses, not both")
	}
	return nil
}

// inBatch serves one message of a batch.
func (h *Handler) inBatch(ctx context.Context, q *request, m *jsonrpc.Parsed, reply *reply) {
	switch {
	case m.Error != nil:
		reply.add(jsonrpc.AppendError(nil, m.ID, m.Error))
	case m.Kind == jsonrpc.Notification:
		h.notified(q, &m.Message)
	case m.Kind == jsonrpc.Response && q.session != nil:
		h.questions.Answered(q.sessionID, &m.Message)
	case m.Kind == jsonrpc.Request:
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		reply.ctx = ctx
		if err := h.start(q, m.ID, rpc.CancelFunc(cancel)); err != nil {
			body, _ := rpc.AppendError(nil, m.ID, q.codec, err)
			reply.add(body)
			return
		}
		response := rpc.Answer(ctx, h.server, &m.Message, h.incoming(q, &m.Message, reply, new(server.Incoming)), nil)
		h.done(q)
		if !isCancelled(ctx) {
			reply.add(response.Message())
		}
	}
}
