package matrix

import (
	_ "embed" // the page's parts
	"html/template"
	"io"
	"strings"

	"github.com/parley-mcp/parley/conformance/report"
	"github.com/parley-mcp/parley/conformance/requirements"
)

//go:embed page/page.html
var pageHTML string

//go:embed page/page.css
var pageCSS string

//go:embed page/page.js
var pageJS string

// page escapes by context: html/template turns every value into text of its place.
var page = template.Must(template.New("page").Parse(pageHTML))

// sources is where the files of the module can be read.
const sources = "https://github.com/parley-mcp/parley/blob/main/"

// HTML writes the matrix as one searchable page that needs nothing else: no network, no files. Its content security policy
// admits only its own script and style, by their hashes.
func (m *Matrix) HTML(w io.Writer) error {
	style := report.Style() + pageCSS
	p := htmlPage{
		Policy: report.Policy(pageJS, style), CSS: template.CSS(style), JS: template.JS(pageJS),
		Revisions: m.Revisions, Words: m.Words, Width: len(m.Revisions) + 1,
		Levels: []string{"MUST", "MUST NOT", "SHOULD", "SHOULD NOT", "MAY"},
		Parties: []requirements.Party{requirements.Server, requirements.Both, requirements.Client, requirements.Host,
			requirements.AuthorizationServer, requirements.Intermediary},
		Statuses: htmlStatuses,
	}
	for _, s := range m.Summaries() {
		row := htmlSummary{Revision: s.Revision, Total: s.All.Total, Wire: of(s.Wire.ByStatus[Gap], s.Wire.Total)}
		for _, status := range htmlStatuses {
			row.Counts = append(row.Counts, s.All.ByStatus[status.Name])
		}
		p.Summaries = append(p.Summaries, row)
	}
	for _, a := range m.Areas {
		area := htmlArea{Name: a.Name, Title: a.Title}
		for _, row := range a.Rows {
			area.Rows = append(area.Rows, m.htmlRow(row))
		}
		p.Areas = append(p.Areas, area)
	}
	return page.Execute(w, p)
}

func (m *Matrix) htmlRow(row Row) htmlRow {
	out := htmlRow{ID: row.ID, Text: row.text()}
	for _, relative := range relatives(row) {
		out.Relatives = append(out.Relatives, strings.ReplaceAll(relative, "`", ""))
	}
	for i, c := range row.Cells {
		cell := htmlCell{Revision: m.Revisions[i], Status: c.Status, Level: word(c.Level), Party: c.Party, Clauses: c.Clauses,
			Reason: c.Reason, Points: c.Points}
		for _, s := range htmlStatuses {
			if s.Name == c.Status {
				cell.Mark, cell.Colour = s.Mark, s.Colour
			}
		}
		if c.Status == Gap && row.Wire(c) {
			cell.Mark, cell.Colour = "✕", "fail"
		}
		for _, proof := range c.Proofs {
			cell.Proofs = append(cell.Proofs, htmlProof{proof.Name, sources + proof.Path})
		}
		out.Cells = append(out.Cells, cell)
	}
	return out
}

// htmlStatuses have signs, so that colour is never the only difference. The colours are those of the report's verdicts.
var htmlStatuses = []htmlStatus{
	{ByTranscript, "✓", "pass", "A transcript, or a check of every message, judges it."},
	{ByTest, "T", "pass", "A Go test of Parley judges it."},
	{Open, "◇", "open", "The specification contradicts itself here: what servers do is recorded, and nobody judges it."},
	{NotObservable, "–", "not-applicable", "No message shows whether a party conforms."},
	{Gap, "○", "warn", "Nothing proves it. ✕ marks the gaps among the MUSTs of servers that show on the wire."},
}

// What the template is filled with.
type (
	htmlPage struct {
		Policy    string
		CSS       template.CSS
		JS        template.JS
		Revisions []string
		Levels    []string
		Parties   []requirements.Party
		Statuses  []htmlStatus
		Words     []Word
		Summaries []htmlSummary
		Areas     []htmlArea
		// Width is the number of columns with the one of the names.
		Width int
	}
	htmlStatus struct {
		Name                Status
		Mark, Colour, Means string
	}
	htmlSummary struct {
		Revision string
		Total    int
		Counts   []int
		Wire     string
	}
	htmlArea struct {
		Name, Title string
		Rows        []htmlRow
	}
	htmlRow struct {
		ID, Text  string
		Relatives []string
		Cells     []htmlCell
	}
	htmlCell struct {
		Revision     string
		Status       Status
		Mark, Colour string
		Level        string
		Party        requirements.Party
		Clauses      []requirements.Clause
		Reason       string
		Proofs       []htmlProof
		Points       []string
	}
	htmlProof struct{ Name, URL string }
)
