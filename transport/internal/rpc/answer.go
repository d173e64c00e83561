// Package rpc is what the transports share: it answers one request, and keeps track of those that run.
package rpc

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"

	"github.com/parley-mcp/parley/internal/jsonrpc"
	"github.com/parley-mcp/parley/internal/rawjson"
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
)

// A Response is a response message in two parts, so that what many share need not be copied.
type Response struct {
	// Head is the message, or its beginning.
	Head []byte
	// Tail is the rest. It is shared and must not be changed.
	Tail []byte
	// Result is nil if the response is an error. Code is its code then, and Challenge what is asked of who sent the request
	// (protocol.Error.Challenge).
	Result    protocol.Result
	Code      int
	Challenge string
}

// Message returns the message in one part.
func (r *Response) Message() []byte {
	if r.Tail == nil {
		return r.Head
	}
	return append(r.Head, r.Tail...)
}

// Answer decodes a request's params, handles it, and appends the response to dst. in holds what the transport knows; Params
// is filled in here.
func Answer(ctx context.Context, s *server.Server, m *jsonrpc.Message, in *server.Incoming, dst []byte) Response {
	var result protocol.Result
	var err error
	if in.Params, err = in.Codec.DecodeRequest(m.Method, m.Params); err == nil {
		in.ID, in.Method, in.RawParams, in.RawMeta = m.ID.Raw(), m.Method, m.Params, m.Meta
		result, err = s.Dispatch(ctx, s.NewCall(in))
	}
	if err == nil {
		r := Response{Result: result}
		if r.Head, r.Tail, err = appendResult(dst, m.ID, in.Codec, result); err == nil {
			return r
		}
		s.Logger().LogAttrs(ctx, slog.LevelError, "a result cannot be encoded", slog.String("method", m.Method), slog.Any("error", err))
	}
	out, code := AppendError(dst, m.ID, in.Codec, err)
	r := Response{Head: out, Code: code}
	var e *protocol.Error
	if errors.As(err, &e) {
		r.Challenge = e.Challenge
	}
	return r
}

// appendResult appends a response, or the part of it that is in front of what is shared. A result that makes the codec
// panic, such as one with a nil pointer inside, is the handler's fault, and ends no process.
func appendResult(dst []byte, id jsonrpc.ID, codec protocol.Codec, result protocol.Result) (head, tail []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	head = jsonrpc.AppendResultHead(dst, id)
	if shared := result.Base().Shared; shared != nil {
		tail, err = sharedTail(shared, codec, result)
		return head, tail, err
	}
	if head, err = codec.Append(head, result); err == nil {
		head = jsonrpc.AppendEnd(head)
	}
	return head, nil, err
}

// sharedTail returns what follows the head of a response with a result that many get. It is encoded once.
func sharedTail(shared *protocol.Encodings, codec protocol.Codec, result protocol.Result) ([]byte, error) {
	revision := codec.Features().Revision
	if tail := shared.Load(revision); tail != nil {
		return tail, nil
	}
	tail, err := codec.Append(nil, result)
	if err != nil {
		return nil, err
	}
	return shared.Store(revision, slices.Clip(jsonrpc.AppendEnd(tail))), nil
}

// AppendError appends an error response in the words of codec.
func AppendError(dst []byte, id jsonrpc.ID, codec protocol.Codec, err error) (out []byte, code int) {
	e := codec.Error(err)
	return jsonrpc.AppendError(dst, id, &jsonrpc.Error{Code: e.Code, Message: e.Message, Data: e.Data}), e.Code
}

// AppendNotification appends a notification. The error is protocol.ErrNotInRevision if the revision has none of that kind.
func AppendNotification(dst []byte, codec protocol.Codec, n protocol.Notification) ([]byte, error) {
	out, err := codec.Append(jsonrpc.AppendNotificationHead(dst, n.Method()), n)
	if err != nil {
		return dst, err
	}
	return jsonrpc.AppendEnd(out), nil
}

// ClaimsVersion reports whether a message claims a protocol version in its _meta.
func ClaimsVersion(m *jsonrpc.Message) bool {
	_, ok := rawjson.Lookup(m.Meta, protocol.MetaProtocolVersion)
	return ok
}

// RequestedVersion returns the version that an initialize request asks for, "" if it names none.
func RequestedVersion(m *jsonrpc.Message) string {
	raw, _ := rawjson.Lookup(m.Params, "protocolVersion")
	s, _ := rawjson.String(raw)
	return s
}
