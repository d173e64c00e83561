package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Writer writes a whole report in one form. Nothing that a server sent can act in what it writes: see visible.
type Writer func(w io.Writer, r *Report, o Options) error

// Options are what writers take beside the report. The zero value works: ids without their texts, the default rule for
// what fails a run, no colours.
type Options struct {
	// Requirements tells what ids mean; nil leaves the ids to speak for themselves.
	Requirements Requirements
	// FailOn decides which verdicts fail the run, for the writers that say whether it failed.
	FailOn FailOn
	// Color lets Terminal write ANSI colours; see Colored.
	Color bool
	// Verbose makes Terminal list every result with its evidence uncut, not the failures alone.
	Verbose bool
}

// Requirements is where writers look up what a requirement id means, so that this package needs no manifest.
type Requirements interface {
	// Describe returns what the requirement says, in a sentence. ok is false for an unknown id.
	Describe(id string) (text string, ok bool)
	// Clause returns the address of the clause that says so at the revision; empty if there is none.
	Clause(id, revision string) (url string)
	// Level returns the word of RFC 2119 that the revision uses, such as "MUST NOT"; empty if it has no such requirement.
	Level(id, revision string) string
}

func (o Options) requirements() Requirements {
	if o.Requirements == nil {
		return unknownRequirements{}
	}
	return o.Requirements
}

// clause is Requirements.Clause, kept only if it is an address that a browser may safely follow.
func (o Options) clause(id, revision string) string {
	url := o.requirements().Clause(id, revision)
	if !strings.HasPrefix(url, "https://") && !strings.HasPrefix(url, "http://") {
		return ""
	}
	return oneLine(url)
}

type unknownRequirements struct{}

func (unknownRequirements) Describe(string) (string, bool) { return "", false }
func (unknownRequirements) Clause(string, string) string   { return "" }
func (unknownRequirements) Level(string, string) string    { return "" }

// FailOn says which verdicts fail a run. The zero value: Fail and NotReached.
type FailOn struct {
	// Never lets every run succeed, for those who only want the report.
	Never bool
	// Also lists verdicts that fail the run beside Fail and NotReached.
	Also []Verdict
}

// ParseFailOn reads a comma-separated list of verdicts that fail a run beside "fail", such as "warn,untestable"; "never"
// stands alone. The error names the words that are understood.
func ParseFailOn(list string) (FailOn, error) {
	if strings.TrimSpace(list) == "never" {
		return FailOn{Never: true}, nil
	}
	var on FailOn
	for word := range strings.SplitSeq(list, ",") {
		switch v := Verdict(strings.TrimSpace(word)); v {
		case Fail, NotReached:
		case Warn, NotApplicable, Open, Untestable:
			on.Also = append(on.Also, v)
		default:
			return FailOn{}, fmt.Errorf("%q fails no run: give never alone, or a list of fail, warn, untestable, open, not-applicable", word)
		}
	}
	return on, nil
}

// verdicts lists the verdicts that fail a run, worst first.
func (f FailOn) verdicts() []Verdict {
	if f.Never {
		return nil
	}
	var all []Verdict
	for _, v := range badness {
		if v == Fail || v == NotReached || slices.Contains(f.Also, v) {
			all = append(all, v)
		}
	}
	return all
}
