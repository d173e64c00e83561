package matrix

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/conformance/report"
	"github.com/parley-mcp/parley/conformance/transcript"
)

func html(t *testing.T, m *Matrix) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, m.HTML(&b))
	return b.String()
}

func TestHTML(t *testing.T) {
	m := build(t, Sources{Transcripts: []*transcript.Transcript{ask(t, "ping/one", "2025-06-18", "ping", "[ping.empty-result]")}})
	text := html(t, m)
	rows := 0
	for _, a := range m.Areas {
		rows += len(a.Rows)
	}
	assert.Equal(t, rows, strings.Count(text, "<tr data-id="))
	assert.Contains(t, text, `<td data-revision="2025-06-18" data-v="pass" data-status="transcript" data-level="MUST" data-party="both">`)
	assert.Contains(t, text, `<td data-revision="2025-11-25" data-v="fail" data-status="gap" data-level="MUST" data-party="both">`)
	assert.Contains(t, text, `<a href="https://github.com/parley-mcp/parley/blob/main/conformance/transcripts/ping/one.txtar" rel="noreferrer">ping/one</a>`)
}

// The page loads nothing from anywhere, and its policy names its own script and style alone.
func TestHTMLIsSelfContained(t *testing.T) {
	text := html(t, build(t, Sources{}))
	style := report.Style() + pageCSS
	assert.NotRegexp(t, `(?i)(src|action|srcset)\s*=|<link[^>]*href="[^d]|@import|url\(|fetch\(|XMLHttpRequest|import\s`, pageHTML+style+pageJS)
	assert.Equal(t, strings.Count(text, "<a href="), strings.Count(text, `<a href="https://`), "all but the skip link lead to the web")
	assert.Contains(t, text, strings.NewReplacer("'", "&#39;", "+", "&#43;").Replace(report.Policy(pageJS, style)))
	assert.Contains(t, text, "<script>"+pageJS+"</script>")
	assert.Contains(t, text, "<style>"+style+"</style>")
}

// Whatever a name holds is shown as text.
func TestHTMLHostileText(t *testing.T) {
	const evil = `</script><script>alert(1)</script>"'><img src=x onerror=alert(1)>`
	text := html(t, build(t, Sources{Citations: []Citation{{ID: "ping.empty-result", Revisions: []string{"2025-06-18"}, Function: evil, File: "javascript:" + evil}}}))
	assert.Equal(t, 1, strings.Count(strings.ToLower(text), "<script"))
	assert.NotContains(t, text, "<img")
	assert.NotContains(t, text, `href="javascript:`)
}
