package rev20251125

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
	i := protocol.Implementation{
		Name:        o.String("name"),
		Version:     o.String("version"),
		Title:       o.OptString("title"),
		Description: o.OptString("description"),
		WebsiteURL:  o.OptString("websiteUrl"),
	}
	o.Each("icons", func(o *wire.Object) { i.Icons = append(i.Icons, readIcon(o)) })
	return i
}

func writeImplementation(w *wire.Writer, i *protocol.Implementation) {
	w.String("name", i.Name)
	w.String("version", i.Version)
	w.OptString("title", i.Title)
	w.OptString("description", i.Description)
	w.OptString("websiteUrl", i.WebsiteURL)
	wire.OptArray(w, "icons", i.Icons, writeIcon)
}

func readIcon(o *wire.Object) protocol.Icon {
	return protocol.Icon{
		Src:      o.String("src"),
		MIMEType: o.OptString("mimeType"),
		Sizes:    o.OptStrings("sizes"),
		Theme:    o.OptEnum("theme", "light", "dark"),
	}
}

func writeIcon(w *wire.Writer, i protocol.Icon) {
	w.String("src", i.Src)
	w.OptString("mimeType", i.MIMEType)
	w.OptStrings("sizes", i.Sizes)
	w.OptString("theme", i.Theme)
}
