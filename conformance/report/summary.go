package report

import (
	"cmp"
	"fmt"
	"slices"
)

// Verdicts lists every verdict in the order in which reports show them.
var Verdicts = []Verdict{Pass, Fail, Warn, NotApplicable, Open, Untestable, NotReached}

// badness orders the verdicts for Worst: first what is broken, then what is unknown, then what is proven, then what says
// nothing at all.
var badness = []Verdict{Fail, Warn, NotReached, Untestable, Open, Pass, NotApplicable}

// Worst returns the verdict that speaks for several: fail, warn, not-reached, untestable, open, pass, not-applicable, the
// first of these that is among them. So one broken step breaks its requirement, an unknown one never counts as a pass,
// and one that does not apply takes nothing from another that passed. Empty if there are none.
func Worst(verdicts ...Verdict) Verdict {
	worst := Verdict("")
	for _, v := range verdicts {
		if worst == "" || worse(v, worst) {
			worst = v
		}
	}
	return worst
}

func worse(a, b Verdict) bool { return slices.Index(badness, a) < slices.Index(badness, b) }

// Counts says how many came to each verdict.
type Counts map[Verdict]int

// Total is their sum.
func (c Counts) Total() int {
	total := 0
	for _, n := range c {
		total += n
	}
	return total
}

// A Column is one way to reach a server: a revision over a transport.
type Column struct {
	Revision  string
	Transport string
}

func (c Column) String() string { return oneLine(c.Revision + " " + c.Transport) }

// A Run is the conversations of one column.
type Run struct {
	Column
	Counts Counts
}

// An Area is the conversations of one area.
type Area struct {
	Name   string
	Counts Counts
}

// A Summary is what a report comes to, counted in conversations: a conversation is one transcript at one revision over one
// transport.
type Summary struct {
	Counts Counts
	// Known counts those of Counts, other than passes, that a known-failure pattern covers.
	Known Counts
	// Runs has the columns with results, the newest revision first.
	Runs []Run
	// Areas are in alphabetical order.
	Areas []Area

	knownProblems int
	interrupted   bool
}

// Summarize counts the report.
func Summarize(r *Report) Summary {
	s := Summary{Counts: Counts{}, Known: Counts{}, knownProblems: len(r.Known), interrupted: r.Interrupted}
	runs, areas := map[Column]Counts{}, map[string]Counts{}
	for _, res := range r.Results {
		s.Counts[res.Verdict]++
		count(runs, res.column(), res.Verdict)
		count(areas, res.Area, res.Verdict)
		if res.known() {
			s.Known[res.Verdict]++
		}
	}
	for column, counts := range runs {
		s.Runs = append(s.Runs, Run{column, counts})
	}
	slices.SortFunc(s.Runs, func(a, b Run) int { return compareColumns(a.Column, b.Column) })
	for name, counts := range areas {
		s.Areas = append(s.Areas, Area{name, counts})
	}
	slices.SortFunc(s.Areas, func(a, b Area) int { return cmp.Compare(a.Name, b.Name) })
	return s
}

func count[K comparable](m map[K]Counts, key K, v Verdict) {
	if m[key] == nil {
		m[key] = Counts{}
	}
	m[key][v]++
}

// compareColumns puts the newest revision first (their names are dates) and the transports in alphabetical order.
func compareColumns(a, b Column) int {
	return cmp.Or(cmp.Compare(b.Revision, a.Revision), cmp.Compare(a.Transport, b.Transport))
}

func (r *Result) column() Column { return Column{r.Revision, r.Transport} }

// known tells whether a pattern covers the result; a pass is never covered.
func (r *Result) known() bool { return r.KnownReason != "" && r.Verdict != Pass }

// Failed tells whether the run fails, so that a program should end with a status other than zero.
func (s Summary) Failed(on FailOn) bool { return len(s.Reasons(on)) > 0 }

// Reasons says in words why the run fails; none if it does not. It fails if a result that no known-failure pattern covers
// came to a verdict of the list, if a pattern did not do its work, if the run was interrupted, and if nothing was run.
func (s Summary) Reasons(on FailOn) []string {
	if on.Never {
		return nil
	}
	var reasons []string
	for _, v := range on.verdicts() {
		if n := s.Counts[v] - s.Known[v]; n > 0 {
			reasons = append(reasons, plural(n, "conversation ", "conversations ")+heading[v])
		}
	}
	if s.knownProblems > 0 {
		reasons = append(reasons, plural(s.knownProblems, "known-failure pattern", "known-failure patterns")+" did not match a failure")
	}
	if s.interrupted {
		reasons = append(reasons, "the run was interrupted before its end")
	}
	if s.Counts.Total() == 0 {
		reasons = append(reasons, "nothing was run")
	}
	return reasons
}

// heading is the name of a verdict above a column of counts.
var heading = map[Verdict]string{
	Pass:          "passed",
	Fail:          "failed",
	Warn:          "warned",
	NotApplicable: "not applicable",
	Open:          "open",
	Untestable:    "untestable",
	NotReached:    "not reached",
}

// meaning explains a verdict to a reader who meets it for the first time.
var meaning = map[Verdict]string{
	Pass:          "every message was as required",
	Fail:          "a MUST or MUST NOT is broken, or no answer came",
	Warn:          "only a SHOULD or SHOULD NOT is broken",
	NotApplicable: "the server does not have what this is about",
	Open:          "the specification contradicts itself here; recorded, not judged",
	Untestable:    "the run could not find out; never counted as a pass",
	NotReached:    "an earlier step failed, so this was never tried; never counted as a pass",
}

// tally writes the counts that are not zero, such as "41 passed, 2 failed".
func (c Counts) tally() string {
	text := ""
	for _, v := range Verdicts {
		if c[v] == 0 {
			continue
		}
		if text != "" {
			text += ", "
		}
		text += fmt.Sprintf("%d %s", c[v], heading[v])
	}
	return text
}
