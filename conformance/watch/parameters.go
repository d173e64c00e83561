package watch

import (
	"fmt"
	"math/big"
	"net/http"
	"slices"
	"strings"

	"github.com/parley-mcp/parley/conformance/match"
	"github.com/parley-mcp/parley/conformance/mirror"
)

// parameterChecks are about the arguments of a tool that headers repeat (2026-07-28
// basic/transports/streamable-http#custom-headers-from-tool-parameters). They follow the schema that was listed last.
var parameterChecks = []*Check{
	parameters("parameter-headers", "An argument that is marked is repeated in its header.",
		[]string{"transport.http.x-mcp-header-supported", "transport.http.x-mcp-header-mirrored", "transport.http.param-header-when-present",
			"transport.http.param-extraction-path", "transport.http.param-schema-most-recent"},
		func(m *message, p mirror.Param) (string, bool) {
			if _, sent := m.Header[http.CanonicalHeaderKey(p.Header)]; !sent {
				return fmt.Sprintf("%s is missing: want %q", p.Header, mirror.Encode(p.Text)), true
			}
			return "", true
		}),
	parameters("parameter-values", "The header of an argument is its value: a text as it is, a whole number in digits, true or false.",
		[]string{"transport.http.param-type-conversion"},
		func(m *message, p mirror.Param) (string, bool) {
			value, sent := sentHeader(m, p)
			if got, _ := mirror.Decode(value); sent && got != p.Text && !sameNumber(got, p.Text) {
				return fmt.Sprintf("%s is %q: want %q", p.Header, value, mirror.Encode(p.Text)), true
			}
			return "", sent
		}),
	parameters("parameter-empty", "An empty text is an empty header.", []string{"transport.http.param-empty-string"},
		func(m *message, p mirror.Param) (string, bool) {
			value, sent := sentHeader(m, p)
			if got, _ := mirror.Decode(value); p.Text == "" && (!sent || got != "") {
				return fmt.Sprintf("%s is %q, or missing: want it to be empty", p.Header, value), true
			}
			return "", p.Text == ""
		}),
	parameters("parameter-wrapped", "A value that no header can hold as it is travels in Base64, between the exact markers.",
		[]string{"transport.http.param-values-encoded", "transport.http.param-base64-when-unsafe", "transport.http.sentinel-exact"},
		func(m *message, p mirror.Param) (string, bool) {
			value, sent := sentHeader(m, p)
			if _, wrapped := mirror.Decode(value); sent && !mirror.Safe(p.Text) && !wrapped {
				return fmt.Sprintf("%s is %q: want %q", p.Header, value, mirror.Encode(p.Text)), true
			}
			return "", sent && !mirror.Safe(p.Text)
		}),
	parameters("parameter-look-alike", "A value that looks wrapped, and is not, is wrapped itself.", []string{"transport.http.sentinel-lookalike-encoded"},
		func(m *message, p mirror.Param) (string, bool) {
			looks := strings.HasPrefix(p.Text, "=?base64?") && strings.HasSuffix(p.Text, "?=")
			value, _ := sentHeader(m, p)
			if looks && value != mirror.Encode(p.Text) {
				return fmt.Sprintf("%s is %q: want %q", p.Header, value, mirror.Encode(p.Text)), true
			}
			return "", looks
		}),
	{Name: "parameter-of-nothing", Story: "An argument that is null or absent has no header.", transport: overHTTP, when: mirrors,
		Requirements: []string{"transport.http.param-header-omitted-null", "transport.http.param-header-omitted-absent"},
		look: func(w *Watcher, m *message) (string, bool) {
			schema := w.schemaOf(m)
			want := mirror.Params(schema, m.params().Get("arguments"))
			for _, name := range marked(schema) {
				has := slices.ContainsFunc(want, func(p mirror.Param) bool { return strings.EqualFold(p.Header, name) })
				if _, sent := m.Header[http.CanonicalHeaderKey(name)]; sent && !has {
					return fmt.Sprintf("%s is %q, and the argument has no value", name, m.Header.Get(name)), true
				}
			}
			return "", len(marked(schema)) > len(want)
		}},
}

// parameters is a check of each argument that a header repeats.
func parameters(name, story string, ids []string, look func(*message, mirror.Param) (string, bool)) *Check {
	return &Check{Name: name, Story: story, Requirements: ids, transport: overHTTP, when: mirrors,
		look: func(w *Watcher, m *message) (string, bool) {
			seen := false
			for _, p := range mirror.Params(w.schemaOf(m), m.params().Get("arguments")) {
				problem, ok := look(m, p)
				if seen = seen || ok; problem != "" {
					return problem, true
				}
			}
			return "", seen
		}}
}

// schemaOf is the input schema of the tool that a message calls; nil if it was never listed.
func (w *Watcher) schemaOf(m *message) *match.Value {
	if m.method != "tools/call" || !m.request() {
		return nil
	}
	return w.schemas[m.params().Get("name").Str()]
}

func sentHeader(m *message, p mirror.Param) (value string, sent bool) {
	values, sent := m.Header[http.CanonicalHeaderKey(p.Header)]
	return strings.Join(values, ", "), sent
}

// marked are the headers that a schema names.
func marked(schema *match.Value) []string {
	var out []string
	if properties := schema.Get("properties"); properties != nil {
		for _, p := range properties.Members {
			if name := p.Value.Get("x-mcp-header").Str(); name != "" {
				out = append(out, "Mcp-Param-"+name)
			}
			out = append(out, marked(p.Value)...)
		}
	}
	return out
}

// sameNumber reports whether both are digits of the same whole number.
func sameNumber(a, b string) bool {
	x, ok := new(big.Int).SetString(a, 10)
	if !ok || len(b) > 64 {
		return false
	}
	y, ok := new(big.Rat).SetString(b)
	return ok && y.IsInt() && y.Num().Cmp(x) == 0
}
