package rev20250618

import (
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/internal/wire"
)

func decodeListRootsResult(o *wire.Object) protocol.Answer {
	r := &protocol.ListRootsResult{Meta: o.OptRawObject("_meta")}
	o.Require("roots")
	o.Each("roots", func(o *wire.Object) {
		r.Roots = append(r.Roots, protocol.Root{URI: o.String("uri"), Name: o.OptString("name"), Meta: o.OptRawObject("_meta")})
	})
	return r
}
