package report

import (
	"fmt"
	"strings"
)

// evidence writes what is wrong with a result as plain text, step by step.
func evidence(res *Result, o Options) string {
	var b strings.Builder
	for _, step := range res.evidence() {
		fmt.Fprintf(&b, "step: %s (line %d, %s)\n", oneLine(step.Label), step.Line, heading[step.Verdict])
		for _, id := range step.Requirements {
			fmt.Fprintf(&b, "requires: %s\n", o.describe(id, res.Revision))
		}
		for _, part := range step.parts() {
			fmt.Fprintf(&b, "%s:\n%s\n", part.name, strings.TrimRight(visible(part.text), "\n"))
		}
	}
	return b.String()
}

// A part is one piece of a step's evidence.
type part struct{ name, text string }

// parts are the pieces of evidence that the step has.
func (s Step) parts() []part {
	var parts []part
	for _, p := range []part{{"problem", s.Problem}, {"sent", s.Sent}, {"received", s.Received}, {"repeat", s.Curl}} {
		if p.text != "" {
			parts = append(parts, p)
		}
	}
	return parts
}

// describe says in up to three lines what is known of a requirement: its id and level, its text, its clause.
func (o Options) describe(id, revision string) string {
	lines := []string{oneLine(id + " " + o.requirements().Level(id, revision))}
	text, _ := o.requirements().Describe(id)
	for _, line := range []string{oneLine(text), o.clause(id, revision)} {
		if line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}
