package revision

import (
	"strings"

	"github.com/parley-mcp/parley/conformance/match"
)

// Meta builds the _meta of a request: at a revision without a handshake what every request must carry, else only the
// further members asked for, and nil if there are none.
func (f Facts) Meta(m match.Meta) *match.Value {
	meta := match.Object()
	if !f.Handshake {
		meta.Set(MetaVersion, match.String(f.Version))
		meta.Set(MetaClient, Client)
		meta.Set(MetaCapabilities, Capabilities(m.Capabilities))
	}
	for _, extra := range m.Extra {
		switch {
		case extra.Name != "logLevel":
			meta.Set(extra.Name, extra.Value)
		case !f.Handshake:
			meta.Set(MetaLogLevel, extra.Value)
		}
	}
	if len(meta.Members) == 0 {
		return nil
	}
	return meta
}

// Capabilities builds an object of capabilities from paths such as "elicitation.url", "roots.listChanged" or
// "extensions.ID". A leaf is an empty object, except listChanged and subscribe, which are true.
func Capabilities(paths []string) *match.Value {
	caps := match.Object()
	for _, path := range paths {
		at := caps
		names := strings.Split(path, ".")
		if id, ok := strings.CutPrefix(path, "extensions."); ok {
			names = []string{"extensions", id}
		}
		for _, name := range names {
			if name == "listChanged" || name == "subscribe" {
				at.Set(name, match.Bool(true))
				break
			}
			next := at.Get(name)
			if next == nil {
				next = match.Object()
				at.Set(name, next)
			}
			at = next
		}
	}
	return caps
}

// Initialize builds the request that opens a handshake.
func (f Facts) Initialize(id *match.Value, capabilities []string) *match.Value {
	return match.Object(
		match.Member{Name: "jsonrpc", Value: match.String("2.0")},
		match.Member{Name: "id", Value: id},
		match.Member{Name: "method", Value: match.String("initialize")},
		match.Member{Name: "params", Value: match.Object(
			match.Member{Name: "protocolVersion", Value: match.String(f.Version)},
			match.Member{Name: "capabilities", Value: Capabilities(capabilities)},
			match.Member{Name: "clientInfo", Value: Client},
		)},
	)
}

// Declares reports whether a capabilities object has what a dotted path names. A member that is false does not count.
func Declares(capabilities *match.Value, path string) bool {
	if capabilities == nil {
		return false
	}
	if v := capabilities.Get(path); v != nil {
		return v.Kind != 'f' && v.Kind != 'n'
	}
	for i := range path {
		if path[i] != '.' {
			continue
		}
		if inner := capabilities.Get(path[:i]); inner != nil && Declares(inner, path[i+1:]) {
			return true
		}
	}
	return false
}
