package main

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/parley-mcp/parley/conformance/report"
	"github.com/parley-mcp/parley/conformance/revision"
)

// A finding is one thing that a server does otherwise than a clause says: all known failures with one reason.
type finding struct {
	reason  string
	results []report.Result
}

// findings are those of a server, in the order of its file of known failures.
func (f *outcome) findings() []finding {
	var out []finding
	for _, k := range f.known {
		if slices.ContainsFunc(out, func(have finding) bool { return have.reason == k.Reason }) {
			continue
		}
		one := finding{reason: k.Reason}
		for _, r := range f.report.Results {
			if r.KnownReason == k.Reason {
				one.results = append(one.results, r)
			}
		}
		if len(one.results) > 0 {
			slices.SortStableFunc(one.results, byPlace)
			out = append(out, one)
		}
	}
	return out
}

// byPlace puts transcripts together, the newest revision first.
func byPlace(a, b report.Result) int {
	age := func(r report.Result) int { return slices.Index(revision.Versions(), r.Revision) }
	return cmp.Or(cmp.Compare(a.Transcript, b.Transcript), cmp.Compare(age(a), age(b)), cmp.Compare(a.Transport, b.Transport))
}

// evidence is the exchange that shows a failure: the step that broke first, what was sent before it, what came, and what is
// wrong with that. A failure of a MUST shows more than a warning.
func (f finding) evidence() (r report.Result, step report.Step) {
	r = f.results[0]
	for _, one := range f.results {
		if one.Verdict == report.Fail {
			r = one
			break
		}
	}
	i := slices.IndexFunc(r.Steps, func(s report.Step) bool { return s.Verdict == r.Verdict })
	if i < 0 {
		return r, report.Step{}
	}
	step = r.Steps[i]
	for i--; i >= 0 && step.Sent == ""; i-- {
		step.Sent = r.Steps[i].Sent
	}
	return r, step
}

// transcripts are the names of the transcripts that show it, and where each does.
func (f finding) transcripts() (names []string, where map[string][]string) {
	where = map[string][]string{}
	for _, r := range f.results {
		if where[r.Transcript] == nil {
			names = append(names, r.Transcript)
		}
		where[r.Transcript] = append(where[r.Transcript], r.Revision+"/"+r.Transport)
	}
	return names, where
}

// What is of no interest in an exchange, or differs from run to run.
var (
	idleHeader = regexp.MustCompile(`(?mi)^(Host|Connection|Date|Content-Length|Keep-Alive|Cache-Control|X-[A-Za-z-]+|Access-Control-[A-Za-z-]+|Vary|ETag|Transfer-Encoding): .*\r?\n`)
	chunkSize  = regexp.MustCompile(`(?m)^[0-9a-f]{1,6}\r?\n`)
	emptyLines = regexp.MustCompile(`\n{3,}`)
)

// shorten makes an exchange fit for a page: without what is of no interest, and cut.
func shorten(s string, lines int) string {
	chunked := strings.Contains(strings.ToLower(s), "transfer-encoding: chunked")
	s = strings.ReplaceAll(s, "\r\n", "\n")
	s = idleHeader.ReplaceAllString(s, "")
	if chunked {
		s = chunkSize.ReplaceAllString(s, "")
	}
	s = strings.TrimSpace(emptyLines.ReplaceAllString(s, "\n\n"))
	const width = 260
	all := strings.Split(s, "\n")
	if len(all) > lines {
		all = append(all[:lines], "...")
	}
	for i, line := range all {
		if r := []rune(line); len(r) > width {
			all[i] = string(r[:width]) + " ..."
		}
	}
	return strings.Join(all, "\n")
}
