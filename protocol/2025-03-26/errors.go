package rev20250326

import (
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/internal/wire"
)

// The codes of this revision (basic#responses, server/resources#error-handling).
const (
	codeInvalidRequest     = -32600
	codeMethodNotFound     = -32601
	codeInvalidParams      = -32602
	codeInternal           = -32603
	codeResourceNotFound   = -32002
	codeUnsupportedVersion = -32022
)

func encodeError(e *protocol.Error) protocol.WireError {
	out := protocol.WireError{Message: e.Message, Data: e.Data}
	switch e.Kind {
	case protocol.KindInvalidRequest, protocol.KindHeaderMismatch:
		out.Code = codeInvalidRequest
	case protocol.KindMethodNotFound:
		out.Code = codeMethodNotFound
	case protocol.KindInvalidParams, protocol.KindMissingCapability:
		out.Code = codeInvalidParams
	case protocol.KindResourceNotFound:
		out.Code = codeResourceNotFound
		out.Data = wire.JSON(func(w *wire.Writer) { w.String("uri", e.URI) })
	case protocol.KindURLElicitationRequired:
		out.Code = codeInvalidRequest
		out.Message = wire.Visit(e)
	case protocol.KindUnsupportedVersion:
		out.Code = codeUnsupportedVersion
		out.Data = wire.UnsupportedVersion(e)
	case protocol.KindApplication:
		out.Code = e.Code
	default:
		out.Code = codeInternal
	}
	return out
}
