package rev20250618

import (
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/internal/wire"
)

// writeElicit: a form is all there is here, and so it has no mode (client/elicitation#creating-elicitation-requests).
func writeElicit(w *wire.Writer, p *protocol.ElicitParams) {
	if p.URL != "" {
		w.Fail(protocol.ErrNotInRevision)
		return
	}
	w.String("message", p.Message)
	w.Open("requestedSchema")
	w.String("type", "object")
	w.Open("properties")
	var required []string
	for _, f := range p.Fields {
		w.Name(f.Name)
		w.Open("")
		writeField(w, &f)
		w.Close()
		if f.Required {
			required = append(required, f.Name)
		}
	}
	w.Close()
	w.OptStrings("required", required)
	w.Close()
}

// writeField: only booleans have a default, and a choice is one of a list (client/elicitation#supported-schema-types).
func writeField(w *wire.Writer, f *protocol.FormField) {
	switch f.Kind {
	case protocol.FieldNumber:
		w.String("type", "number")
	case protocol.FieldInteger:
		w.String("type", "integer")
	case protocol.FieldBoolean:
		w.String("type", "boolean")
	case protocol.FieldChoices:
		w.Fail(protocol.ErrNotInRevision)
	default:
		w.String("type", "string")
	}
	w.OptString("title", f.Title)
	w.OptString("description", f.Description)
	switch f.Kind {
	case protocol.FieldString:
		w.OptString("format", f.Format)
		w.OptInt("minLength", f.MinLength)
		w.OptInt("maxLength", f.MaxLength)
	case protocol.FieldNumber, protocol.FieldInteger:
		w.OptFloat("minimum", f.Minimum)
		w.OptFloat("maximum", f.Maximum)
	case protocol.FieldBoolean:
		w.OptRaw("default", f.Default)
	case protocol.FieldChoice:
		writeChoice(w, f)
	}
}

func writeChoice(w *wire.Writer, f *protocol.FormField) {
	w.Strings("enum", values(f))
	if titled(f) {
		w.Strings("enumNames", titles(f))
	}
}

func titled(f *protocol.FormField) bool { return len(f.Options) > 0 && f.Options[0].Title != "" }

func values(f *protocol.FormField) []string {
	list := make([]string, len(f.Options))
	for i, o := range f.Options {
		list[i] = o.Value
	}
	return list
}

func titles(f *protocol.FormField) []string {
	list := make([]string, len(f.Options))
	for i, o := range f.Options {
		list[i] = o.Title
	}
	return list
}

func decodeElicitResult(o *wire.Object) protocol.Answer {
	o.Require("action")
	return &protocol.ElicitResult{
		Action:  o.OptEnum("action", protocol.ActionAccept, protocol.ActionDecline, protocol.ActionCancel),
		Content: o.OptRawObject("content"),
		Meta:    o.OptRawObject("_meta"),
	}
}
