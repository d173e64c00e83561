package conformance

import (
	"strings"

	"github.com/parley-mcp/parley/conformance/report"
	"github.com/parley-mcp/parley/conformance/requirements"
)

// Describe returns what reports say of requirements: their text, their clauses and their levels.
func Describe() (report.Requirements, error) {
	m, err := requirements.Load()
	if err != nil {
		return nil, err
	}
	return described{m}, nil
}

type described struct{ all *requirements.Manifest }

// Describe implements report.Requirements.
func (d described) Describe(id string) (string, bool) {
	entry, ok := d.all.Lookup(id)
	return entry.Text, ok
}

// Clause implements report.Requirements.
func (d described) Clause(id, revision string) string {
	entry, _ := d.all.Lookup(id)
	statement, ok := entry.At(revision)
	if !ok || len(statement.Clauses) == 0 {
		return ""
	}
	return statement.Clauses[0].URL()
}

// Level implements report.Requirements.
func (d described) Level(id, revision string) string {
	entry, _ := d.all.Lookup(id)
	statement, _ := entry.At(revision)
	return strings.ReplaceAll(string(statement.Level), "_", " ")
}
