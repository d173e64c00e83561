package report

import (
	"bytes"
	"encoding/xml"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// evil has what a server may send to act in a report: terminal sequences, reordering, invisible and forbidden characters,
// bytes that are not UTF-8, and the ends of every context that a writer puts text into.
const evil = "\x1b[31m\x1b]0;t\x07\u009b5m\u202e\u2066\ufeff\u200b\u2028\x00\ufffe\xff\xc3(\r\n" +
	"</script><script>alert(1)</script>]]>--><!--\"'`${x}```````\n|a|b|\n@somebody #1 <b>&amp;www.example.com\\\U000e0041"

// hostile is the sample with evil in every place that can hold it: a result of each verdict, known and not.
func hostile(t testing.TB) *Report {
	r := sample(t)
	r.Target.Name, r.Target.Server = evil, Software{evil, evil}
	r.Target.Revisions["http"] = append(r.Target.Revisions["http"], evil)
	r.Known = append(r.Known, KnownProblem{evil, evil, evil})
	r.Set = &RequirementSet{Name: evil}
	for i := range 2 * len(Verdicts) {
		v, res := Verdicts[i/2], &r.Results[i]
		res.Transcript, res.Area, res.Story, res.Reason = evil, evil, evil, evil
		if i%2 == 0 {
			res.KnownReason = evil
		}
		res.Verdict, res.Revision, res.Transport = v, evil, evil
		for j := range res.Steps {
			res.Steps[j] = Step{
				Label: evil, Kind: evil, Verdict: v, Requirements: []string{evil},
				Problem: evil, Sent: evil, Received: evil, Curl: evil,
			}
		}
	}
	return r
}

var writers = map[string]Writer{
	"terminal": Terminal, "json": JSON, "junit": JUnit, "sarif": SARIF, "markdown": Markdown, "html": HTML,
}

// Whatever a server sends, what is written is valid text in which nothing acts or hides.
func TestHostileTextIsHarmless(t *testing.T) {
	for name, w := range writers {
		t.Run(name, func(t *testing.T) {
			for _, verbose := range []bool{false, true} {
				out := write(t, w, hostile(t), Options{Verbose: verbose})
				assert.True(t, utf8.ValidString(out))
				if i := strings.IndexFunc(out, hidden); i >= 0 {
					assert.Failf(t, "a hidden character", "%q", out[max(0, i-40):i+10])
				}
				assert.NotContains(t, out, "\r")
				assert.True(t, strings.Contains(out, "‹0xFF›"), "the bytes are shown nevertheless")
			}
		})
	}
}

// The structures hold: XML and JSON still parse, and the page has its own two scripts alone.
func TestHostileTextStaysWithinItsPlace(t *testing.T) {
	r := hostile(t)
	decoder := xml.NewDecoder(strings.NewReader(write(t, JUnit, r, Options{})))
	for {
		_, err := decoder.Token()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
	}
	for _, w := range []Writer{JSON, SARIF} {
		assert.True(t, jsontext.Value(write(t, w, r, Options{})).IsValid())
	}
	page := write(t, HTML, r, Options{})
	assert.Equal(t, 2, strings.Count(strings.ToLower(page), "<script"))
	assert.Equal(t, 2, strings.Count(strings.ToLower(page), "</script"))
	assert.NotContains(t, page, "ZgotmplZ")
}

// A report survives JSON whole, but for the bytes that are not UTF-8.
func TestHostileTextSurvivesJSON(t *testing.T) {
	r := hostile(t)
	back, err := Read([]byte(write(t, JSON, r, Options{})))
	require.NoError(t, err)
	assert.Equal(t, validUTF8(evil), back.Results[0].Steps[0].Received)
	assert.Contains(t, back.Results[0].Steps[0].Received, "\x1b[31m\x1b]0;t\x07\u009b5m\u202e")
	assert.Contains(t, back.Results[0].Steps[0].Received, "\U000e0041")
}

// An address that is not of the web never becomes a link.
func TestOnlyWebAddressesBecomeLinks(t *testing.T) {
	for name, w := range writers {
		var out bytes.Buffer
		require.NoError(t, w(&out, sample(t), Options{Requirements: script{}}))
		assert.NotContains(t, out.String(), "javascript:", name)
	}
}

type script struct{}

func (script) Describe(string) (string, bool) { return "text", true }
func (script) Clause(string, string) string   { return "javascript:alert(1)" }
func (script) Level(string, string) string    { return "MUST" }
