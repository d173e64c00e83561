package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/parley-mcp/parley/conformance"
	"github.com/parley-mcp/parley/conformance/report"
)

const pageHead = `# Clients of others

<!-- Written by: go run ./interop/judged -write -->

What ` + "`parley mock`" + ` finds out about MCP clients that others wrote, in pinned versions; ` + "`make judged`" + ` does it again. Every
[transcript that judges clients](test-a-client.md) is played to every client at every revision, and beside it everything that the
client sends is looked at. A conversation passes, fails (something of level MUST is broken), warns (only something of level SHOULD
is), or is not applicable, since the client says that it has no such call.

Each client is a small program around a library: it makes the calls that a transcript asks for, answers what it is asked, and leaves
the rest to the library. What is seen is of the two together, of one version, used in one way. A library may leave to its user what
the specification asks of clients, such as to open a new session when the old one is gone.

`

var verdicts = []report.Verdict{report.Pass, report.Fail, report.Warn, report.NotApplicable, report.NotReached}

// page shows how many conversations came to what, and every finding.
func page(found []judged) string {
	var b strings.Builder
	b.WriteString(pageHead + "| client | revision | transport | passed | failed | warned | not applicable | not reached |\n|---|---|---|---:|---:|---:|---:|---:|\n")
	for _, j := range found {
		for _, run := range report.Summarize(j.report).Runs {
			fmt.Fprintf(&b, "| %s | %s | %s |", j.client.name, run.Revision, run.Transport)
			for _, v := range verdicts {
				fmt.Fprintf(&b, " %d |", run.Counts[v])
			}
			b.WriteString("\n")
		}
	}
	name := ""
	for i, j := range found {
		if j.client.name == name {
			continue
		}
		name = j.client.name
		fmt.Fprintf(&b, "\n## %s\n", name)
		n := 0
		for _, f := range findings(found[i:], name) {
			f.write(&b)
			n++
		}
		if n == 0 {
			b.WriteString("\nNothing was found.\n")
		}
	}
	return b.String()
}

// A finding is one kind of result that is not in order, with all the places at which it came.
type finding struct {
	first *report.Result
	where []string
}

func findings(found []judged, name string) []finding {
	var out []finding
	for _, j := range found {
		if j.client.name != name {
			continue
		}
		for i := range j.report.Results {
			r := &j.report.Results[i]
			if r.Verdict != report.Fail && r.Verdict != report.Warn {
				continue
			}
			place := r.Revision + "/" + r.Transport
			at := slices.IndexFunc(out, func(f finding) bool { return f.first.Transcript == r.Transcript })
			if at < 0 {
				out = append(out, finding{r, []string{place}})
			} else {
				out[at].where = append(out[at].where, place)
			}
		}
	}
	slices.SortFunc(out, func(a, b finding) int { return strings.Compare(a.first.Transcript, b.first.Transcript) })
	return out
}

func (f finding) write(b *strings.Builder) {
	fmt.Fprintf(b, "\n### %s\n\n%s %s\n\n", f.first.Transcript, heading[f.first.Verdict], f.first.Story)
	fmt.Fprintf(b, "- seen: %s\n- at %s\n", code(f.first.Reason), strings.Join(f.where, ", "))
	requirements, err := conformance.Describe()
	if err != nil {
		return
	}
	for _, step := range f.first.Steps {
		if step.Verdict != report.Fail && step.Verdict != report.Warn {
			continue
		}
		for _, id := range step.Requirements {
			text, _ := requirements.Describe(id)
			fmt.Fprintf(b, "- [`%s`](%s), %s: %s\n", id, requirements.Clause(id, f.first.Revision), requirements.Level(id, f.first.Revision), text)
		}
	}
}

var heading = map[report.Verdict]string{report.Fail: "**Failed.**", report.Warn: "**Warned.**"}

// code makes text stand for itself on one line.
func code(s string) string {
	return "`" + strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "`", "'") + "`"
}
