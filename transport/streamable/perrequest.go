package streamable

import (
	"context"
	"net/http"

	"github.com/parley-mcp/parley/internal/jsonrpc"
	"github.com/parley-mcp/parley/internal/mirror"
	"github.com/parley-mcp/parley/internal/rawjson"
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/transport/internal/rpc"
)

// nameOf says which member of the params each method mirrors in Mcp-Name
// (2026-07-28 basic/transports/streamable-http#standard-request-headers). Those about tasks mirror the id of theirs.
var nameOf = map[string]string{
	protocol.MethodToolsCall:     "name",
	protocol.MethodPromptsGet:    "name",
	protocol.MethodResourcesRead: "uri",
	protocol.MethodTasksGet:      "taskId",
	protocol.MethodTasksUpdate:   "taskId",
	protocol.MethodTasksCancel:   "taskId",
}

// servePerRequest serves a message that carries its own revision. Negotiation has compared the revision with its header.
// What is left is checked in the order of the rules for reading (2026-07-28 basic/transports/streamable-http#server-validation):
// required _meta, mirrored headers, method, params, and then what the tool itself asks for.
func (h *Handler) servePerRequest(q *request, m *jsonrpc.Message) {
	if m.Kind == jsonrpc.Notification {
		q.w.WriteHeader(http.StatusAccepted) // this lifecycle has none over HTTP that would do anything
		return
	}
	meta, err := q.codec.DecodeMeta(m.Meta)
	if err != nil {
		h.fail(q.w, http.StatusBadRequest, m.ID, q.codec, err)
		return
	}
	if err := checkMirrors(q.r.Header, m); err != nil {
		h.fail(q.w, http.StatusBadRequest, m.ID, q.codec, err)
		return
	}
	lasts := m.Method == protocol.MethodListen
	if lasts && !h.mayListen(q, m) {
		return
	} else if lasts {
		defer h.giveStream()
	}
	reply := h.begin(q, m.Method, false)
	defer q.life.end()
	in := &q.in
	in.Codec, in.Principal, in.Stream = q.codec, q.principal, reply
	in.Meta, in.Client, in.Capabilities = meta, meta.Client, meta.Capabilities
	in.Header, in.Closing = q.r.Header, h.ending
	h.answer(&q.life, m, in, reply)
}

// mayListen counts a subscription, or answers why there can be none.
func (h *Handler) mayListen(q *request, m *jsonrpc.Message) bool {
	if !q.accept.sse {
		h.fail(q.w, http.StatusNotAcceptable, m.ID, q.codec, protocol.InvalidRequest("Accept must list text/event-stream"))
		return false
	}
	if !h.takeStream() {
		q.w.Header().Set("Retry-After", "5")
		h.fail(q.w, http.StatusServiceUnavailable, m.ID, q.codec, &protocol.Error{Kind: protocol.KindInternal, Message: "too many streams are open"})
		return false
	}
	return true
}

// checkMirrors compares Mcp-Method and Mcp-Name with the body.
func checkMirrors(header http.Header, m *jsonrpc.Message) error {
	if err := mirror.Match("Mcp-Method", header[headerMethod], m.Method); err != nil {
		return protocol.HeaderMismatch("%v", err)
	}
	member, named := nameOf[m.Method]
	if !named {
		return nil
	}
	raw, _ := rawjson.Lookup(m.Params, member)
	name, ok := rawjson.String(raw)
	if !ok {
		return nil // for the params' own check
	}
	if err := mirror.Match("Mcp-Name", header[headerName], name); err != nil {
		return protocol.HeaderMismatch("%v", err)
	}
	return nil
}

// answer handles a request and finishes its reply.
func (h *Handler) answer(ctx context.Context, m *jsonrpc.Message, in *server.Incoming, reply *reply) {
	buf := getBuffer()
	response := rpc.Answer(ctx, h.server, m, in, *buf)
	if isCancelled(ctx) {
		reply.abandon()
	} else {
		reply.finish(&response)
		reply.q.done(&response)
	}
	putBuffer(buf, response.Head)
}
