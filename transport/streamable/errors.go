package streamable

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/parley-mcp/parley/internal/jsonrpc"
	"github.com/parley-mcp/parley/negotiate"
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/session"
	"github.com/parley-mcp/parley/transport/internal/rpc"
)

// The headers of the transport, in the form in which net/http keeps them.
const (
	headerSession = "Mcp-Session-Id"
	headerVersion = "Mcp-Protocol-Version"
	headerMethod  = "Mcp-Method"
	headerName    = "Mcp-Name"
)

// refuse answers a request that never became a message: the body is an error without id, which each revision allows.
func (h *Handler) refuse(w http.ResponseWriter, status int, why string) {
	h.write(w, status, jsonrpc.AppendError(nil, jsonrpc.ID{}, &jsonrpc.Error{Code: jsonrpc.InvalidRequest, Message: why}))
}

// turnAway refuses a request without reading its body.
func (h *Handler) turnAway(w http.ResponseWriter, r *http.Request, status int, why string) {
	leaveBody(w, r)
	h.refuse(w, status, why)
}

// leaveBody closes the connection once the request is answered, if the body is still to come: net/http would read it
// first, and keep back the answer for as long as the client keeps back the body.
func leaveBody(w http.ResponseWriter, r *http.Request) {
	if r.ContentLength != 0 && r.ProtoMajor == 1 {
		w.Header().Set("Connection", "close")
	}
}

// fail answers a message that is not served, in the words of codec.
func (h *Handler) fail(w http.ResponseWriter, status int, id jsonrpc.ID, codec protocol.Codec, err error) {
	body, _ := rpc.AppendError(nil, id, codec, err)
	h.write(w, status, body)
}

// failSelect answers a message for which negotiation found nothing.
func (h *Handler) failSelect(w http.ResponseWriter, id jsonrpc.ID, d negotiate.Decision, err error) {
	var e *protocol.Error
	status := http.StatusBadRequest
	switch {
	case errors.As(err, &e):
	case errors.Is(err, negotiate.ErrSessionRequired):
		e = protocol.InvalidRequest("%v", err)
	case errors.Is(err, session.ErrNotFound):
		status, e = http.StatusNotFound, protocol.InvalidRequest("session not found: send initialize again")
	default:
		h.server.Logger().Error("the session store failed", "error", err)
		status, e = http.StatusServiceUnavailable, protocol.Internal()
	}
	h.fail(w, status, id, h.served.Words(d.Lifecycle), e)
}

// buffered is the size up to which net/http takes a body in without waiting for the client.
const buffered = 2 << 10

// write sends a whole JSON body of one part or several, within the time that a slow reader has.
func (h *Handler) write(w http.ResponseWriter, status int, body ...[]byte) {
	size := 0
	for _, part := range body {
		size += len(part)
	}
	header := w.Header()
	header["Content-Type"] = jsonType
	if size > buffered { // a smaller one net/http counts itself
		header["Content-Length"] = []string{strconv.Itoa(size)}
		setWriteDeadline(w, h.options.WriteTimeout)
		defer setWriteDeadline(w, 0)
	}
	w.WriteHeader(status)
	for _, part := range body {
		if _, err := w.Write(part); err != nil {
			return // a client that is gone needs no answer
		}
	}
}

// setWriteDeadline says how long writing may take, as setReadDeadline does for reading.
func setWriteDeadline(w http.ResponseWriter, timeout time.Duration) {
	switch w := w.(type) {
	case interface{ SetWriteDeadline(time.Time) error }:
		_ = w.SetWriteDeadline(deadline(timeout))
	case interface{ Unwrap() http.ResponseWriter }:
		setWriteDeadline(w.Unwrap(), timeout)
	}
}

var jsonType = []string{typeJSON}
