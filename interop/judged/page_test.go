// The page shows each finding once, with every place at which it came and the clause that says what was to be done.
package main

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/parley-mcp/parley/conformance/report"
)

func TestPage(t *testing.T) {
	result := func(revision string, v report.Verdict) report.Result {
		return report.Result{Transcript: "client/pages", Area: "client", Story: "The list comes in pages.", Revision: revision, Transport: "http",
			Verdict: v, Reason: "a `cursor`\nwas changed", Steps: []report.Step{{Label: "the second page", Verdict: v, Requirements: []string{"pagination.cursor-opaque"}}}}
	}
	newest, older := "2026-07-28", "2025-11-25"
	text := page([]judged{
		{client{name: "one"}, "http", &report.Report{Results: []report.Result{result(newest, report.Fail), result(older, report.Fail)}}},
		{client{name: "two"}, "http", &report.Report{Results: []report.Result{result(newest, report.Pass)}}},
	})
	assert.Contains(t, text, "| one | "+newest+" | http | 0 | 1 | 0 | 0 | 0 |\n")
	assert.Contains(t, text, "| two | "+newest+" | http | 1 | 0 | 0 | 0 | 0 |\n")
	assert.Contains(t, text, "### client/pages\n\n**Failed.** The list comes in pages.\n\n- seen: `a 'cursor' was changed`\n- at "+newest+"/http, "+older+"/http\n- [`pagination.cursor-opaque`](https://")
	assert.Contains(t, text, "## two\n\nNothing was found.\n")
}
