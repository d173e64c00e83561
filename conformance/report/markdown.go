package report

import (
	"fmt"
	"io"
	"strings"
)

// A CI job summary holds a mebibyte; these bounds keep Markdown below it.
const (
	markdownFailures = 50
	markdownLines    = 30
	markdownWidth    = 240
	markdownEvidence = 512 << 10
)

// Markdown writes the outcome, the counts and the failures for a CI job summary. Of each kind it shows 50 failures and then
// only their number, and beyond half a mebibyte it leaves out the evidence; the other reports have it all.
func Markdown(w io.Writer, r *Report, o Options) error {
	var b strings.Builder
	s := Summarize(r)
	fmt.Fprintf(&b, "## Conformance of %s\n\n", code(r.title()))
	fmt.Fprintf(&b, "**%s**\n\n", prose(s.outcome(o.FailOn)))
	fmt.Fprintf(&b, "Speaks %s. Tested by %s.\n\n", prose(r.Target.speaks()), prose(r.Tool.String()))
	if set := r.judgedBy(); set != "" {
		fmt.Fprintf(&b, "%s.\n\n", prose(strings.ToUpper(set[:1])+set[1:]))
	}
	markdownTable(&b, s)
	for _, k := range r.Known {
		fmt.Fprintf(&b, "- Known failure %s: %s\n", code(k.Pattern), prose(k.Problem))
	}
	markdownSection(&b, "Failures", failures(r, Fail), o)
	markdownSection(&b, "Not reached", failures(r, NotReached), o)
	markdownSection(&b, "Warnings", failures(r, Warn), o)
	_, err := io.WriteString(w, b.String())
	return err
}

// outcome says in one sentence whether the run failed, and why.
func (s Summary) outcome(on FailOn) string {
	if reasons := s.Reasons(on); len(reasons) > 0 {
		return "Failed: " + strings.Join(reasons, "; ") + "."
	}
	return "Succeeded: " + s.Counts.tally() + "."
}

func markdownTable(b *strings.Builder, s Summary) {
	if len(s.Runs) == 0 {
		return
	}
	b.WriteString("| revision | transport |")
	for _, v := range Verdicts {
		fmt.Fprintf(b, " %s |", heading[v])
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---:|", len(Verdicts)) + "\n")
	row := func(revision, transport string, c Counts) {
		fmt.Fprintf(b, "| %s | %s |", prose(revision), prose(transport))
		for _, v := range Verdicts {
			fmt.Fprintf(b, " %d |", c[v])
		}
		b.WriteString("\n")
	}
	for _, run := range s.Runs {
		row(run.Revision, run.Transport, run.Counts)
	}
	row("all", "", s.Counts)
	b.WriteString("\n")
}

func markdownSection(b *strings.Builder, title string, list []failure, o Options) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(b, "\n### %s\n", title)
	for i, f := range list {
		if i == markdownFailures {
			fmt.Fprintf(b, "\nAnd %d more.\n", len(list)-i)
			return
		}
		markdownFailure(b, f, o)
	}
}

// markdownFailure writes one failure, folded up: the line that stays in sight says what fails and where.
func markdownFailure(b *strings.Builder, f failure, o Options) {
	res := f.first
	known := ""
	if res.known() {
		known = " (known)"
	}
	fmt.Fprintf(b, "\n<details><summary><code>%s</code> at %s%s</summary>\n\n",
		entities(oneLine(res.Transcript)), entities(oneLine(places(f.where))), known)
	fmt.Fprintf(b, "%s\n\n", prose(res.Story))
	if res.KnownReason != "" {
		fmt.Fprintf(b, "Known failure: %s\n\n", prose(res.KnownReason))
	}
	if res.Reason != "" {
		fmt.Fprintf(b, "%s\n\n", prose(cut(res.Reason, 1, markdownWidth)))
	}
	for _, step := range res.evidence() {
		markdownStep(b, res, step, o)
	}
	b.WriteString("</details>\n")
}

func markdownStep(b *strings.Builder, res *Result, step Step, o Options) {
	fmt.Fprintf(b, "Step %s, line %d:\n\n", code(step.Label), step.Line)
	if b.Len() > markdownEvidence {
		b.WriteString("The summary is full: another report of this run has the evidence.\n\n")
		return
	}
	for _, id := range step.Requirements {
		markdownRequirement(b, id, res.Revision, o)
	}
	for _, part := range step.parts() {
		fence(b, part.name, part.text)
	}
}

func markdownRequirement(b *strings.Builder, id, revision string, o Options) {
	fmt.Fprintf(b, "- %s", code(id))
	if level := o.requirements().Level(id, revision); level != "" {
		fmt.Fprintf(b, " %s:", prose(level))
	}
	if text, ok := o.requirements().Describe(id); ok {
		fmt.Fprintf(b, " %s", prose(text))
	}
	if url := o.clause(id, revision); url != "" {
		fmt.Fprintf(b, " ([clause](<%s>))", strings.NewReplacer("<", "%3C", ">", "%3E", `\`, "%5C").Replace(url))
	}
	b.WriteString("\n\n")
}

// prose escapes text so that Markdown shows it as it is: on one line, no mark-up, no link, no mention.
func prose(s string) string {
	var b strings.Builder
	for _, r := range oneLine(s) {
		switch {
		case r == '@': // an escaped @ would still mention somebody; in a code span it does not
			b.WriteString("`@`")
		case strings.ContainsRune("\\`*_{}[]<>()#+-.!|~:&=$^\"'/", r):
			fmt.Fprintf(&b, `\%c`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// entities escapes text within the HTML elements that Markdown lets through.
func entities(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(s)
}

// code makes a code span that no backtick in the text can end.
func code(s string) string {
	s = oneLine(s)
	ticks := strings.Repeat("`", longestRun(s, '`')+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || s == "" {
		s = " " + s + " "
	}
	return ticks + s + ticks
}

// fence makes a code block that no line of the text can end.
func fence(b *strings.Builder, title, s string) {
	s = cut(visible(s), markdownLines, markdownWidth)
	ticks := strings.Repeat("`", max(3, longestRun(s, '`')+1))
	fmt.Fprintf(b, "%s:\n\n%s\n%s\n%s\n\n", title, ticks, s, ticks)
}

func longestRun(s string, r rune) int {
	longest, run := 0, 0
	for _, c := range s {
		run++
		if c != r {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}
