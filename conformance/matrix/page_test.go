package matrix

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/conformance/transcript"
)

func itoa(n int) string { return strconv.Itoa(n) }

func builtin(t *testing.T) *Matrix {
	t.Helper()
	m, err := Load("../..")
	require.NotNil(t, m, err)
	return m
}

// forgeLimit is the size from which GitHub no longer shows a Markdown file.
const forgeLimit = 512 << 10

func TestPages(t *testing.T) {
	m := builtin(t)
	pages := m.Pages()
	require.Len(t, pages, 2+len(m.Revisions), "and the citations")
	for i, p := range pages[:1+len(m.Revisions)] {
		assert.Less(t, len(p.Text), forgeLimit, p.Path)
		for n, line := range strings.Split(p.Text, "\n") {
			if cells := regexp.MustCompile(`(^|[^\\])\|`).FindAllString(line, -1); strings.HasPrefix(line, "| `") {
				want := 4
				if i == 0 {
					want = 3 + len(m.Revisions)
				}
				assert.Len(t, cells, want, "%s:%d: %s", p.Path, n+1, line)
			}
		}
	}
	for i, s := range m.Summaries() {
		assert.Equal(t, s.All.Total, strings.Count(pages[i+1].Text, "\n| `"), "one line for each requirement")
		assert.Equal(t, s.Wire.ByStatus[Gap]+s.Extensions.ByStatus[Gap], strings.Count(pages[i+1].Text, "**GAP**")-1)
	}
}

// Links within the module lead somewhere.
func TestLinksLeadSomewhere(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]*)(?:#([^)]*))?\)`)
	texts, anchors := map[string]string{}, map[string]map[string]bool{}
	place := regexp.MustCompile(`(?m)^(?:<a id="(.*)">|## (.*)$)`)
	for _, p := range builtin(t).Pages() {
		texts[p.Path], anchors[p.Path] = p.Text, map[string]bool{"": true}
		for _, found := range place.FindAllStringSubmatch(p.Text, -1) {
			anchors[p.Path][found[1]+anchor(found[2])] = true
		}
	}
	exists := map[string]bool{}
	for from, text := range texts {
		for _, l := range link.FindAllStringSubmatch(text, -1) {
			to := filepath.ToSlash(filepath.Join(filepath.Dir(from), l[1]))
			if l[1] == "" {
				to = from
			}
			if known, ours := anchors[to]; ours {
				assert.True(t, known[l[2]], "%s: %s", from, l[0])
			} else if !exists[to] {
				_, err := os.Stat(filepath.Join("../..", filepath.FromSlash(to)))
				assert.NoError(t, err, "%s: %s", from, l[0])
				exists[to] = true
			}
		}
	}
}

func TestRows(t *testing.T) {
	m := build(t, Sources{
		Transcripts: []*transcript.Transcript{ask(t, "ping/one", "2025-06-18", "ping", "[ping.empty-result]")},
		Citations:   []Citation{{ID: "ping.empty-result", Revisions: []string{"2025-06-18"}, Function: "TestPing", File: "a/a_test.go"}},
	})
	pages := m.Pages()
	assert.Contains(t, pages[2].Text, "| [MUST](https://modelcontextprotocol.io/specification/2025-06-18/basic/utilities/ping#behavior-requirements), both sides | "+
		"[ping/one](../../conformance/transcripts/ping/one.txtar), [TestPing](../../a/a_test.go) |\n")
	assert.Contains(t, pages[2].Text, "| not observable: late |")
	assert.Regexp(t, "\\| `ping.empty-result`: .*both sides \\| \\*\\*GAP\\*\\* \\|\n", pages[1].Text)
}

// The second table tells what came, what went, and what rose.
func TestChanges(t *testing.T) {
	front := build(t, Sources{}).Pages()[0].Text
	line := func(id string) string {
		return regexp.MustCompile("(?m)^\\| `" + regexp.QuoteMeta(id) + "` \\|.*$").FindString(front)
	}
	assert.Regexp(t, `\| \[MUST\]\(https://[^)]*\) \| MUST \| MUST \| – \| gone at 2026-07-28`, line("ping.empty-result"))
	assert.Regexp(t, `\| – \| – \| – \| \[MUST\]\(.*\) \| new at 2026-07-28 \|`, line("discover.implemented"))
	assert.Regexp(t, "replaces `resources.not-found-32002` \\|$", line("resources.not-found-32602"))
	assert.Regexp(t, `(MUST|SHOULD|MAY)( NOT)?, was (MUST|SHOULD|MAY)( NOT)?, at 20`, front)
	assert.Empty(t, line("tools.human-in-the-loop"), "every revision says the same")
}

func TestWriteAndCheck(t *testing.T) {
	m, root := build(t, Sources{}), t.TempDir()
	require.ErrorIs(t, m.Check(root), ErrStale)
	require.NoError(t, m.Write(root))
	require.NoError(t, m.Check(root))
	name := filepath.Join(root, "SPEC_MATRIX.md")
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(name, []byte(strings.Replace(string(text), "## The debt", "## My debt", 1)), 0o600))
	err = m.Check(root)
	require.ErrorIs(t, err, ErrStale)
	assert.ErrorContains(t, err, "SPEC_MATRIX.md:\n+ ## The debt\n- ## My debt")
	assert.NotContains(t, err.Error(), "docs/matrix")
}

func TestDifference(t *testing.T) {
	assert.Equal(t, []string{"+ b", "- c"}, difference("a\nc\n", "a\nb\n"))
	assert.Equal(t, []string{"  the same lines in another order"}, difference("a\nb\n", "b\na\n"))
	assert.Len(t, difference("", strings.Repeat("a\n", 100)), maxDifferences+1)
}
