package server

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/parley-mcp/parley/internal/rawjson"
	"github.com/parley-mcp/parley/protocol"
)

// hint returns a list's cache hint: private unless the list is the same for everybody
// (2026-07-28 server/utilities/caching#choosing-a-cache-scope).
func hint(h protocol.CacheHint, restricted bool) protocol.CacheHint {
	h.Public = h.Public && !restricted
	return h
}

func describesObject(schema jsontext.Value) bool {
	t, _ := rawjson.Lookup(schema, "type")
	return string(t) == `"object"`
}

// clip shortens a client's text for an error.
func clip(s string) string {
	const most = 128
	if len(s) > most {
		return s[:most] + "..."
	}
	return s
}
