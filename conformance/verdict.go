package conformance

import (
	"slices"
	"strings"

	"github.com/parley-mcp/parley/conformance/report"
)

// A Manifest knows the requirements that transcripts name.
type Manifest interface {
	// Level returns the word that the revision uses: MUST, MUST_NOT, SHOULD, SHOULD_NOT or MAY; empty if the requirement
	// does not exist there. known is false if it exists nowhere.
	Level(id, revision string) (level string, known bool)
	// Open says why the specification leaves the requirement open at the revision; empty if it does not.
	Open(id, revision string) string
}

// judge says what a broken step comes to at a revision, and why if that is not a failure.
//
// A step whose requirements the transcript marks as open there is judged by nobody, unless another of them is a MUST. A step
// without requirements is a precondition that the transcript needs: it fails.
func judge(m Manifest, ids, openIDs []string, revision string) (report.Verdict, string) {
	var levels, open []string
	for _, id := range ids {
		level, _ := m.Level(id, revision)
		switch {
		case level == "":
		case slices.Contains(openIDs, id) && m.Open(id, revision) != "":
			open = append(open, m.Open(id, revision))
		default:
			levels = append(levels, level)
		}
	}
	if outside(m, ids, revision) {
		return report.NotApplicable, outsideReason
	}
	has := func(word string) bool {
		return slices.ContainsFunc(levels, func(l string) bool { return strings.HasPrefix(l, word) })
	}
	switch {
	case has("MUST"):
		return report.Fail, ""
	case len(open) > 0:
		return report.Open, "the specification leaves this open: " + strings.Join(open, "; ")
	case has("SHOULD"):
		return report.Warn, ""
	case has("MAY"):
		return report.NotApplicable, "the revision permits this, and the server does otherwise"
	}
	return report.Fail, ""
}

// stands returns those of the ids that are requirements at the revision.
func stands(m Manifest, ids []string, revision string) []string {
	var out []string
	for _, id := range ids {
		if level, known := m.Level(id, revision); level != "" || !known {
			out = append(out, id)
		}
	}
	return out
}

// everything is the manifest that knows nothing: each requirement is a MUST everywhere.
type everything struct{}

func (everything) Level(string, string) (string, bool) { return "MUST", false }
func (everything) Open(string, string) string          { return "" }
