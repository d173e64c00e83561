// Package schema compiles JSON Schemas and validates JSON against them. Draft 2020-12 is the default; a schema may name
// another draft that the library knows. Nothing is ever fetched.
package schema

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/parley-mcp/parley/internal/rawjson"
)

// Bounds on a schema, since composition can make validation expensive (2026-07-28 basic#composition-keyword-resource-use).
const (
	maxSize  = 1 << 20
	maxDepth = 64
)

// A Schema is a compiled schema.
type Schema struct {
	s     *jsonschema.Schema
	quick *quick // nil for a schema that says too much
}

// Compile compiles a schema. A $ref that leads out of the schema is an error, as is a draft that is not known.
func Compile(raw jsontext.Value) (*Schema, error) {
	switch {
	case !raw.IsValid():
		return nil, errors.New("not valid JSON")
	case len(raw) > maxSize:
		return nil, fmt.Errorf("larger than %d bytes", maxSize)
	case rawjson.Depth(raw) > maxDepth:
		return nil, fmt.Errorf("nested deeper than %d levels", maxDepth)
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(refuse{})
	if err := c.AddResource(root, rawjson.Any(raw)); err != nil {
		return nil, err
	}
	s, err := c.Compile(root)
	if err != nil {
		return nil, err
	}
	return &Schema{s, compileQuick(raw)}, nil
}

const root = "parley:schema"

type refuse struct{}

func (refuse) Load(url string) (any, error) {
	return nil, fmt.Errorf("%s lies outside the schema: references are not fetched, put it into $defs", url)
}

// Validate returns nil if raw, which is valid JSON, conforms; else an error that names each member that does not, and why.
func (s *Schema) Validate(raw jsontext.Value) error {
	if s.quick != nil && s.quick.accepts(raw) {
		return nil
	}
	err := s.s.Validate(rawjson.Any(raw))
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return err
	}
	var problems []string
	collect(invalid, &problems)
	return errors.New(strings.Join(problems, "; "))
}

const maxProblems = 8

var english = message.NewPrinter(language.English)

// collect gathers the innermost causes, which are the ones that help.
func collect(e *jsonschema.ValidationError, problems *[]string) {
	if len(*problems) >= maxProblems {
		return
	}
	if len(e.Causes) == 0 {
		at := strings.Join(e.InstanceLocation, ".")
		if at == "" {
			at = "the value"
		}
		*problems = append(*problems, at+": "+e.ErrorKind.LocalizedString(english))
	}
	for _, c := range e.Causes {
		collect(c, problems)
	}
}
