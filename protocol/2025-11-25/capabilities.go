package rev20251125

import (
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/internal/wire"
)

func readClientCapabilities(o *wire.Object) protocol.ClientCapabilities {
	c := protocol.ClientCapabilities{Experimental: o.OptObjectMap("experimental")}
	if r := o.OptObject("roots"); r != nil {
		c.Roots = &protocol.RootsCapability{ListChanged: r.OptBool("listChanged")}
	}
	if s := o.OptObject("sampling"); s != nil {
		c.Sampling = &protocol.SamplingCapability{
			Tools:   s.OptRawObject("tools") != nil,
			Context: s.OptRawObject("context") != nil,
		}
	}
	if e := o.OptObject("elicitation"); e != nil {
		c.Elicitation = readElicitationCapability(e)
	}
	return c
}

// readElicitationCapability: an empty object means form (client/elicitation#capabilities).
func readElicitationCapability(o *wire.Object) *protocol.ElicitationCapability {
	url := o.OptRawObject("url") != nil
	return &protocol.ElicitationCapability{Form: o.OptRawObject("form") != nil || !url, URL: url}
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
	wire.OptPart(w, "tasks", c.Tasks, writeTasksCapability)
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
