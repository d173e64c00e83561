package matrix

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/conformance"
	"github.com/parley-mcp/parley/conformance/transcript"
)

// at finds a cell.
func (m *Matrix) at(t *testing.T, id, revision string) Cell {
	t.Helper()
	for _, a := range m.Areas {
		for _, row := range a.Rows {
			for i, c := range row.Cells {
				if row.ID == id && m.Revisions[i] == revision {
					return c
				}
			}
		}
	}
	require.Fail(t, "no such cell", "%s at %s", id, revision)
	return Cell{}
}

func build(t *testing.T, s Sources) *Matrix {
	t.Helper()
	s.Manifest, s.Reasons = manifest(t), reasons(t, "  - {party: host, reason: late}\n")
	m, err := Build(s)
	require.NoError(t, err)
	return m
}

func TestProofs(t *testing.T) {
	m := build(t, Sources{
		Transcripts: []*transcript.Transcript{
			ask(t, "ping/two", "2025-06-18", "ping", "[ping.empty-result]"),
			ask(t, "ping/one", "2025-06-18", "ping", "[ping.empty-result]"),
		},
		Citations: []Citation{
			{ID: "ping.empty-result", Revisions: []string{"2025-06-18", "2025-11-25"}, Function: "TestPing", File: "a/a_test.go"},
			{ID: "ping.empty-result", Revisions: []string{"2025-06-18"}, Function: "TestPing", File: "a/a_test.go"},
		},
	})
	test := Proof{"TestPing", "a/a_test.go", true}
	c := m.at(t, "ping.empty-result", "2025-06-18")
	assert.Equal(t, ByTranscript, c.Status)
	assert.Equal(t, []Proof{{"ping/one", "conformance/transcripts/ping/one.txtar", false}, {"ping/two", "conformance/transcripts/ping/two.txtar", false}, test}, c.Proofs)
	c = m.at(t, "ping.empty-result", "2025-11-25")
	assert.Equal(t, ByTest, c.Status)
	assert.Equal(t, []Proof{test}, c.Proofs)
	c = m.at(t, "ping.empty-result", "2025-03-26")
	assert.Equal(t, Gap, c.Status, "a gap is shown as one")
	assert.Empty(t, c.Reason)
	assert.Empty(t, m.at(t, "ping.empty-result", "2026-07-28").Status)
	assert.Equal(t, NotObservable, m.at(t, "tools.human-in-the-loop", "2025-03-26").Status)
	assert.Equal(t, "late", m.at(t, "tools.human-in-the-loop", "2025-03-26").Reason)
}

// What may come, and need not, proves nothing.
func TestOptionalStepsProveNothing(t *testing.T) {
	m := build(t, Sources{Transcripts: []*transcript.Transcript{parse(t, "ping/one", "Story.\n\nrevisions: 2025-06-18\n"+
		"-- > ask --\n{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"}\n-- <? maybe [logging.message-shape] --\n"+
		"{\"jsonrpc\": \"2.0\", \"method\": \"x\"}\n-- < answer [ping.empty-result] --\n{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": {}}\n")}})
	assert.Equal(t, Gap, m.at(t, "logging.message-shape", "2025-06-18").Status)
	assert.Equal(t, ByTranscript, m.at(t, "ping.empty-result", "2025-06-18").Status)
}

// A step that looks at what the specification leaves open proves nothing where it does: a plain proof beside it does.
func TestOpenIsNoProof(t *testing.T) {
	const id = "base.error-response-same-id"
	open := ask(t, "ping/open", "2025-06-18", "ping", "["+id+"?]")
	c := build(t, Sources{Transcripts: []*transcript.Transcript{open}}).at(t, id, "2025-06-18")
	assert.Equal(t, Open, c.Status)
	assert.Equal(t, []string{"OP-01"}, c.Points)
	assert.Len(t, c.Proofs, 1)
	plain := ask(t, "ping/plain", "2025-06-18", "ping", "["+id+"]")
	c = build(t, Sources{Transcripts: []*transcript.Transcript{open, plain}}).at(t, id, "2025-06-18")
	assert.Equal(t, ByTranscript, c.Status)
	assert.Equal(t, "ping/plain", c.Proofs[0].Name)
	assert.Len(t, c.Proofs, 1)
}

func TestChecksOfEveryMessageProveTheFirstThatTheRevisionHas(t *testing.T) {
	m := build(t, Sources{Always: []conformance.AlwaysCheck{
		{Name: "always/a", Requirements: []string{"lifecycle.respect-negotiated-version", "schema.source-of-truth"}},
		{Name: "always/b", Requirements: []string{"base.error-id-matches"}, Open: true},
	}})
	assert.Equal(t, ByTranscript, m.at(t, "lifecycle.respect-negotiated-version", "2025-06-18").Status)
	assert.Equal(t, Gap, m.at(t, "schema.source-of-truth", "2025-06-18").Status)
	assert.Equal(t, []Proof{{"always/a", "conformance/always.go", false}}, m.at(t, "schema.source-of-truth", "2026-07-28").Proofs)
	assert.Equal(t, Open, m.at(t, "base.error-id-matches", "2026-07-28").Status)
}

func TestCounts(t *testing.T) {
	m := build(t, Sources{Transcripts: []*transcript.Transcript{ask(t, "ping/one", "2025-06-18", "ping", "[ping.empty-result base.result-id-matches]")}})
	for _, s := range m.Summaries() {
		total, wire := 0, 0
		for _, a := range s.Areas {
			total += a.Total
			wire += a.Wire.Total
		}
		assert.Equal(t, s.All.Total, total)
		assert.Equal(t, s.Wire.Total+s.Extensions.Total, wire)
		assert.Len(t, s.Gaps, s.Wire.ByStatus[Gap])
		sum := 0
		for _, status := range Statuses {
			sum += s.All.ByStatus[status]
		}
		assert.Equal(t, s.All.Total, sum, "every requirement has a status")
		if s.Revision == "2025-06-18" {
			assert.Equal(t, 2, s.All.Proven())
			assert.NotContains(t, s.Gaps, "ping.empty-result")
		}
	}
	assert.Contains(t, m.Unexplained(), "ping.periodic")
	assert.NotContains(t, m.Unexplained(), "tools.human-in-the-loop")
}

// The matrix of this module has no mistake, and a word for each requirement that nothing proves and that is no debt.
func TestBuiltin(t *testing.T) {
	m, err := Load("../..")
	require.NoError(t, err)
	assert.Empty(t, m.Unexplained())
}

// What the matrix calls the MUSTs of servers on the wire is what the catalogue of requirements calls so.
func TestWireAgreesWithCatalogue(t *testing.T) {
	text, err := os.ReadFile("../../../shared/requirements/SERVER_MUSTS.md")
	if err != nil {
		t.Skip("../shared is absent: nothing to compare with")
	}
	rows := regexp.MustCompile(`(?m)^\| (\d{4}-\d\d-\d\d) \| (\d+) \|`).FindAllStringSubmatch(string(text), -1)
	summaries := build(t, Sources{}).Summaries()
	require.Len(t, rows, len(summaries))
	for i, s := range summaries {
		assert.Equal(t, rows[i][1:], []string{s.Revision, itoa(s.Wire.Total)})
	}
}
