package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"github.com/parley-mcp/parley/conformance"
	"github.com/parley-mcp/parley/conformance/report"
)

// outputFlags say where a report goes, and what fails a run.
type outputFlags struct {
	failOn                             string
	verbose                            bool
	json, junit, sarif, markdown, html string
}

func (f *outputFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.failOn, "fail-on", "fail", "verdicts that fail the run: fail, warn, untestable, open, not-applicable; or never")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "show every step with what was on the wire")
	flags.StringVar(&f.json, "json", "", "write the report as JSON to this file; - is standard output")
	flags.StringVar(&f.junit, "junit", "", "... as JUnit XML")
	flags.StringVar(&f.sarif, "sarif", "", "... as SARIF")
	flags.StringVar(&f.markdown, "markdown", "", "... as Markdown")
	flags.StringVar(&f.html, "html", "", "... as one HTML page")
}

// terminalReport writes a report for people.
type terminalReport func(io.Writer, *report.Report, report.Options) error

// finish writes the reports, and returns an error if the run fails.
func (f *outputFlags) finish(stdout io.Writer, r *report.Report, failOn report.FailOn, terminal terminalReport) error {
	requirements, err := conformance.Describe()
	if err != nil {
		return err
	}
	o := report.Options{Requirements: requirements, FailOn: failOn}
	taken := false
	for _, w := range []struct {
		file  string
		write report.Writer
	}{{f.json, report.JSON}, {f.junit, report.JUnit}, {f.sarif, report.SARIF}, {f.markdown, report.Markdown}, {f.html, report.HTML}} {
		switch w.file {
		case "":
		case "-":
			if taken {
				return &codedError{exitUsage, errors.New("only one report fits on standard output")}
			}
			taken = true
			err = errors.Join(err, w.write(stdout, r, o))
		default:
			err = errors.Join(err, writeFile(w.file, r, o, w.write))
		}
	}
	if !taken {
		o.Color, o.Verbose = report.Colored(stdout), f.verbose
		err = errors.Join(err, terminal(stdout, r, o))
	}
	if err != nil {
		return err
	}
	if reasons := report.Summarize(r).Reasons(failOn); len(reasons) > 0 {
		return &codedError{1, errors.New("the run failed: " + strings.Join(reasons, "; "))}
	}
	return nil
}

func writeFile(name string, r *report.Report, o report.Options, write report.Writer) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(write(file, r, o), file.Close())
}

// progress shows how far a run is: a bar on a terminal, and a line now and then elsewhere.
type progress struct {
	out   *os.File
	bar   *progressbar.ProgressBar
	shown int
}

func newProgress(out *os.File) *progress { return &progress{out: out} }

func terminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// tell is a conformance.Options.Progress.
func (p *progress) tell(done, total int, r report.Result) {
	if terminal(p.out) {
		if p.bar == nil {
			p.bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(p.out), progressbar.OptionSetWidth(30),
				progressbar.OptionShowCount(), progressbar.OptionClearOnFinish(), progressbar.OptionSetDescription("conversations"))
		}
		p.bar.Describe(r.Transcript)
		_ = p.bar.Set(done)
		return
	}
	if tenth := done * 10 / total; tenth > p.shown {
		p.shown = tenth
		fmt.Fprintf(p.out, "%d of %d conversations\n", done, total)
	}
}

func (p *progress) end() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
