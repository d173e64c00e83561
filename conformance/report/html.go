package report

import (
	"crypto/sha256"
	_ "embed" // the page's parts
	"encoding/base64"
	"html/template"
	"io"
	"maps"
	"slices"
	"time"
)

//go:embed page/page.html
var pageHTML string

//go:embed page/page.css
var pageCSS string

//go:embed page/page.js
var pageJS string

// page escapes by context: html/template turns every value into text of its place, also within the script block of data.
var page = template.Must(template.New("page").Parse(pageHTML))

// HTML writes the report as one page that needs nothing else: no network, no files. Whatever a server sent is shown as
// text, and the page's content security policy admits only its own script and style, by their hashes.
func HTML(w io.Writer, r *Report, o Options) error {
	return page.Execute(w, newHTMLPage(r, o))
}

// An htmlPage is what the template is filled with. All text in it is visible or oneLine text.
type htmlPage struct {
	Policy   string
	CSS      template.CSS
	JS       template.JS
	Title    string
	Speaks   []htmlSpoken
	JudgedBy string
	Tool     string
	Started  time.Time
	Elapsed  string
	Total    string
	Failed   bool
	Outcome  string
	Known    []KnownProblem
	Verdicts []htmlVerdict
	Runs     []htmlRun
	All      htmlRun
	Columns  []htmlColumn
	// Revisions and Transports are those of the columns, in order, each once.
	Revisions  []htmlRevision
	Transports []string
	Areas      []string
	// Width is the number of columns with the one of the names.
	Width int
	Views []htmlView
	Data  htmlData
}

// An htmlSpoken is a transport with the revisions that the server speaks over it.
type htmlSpoken struct {
	Transport string
	Revisions []string
}

type htmlVerdict struct {
	Name    Verdict
	Heading string
	Meaning string
	Mark    string
}

type htmlColumn struct {
	Revision  string
	Transport string
}

// An htmlRevision heads so many columns.
type htmlRevision struct {
	Name string
	Span int
}

// An htmlRun is a row of the overview: counts, and the same as a bar.
type htmlRun struct {
	Name   string
	Total  int
	Counts []htmlCount
}

// An htmlCount is a stretch of a bar: it begins at X, and is N long.
type htmlCount struct {
	Verdict htmlVerdict
	N, X    int
}

// An htmlView is one of the matrices.
type htmlView struct {
	Name   string
	Title  string
	Groups []htmlGroup
}

type htmlGroup struct {
	Area string
	Rows []htmlRow
}

type htmlRow struct {
	ID    string
	Text  string
	Cells []htmlCell
}

type htmlCell struct {
	Verdict *htmlVerdict
	Known   bool
	Column  int
	// Name and Short name the column, in a sentence and in two short lines.
	Name, Short string
}

// marks are the signs of the verdicts: colour is never the only difference.
var marks = map[Verdict]string{
	Pass: "✓", Fail: "✕", Warn: "!", NotApplicable: "–", Open: "◇", Untestable: "?", NotReached: "⋯",
}

func newVerdict(v Verdict) htmlVerdict { return htmlVerdict{v, heading[v], meaning[v], marks[v]} }

func newHTMLPage(r *Report, o Options) htmlPage {
	s := Summarize(r)
	byRequirement, byTranscript := RequirementMatrix(r), TranscriptMatrix(r)
	p := htmlPage{
		Policy: Policy(pageJS, pageCSS), CSS: template.CSS(pageCSS), JS: template.JS(pageJS),
		Title: r.title(), JudgedBy: r.judgedBy(), Tool: r.Tool.String(),
		Started: r.Started.UTC(), Elapsed: seconds(r.ElapsedMs), Total: plural(s.Counts.Total(), "conversation", "conversations"),
		Failed: s.Failed(o.FailOn), Outcome: s.outcome(o.FailOn),
		All: newHTMLRun("all", s.Counts), Data: newHTMLData(r, byRequirement, o),
	}
	for _, k := range r.Known {
		p.Known = append(p.Known, KnownProblem{oneLine(k.Pattern), oneLine(k.Reason), oneLine(k.Problem)})
	}
	for _, transport := range slices.Sorted(maps.Keys(r.Target.Revisions)) {
		spoken := htmlSpoken{Transport: oneLine(transport)}
		for _, revision := range r.Target.Revisions[transport] {
			spoken.Revisions = append(spoken.Revisions, oneLine(revision))
		}
		p.Speaks = append(p.Speaks, spoken)
	}
	for _, v := range Verdicts {
		p.Verdicts = append(p.Verdicts, newVerdict(v))
	}
	for _, run := range s.Runs {
		p.Runs = append(p.Runs, newHTMLRun(run.Column.String(), run.Counts))
	}
	p.columns(byTranscript.Columns)
	p.Width = len(p.Columns) + 1
	requirementText := func(row Row) string {
		text, _ := o.requirements().Describe(row.ID)
		return text
	}
	p.view("requirements", "Requirements", byRequirement, requirementText)
	p.view("transcripts", "Transcripts", byTranscript, func(row Row) string { return row.Story })
	return p
}

func newHTMLRun(name string, counts Counts) htmlRun {
	run := htmlRun{Name: name, Total: counts.Total()}
	x := 0
	for _, v := range Verdicts {
		run.Counts = append(run.Counts, htmlCount{newVerdict(v), counts[v], x})
		x += counts[v]
	}
	return run
}

func (p *htmlPage) columns(columns []Column) {
	for _, c := range columns {
		c := htmlColumn{oneLine(c.Revision), oneLine(c.Transport)}
		p.Columns = append(p.Columns, c)
		if n := len(p.Revisions); n > 0 && p.Revisions[n-1].Name == c.Revision {
			p.Revisions[n-1].Span++
		} else {
			p.Revisions = append(p.Revisions, htmlRevision{c.Revision, 1})
		}
		if !slices.Contains(p.Transports, c.Transport) {
			p.Transports = append(p.Transports, c.Transport)
		}
	}
}

func (p *htmlPage) view(name, title string, m Matrix, text func(Row) string) {
	view := htmlView{Name: name, Title: title}
	for _, row := range m.Rows {
		area := oneLine(row.Area)
		if n := len(view.Groups); n == 0 || view.Groups[n-1].Area != area {
			view.Groups = append(view.Groups, htmlGroup{Area: area})
			if !slices.Contains(p.Areas, area) {
				p.Areas = append(p.Areas, area)
			}
		}
		out := htmlRow{ID: oneLine(row.ID), Text: oneLine(text(row))}
		for i, cell := range row.Cells {
			column := p.Columns[i]
			c := htmlCell{
				Column: i, Known: cell.Known,
				Name: column.Revision + " over " + column.Transport, Short: column.Revision + "\n" + column.Transport,
			}
			if cell.Verdict != "" {
				v := newVerdict(cell.Verdict)
				c.Verdict = &v
			}
			out.Cells = append(out.Cells, c)
		}
		group := &view.Groups[len(view.Groups)-1]
		group.Rows = append(group.Rows, out)
	}
	p.Views = append(p.Views, view)
}

// digest is how a content security policy names a script or style.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
