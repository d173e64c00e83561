package mirror

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/parley-mcp/parley/internal/rawjson"
)

// Prefix begins the name of each header that repeats a tool's parameter.
const Prefix = "Mcp-Param-"

const annotation = "x-mcp-header"

// A Param is a tool's parameter that clients repeat in a header.
type Param struct {
	// Header is the header's name without Prefix.
	Header string
	// Path leads from the arguments to the parameter.
	Path []string
	// Type is string, integer or boolean.
	Type string
}

// Params returns the parameters that an input schema annotates with x-mcp-header. The error says which annotation breaks
// which rule of 2026-07-28 basic/transports/streamable-http#schema-extension. The schema must be valid JSON.
func Params(schema jsontext.Value) ([]Param, error) {
	var found []Param
	if err := scan(schema, nil, true, &found); err != nil {
		return nil, err
	}
	names := map[string]string{}
	for _, p := range found {
		at, folded := strings.Join(p.Path, "."), strings.ToLower(p.Header)
		if other, taken := names[folded]; taken {
			return nil, fmt.Errorf("%s of %s and %s: their names must differ in more than case", annotation, other, at)
		}
		names[folded] = at
	}
	return found, nil
}

// Keywords whose value is a schema, an array or an object of schemas. An annotation inside is not reachable by
// properties alone.
var (
	schemaKeywords = []string{"items", "additionalProperties", "contains", "propertyNames", "not", "if", "then", "else",
		"additionalItems", "unevaluatedItems", "unevaluatedProperties", "contentSchema", "allOf", "anyOf", "oneOf", "prefixItems"}
	mapKeywords = []string{"$defs", "definitions", "patternProperties", "dependentSchemas"}
)

func scan(schema jsontext.Value, path []string, reachable bool, found *[]Param) error {
	if rawjson.Kind(schema) == '[' {
		for a := rawjson.Elements(schema); a.Next(); {
			if err := scan(a.Value, path, reachable, found); err != nil {
				return err
			}
		}
		return nil
	}
	for o := rawjson.Members(schema); o.Next(); {
		var err error
		switch key := string(o.Key()); {
		case key == annotation:
			err = annotated(schema, o.Value, path, reachable, found)
		case key == "properties":
			for p := rawjson.Members(o.Value); p.Next() && err == nil; {
				err = scan(p.Value, append(slices.Clone(path), string(p.Key())), reachable, found)
			}
		case slices.Contains(schemaKeywords, key):
			err = scan(o.Value, append(slices.Clone(path), key), false, found)
		case slices.Contains(mapKeywords, key):
			for p := rawjson.Members(o.Value); p.Next() && err == nil; {
				err = scan(p.Value, append(slices.Clone(path), key, string(p.Key())), false, found)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func annotated(schema, value jsontext.Value, path []string, reachable bool, found *[]Param) error {
	at := strings.Join(path, ".")
	if !reachable || len(path) == 0 {
		return fmt.Errorf("%s at %q: only a parameter that is reached through properties alone can have one", annotation, at)
	}
	name, ok := rawjson.String(value)
	if !ok || !isToken(name) {
		return fmt.Errorf("%s of %s: %s is no name for a header", annotation, at, value)
	}
	raw, _ := rawjson.Lookup(schema, "type")
	t, _ := rawjson.String(raw)
	if t != "string" && t != "integer" && t != "boolean" {
		return fmt.Errorf("%s of %s: its type must be string, integer or boolean", annotation, at)
	}
	*found = append(*found, Param{Header: name, Path: path, Type: t})
	return nil
}

// isToken reports whether s is a token of RFC 9110, section 5.6.2.
func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && !strings.ContainsRune("!#$%&'*+-.^_`|~", rune(c)) {
			return false
		}
	}
	return s != ""
}
