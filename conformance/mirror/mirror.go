// Package mirror says which headers repeat parts of a message, and how a header carries a text that it cannot hold as it is.
package mirror

import (
	"encoding/base64"
	"strings"

	"github.com/parley-mcp/parley/conformance/match"
)

// A Param is an argument of a tool that a header of its own repeats.
type Param struct {
	// Header is the name of the header, Text the value before it is encoded.
	Header, Text string
}

// maxNesting bounds how deep annotations are looked for in a schema that a server made.
const maxNesting = 32

// Params are the arguments whose properties are annotated with x-mcp-header (2026-07-28
// basic/transports/streamable-http#custom-headers-from-tool-parameters).
func Params(schema, arguments *match.Value) []Param { return params(schema, arguments, 0) }

func params(schema, arguments *match.Value, depth int) []Param {
	var out []Param
	properties := schema.Get("properties")
	if properties == nil || arguments == nil || depth > maxNesting {
		return nil
	}
	for _, property := range properties.Members {
		value := arguments.Get(property.Name)
		if value == nil || value.Kind == 'n' {
			continue
		}
		if name := property.Value.Get("x-mcp-header").Str(); name != "" && value.Kind != '{' && value.Kind != '[' {
			text := value.Text
			if value.Kind == 't' || value.Kind == 'f' {
				text = value.String()
			}
			out = append(out, Param{"Mcp-Param-" + name, text})
		}
		out = append(out, params(property.Value, value, depth+1)...)
	}
	return out
}

const before, behind = "=?base64?", "?="

// Safe reports whether a text can stand in a header as it is (2026-07-28
// basic/transports/streamable-http#value-encoding).
func Safe(s string) bool {
	safe := s == strings.TrimSpace(s) && !(strings.HasPrefix(s, before) && strings.HasSuffix(s, behind))
	for i := range len(s) {
		safe = safe && s[i] >= ' ' && s[i] < 0x7f
	}
	return safe
}

// Encode wraps a text that is not [Safe].
func Encode(s string) string {
	if Safe(s) {
		return s
	}
	return before + base64.StdEncoding.EncodeToString([]byte(s)) + behind
}

// Decode is the text that a header's value stands for; wrapped says whether it was wrapped. A value that looks wrapped and
// is no Base64 stands for itself.
func Decode(value string) (text string, wrapped bool) {
	inner, found := strings.CutPrefix(value, before)
	inner, ends := strings.CutSuffix(inner, behind)
	if !found || !ends {
		return value, false
	}
	b, err := base64.StdEncoding.DecodeString(inner)
	if err != nil {
		return value, false
	}
	return string(b), true
}
