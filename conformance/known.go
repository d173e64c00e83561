package conformance

import (
	"bufio"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/parley-mcp/parley/conformance/report"
	"github.com/parley-mcp/parley/conformance/transcript"
)

// A Known is a failure that is known, and why. It does not fail the run; its absence does.
type Known struct {
	// Pattern is a pattern of transcript names (path.Match), which may end in "@" and a revision, then "/" and a transport:
	// tools/*@2025-06-18/http.
	Pattern string
	// Reason says why the failure is there.
	Reason string
}

// ParseKnown reads a file of known failures: lines "pattern # reason". Empty lines, and lines that are all comment, are
// skipped. The name stands in errors.
func ParseKnown(name string, r io.Reader) ([]Known, error) {
	var out []Known
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		pattern, reason, _ := strings.Cut(lines.Text(), "#")
		k := Known{strings.TrimSpace(pattern), strings.TrimSpace(reason)}
		if k.Pattern == "" {
			continue
		}
		if k.Reason == "" {
			return nil, fmt.Errorf("%s:%d: %q has no reason: write one behind a '#'", name, n, k.Pattern)
		}
		if _, err := path.Match(k.split().name, ""); err != nil || strings.Contains(k.Pattern, " ") {
			return nil, fmt.Errorf("%s:%d: %q is no pattern: write a transcript's name, such as tools/*@REVISION/http", name, n, k.Pattern)
		}
		out = append(out, k)
	}
	return out, lines.Err()
}

type knownParts struct{ name, revision, transport string }

func (k Known) split() knownParts {
	var p knownParts
	p.name = k.Pattern
	for _, transport := range []string{transportHTTP, transportStdio} {
		head, ok := strings.CutSuffix(p.name, "/"+transport)
		if ok && (strings.Contains(head, "@") || strings.Contains(head, "/")) {
			p.name, p.transport = head, transport
		}
	}
	p.name, p.revision, _ = strings.Cut(p.name, "@")
	return p
}

func (p knownParts) covers(name, revision, transport string) bool {
	ok, _ := path.Match(p.name, name)
	return ok && (p.revision == "" || p.revision == revision) && (p.transport == "" || p.transport == transport)
}

// exists reports whether some transcript, or some check that is always on, can be meant.
func (p knownParts) exists(all []*transcript.Transcript) bool {
	isCheck := func(c *check) bool {
		ok, _ := path.Match(p.name, alwaysArea+"/"+c.name)
		return ok
	}
	return slices.ContainsFunc(checks, isCheck) || slices.ContainsFunc(all, func(t *transcript.Transcript) bool {
		return slices.ContainsFunc(t.Revisions, func(r string) bool {
			return slices.ContainsFunc(t.Transports, func(tr string) bool { return p.covers(t.Name, r, tr) })
		})
	})
}

// applyKnown marks the failures that are known, and returns the patterns that did not do their work.
func applyKnown(o Options, results []report.Result, interrupted bool) []report.KnownProblem {
	var problems []report.KnownProblem
	for _, k := range o.Known {
		parts := k.split()
		if !parts.exists(o.Transcripts) {
			problems = append(problems, report.KnownProblem{Pattern: k.Pattern, Reason: k.Reason, Problem: "it matches no transcript"})
			continue
		}
		covered, failed := 0, 0
		var passed []string
		for i := range results {
			r := &results[i]
			if !parts.covers(r.Transcript, r.Revision, r.Transport) {
				continue
			}
			covered++
			switch r.Verdict {
			case report.Fail, report.Warn:
				failed++
				r.KnownReason = k.Reason
			case report.Pass:
				passed = append(passed, r.Transcript+"@"+r.Revision+"/"+r.Transport)
			}
		}
		problem := ""
		switch {
		case len(passed) > 0:
			problem = "it passed: " + strings.Join(passed, ", ")
		case covered > 0 && failed == 0 && !interrupted:
			problem = "nothing that it matches could fail here: all is not applicable or untestable"
		}
		if problem != "" {
			problems = append(problems, report.KnownProblem{Pattern: k.Pattern, Reason: k.Reason, Problem: problem})
		}
	}
	return problems
}
