package schema

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"github.com/yosida95/uritemplate/v3"
)

// compile makes a validator of every definition in d. Formats are asserted.
func compile(d *document) (map[string]*jsonschema.Schema, error) {
	resource, err := jsonschema.UnmarshalJSON(bytes.NewReader(d.raw))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	c.RegisterFormat(&jsonschema.Format{Name: "byte", Validate: isBase64})
	c.RegisterFormat(&jsonschema.Format{Name: "uri-template", Validate: isTemplate})
	url := "mcp:///" + d.Revision + ".json"
	if err := c.AddResource(url, resource); err != nil {
		return nil, err
	}
	validators := make(map[string]*jsonschema.Schema, len(d.Defs))
	for def := range d.Defs {
		if validators[def], err = c.Compile(url + "#/$defs/" + def); err != nil {
			return nil, err
		}
	}
	return validators, nil
}

// isBase64 accepts the standard alphabet of RFC 4648 section 4, with or without padding.
func isBase64(value any) error {
	text, ok := value.(string)
	if !ok {
		return nil
	}
	_, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
	return err
}

// isTemplate accepts templates of RFC 6570.
func isTemplate(value any) error {
	text, ok := value.(string)
	if !ok {
		return nil
	}
	_, err := uritemplate.New(text)
	return err
}

// validate holds value, found at path, against a definition.
func (s *Schema) validate(path, def string, value any) []Problem {
	err := s.validators[def].Validate(value)
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return nil
	}
	return explain(path, invalid)
}

// explain turns a tree of validation errors into problems. Of the branches of a union it reports the one that
// the value was most likely meant for.
func explain(path string, e *jsonschema.ValidationError) []Problem {
	switch k := e.ErrorKind.(type) {
	case *kind.AnyOf:
		return explainUnion(path, e)
	case *kind.Required:
		var problems []Problem
		for _, missing := range k.Missing {
			problems = append(problems, schemaProblem(path, e, "lacks the member %q", missing))
		}
		return problems
	}
	if len(e.Causes) > 0 {
		var problems []Problem
		for _, cause := range e.Causes {
			problems = append(problems, explain(path, cause)...)
		}
		return problems
	}
	return []Problem{schemaProblem(path, e, "%s", reason(e.ErrorKind))}
}

func schemaProblem(path string, e *jsonschema.ValidationError, format string, args ...any) Problem {
	for _, token := range e.InstanceLocation {
		path = at(path, token)
	}
	return Problem{Path: path, Kind: KindSchema, Text: fmt.Sprintf(format, args...)}
}

// reason says in a few words what a keyword found.
func reason(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Type:
		return fmt.Sprintf("is of type %s, not %s", k.Got, strings.Join(k.Want, " or "))
	case *kind.Const:
		return fmt.Sprintf("is %s, not %s", quote(k.Got), quote(k.Want))
	case *kind.Enum:
		return fmt.Sprintf("is %s, not one of %s", quote(k.Got), quoteAll(k.Want))
	case *kind.Format:
		return fmt.Sprintf("is not in the format %s: %s", k.Want, quote(k.Got))
	case *kind.Minimum:
		return fmt.Sprintf("is less than %s", k.Want.RatString())
	case *kind.Maximum:
		return fmt.Sprintf("is more than %s", k.Want.RatString())
	case *kind.MaxItems:
		return fmt.Sprintf("has %d items, more than %d", k.Got, k.Want)
	default:
		return fmt.Sprintf("breaks the keyword %s", strings.Join(k.KeywordPath(), "/"))
	}
}

// explainUnion reports the branch with the fewest problems. A branch for another kind of value, or with another
// constant in a member, was not meant; when that is true of all branches, what they want is listed.
func explainUnion(path string, e *jsonschema.ValidationError) []Problem {
	var best []Problem
	var wanted, missing []string
	depth := len(e.InstanceLocation)
	for _, branch := range e.Causes {
		if k, ok := branch.ErrorKind.(*kind.Required); ok {
			missing = append(missing, k.Missing...)
		}
		if want, where, other := otherwiseMeant(branch, depth); other {
			wanted = append(wanted, where+want)
		} else if problems := explain(path, branch); best == nil || len(problems) < len(best) {
			best = problems
		}
	}
	slices.Sort(wanted)
	wanted = slices.Compact(wanted)
	switch {
	case len(missing) > 0 && len(missing) == len(e.Causes):
		return []Problem{schemaProblem(path, e, "has none of the members %s, of which it needs one", list(missing))}
	case best != nil:
		return best
	case len(wanted) == 1:
		return explain(path, e.Causes[0])
	default:
		return []Problem{schemaProblem(path, e, "fits none of: %s", strings.Join(wanted, "; "))}
	}
}

// otherwiseMeant looks in a failed branch for proof that the value at the given depth was meant for another.
func otherwiseMeant(e *jsonschema.ValidationError, depth int) (want, where string, other bool) {
	below := len(e.InstanceLocation) - depth
	switch k := e.ErrorKind.(type) {
	case *kind.Type:
		if below == 0 {
			return strings.Join(k.Want, " or "), "", true
		}
	case *kind.Const:
		if below == 1 {
			return quote(k.Want), e.InstanceLocation[depth] + " ", true
		}
	case *kind.Enum: // only a type tells branches apart by several values
		if below == 1 && e.InstanceLocation[depth] == "type" {
			return quoteAll(k.Want), "type ", true
		}
	case *kind.AnyOf:
		if below > 0 {
			return "", "", false
		}
	}
	for _, cause := range e.Causes {
		if want, where, other = otherwiseMeant(cause, depth); other {
			return want, where, true
		}
	}
	return "", "", false
}

func quoteAll(values []any) string {
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = quote(v)
	}
	return strings.Join(quoted, ", ")
}

// quote shows a value, shortened if it is long.
func quote(value any) string {
	const most = 60
	text := fmt.Sprint(value)
	if s, ok := value.(string); ok {
		text = fmt.Sprintf("%q", s)
	}
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return text
}
