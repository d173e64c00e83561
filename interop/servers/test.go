package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/parley-mcp/parley/conformance"
	"github.com/parley-mcp/parley/conformance/report"
)

// An outcome is what one server did.
type outcome struct {
	target target
	known  []conformance.Known
	report *report.Report
}

// test starts a server and tests it; the file holds the failures that are known.
func test(ctx context.Context, t target, file string, o options) (outcome, error) {
	known, err := readKnown(file)
	if err != nil {
		return outcome{}, err
	}
	to := conformance.Target{Name: t.title, Command: t.stdio.args, Env: t.stdio.env}
	if t.http != nil {
		address, stop, err := start(ctx, t.http)
		if err != nil {
			return outcome{}, err
		}
		defer stop()
		to.URL = "http://" + address + t.path
	}
	options := conformance.Options{Known: known, StepTimeout: o.stepTimeout, Parallel: o.parallel}
	r, err := conformance.Run(ctx, to, options)
	if err != nil {
		return outcome{}, err
	}
	found := outcome{t, known, r}
	if err := found.confirm(ctx, to, options); err != nil {
		return outcome{}, err
	}
	return found, found.repeat(ctx, to, options)
}

// confirm plays again what failed and is not known to fail, with more time and less company, and believes what it sees then:
// a machine under load answers late.
func (f *outcome) confirm(ctx context.Context, to conformance.Target, o conformance.Options) error {
	for i := range f.report.Results {
		if r := &f.report.Results[i]; r.Area != always && unexpected(r) {
			o.Names = append(o.Names, r.Transcript)
		}
	}
	if len(o.Names) == 0 {
		return nil
	}
	o.StepTimeout, o.Parallel = 3*o.StepTimeout, 2
	again, err := conformance.Run(ctx, to, o)
	if err != nil {
		return err
	}
	f.replace(again, func(old, _ *report.Result) bool { return old.Area != always && unexpected(old) })
	return nil
}

// always is the area of the checks that look at every message: their results are of a whole run.
const always = "always"

// keep writes the report into a folder; an empty one keeps nothing.
func (f *outcome) keep(folder string) error {
	if folder == "" {
		return nil
	}
	file, err := os.Create(filepath.Join(folder, f.target.name+".json"))
	if err != nil {
		return err
	}
	return errors.Join(report.JSON(file, f.report, report.Options{}), file.Close())
}

// sometimes begins the reason of a failure that shows in some runs and not in others.
const sometimes = "Sometimes: "

// attempts is how often a transcript is repeated that fails sometimes. One that fails half of the time passes all of them
// in one run of a million.
const attempts = 20

// repeat plays again what is known to fail sometimes and has passed, until it fails.
func (f *outcome) repeat(ctx context.Context, to conformance.Target, o conformance.Options) error {
	var rest []report.KnownProblem
	for _, problem := range f.report.Known {
		if !strings.HasPrefix(problem.Reason, sometimes) {
			rest = append(rest, problem)
			continue
		}
		name, _, _ := strings.Cut(problem.Pattern, "@")
		o.Names, o.Known = []string{name}, []conformance.Known{{Pattern: problem.Pattern, Reason: problem.Reason}}
		for left := attempts; ; left-- {
			if left == 0 {
				rest = append(rest, problem)
				break
			}
			again, err := conformance.Run(ctx, to, o)
			if err != nil {
				return err
			}
			if f.replace(again, func(_, r *report.Result) bool { return r.KnownReason != "" }) {
				break
			}
		}
	}
	f.report.Known = rest
	return nil
}

// replace puts results of another run in the place of those that they had here, where they are better. It reports whether
// there were some.
func (f *outcome) replace(again *report.Report, better func(old, r *report.Result) bool) bool {
	replaced := false
	for i := range again.Results {
		r := &again.Results[i]
		j := slices.IndexFunc(f.report.Results, func(old report.Result) bool {
			return old.Transcript == r.Transcript && old.Revision == r.Revision && old.Transport == r.Transport
		})
		if j >= 0 && better(&f.report.Results[j], r) {
			f.report.Results[j], replaced = *r, true
		}
	}
	return replaced
}

// surprises are the failures that are not known, and the known ones that did not fail. The form of the former is that of
// the file of known failures, so that a line can be copied once its reason has been found out.
func (f *outcome) surprises() []error {
	var out []error
	for i := range f.report.Results {
		if r := &f.report.Results[i]; unexpected(r) {
			reason, _, _ := strings.Cut(r.Reason, "\n")
			out = append(out, fmt.Errorf("%s: new: %s@%s/%s # %s: %s", f.target.name, r.Transcript, r.Revision, r.Transport, r.Verdict, reason))
		}
	}
	for _, k := range f.report.Known {
		out = append(out, fmt.Errorf("%s: %s # %s: %s", f.target.name, k.Pattern, k.Reason, k.Problem))
	}
	return out
}

// unexpected reports whether a result is a failure that is not known.
func unexpected(r *report.Result) bool {
	return r.KnownReason == "" && (r.Verdict == report.Fail || r.Verdict == report.Warn || r.Verdict == report.NotReached)
}
