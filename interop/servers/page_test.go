package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/conformance"
	"github.com/parley-mcp/parley/conformance/report"
)

// What is told of a server: the failures that are not known fail the run, those that are become findings, and the page shows
// each with its clause and its exchange. The servers themselves are not started here.

const reason = "basic#responses: an id comes back rounded."

func result(transcript, revision, transport string, v report.Verdict, known string) report.Result {
	return report.Result{Transcript: transcript, Revision: revision, Transport: transport, Verdict: v, Reason: "step: why\nmore", KnownReason: known,
		Steps: []report.Step{
			{Label: "ask", Verdict: report.Pass, Sent: "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:4711\r\nDate: today\r\n\r\n{\"id\":9}"},
			{Label: "answer", Verdict: v, Requirements: []string{"base.result-id-matches"}, Problem: "id: want 9, got 8",
				Received: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n{\"id\":8}\r\n0\r\n\r\n"},
		}}
}

func example() outcome {
	return outcome{
		target: target{name: "one", title: "One", version: "v1.2.3", source: "example.org/one", what: "its example"},
		known:  []conformance.Known{{Pattern: "ids/*", Reason: reason}, {Pattern: "ids/other", Reason: reason}, {Pattern: "gone", Reason: "not run"}},
		report: &report.Report{
			Target: report.Target{Revisions: map[string][]string{"http": {"2025-11-25"}, "stdio": {}}},
			Results: []report.Result{
				result("ids/second", "2025-11-25", "http", report.Fail, reason),
				result("ids/first", "2025-11-25", "http", report.Warn, reason),
				result("ids/third", "2025-11-25", "http", report.Pass, ""),
			},
		},
	}
}

func TestSurprises(t *testing.T) {
	f := example()
	assert.Empty(t, f.surprises())
	f.report.Results[1].KnownReason = ""
	f.report.Known = []report.KnownProblem{{Pattern: "gone", Reason: "not run", Problem: "it passed: gone@2025-11-25/http"}}
	var texts []string
	for _, err := range f.surprises() {
		texts = append(texts, err.Error())
	}
	assert.Equal(t, []string{
		"one: new: ids/first@2025-11-25/http # warn: step: why",
		"one: gone # not run: it passed: gone@2025-11-25/http",
	}, texts)
}

func TestFindingsShareAReason(t *testing.T) {
	f := example()
	found := f.findings()
	require.Len(t, found, 1)
	names, where := found[0].transcripts()
	assert.Equal(t, []string{"ids/first", "ids/second"}, names)
	assert.Equal(t, []string{"2025-11-25/http"}, where["ids/first"])
	r, step := found[0].evidence()
	assert.Equal(t, "ids/second", r.Transcript, "a failure shows more than a warning")
	assert.Contains(t, step.Sent, `{"id":9}`, "what was sent before the step that failed")
	assert.Contains(t, step.Received, `{"id":8}`)
}

func TestShorten(t *testing.T) {
	steps := result("ids/first", "2025-11-25", "http", report.Fail, "").Steps
	assert.Equal(t, "POST /mcp HTTP/1.1\n\n{\"id\":9}", shorten(steps[0].Sent, 12))
	assert.Equal(t, "HTTP/1.1 200 OK\n\n{\"id\":8}", shorten(steps[1].Received, 12))
	long := shorten(strings.Repeat(strings.Repeat("é", 500)+"\n", 40), 12)
	assert.Less(t, len(long), 12*2*270)
	assert.True(t, strings.HasSuffix(long, "\n..."))
}

func TestPage(t *testing.T) {
	requirements, err := conformance.Describe()
	require.NoError(t, err)
	text := page([]outcome{example()}, requirements)
	for _, part := range []string{
		"| [one](#one) | v1.2.3 | 2025-11-25 | http | 1 | 1 | 1 | 0 | 0 | 0 |",
		"| [one](#one) | v1.2.3 | 2025-11-25 | stdio | - | - | - | - | - | - |",
		"One: `example.org/one` v1.2.3, its example.",
		"Over stdio it speaks no revision that is tested.",
		"### one: 1\n\n" + reason,
		"- `ids/first` at 2025-11-25/http",
		"- `base.result-id-matches`, MUST: ",
		"([clause](https://modelcontextprotocol.io/specification/2025-11-25/",
		"Found:\n\n~~~~~~text\nid: want 9, got 8\n~~~~~~",
	} {
		assert.Contains(t, text, part)
	}
}

// The page is written by a run that takes minutes; what can be checked without one is that it tells of the versions that are
// pinned now, and of every failure that is known now.
func TestPageIsOfTheseVersions(t *testing.T) {
	text, err := os.ReadFile("../../docs/interop.md")
	require.NoError(t, err)
	versions, err := pinned(".")
	require.NoError(t, err)
	for _, one := range targets("", "", "", versions) {
		again := "write it again: go run ./interop/servers -write"
		assert.Contains(t, string(text), "`"+one.source+"` "+one.version, again)
		known, err := readKnown(filepath.Join("..", "..", "conformance", "known", one.name+".txt"))
		require.NoError(t, err)
		require.NotEmpty(t, known, one.name)
		for _, k := range known {
			assert.Contains(t, string(text), "\n"+k.Reason+"\n", again)
		}
	}
}

// Whoever reads a known failure has to be able to look it up: its reason begins with the page and anchor of the clause.
func TestKnownFailuresNameTheirClause(t *testing.T) {
	clause := regexp.MustCompile(`^(` + sometimes + `)?[a-z/-]+(#[a-z0-9-]+)?(, [a-z/-]+(#[a-z0-9-]+)?)*: \S`)
	for _, one := range targets("", "", "", nil) {
		known, err := readKnown(filepath.Join("..", "..", "conformance", "known", one.name+".txt"))
		require.NoError(t, err)
		for _, k := range known {
			assert.Regexp(t, clause, k.Reason, "%s: %s", one.name, k.Pattern)
		}
	}
}

func TestChoose(t *testing.T) {
	all := targets("", "", "", nil)
	chosen, err := choose(all, "")
	require.NoError(t, err)
	assert.Equal(t, names(all), names(chosen))
	chosen, err = choose(all, "mcp-go,go-sdk")
	require.NoError(t, err)
	assert.Equal(t, []string{"mcp-go", "go-sdk"}, names(chosen))
	_, err = choose(all, "mcp-go,none")
	assert.ErrorContains(t, err, "-only none: the servers are go-sdk, ")
}

// A result of another run takes the place of the one that it had only where it is better; nothing else changes.
func TestReplace(t *testing.T) {
	f := example()
	again := &report.Report{Results: []report.Result{
		result("ids/third", "2025-11-25", "http", report.Fail, reason),
		result("ids/third", "2025-11-25", "stdio", report.Fail, reason),
		result("ids/second", "2025-11-25", "http", report.Pass, ""),
	}}
	known := func(_, r *report.Result) bool { return r.KnownReason != "" }
	assert.True(t, f.replace(again, known))
	assert.Equal(t, []report.Verdict{report.Fail, report.Warn, report.Fail},
		[]report.Verdict{f.report.Results[0].Verdict, f.report.Results[1].Verdict, f.report.Results[2].Verdict})
	assert.False(t, f.replace(&report.Report{}, known))
}
