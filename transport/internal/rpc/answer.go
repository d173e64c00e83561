// Package rpc is what the transports share: it answers one request, and keeps track of those that run.
package rpc

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/parley-mcp/parley/internal/jsonrpc"
	"github.com/parley-mcp/parley/internal/rawjson"
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
)

// Answer decodes a request's params, handles it, and appends the response. in holds what the transport knows; Params is
// filled in here. result is nil if the response is an error, and code is its code then.
func Answer(ctx context.Context, s *server.Server, m *jsonrpc.Message, in *server.Incoming, dst []byte) (out []byte, result protocol.Result, code int) {
	var err error
	if in.Params, err = in.Codec.DecodeRequest(m.Method, m.Params); err == nil {
		in.ID, in.Method, in.RawParams, in.RawMeta = m.ID.Raw(), m.Method, m.Params, m.Meta
		result, err = s.Dispatch(ctx, s.NewCall(in))
	}
	if err == nil {
		out, err = appendResult(dst, m.ID, in.Codec, result)
		if err == nil {
			return out, result, 0
		}
		s.Logger().LogAttrs(ctx, slog.LevelError, "a result cannot be encoded", slog.String("method", m.Method), slog.Any("error", err))
	}
	out, code = AppendError(dst, m.ID, in.Codec, err)
	return out, nil, code
}

// appendResult appends a response. A result that makes the codec panic, such as one with a nil pointer inside, is the
// handler's fault, and ends no process.
func appendResult(dst []byte, id jsonrpc.ID, codec protocol.Codec, result protocol.Result) (out []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			out, err = dst, fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	out, err = codec.Append(jsonrpc.AppendResultHead(dst, id), result)
	if err != nil {
		return dst, err
	}
	return jsonrpc.AppendEnd(out), nil
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
