package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/parley-mcp/parley/conformance/report"
	"github.com/parley-mcp/parley/conformance/revision"
)

// A row is what one server did at one revision over one transport.
type row struct {
	server, revision, transport string
	spoken                      bool
	counts                      map[report.Verdict]int
}

// rows are those of one server, the newest revision first.
func (f *outcome) rows() []row {
	var out []row
	for _, version := range revision.Versions() {
		for _, transport := range []string{"http", "stdio"} {
			spoken, tested := f.report.Target.Revisions[transport]
			if !tested {
				continue
			}
			r := row{server: f.target.name, revision: version, transport: transport, spoken: slices.Contains(spoken, version), counts: map[report.Verdict]int{}}
			for i := range f.report.Results {
				if one := &f.report.Results[i]; one.Revision == version && one.Transport == transport {
					r.counts[one.Verdict]++
				}
			}
			out = append(out, r)
		}
	}
	return out
}

// columns are the verdicts that a row counts, each with its heading.
var columns = []struct {
	heading  string
	verdicts []report.Verdict
}{
	{"passed", []report.Verdict{report.Pass}},
	{"failed", []report.Verdict{report.Fail, report.NotReached}},
	{"warned", []report.Verdict{report.Warn}},
	{"open", []report.Verdict{report.Open}},
	{"untestable", []report.Verdict{report.Untestable}},
	{"not applicable", []report.Verdict{report.NotApplicable}},
}

// cells are the numbers of a row, one for each column; dashes where the revision is not spoken.
func (r row) cells() []string {
	var out []string
	for _, c := range columns {
		sum := 0
		for _, v := range c.verdicts {
			sum += r.counts[v]
		}
		if r.spoken {
			out = append(out, fmt.Sprint(sum))
		} else {
			out = append(out, "-")
		}
	}
	return out
}

// printTable prints what every server did.
func printTable(w io.Writer, found []outcome) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, "server\trevision\ttransport")
	for _, c := range columns {
		fmt.Fprint(table, "\t", c.heading)
	}
	fmt.Fprintln(table)
	for i := range found {
		for _, r := range found[i].rows() {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", r.server, r.revision, r.transport, strings.Join(r.cells(), "\t"))
		}
	}
	_ = table.Flush()
}
