package server

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/revisions"
)

// FuzzFormTag: a tag is read or refused, and what was read can be said at each revision that has forms.
func FuzzFormTag(f *testing.F) {
	for kind, tags := range map[protocol.FieldKind][]string{
		protocol.FieldString:  {"title=A;format=email;min=1;max=9;default=x", "enum=a|b;titles=A|B;legacy;default=a", "enum="},
		protocol.FieldInteger: {"min=1;max=9;default=3", "default=", "min=NaN"},
		protocol.FieldChoices: {"enum=a|b;min=1;max=2;default=a|b", "enum=a;titles=A"},
		protocol.FieldBoolean: {"default=true", ";;"},
	} {
		for _, tag := range tags {
			f.Add(uint8(kind), tag)
		}
	}
	f.Fuzz(func(t *testing.T, kind uint8, tag string) {
		field := protocol.FormField{Name: "f", Kind: protocol.FieldKind(kind)}
		if readTag(&field, tag) != nil {
			return
		}
		made, err := newForm([]protocol.FormField{field})
		if err != nil {
			return
		}
		for _, codec := range revisions.All() {
			out, err := codec.Append(nil, &protocol.ElicitParams{Message: "?", Fields: made.fields})
			if err == nil && !jsontext.Value(out).IsValid() {
				t.Fatalf("%s: %q became %s", codec.Features().Revision, tag, out)
			}
		}
	})
}
