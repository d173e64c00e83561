package jsonrpc

import (
	"strconv"

	"github.com/parley-mcp/parley/internal/rawjson"
)

// AppendResultHead appends a response up to its result, which the caller appends, and then AppendEnd.
func AppendResultHead(dst []byte, id ID) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	dst = append(dst, id.raw...)
	return append(dst, `,"result":`...)
}

// AppendNotificationHead appends a notification up to its params, which the caller appends, and then AppendEnd.
func AppendNotificationHead(dst []byte, method string) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","method":`...)
	dst = rawjson.AppendString(dst, method)
	return append(dst, `,"params":`...)
}

// AppendRequestHead appends a request up to its params, which the caller appends, and then AppendEnd.
func AppendRequestHead(dst []byte, id ID, method string) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	dst = append(dst, id.raw...)
	dst = append(dst, `,"method":`...)
	dst = rawjson.AppendString(dst, method)
	return append(dst, `,"params":`...)
}

// AppendEnd closes what one of the Append...Head functions opened.
func AppendEnd(dst []byte) []byte { return append(dst, '}') }

// AppendError appends an error response. A zero id is left out: MCP forbids the null that JSON-RPC would put there.
func AppendError(dst []byte, id ID, e *Error) []byte {
	dst = append(dst, `{"jsonrpc":"2.0",`...)
	if !id.IsZero() {
		dst = append(dst, `"id":`...)
		dst = append(dst, id.raw...)
		dst = append(dst, ',')
	}
	dst = append(dst, `"error":{"code":`...)
	dst = strconv.AppendInt(dst, int64(e.Code), 10)
	dst = append(dst, `,"message":`...)
	dst = rawjson.AppendString(dst, e.Message)
	if e.Data != nil {
		dst = append(dst, `,"data":`...)
		dst = append(dst, e.Data...)
	}
	return append(dst, `}}`...)
}
