package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What is expected must happen, and nothing else: a failure that nobody listed, a listed failure that passes, and a listed
// scenario that did not run are each a surprise.

var (
	passes = outcome{scenario: "ping", scored: true, judged: 2}
	fails  = outcome{scenario: "tools-list", scored: true, judged: 2, failures: []string{"tools-list: no name"}}
	extra  = outcome{scenario: "tasks-lifecycle", failures: []string{"tasks-sync-tool-call: unknown tool"}, judged: 1}
)

func TestJudge(t *testing.T) {
	for name, c := range map[string]struct {
		outcomes []outcome
		expected map[string]string
		want     []surprise
	}{
		"all pass":                          {[]outcome{passes}, nil, nil},
		"a listed failure":                  {[]outcome{passes, fails}, map[string]string{"tools-list": "why"}, nil},
		"an unlisted failure":               {[]outcome{fails}, nil, []surprise{{"tools-list", "failed", []string{"tools-list: no name"}}}},
		"an unlisted failure, not scored":   {[]outcome{extra}, nil, []surprise{{"tasks-lifecycle", "failed", []string{"tasks-sync-tool-call: unknown tool"}}}},
		"a listed failure that passes":      {[]outcome{passes}, map[string]string{"ping": "why"}, []surprise{{"ping", "passed, though it is listed as a failure: remove its line", []string{"the reason given there: why"}}}},
		"a listed failure that did not run": {[]outcome{passes}, map[string]string{"pong": "why"}, []surprise{{"pong", "did not run, though it is listed as a failure: remove or correct its line", nil}}},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.want, judge(c.outcomes, c.expected)) })
	}
}

func TestTallyKeepsScoredApart(t *testing.T) {
	passed, total := tally([]outcome{passes, fails, extra}, true)
	assert.Equal(t, [2]int{1, 2}, [2]int{passed, total})
	passed, total = tally([]outcome{passes, fails, extra}, false)
	assert.Equal(t, [2]int{0, 1}, [2]int{passed, total})
}

func TestReportShowsEachRunAndEachSurprise(t *testing.T) {
	idle := outcome{scenario: "server-session-lifecycle", scored: true}
	warned := outcome{scenario: "caching", scored: true, judged: 1, warnings: []string{"ttl: is short"}}
	runs := []*run{{"2026-07-28", []outcome{passes, extra, warned}}, {"2025-03-26", []outcome{idle}}}
	var out strings.Builder
	report(&out, runs, map[string][]surprise{"2026-07-28": judge(runs[0].outcomes, nil)})
	text := out.String()
	assert.Regexp(t, `(?m)^2026-07-28 +2/2 +0/1 +1 +1 +0$`, text)
	assert.Regexp(t, `(?m)^2025-03-26 +1/1 +– +0 +0 +1$`, text)
	assert.Contains(t, text, "2025-03-26  server-session-lifecycle  passed: the suite had nothing to judge\n")
	assert.Contains(t, text, "2026-07-28  caching  warnings\n    ttl: is short\n")
	assert.Contains(t, text, "2026-07-28  tasks-lifecycle  UNEXPECTED: it failed\n    tasks-sync-tool-call: unknown tool\n")
}
