package revisions_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/revisions"
)

// specification is where the official texts are, beside the repository. They are not part of it.
const specification = "../../../shared/spec"

// A schema is the official schema of a revision.
type schema struct {
	revision protocol.Revision
	// keyword is where the definitions are: $defs or definitions.
	keyword  string
	defs     map[string]any
	compiler *jsonschema.Compiler
}

// schemaOf returns the schema of a revision, or skips the test.
func schemaOf(t testing.TB, c protocol.Codec) *schema {
	t.Helper()
	s, ok := schemas(t)[c.Features().Revision]
	if !ok {
		t.Skip("../shared is absent, or this revision in it: the official schemas are read from there")
	}
	return s
}

// schemas returns the schemas of all revisions, as far as they are there.
func schemas(t testing.TB) map[protocol.Revision]*schema {
	t.Helper()
	all, err := loaded()
	require.NoError(t, err)
	return all
}

var loaded = sync.OnceValues(func() (map[protocol.Revision]*schema, error) {
	all := map[protocol.Revision]*schema{}
	for _, revision := range revisions.Names(revisions.All()) {
		text, err := os.ReadFile(filepath.Join(specification, string(revision), "schema.json"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if all[revision], err = load(revision, text); err != nil {
			return nil, err
		}
	}
	return all, nil
})

func load(revision protocol.Revision, text []byte) (*schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	s := &schema{revision: revision, keyword: "definitions", compiler: jsonschema.NewCompiler()}
	root, _ := doc.(map[string]any)
	if root["$defs"] != nil {
		s.keyword = "$defs"
	}
	if s.defs, _ = root[s.keyword].(map[string]any); len(s.defs) == 0 {
		return nil, fmt.Errorf("the schema of %s has no definitions", revision)
	}
	return s, s.compiler.AddResource("schema.json", doc)
}

// validate checks v against a definition.
func (s *schema) validate(t testing.TB, definition string, v any) error {
	t.Helper()
	require.Contains(t, s.defs, definition, "%s has no such definition", s.revision)
	compiled, err := s.compiler.Compile("schema.json#/" + s.keyword + "/" + definition)
	require.NoError(t, err)
	return compiled.Validate(v)
}

// methods returns the method literals of a definition: a message, or a union of messages. It is empty if there is none.
func (s *schema) methods(definition any) map[string]bool {
	found := map[string]bool{}
	var walk func(any)
	walk = func(v any) {
		def, _ := v.(map[string]any)
		if ref, ok := def["$ref"].(string); ok {
			walk(s.defs[filepath.Base(ref)])
		}
		members, _ := def["anyOf"].([]any)
		for _, m := range members {
			walk(m)
		}
		properties, _ := def["properties"].(map[string]any)
		method, _ := properties["method"].(map[string]any)
		if literal, ok := method["const"].(string); ok {
			found[literal] = true
		}
	}
	walk(definition)
	return found
}

func each(t *testing.T, f func(t *testing.T, c protocol.Codec)) {
	t.Helper()
	for _, c := range revisions.All() {
		t.Run(string(c.Features().Revision), func(t *testing.T) { f(t, c) })
	}
}
