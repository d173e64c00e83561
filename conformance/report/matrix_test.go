package report

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func row(t *testing.T, m Matrix, id string) Row {
	t.Helper()
	for _, row := range m.Rows {
		if row.ID == id {
			return row
		}
	}
	require.Fail(t, "no such row", id)
	return Row{}
}

func verdicts(row Row) []Verdict {
	var all []Verdict
	for _, cell := range row.Cells {
		all = append(all, cell.Verdict)
	}
	return all
}

func TestRequirementMatrix(t *testing.T) {
	m := RequirementMatrix(sample(t))
	assert.Len(t, m.Columns, 7)
	assert.Len(t, m.Rows, 17)
	assert.Equal(t, []Verdict{Pass, Pass, Fail, Fail, Fail, Fail, Pass}, verdicts(row(t, m, "tools.unknown-tool")))
	assert.Equal(t, []Verdict{Pass, Pass, "", "", "", "", ""}, verdicts(row(t, m, "discover.supported-versions")))
	assert.Equal(t, Cell{Fail, true}, row(t, m, "resources.not-found-code").Cells[0])
	assert.Equal(t, Cell{Warn, false}, row(t, m, "resources.not-found-code").Cells[2])
	// Two transcripts test it; in one of them its step came after the one that failed.
	assert.Equal(t, NotReached, row(t, m, "tools.list-result").Cells[5].Verdict)
	assert.Equal(t, "transport.http.headers", row(t, m, "transport.http.headers.unknown-version").Area)
}

func TestTranscriptMatrix(t *testing.T) {
	m := TranscriptMatrix(sample(t))
	assert.Len(t, m.Rows, 14)
	missing := row(t, m, "resources/read-missing")
	assert.Equal(t, []Verdict{Fail, Fail, Warn, Pass, Warn, Pass, Warn}, verdicts(missing))
	assert.Equal(t, "A resource that does not exist is reported with the code of its own.", missing.Story)
}

// A cell counts as known only if nothing but known failures made it what it is.
func TestACellIsKnownIfAllOfItIs(t *testing.T) {
	steps := []Step{{Verdict: Fail, Requirements: []string{"a.b"}}}
	known := Result{Transcript: "a/known", Verdict: Fail, KnownReason: "a bug", Steps: steps}
	fresh := Result{Transcript: "a/fresh", Verdict: Fail, Steps: steps}
	for name, test := range map[string]struct {
		results []Result
		want    bool
	}{
		"known alone":   {[]Result{known}, true},
		"known, fresh":  {[]Result{known, fresh}, false},
		"fresh, known":  {[]Result{fresh, known}, false},
		"known, better": {[]Result{known, {Verdict: Pass, Steps: []Step{{Verdict: Pass, Requirements: []string{"a.b"}}}}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, Cell{Fail, test.want}, RequirementMatrix(&Report{Results: test.results}).Rows[0].Cells[0])
		})
	}
}

func TestAPassIsNeverKnown(t *testing.T) {
	m := RequirementMatrix(&Report{Results: []Result{{
		Verdict: Fail, KnownReason: "a bug", Steps: []Step{{Verdict: Pass, Requirements: []string{"a.b"}}},
	}}})
	assert.Equal(t, Cell{Pass, false}, m.Rows[0].Cells[0])
}
