// Package revisions is the one list of the revisions that are spoken here.
package revisions

import (
	"slices"

	"github.com/parley-mcp/parley/protocol"
	rev20250326 "github.com/parley-mcp/parley/protocol/2025-03-26"
	rev20250618 "github.com/parley-mcp/parley/protocol/2025-06-18"
	rev20251125 "github.com/parley-mcp/parley/protocol/2025-11-25"
	rev20260728 "github.com/parley-mcp/parley/protocol/2026-07-28"
)

// all is in order, the newest first.
var all = []protocol.Codec{
	rev20260728.Codec,
	rev20251125.Codec,
	rev20250618.Codec,
	rev20250326.Codec,
}

// All returns all revisions, the newest first. The slice is the caller's.
func All() []protocol.Codec { return slices.Clone(all) }

// Newest returns the newest revision.
func Newest() protocol.Codec { return all[0] }

// NewestHandshake returns the newest of the revisions that open with a handshake.
func NewestHandshake() protocol.Codec {
	return all[slices.IndexFunc(all, func(c protocol.Codec) bool { return c.Features().Lifecycle == protocol.Handshake })]
}

// Lookup returns the revision of that name; ok is false if there is none.
func Lookup(name protocol.Revision) (codec protocol.Codec, ok bool) {
	for _, c := range all {
		if c.Features().Revision == name {
			return c, true
		}
	}
	return nil, false
}

// Names returns the names of codecs, in their order.
func Names(codecs []protocol.Codec) []protocol.Revision {
	names := make([]protocol.Revision, len(codecs))
	for i, c := range codecs {
		names[i] = c.Features().Revision
	}
	return names
}
