package rev20250618

import (
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/internal/wire"
)

// readClientCapabilities: sampling includes includeContext here, without a capability of its own
// (schema#createmessagerequest); elicitation means forms (client/elicitation#capabilities).
func readClientCapabilities(o *wire.Object) protocol.ClientCapabilities {
	c := protocol.ClientCapabilities{Experimental: o.OptObjectMap("experimental")}
	if r := o.OptObject("roots"); r != nil {
		c.Roots = &protocol.RootsCapability{ListChanged: r.OptBool("listChanged")}
	}
	if o.OptObject("sampling") != nil {
		c.Sampling = &protocol.SamplingCapability{Context: true}
	}
	if o.OptObject("elicitation") != nil {
		c.Elicitation = &protocol.ElicitationCapability{Form: true}
	}
	return c
}

func writeServerCapabilities(w *wire.Writer, c *protocol.ServerCapabilities) {
	wire.OptPart(w, "tools", c.Tools, writeListCapability)
	wire.OptPart(w, "prompts", c.Prompts, writeListCapability)
	wire.OptPart(w, "resources", c.Resources, func(w *wire.Writer, r *protocol.ResourcesCapability) {
		w.OptBool("subscribe", r.Subscribe)
		w.OptBool("listChanged", r.ListChanged)
	})
	writeFlag(w, "logging", c.Logging)
	writeFlag(w, "completions", c.Completions)
	w.OptRawMap("experimental", c.Experimental)
}

func writeListCapability(w *wire.Writer, l *protocol.ListCapability) {
	w.OptBool("listChanged", l.ListChanged)
}

// writeFlag declares a capability that has no settings.
func writeFlag(w *wire.Writer, name string, declared bool) {
	if declared {
		w.Open(name)
		w.Close()
	}
}
