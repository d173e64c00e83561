package report

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// Bounds of each piece of evidence that Terminal shows unless Options.Verbose asks for all of it.
const (
	terminalLines = 24
	terminalWidth = 240
)

// ANSI escape sequences, by what they are for here.
const (
	plain  = "\x1b[0m"
	bold   = "\x1b[1m"
	dim    = "\x1b[2m"
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
)

// verdictColor is the colour of a verdict; the others are dim.
var verdictColor = map[Verdict]string{Pass: green, Fail: red, Warn: yellow, NotReached: red}

// Colored tells whether to write colours to w: it is a terminal, the environment variable NO_COLOR is unset or empty, and
// TERM is not "dumb".
func Colored(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && colorWelcome()
}

func colorWelcome() bool { return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" }

// Terminal writes the report for a person who watches: area by area with what went wrong there, then the counts for each
// revision and transport, and last the outcome.
func Terminal(w io.Writer, r *Report, o Options) error {
	t := &terminal{options: o}
	s := Summarize(r)
	t.line(t.paint(bold, r.title()))
	t.line("speaks " + r.Target.speaks())
	if set := r.judgedBy(); set != "" {
		t.line(set)
	}
	for _, area := range s.Areas {
		t.area(r, area)
	}
	t.summary(s)
	t.outcome(r, s)
	_, err := io.WriteString(w, t.out.String())
	return err
}

type terminal struct {
	options Options
	out     strings.Builder
}

func (t *terminal) line(text string) {
	t.out.WriteString(text)
	t.out.WriteByte('\n')
}

func (t *terminal) paint(color, text string) string {
	if !t.options.Color || text == "" {
		return text
	}
	return color + text + plain
}

func (t *terminal) verdict(v Verdict, text string) string {
	color, ok := verdictColor[v]
	if !ok {
		color = dim
	}
	return t.paint(color, text)
}

func (t *terminal) area(r *Report, area Area) {
	t.line("")
	t.line(fmt.Sprintf("%s  %s", t.paint(bold, fmt.Sprintf("%-22s", oneLine(area.Name))), area.Counts.tally()))
	shown := badness
	if !t.options.Verbose {
		shown = []Verdict{Fail, NotReached, Warn}
		shown = append(shown, t.options.FailOn.Also...)
	}
	for _, f := range failures(r, shown...) {
		if f.first.Area == area.Name {
			t.failure(f)
		}
	}
}

func (t *terminal) failure(f failure) {
	res := f.first
	word := heading[res.Verdict]
	if res.known() {
		word += ", as known"
	}
	t.line("")
	t.line(fmt.Sprintf("  %s  %s  %s", t.verdict(res.Verdict, word), t.paint(bold, oneLine(res.Transcript)), t.paint(dim, oneLine(places(f.where)))))
	t.field("story", res.Story)
	t.field("reason", res.Reason)
	t.field("known", res.KnownReason)
	if !t.options.Verbose {
		for _, step := range res.evidence() {
			t.step(res, step)
		}
		return
	}
	for _, step := range res.Steps {
		t.step(res, step)
	}
}

func (t *terminal) step(res *Result, step Step) {
	t.field("step", fmt.Sprintf("%s (line %d, %s)", oneLine(step.Label), step.Line, heading[step.Verdict]))
	for _, id := range step.Requirements {
		t.field("requires", t.options.describe(id, res.Revision))
	}
	for _, part := range step.parts() {
		t.field(part.name, part.text)
	}
}

// field writes a name and its text, the further lines of the text below the first.
func (t *terminal) field(name, text string) {
	if text == "" {
		return
	}
	text = visible(text)
	if !t.options.Verbose && name != "repeat" {
		text = cut(text, terminalLines, terminalWidth)
	}
	label := t.paint(dim, fmt.Sprintf("    %-9s", name))
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		t.line(strings.TrimRight(label+" "+line, " "))
		label = strings.Repeat(" ", 13)
	}
}

// summary writes the counts as a table whose columns are as wide as their headings.
func (t *terminal) summary(s Summary) {
	if len(s.Runs) == 0 {
		return
	}
	left := utf8.RuneCountInString("all")
	for _, run := range s.Runs {
		left = max(left, utf8.RuneCountInString(run.Column.String()))
	}
	t.line("")
	header := fmt.Sprintf("%-*s", left, "")
	for _, v := range Verdicts {
		header += "  " + heading[v]
	}
	t.line(t.paint(bold, header))
	row := func(name string, c Counts) {
		line := fmt.Sprintf("%-*s", left, oneLine(name))
		for _, v := range Verdicts {
			cell := fmt.Sprintf("  %*d", len(heading[v]), c[v])
			if c[v] == 0 {
				cell = t.paint(dim, cell)
			} else {
				cell = t.verdict(v, cell)
			}
			line += cell
		}
		t.line(line)
	}
	for _, run := range s.Runs {
		row(run.Column.String(), run.Counts)
	}
	row("all", s.Counts)
}

func (t *terminal) outcome(r *Report, s Summary) {
	t.line("")
	for _, k := range r.Known {
		t.line(t.paint(red, "known failure "+oneLine(k.Pattern)+": ") + oneLine(k.Problem))
	}
	if n := s.Known.Total(); n > 0 {
		t.line(plural(n, "result is", "results are") + " as the list of known failures says.")
	}
	color := green
	if s.Failed(t.options.FailOn) {
		color = red
	}
	t.line(t.paint(color, s.outcome(t.options.FailOn)) + fmt.Sprintf(" %s in %ss.", plural(s.Counts.Total(), "conversation", "conversations"), seconds(r.ElapsedMs)))
}
