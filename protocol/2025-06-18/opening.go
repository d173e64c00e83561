package rev20250618

import (
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/internal/wire"
)

func decodeInitialize(o *wire.Object) protocol.Params {
	return &protocol.InitializeParams{
		Requested:    o.String("protocolVersion"),
		Client:       readImplementation(o.Object("clientInfo")),
		Capabilities: readClientCapabilities(o.Object("capabilities")),
	}
}

func writeInitializeResult(w *wire.Writer, r *protocol.InitializeResult) {
	w.String("protocolVersion", string(r.Revision))
	w.Open("capabilities")
	writeServerCapabilities(w, &r.Capabilities)
	w.Close()
	w.Open("serverInfo")
	writeImplementation(w, r.Server)
	w.Close()
	w.OptString("instructions", r.Instructions)
	w.OptMeta(r.Meta)
}

func readImplementation(o *wire.Object) protocol.Implementation {
	return protocol.Implementation{
		Name:    o.String("name"),
		Version: o.String("version"),
		Title:   o.OptString("title"),
	}
}

func writeImplementation(w *wire.Writer, i *protocol.Implementation) {
	w.String("name", i.Name)
	w.String("version", i.Version)
	w.OptString("title", i.Title)
}
