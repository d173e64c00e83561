package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A failure is a transcript that did not come out well, in all the columns where it did so for the same reason.
type failure struct {
	// first is the first result that shows it; the evidence is taken from there.
	first *Result
	where []Column
}

// failures groups the results with one of the verdicts: by area, then transcript, with the columns in order.
func failures(r *Report, verdicts ...Verdict) []failure {
	var all []failure
	index := map[string]int{}
	for _, res := range sorted(r) {
		if !slices.Contains(verdicts, res.Verdict) {
			continue
		}
		key := res.signature()
		i, seen := index[key]
		if !seen {
			i = len(all)
			index[key] = i
			all = append(all, failure{first: res})
		}
		all[i].where = append(all[i].where, res.column())
	}
	return all
}

// sorted returns the results by area, transcript and column.
func sorted(r *Report) []*Result {
	all := make([]*Result, len(r.Results))
	for i := range r.Results {
		all[i] = &r.Results[i]
	}
	slices.SortStableFunc(all, func(a, b *Result) int {
		if c := strings.Compare(a.Area, b.Area); c != 0 {
			return c
		}
		if c := strings.Compare(a.Transcript, b.Transcript); c != 0 {
			return c
		}
		return compareColumns(a.column(), b.column())
	})
	return all
}

// signature is equal for two results that say the same.
func (r *Result) signature() string {
	parts := []string{r.Transcript, string(r.Verdict), r.Reason, r.KnownReason}
	for _, i := range r.broken() {
		parts = append(parts, r.Steps[i].Label, r.Steps[i].Problem)
	}
	return strings.Join(parts, "\x00")
}

// broken lists the steps that made the result what it is. The steps that were then not reached are left out.
func (r *Result) broken() []int {
	var steps []int
	for i, step := range r.Steps {
		if step.Verdict == Fail || step.Verdict == Warn {
			steps = append(steps, i)
		}
	}
	return steps
}

// evidence returns the broken steps, each with what was last sent before it if it sent nothing itself.
func (r *Result) evidence() []Step {
	var steps []Step
	for _, i := range r.broken() {
		steps = append(steps, r.withRequest(i))
	}
	return steps
}

// withRequest returns a step with the request that it answers.
func (r *Result) withRequest(i int) Step {
	step := r.Steps[i]
	for i--; i >= 0 && step.Sent == "" && step.Curl == ""; i-- {
		step.Sent, step.Curl = r.Steps[i].Sent, r.Steps[i].Curl
	}
	return step
}

// places writes columns shortly: "2025-11-25 http and stdio; 2025-06-18 http".
func places(columns []Column) string {
	var out []string
	for i := 0; i < len(columns); {
		revision := columns[i].Revision
		var transports []string
		for ; i < len(columns) && columns[i].Revision == revision; i++ {
			transports = append(transports, columns[i].Transport)
		}
		out = append(out, revision+" "+strings.Join(transports, " and "))
	}
	return strings.Join(out, "; ")
}

// title is the first line of every report for people: the target, and what the server calls itself.
func (r *Report) title() string {
	title := oneLine(r.Target.Name)
	if r.Target.Server.Name != "" {
		title += " (" + r.Target.Server.String() + ")"
	}
	return title
}

// judgedBy says to which set the run was restricted; empty if it was not.
func (r *Report) judgedBy() string {
	if r.Set == nil {
		return ""
	}
	return fmt.Sprintf("judged by the requirements %s alone: %d of %d were tested", oneLine(r.Set.Name), r.Set.Tested, r.Set.Total)
}

// String is the name and, if it has one, the version.
func (s Software) String() string {
	return oneLine(s.Name + " " + s.Version)
}

// speaks says which revisions the server was found to speak, transport by transport.
func (t Target) speaks() string {
	var out []string
	for _, transport := range slices.Sorted(maps.Keys(t.Revisions)) {
		if revisions := t.Revisions[transport]; len(revisions) > 0 {
			out = append(out, oneLine(strings.Join(revisions, ", ")+" over "+transport))
		}
	}
	if len(out) == 0 {
		return "no revision that this tool knows"
	}
	return strings.Join(out, "; ")
}
