package report

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTerminal(t *testing.T) {
	out := write(t, Terminal, sample(t), Options{})
	for _, part := range []string{
		"http://localhost:8080/mcp (weather 2.3.1)\nspeaks 2026-07-28, ",
		"16 passed, 5 failed\n",
		"  failed  tools/unknown-tool  2025-11-25 http and stdio; 2025-06-18 http and stdio\n",
		"    requires  tools.unknown-tool MUST\n              An unknown tool name gets a JSON-RPC error, not a tool result.\n              https://",
		"    problem   error: required, but absent\n",
		"    sent      POST /mcp HTTP/1.1\n",
		"    repeat    curl -sS http://localhost:8080/mcp \\\n",
		"failed, as known  resources/read-missing  2026-07-28 http and stdio",
		"not reached  session/delete  2025-03-26 http",
		"known failure prompts/* 2025-03-26: matches no failure",
		"2 results are as the list of known failures says.",
		"Failed: 5 conversations failed; 1 conversation not reached; 1 known-failure pattern did not match a failure. 74 conversations in 4.210s.\n",
	} {
		assert.Contains(t, out, part)
	}
	assert.NotContains(t, out, "\x1b")
	assert.NotContains(t, out, "ping/ping", "what passed is only counted")
	assert.Regexp(t, `(?m)^all +44 +7 +3 +12 +4 +3 +1$`, out)
	assert.Regexp(t, `(?m)^2025-06-18 stdio +5 +2 +0 +2 +0 +1 +0$`, out)
}

func TestTerminalShowsWhatFailOnAsksFor(t *testing.T) {
	silent := "cancellation/unknown-request"
	assert.NotContains(t, write(t, Terminal, sample(t), Options{}), silent)
	out := write(t, Terminal, sample(t), Options{FailOn: FailOn{Also: []Verdict{Untestable}}})
	assert.Contains(t, out, silent)
	assert.Contains(t, out, "3 conversations untestable")
}

func TestTerminalVerboseShowsEverythingUncut(t *testing.T) {
	r := sample(t)
	res := find(t, r, "tools/unknown-tool", "2025-11-25", "http")
	res.Steps[1].Received = strings.Repeat("line\n", 100) + "the last"
	assert.NotContains(t, write(t, Terminal, r, Options{}), "the last")
	assert.Contains(t, write(t, Terminal, r, Options{}), "… 77 more lines")
	out := write(t, Terminal, r, Options{Verbose: true})
	assert.Contains(t, out, "the last")
	assert.Contains(t, out, "passed  ping/ping")
}

// Colours add to the text and change nothing of it, and no colour is left on at the end of a line.
func TestTerminalColors(t *testing.T) {
	out := write(t, Terminal, sample(t), Options{Color: true})
	assert.Contains(t, out, red+"failed"+plain)
	for line := range strings.Lines(out) {
		assert.Equal(t, strings.Count(line, "\x1b[")/2, strings.Count(line, plain), "%q", line)
	}
	sequence := regexp.MustCompile("\x1b\\[[0-9]+m")
	trailing := regexp.MustCompile(` +\n`)
	assert.Equal(t, write(t, Terminal, sample(t), Options{}), trailing.ReplaceAllString(sequence.ReplaceAllString(out, ""), "\n"))
}

func TestColored(t *testing.T) {
	var text strings.Builder
	assert.False(t, Colored(&text), "no file")
	file, err := os.CreateTemp(t.TempDir(), "")
	require.NoError(t, err)
	defer file.Close()
	assert.False(t, Colored(file), "no terminal")
}

func TestColorWelcome(t *testing.T) {
	for _, test := range []struct {
		noColor, term string
		want          bool
	}{{"", "xterm", true}, {"1", "xterm", false}, {"", "dumb", false}, {"", "", true}} {
		t.Setenv("NO_COLOR", test.noColor)
		t.Setenv("TERM", test.term)
		assert.Equal(t, test.want, colorWelcome(), "%+v", test)
	}
}
