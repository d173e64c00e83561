package rev20260728

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
	return &protocol.ReadResourceParams{URI: o.String("uri"), Input: readInput(o)}
}

func writeListResources(w *wire.Writer, r *protocol.ListResourcesResult) {
	w.String("resultType", complete)
	wire.Array(w, "resources", r.Resources, writeResource)
	w.OptStringPtr("nextCursor", r.NextCursor)
	writeCacheHint(w, r.Cache)
	writeResultMeta(w, &r.ResultBase)
}

func writeListResourceTemplates(w *wire.Writer, r *protocol.ListResourceTemplatesResult) {
	w.String("resultType", complete)
	wire.Array(w, "resourceTemplates", r.Templates, writeResourceTemplate)
	w.OptStringPtr("nextCursor", r.NextCursor)
	writeCacheHint(w, r.Cache)
	writeResultMeta(w, &r.ResultBase)
}

func writeReadResource(w *wire.Writer, r *protocol.ReadResourceResult) {
	w.String("resultType", complete)
	wire.Array(w, "contents", r.Contents, writeResourceContents)
	writeCacheHint(w, r.Cache)
	writeResultMeta(w, &r.ResultBase)
}

func writeResource(w *wire.Writer, r *protocol.Resource) {
	w.String("uri", r.URI)
	w.String("name", r.Name)
	w.OptString("title", r.Title)
	w.OptString("description", r.Description)
	w.OptString("mimeType", r.MIMEType)
	w.OptInt("size", r.Size)
	wire.OptPart(w, "annotations", r.Annotations, writeAnnotations)
	wire.OptArray(w, "icons", r.Icons, writeIcon)
	w.OptMeta(r.Meta)
}

func readResource(o *wire.Object) protocol.Resource {
	r := protocol.Resource{
		URI:         o.String("uri"),
		Name:        o.String("name"),
		Title:       o.OptString("title"),
		Description: o.OptString("description"),
		MIMEType:    o.OptString("mimeType"),
		Size:        o.OptInt("size"),
		Annotations: readAnnotations(o),
		Meta:        o.OptRawObject("_meta"),
	}
	o.Each("icons", func(o *wire.Object) { r.Icons = append(r.Icons, readIcon(o)) })
	return r
}

func writeResourceTemplate(w *wire.Writer, t *protocol.ResourceTemplate) {
	w.String("uriTemplate", t.URITemplate)
	w.String("name", t.Name)
	w.OptString("title", t.Title)
	w.OptString("description", t.Description)
	w.OptString("mimeType", t.MIMEType)
	wire.OptPart(w, "annotations", t.Annotations, writeAnnotations)
	wire.OptArray(w, "icons", t.Icons, writeIcon)
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

func readResourceContents(o *wire.Object) protocol.ResourceContents {
	r := protocol.ResourceContents{
		URI:      o.String("uri"),
		MIMEType: o.OptString("mimeType"),
		Blob:     o.OptBase64("blob"),
		Meta:     o.OptRawObject("_meta"),
	}
	switch {
	case r.Blob != nil:
	case o.Has("text"):
		r.Text = o.OptString("text")
	default:
		o.Fail("%s or blob is required", o.Path("text"))
	}
	return r
}

func writeResourceUpdated(w *wire.Writer, n *protocol.ResourceUpdatedNotification) {
	w.String("uri", n.URI)
	writeNotificationMeta(w, &n.NotificationBase)
}
