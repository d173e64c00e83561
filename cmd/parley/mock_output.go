package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/parley-mcp/parley/conformance/report"
)

// clientReport writes a report on a client for people: what report.Terminal says, and then what each requirement came to.
func clientReport(w io.Writer, r *report.Report, o report.Options) error {
	if err := report.Terminal(w, r, o); err != nil {
		return err
	}
	m := report.RequirementMatrix(r)
	counts := map[report.Verdict]int{}
	var lines []string
	for _, row := range m.Rows {
		var all []report.Verdict
		var where []string
		for i, cell := range row.Cells {
			if cell.Verdict == "" {
				continue
			}
			if all = append(all, cell.Verdict); cell.Verdict != report.Pass {
				where = append(where, m.Columns[i].String())
			}
		}
		worst := report.Worst(all...)
		counts[worst]++
		if worst == report.Fail || worst == report.Warn || worst == report.NotReached || o.Verbose {
			lines = append(lines, requirementLine(row.ID, worst, where, m.Columns, o))
		}
	}
	var tally []string
	for _, v := range []report.Verdict{report.Pass, report.Fail, report.Warn, report.NotReached, report.Open, report.NotApplicable} {
		if counts[v] > 0 {
			tally = append(tally, fmt.Sprintf("%d %s", counts[v], words[v]))
		}
	}
	_, err := fmt.Fprintf(w, "\nrequirements of clients: %s\n", strings.Join(tally, ", "))
	for _, line := range lines {
		_, werr := fmt.Fprint(w, line)
		err = errors.Join(err, werr)
	}
	return err
}

// words name the verdicts of a requirement.
var words = map[report.Verdict]string{report.Pass: "passed", report.Fail: "failed", report.Warn: "warned", report.NotReached: "not reached",
	report.Open: "open", report.NotApplicable: "not applicable"}

// requirementLine says what a requirement came to, what it asks for, and where that stands.
func requirementLine(id string, v report.Verdict, where []string, columns []report.Column, o report.Options) string {
	text, _ := o.Requirements.Describe(id)
	out := fmt.Sprintf("  %-11s  %s\n               %s\n", words[v], id, text)
	at := ""
	for _, c := range columns { // the newest revision that has it
		if at = o.Requirements.Clause(id, c.Revision); at != "" {
			break
		}
	}
	if at != "" {
		out += "               " + at + "\n"
	}
	if len(where) > 0 && len(where) < len(columns) {
		slices.Sort(where)
		out += "               at " + strings.Join(where, ", ") + "\n"
	}
	return out
}
