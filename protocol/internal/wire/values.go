package wire

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/parley-mcp/parley/internal/rawjson"
	"github.com/parley-mcp/parley/protocol"
)

// IsObject reports whether v is a JSON object.
func IsObject(v jsontext.Value) bool { return rawjson.Kind(v) == '{' }

// DescribesObject reports whether a JSON Schema says at its root that it describes an object.
func DescribesObject(schema jsontext.Value) bool {
	t, _ := rawjson.Lookup(schema, "type")
	return string(t) == `"object"`
}

// UnsupportedVersion returns the data of an error of KindUnsupportedVersion. It is the same at each revision, since it is
// for a client whose revision is not known.
func UnsupportedVersion(e *protocol.Error) jsontext.Value {
	return JSON(func(w *Writer) {
		w.OpenArray("supported")
		for _, r := range e.Supported {
			w.String("", string(r))
		}
		w.CloseArray()
		w.String("requested", e.Requested)
	})
}

// Visit returns the message of an error of KindURLElicitationRequired for revisions that have no other place for the URLs.
func Visit(e *protocol.Error) string {
	s := e.Message
	for _, p := range e.Elicitations {
		s += "; visit " + p.URL
	}
	return s
}
