package rev20250618

import (
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/internal/wire"
)

func decodeMeta(o *wire.Object) protocol.RequestMeta {
	return protocol.RequestMeta{ProgressToken: o.Token(protocol.MetaProgressToken)}
}

// writeTracking asks for progress (basic/utilities/progress#progress-flow).
func writeTracking(w *wire.Writer, t *protocol.Tracked) {
	w.Open("_meta")
	w.OptRaw(protocol.MetaProgressToken, t.ProgressToken)
	w.Close()
}
