package conformance

import (
	"slices"

	"github.com/parley-mcp/parley/conformance/requirements"
)

// builtinManifest is the manifest that comes with the harness.
func builtinManifest() (Manifest, error) {
	m, err := requirements.Load()
	if err != nil {
		return nil, err
	}
	return catalogue{m}, nil
}

type catalogue struct{ all *requirements.Manifest }

// Level implements Manifest.
func (c catalogue) Level(id, revision string) (string, bool) {
	entry, known := c.all.Lookup(id)
	statement, _ := entry.At(revision)
	return string(statement.Level), known
}

// Open implements Manifest.
func (c catalogue) Open(id, revision string) string {
	entry, _ := c.all.Lookup(id)
	for _, point := range entry.OpenPoints {
		if p, ok := c.all.OpenPoint(point); ok && slices.Contains(p.Revisions, revision) {
			return p.ID + ": " + p.Unclear
		}
	}
	return ""
}
