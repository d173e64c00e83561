package rev20260728

import (
	"maps"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/internal/wire"
)

// readClientCapabilities: members of earlier revisions, such as roots.listChanged, are ignored like any that are not known.
func readClientCapabilities(o *wire.Object) protocol.ClientCapabilities {
	c := protocol.ClientCapabilities{
		Experimental: o.OptObjectMap("experimental"),
		Extensions:   o.OptObjectMap("extensions"),
	}
	if o.OptObject("roots") != nil {
		c.Roots = &protocol.RootsCapability{}
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

func writeClientCapabilities(w *wire.Writer, c *protocol.ClientCapabilities) {
	wire.OptPart(w, "roots", c.Roots, func(*wire.Writer, *protocol.RootsCapability) {})
	wire.OptPart(w, "sampling", c.Sampling, func(w *wire.Writer, s *protocol.SamplingCapability) {
		writeFlag(w, "tools", s.Tools)
		writeFlag(w, "context", s.Context)
	})
	wire.OptPart(w, "elicitation", c.Elicitation, func(w *wire.Writer, e *protocol.ElicitationCapability) {
		writeFlag(w, "form", e.Form)
		writeFlag(w, "url", e.URL)
	})
	w.OptRawMap("experimental", c.Experimental)
	w.OptRawMap("extensions", c.Extensions)
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
	w.OptRawMap("extensions", extensions(c))
}

// extensions: tasks are one of them, without settings (extensions/tasks/overview#for-mcp-servers).
func extensions(c *protocol.ServerCapabilities) map[string]jsontext.Value {
	if c.Tasks == nil {
		return c.Extensions
	}
	all := map[string]jsontext.Value{protocol.TaskExtension: jsontext.Value("{}")}
	maps.Copy(all, c.Extensions)
	return all
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
