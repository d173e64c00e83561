package rev20260728

import (
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/internal/wire"
)

func writeElicit(w *wire.Writer, p *protocol.ElicitParams) {
	w.String("message", p.Message)
	if p.URL != "" {
		w.String("mode", "url")
		w.String("url", p.URL)
		return
	}
	w.String("mode", "form")
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

func writeField(w *wire.Writer, f *protocol.FormField) {
	switch f.Kind {
	case protocol.FieldNumber:
		w.String("type", "number")
	case protocol.FieldInteger:
		w.String("type", "integer")
	case protocol.FieldBoolean:
		w.String("type", "boolean")
	case protocol.FieldChoices:
		w.String("type", "array")
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
	case protocol.FieldChoice:
		writeChoice(w, f)
	case protocol.FieldChoices:
		w.OptInt("minItems", f.MinItems)
		w.OptInt("maxItems", f.MaxItems)
		w.Open("items")
		if titled(f) {
			wire.Array(w, "anyOf", f.Options, writeOption)
		} else {
			w.String("type", "string")
			w.Strings("enum", values(f))
		}
		w.Close()
	}
	w.OptRaw("default", f.Default)
}

func writeChoice(w *wire.Writer, f *protocol.FormField) {
	switch {
	case titled(f) && !f.LegacyTitles:
		wire.Array(w, "oneOf", f.Options, writeOption)
	default:
		w.Strings("enum", values(f))
		if titled(f) {
			w.Strings("enumNames", titles(f))
		}
	}
}

func writeOption(w *wire.Writer, o protocol.Option) {
	w.String("const", o.Value)
	w.String("title", o.Title)
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
	}
}
