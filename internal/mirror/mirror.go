// Package mirror compares the HTTP headers that repeat parts of a request's body with that body: Mcp-Method, Mcp-Name, and
// the Mcp-Param headers that a tool's schema asks for (2026-07-28 basic/transports/streamable-http#request-metadata).
package mirror

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/parley-mcp/parley/internal/rawjson"
)

const (
	prefix, suffix = "=?base64?", "?="
	// maxSafe is the greatest integer that a mirrored parameter may have (#schema-extension).
	maxSafe = 1<<53 - 1
)

var (
	errMissing    = errors.New("is missing")
	errTwice      = errors.New("is there more than once")
	errCharacters = errors.New("has characters that a header cannot have")
	errBase64     = errors.New("is marked as Base64, and is none")
)

// Decode returns what a header's value stands for: the text in its Base64 form, or the value itself. The markers are
// case-sensitive (#value-encoding). The values are those of the fields of one name, of which there must be exactly one.
func Decode(values []string) (string, error) {
	switch len(values) {
	case 0:
		return "", errMissing
	case 1:
	default:
		return "", errTwice
	}
	v := strings.Trim(values[0], " \t")
	if len(v) >= len(prefix)+len(suffix) && strings.HasPrefix(v, prefix) && strings.HasSuffix(v, suffix) {
		b, err := base64.StdEncoding.Strict().DecodeString(v[len(prefix) : len(v)-len(suffix)])
		if err != nil || !utf8.Valid(b) {
			return "", errBase64
		}
		return string(b), nil
	}
	for i := range len(v) {
		if c := v[i]; c != '\t' && (c < ' ' || c > '~') {
			return "", errCharacters
		}
	}
	return v, nil
}

// Match reports how the header's value differs from what the body says, or nil.
func Match(header string, values []string, want string) error {
	got, err := Decode(values)
	if err != nil {
		return fmt.Errorf("%s %w", header, err)
	}
	if got != want {
		return fmt.Errorf("%s is %q, the body says %q", header, clip(got), clip(want))
	}
	return nil
}

func clip(s string) string {
	const most = 80
	if len(s) > most {
		return s[:most] + "..."
	}
	return s
}

// MatchParam compares the Mcp-Param header of p with the tool's arguments. A parameter that is null or absent has no
// header (#server-behavior-for-custom-headers). One whose value is not of its type is for the schema to refuse.
func MatchParam(p Param, values []string, arguments jsontext.Value) error {
	header := Prefix + p.Header
	v := arguments
	for _, step := range p.Path {
		v, _ = rawjson.Lookup(v, step)
	}
	switch kind := rawjson.Kind(v); {
	case kind == 0 || kind == 'n':
		if len(values) > 0 {
			return fmt.Errorf("%s is there, and %s is not", header, strings.Join(p.Path, "."))
		}
		return nil
	case p.Type == "string" && kind == '"':
		want, _ := rawjson.String(v)
		return Match(header, values, want)
	case p.Type == "boolean" && (kind == 't' || kind == 'f'):
		return Match(header, values, string(v))
	case p.Type == "integer" && kind == '0':
		return matchInteger(header, values, string(v))
	}
	return nil
}

// matchInteger compares numerically: 42 and 42.0 are equal (#server-validation).
func matchInteger(header string, values []string, want string) error {
	got, err := Decode(values)
	if err != nil {
		return fmt.Errorf("%s %w", header, err)
	}
	a, ok := safeInteger(got)
	b, ok2 := safeInteger(want)
	if !ok || !ok2 || a != b {
		return fmt.Errorf("%s is %q, the body says %q", header, clip(got), clip(want))
	}
	return nil
}

func safeInteger(s string) (float64, bool) {
	if v := jsontext.Value(s); rawjson.Kind(v) != '0' || !v.IsValid() {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil && f == float64(int64(f)) && f >= -maxSafe && f <= maxSafe
}
