package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// report prints what a reader may want to know, then a table of the runs, then what a reader has to act on.
func report(w io.Writer, runs []*run, surprises map[string][]surprise) {
	for _, r := range runs {
		notes(w, r)
	}
	fmt.Fprintln(w)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "revision\tscored\tnot scored\tunexpected\twarnings\tnothing to judge")
	for _, r := range runs {
		warnings, idle := 0, 0
		for _, o := range r.outcomes {
			warnings += len(o.warnings)
			if o.idle() {
				idle++
			}
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%d\t%d\n", r.revision, fraction(r.outcomes, true), fraction(r.outcomes, false),
			len(surprises[r.revision]), warnings, idle)
	}
	_ = table.Flush()
	for _, r := range runs {
		for _, s := range surprises[r.revision] {
			lines(w, fmt.Sprintf("%s  %s  UNEXPECTED: it %s", r.revision, s.scenario, s.what), s.details)
		}
	}
}

// fraction is "passed/total", or "–" where there is nothing to count.
func fraction(outcomes []outcome, scored bool) string {
	passed, total := tally(outcomes, scored)
	if total == 0 {
		return "–"
	}
	return fmt.Sprintf("%d/%d", passed, total)
}

// notes prints the scenarios that passed without having been tested, and the warnings.
func notes(w io.Writer, r *run) {
	for _, o := range r.outcomes {
		if o.idle() {
			lines(w, fmt.Sprintf("%s  %s  passed: the suite had nothing to judge", r.revision, o.scenario), nil)
		}
		if len(o.warnings) > 0 {
			lines(w, fmt.Sprintf("%s  %s  warnings", r.revision, o.scenario), o.warnings)
		}
	}
}

// lines prints a heading and, indented below it, its lines.
func lines(w io.Writer, heading string, all []string) {
	fmt.Fprintf(w, "\n%s\n", heading)
	for _, line := range all {
		fmt.Fprintln(w, "    "+strings.ReplaceAll(line, "\n", "\n    "))
	}
}
