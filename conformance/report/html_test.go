package report

import (
	"regexp"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What the page does is tested in a browser, in the module browser. Here: what is in it.
func TestHTML(t *testing.T) {
	page := write(t, HTML, sample(t), Options{})
	for _, part := range []string{
		"<title>Conformance of http://localhost:8080/mcp (weather 2.3.1)</title>",
		"Failed: 5 conversations failed",
		`aria-label="failed: 2025-11-25 over http"`,
		`aria-label="failed, as known: 2026-07-28 over stdio"`,
		`aria-label="not tested: 2025-11-25 over http"`,
	} {
		assert.Contains(t, page, part)
	}
	assert.Equal(t, 17, strings.Count(page, `<tr role="row" data-id="`)-14, "requirements, and transcripts")
}

// The page needs nothing from anywhere: the only addresses in it are those of clauses, and they are in the data.
func TestHTMLIsSelfContained(t *testing.T) {
	page := write(t, HTML, sample(t), Options{})
	shell, _, _ := strings.Cut(page, `id="data"`)
	assert.NotRegexp(t, `(?i)(src|href|action|srcset)\s*=\s*"?(https?:)?//`, shell)
	assert.NotRegexp(t, `(?i)@import|url\(`, shell)
	assert.Contains(t, page, "default-src &#39;none&#39;")
	assert.Contains(t, page, "script-src &#39;"+inAttribute(digest(pageJS))+"&#39;; style-src &#39;"+inAttribute(digest(pageCSS))+"&#39;")
	assert.Contains(t, page, "<script>"+pageJS+"</script>", "the script is the one whose hash the policy names")
	assert.Contains(t, page, "<style>"+pageCSS+"</style>")
}

// inAttribute writes a hash as html/template does in an attribute.
func inAttribute(hash string) string { return strings.ReplaceAll(hash, "+", "&#43;") }

func TestHTMLHoldsTheEvidence(t *testing.T) {
	page := write(t, HTML, sample(t), Options{})
	text := regexp.MustCompile(`(?s)<script type="application/json" id="data">(.*?)</script>`).FindStringSubmatch(page)
	require.Len(t, text, 2)
	var data htmlData
	require.NoError(t, json.Unmarshal([]byte(text[1]), &data))
	assert.Len(t, data.Results, 74)
	assert.Len(t, data.Requirements, 17)
	known := data.Requirements["resources.not-found-code"]
	assert.Equal(t, "SHOULD", known.At["2025-11-25"].Level)
	assert.Equal(t, "MUST", known.At["2026-07-28"].Level)
	assert.Contains(t, known.At["2026-07-28"].URL, "/2026-07-28/")
	assert.NotContains(t, data.Requirements["discover.supported-versions"].At, "2025-11-25", "not tested there")
}

func TestHTMLOfAnEmptyReport(t *testing.T) {
	page := write(t, HTML, &Report{}, Options{})
	assert.Contains(t, page, "Failed: nothing was run.")
}
