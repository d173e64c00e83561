package rev20250618

import (
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/internal/wire"
)

func decodeListResources(o *wire.Object) protocol.Params {
	return &protocol.ListResourcesParams{Cursor: o.OptStringPtr("cursor")}
}

func decodeListResourceTemplates(o *wire.Object) protocol.Params {
	return &protocol.ListResourceTemplatesParams{Cursor: o.OptStringPtr("cursor")}
}

func decodeReadResource(o *wire.Object) protocol.Params {
	return &protocol.ReadResourceParams{URI: o.String("uri")}
}

func decodeSubscribe(o *wire.Object) protocol.Params {
	return &protocol.SubscribeParams{URI: o.String("uri")}
}

func decodeUnsubscribe(o *wire.Object) protocol.Params {
	return &protocol.UnsubscribeParams{URI: o.String("uri")}
}

func writeListResources(w *wire.Writer, r *protocol.ListResourcesResult) {
	wire.Array(w, "resources", r.Resources, writeResource)
	w.OptStringPtr("nextCursor", r.NextCursor)
	w.OptMeta(r.Meta)
}

func writeListResourceTemplates(w *wire.Writer, r *protocol.ListResourceTemplatesResult) {
	wire.Array(w, "resourceTemplates", r.Templates, writeResourceTemplate)
	w.OptStringPtr("nextCursor", r.NextCursor)
	w.OptMeta(r.Meta)
}

func writeReadResource(w *wire.Writer, r *protocol.ReadResourceResult) {
	wire.Array(w, "contents", r.Contents, writeResourceContents)
	w.OptMeta(r.Meta)
}

func writeResource(w *wire.Writer, r *protocol.Resource) {
	w.String("uri", r.URI)
	w.String("name", r.Name)
	w.OptString("title", r.Title)
	w.OptString("description", r.Description)
	w.OptString("mimeType", r.MIMEType)
	w.OptInt("size", r.Size)
	wire.OptPart(w, "annotations", r.Annotations, writeAnnotations)
	w.OptMeta(r.Meta)
}

func writeResourceTemplate(w *wire.Writer, t *protocol.ResourceTemplate) {
	w.String("uriTemplate", t.URITemplate)
	w.String("name", t.Name)
	w.OptString("title", t.Title)
	w.OptString("description", t.Description)
	w.OptString("mimeType", t.MIMEType)
	wire.OptPart(w, "annotations", t.Annotations, writeAnnotations)
	w.OptMeta(t.Meta)
}

func writeResourceContents(w *wire.Writer, r *protocol.ResourceContents) {
	w.String("uri", r.URI)
	w.OptString("mimeType", r.MIMEType)
	if r.Blob != nil {
		w.Base64("blob", r.Blob)
	} else {
		w.String("text", r.Text)
	}
	w.OptMeta(r.Meta)
}

func writeResourceUpdated(w *wire.Writer, n *protocol.ResourceUpdatedNotification) {
	w.String("uri", n.URI)
	w.OptMeta(n.Meta)
}
