package rev20250618

import (
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/internal/wire"
)

// writeContent writes a block of a tool's result or a prompt.
func writeContent(w *wire.Writer, c protocol.Content) {
	switch c := c.(type) {
	case *protocol.TextContent:
		writeText(w, c)
	case *protocol.ImageContent:
		writeImage(w, c)
	case *protocol.AudioContent:
		writeAudio(w, c)
	case *protocol.ResourceLink:
		w.String("type", "resource_link")
		writeResource(w, &c.Resource)
	case *protocol.EmbeddedResource:
		w.String("type", "resource")
		w.Open("resource")
		writeResourceContents(w, &c.Resource)
		w.Close()
		wire.OptPart(w, "annotations", c.Annotations, writeAnnotations)
		w.OptMeta(c.Meta)
	default:
		w.Fail(protocol.ErrNotInRevision)
	}
}

func writeText(w *wire.Writer, c *protocol.TextContent) {
	w.String("type", "text")
	w.String("text", c.Text)
	wire.OptPart(w, "annotations", c.Annotations, writeAnnotations)
	w.OptMeta(c.Meta)
}

func writeImage(w *wire.Writer, c *protocol.ImageContent) {
	w.String("type", "image")
	w.Base64("data", c.Data)
	w.String("mimeType", c.MIMEType)
	wire.OptPart(w, "annotations", c.Annotations, writeAnnotations)
	w.OptMeta(c.Meta)
}

func writeAudio(w *wire.Writer, c *protocol.AudioContent) {
	w.String("type", "audio")
	w.Base64("data", c.Data)
	w.String("mimeType", c.MIMEType)
	wire.OptPart(w, "annotations", c.Annotations, writeAnnotations)
	w.OptMeta(c.Meta)
}

// readContent reads the content of a model's message.
func readContent(o *wire.Object) protocol.Content {
	switch kind := o.String("type"); kind {
	case "text":
		return &protocol.TextContent{Text: o.String("text"), Annotations: readAnnotations(o), Meta: o.OptRawObject("_meta")}
	case "image":
		return &protocol.ImageContent{Data: readData(o), MIMEType: o.String("mimeType"), Annotations: readAnnotations(o), Meta: o.OptRawObject("_meta")}
	case "audio":
		return &protocol.AudioContent{Data: readData(o), MIMEType: o.String("mimeType"), Annotations: readAnnotations(o), Meta: o.OptRawObject("_meta")}
	default:
		o.Fail("%s %q is not known", o.Path("type"), kind)
		return nil
	}
}

func readData(o *wire.Object) []byte {
	o.Require("data")
	return o.OptBase64("data")
}

func writeAnnotations(w *wire.Writer, a *protocol.Annotations) {
	if len(a.Audience) > 0 {
		w.OpenArray("audience")
		for _, r := range a.Audience {
			w.String("", string(r))
		}
		w.CloseArray()
	}
	w.OptFloat("priority", a.Priority)
	w.OptString("lastModified", a.LastModified)
}

func readAnnotations(o *wire.Object) *protocol.Annotations {
	a := o.OptObject("annotations")
	if a == nil {
		return nil
	}
	r := &protocol.Annotations{Priority: a.OptFloat("priority"), LastModified: a.OptString("lastModified")}
	for _, role := range a.OptStrings("audience") {
		r.Audience = append(r.Audience, protocol.Role(role))
	}
	return r
}
