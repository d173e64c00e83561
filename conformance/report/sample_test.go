package report

import (
	"bytes"
	"os"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"
)

// sample reads the report that the tests of this package and of browser are about: a server with a few faults, tested at
// four revisions, with every verdict somewhere.
func sample(t testing.TB) *Report {
	t.Helper()
	text, err := os.ReadFile("testdata/sample.json")
	require.NoError(t, err)
	r, err := Read(text)
	require.NoError(t, err)
	return r
}

// write runs a writer with the requirements of testdata/requirements.json.
func write(t testing.TB, w Writer, r *Report, o Options) string {
	t.Helper()
	if o.Requirements == nil {
		text, err := os.ReadFile("testdata/requirements.json")
		require.NoError(t, err)
		known := manifest{}
		require.NoError(t, json.Unmarshal(text, &known))
		o.Requirements = known
	}
	var out bytes.Buffer
	require.NoError(t, w(&out, r, o))
	return out.String()
}

type manifest map[string]struct {
	Text   string            `json:"text"`
	Page   string            `json:"page"`
	Levels map[string]string `json:"levels"`
}

func (m manifest) Describe(id string) (string, bool) {
	known, ok := m[id]
	return known.Text, ok
}

func (m manifest) Level(id, revision string) string { return m[id].Levels[revision] }

func (m manifest) Clause(id, revision string) string {
	if m[id].Page == "" {
		return ""
	}
	return "https://modelcontextprotocol.io/specification/" + revision + "/" + m[id].Page
}

// find returns the result of a transcript in a column.
func find(t testing.TB, r *Report, transcript, revision, transport string) *Result {
	t.Helper()
	for i := range r.Results {
		if res := &r.Results[i]; res.Transcript == transcript && res.column() == (Column{revision, transport}) {
			return res
		}
	}
	require.Fail(t, "no such result", "%s %s %s", transcript, revision, transport)
	return nil
}
