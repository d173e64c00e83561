package rev20260728

import (
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/internal/wire"
)

// The codes of this revision (basic#error-codes).
const (
	codeParse              = -32700
	codeInvalidRequest     = -32600
	codeMethodNotFound     = -32601
	codeInvalidParams      = -32602
	codeInternal           = -32603
	codeHeaderMismatch     = -32020
	codeMissingCapability  = -32021
	codeUnsupportedVersion = -32022
)

func encodeError(e *protocol.Error) protocol.WireError {
	out := protocol.WireError{Message: e.Message, Data: e.Data}
	switch e.Kind {
	case protocol.KindInvalidRequest:
		out.Code = codeInvalidRequest
	case protocol.KindHeaderMismatch:
		out.Code = codeHeaderMismatch
	case protocol.KindMethodNotFound:
		out.Code = codeMethodNotFound
	case protocol.KindInvalidParams:
		out.Code = codeInvalidParams
	case protocol.KindMissingCapability:
		out.Code = codeMissingCapability
		out.Data = wire.JSON(func(w *wire.Writer) {
			w.Open("requiredCapabilities")
			if e.Required != nil {
				writeClientCapabilities(w, e.Required)
			}
			w.Close()
		})
	case protocol.KindResourceNotFound:
		out.Code = codeInvalidParams
		out.Data = wire.JSON(func(w *wire.Writer) { w.String("uri", e.URI) })
	case protocol.KindURLElicitationRequired:
		out.Code = codeInvalidRequest
		out.Message = wire.Visit(e)
	case protocol.KindUnsupportedVersion:
		out.Code = codeUnsupportedVersion
		out.Data = wire.UnsupportedVersion(e)
	case protocol.KindApplication:
		out.Code = applicationCode(e.Code)
	default:
		out.Code = codeInternal
	}
	return out
}

// applicationCode: of the codes that JSON-RPC reserves only those of this revision may be sent, and those with a meaning of
// the protocol's own only for it (basic#error-codes).
func applicationCode(code int) int {
	const first, last = -32768, -32000
	switch {
	case code < first || code > last:
		return code
	case code == codeInvalidRequest || code == codeMethodNotFound || code == codeInvalidParams:
		return code
	}
	return codeInternal
}
