package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestMarkdown(t *testing.T) {
	out := write(t, Markdown, sample(t), Options{})
	for _, part := range []string{
		"## Conformance of `http://localhost:8080/mcp (weather 2.3.1)`",
		"Failed\\: 5 conversations failed",
		"| all |  | 44 | 7 | 3 | 12 | 4 | 3 | 1 |",
		"<details><summary><code>tools/unknown-tool</code> at 2025-11-25 http and stdio; 2025-06-18 http and stdio</summary>",
		"<code>resources/read-missing</code> at 2026-07-28 http and stdio (known)</summary>",
		"- `tools.unknown-tool` MUST: An unknown tool name",
		"([clause](<https://modelcontextprotocol.io/specification/2025-11-25/server/tools#error-handling>))",
		"### Not reached", "### Warnings", "curl -sS",
	} {
		assert.Contains(t, out, part)
	}
	assert.NotContains(t, out, "ping/ping", "what passed is only counted")
}

func TestMarkdownSucceeds(t *testing.T) {
	r := &Report{Results: []Result{{Transcript: "ping/ping", Revision: "2025-11-25", Transport: "http", Verdict: Pass}}}
	assert.Contains(t, write(t, Markdown, r, Options{}), "**Succeeded\\: 1 passed\\.**")
	assert.NotContains(t, write(t, Markdown, r, Options{}), "###")
}

func TestMarkdownEscapes(t *testing.T) {
	assert.Equal(t, "\\*\\*a\\*\\* \\[b\\]\\(c\\) `@`d \\| \\<e\\> http\\:\\/\\/f", prose("**a** [b](c) @d | <e> http://f"))
	assert.Equal(t, "```a``b```", code("a``b"))
	assert.Equal(t, "`` `a ``", code("`a"))
	var b strings.Builder
	fence(&b, "sent", "x\n````\ny")
	assert.Equal(t, "sent:\n\n`````\nx\n````\ny\n`````\n\n", b.String())
}

// A job summary holds a mebibyte, whatever and however much the server sends.
func TestMarkdownStaysBelowAMebibyte(t *testing.T) {
	big := strings.Repeat(strings.Repeat("\x1b", 500)+"\n", 60)
	var r Report
	for _, v := range []Verdict{Fail, Warn} {
		for i := range 200 {
			step := Step{Verdict: v, Problem: big, Sent: big, Received: big, Curl: big}
			r.Results = append(r.Results, Result{Transcript: strings.Repeat("a", i), Verdict: v, Reason: big, Steps: []Step{step, step, step}})
		}
	}
	out := write(t, Markdown, &r, Options{})
	assert.Less(t, len(out), 1<<20)
	assert.Contains(t, out, "And 150 more.")
	assert.Contains(t, out, "The summary is full")
}
