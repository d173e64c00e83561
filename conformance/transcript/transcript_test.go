// A transcript says in its own words what travels. The parser takes everything that doc.go names, and for everything else
// says where the mistake is and what to do.
package transcript_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/parley-mcp/parley/conformance/match"
	"github.com/parley-mcp/parley/conformance/transcript"
)

const greeter = `The greeter needs a name. It answers input_required, and the client
retries.

revisions: 2026-07-28
transports: http
fixture:   ask-then-greet
capability: tools
control: mrtr/ask
parallel: no
-- let who --
"Ada"
-- > the first call --
http: Mcp-Method:
http: X-Twice: a
http: X-Twice: "  b\x00"
http: @split 3 9
{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"_meta": "{{meta elicitation sampling.tools}}"}}
-- <? progress [progress.token-echoed] --
{"method": "notifications/progress", "...": ""}
-- <! a second answer --
{"id": 1, "...": ""}
-- < the server asks [mrtr.input-required mrtr.no-content] --
http: 200
http: Mcp-Session-Id: {{absent}}
http: @end
{"id": 1, "result": {"requestState": "{{$state}}", "...": ""}, "...": ""}
-- >raw broken --
{"id":{{hex FF}}{{repeat 3 ab}}"{{$state}}"
-- < refused --
http: 400|4xx
-- >http GET listen --
-- >close listen --
-- < nothing --
-- > again --
{"id": 2, "method": "greet", "who": "{{$who}}"}
-- <~ not yet --
{"id": 2, "result": "later"}
-- < done --
{}
`

func TestParse(t *testing.T) {
	tr, err := transcript.Parse("transcripts/mrtr/greet.txtar", []byte(greeter))
	require.NoError(t, err)
	assert.Equal(t, "mrtr/greet", tr.Name)
	assert.Equal(t, "mrtr", tr.Area)
	assert.Equal(t, "The greeter needs a name.", tr.Summary())
	assert.Equal(t, []string{"2026-07-28"}, tr.Revisions)
	assert.Equal(t, []string{"http"}, tr.Transports)
	assert.Equal(t, []string{"ask-then-greet"}, tr.Fixtures)
	assert.Equal(t, []string{"tools"}, tr.Capabilities)
	assert.Equal(t, []string{"elicitation", "sampling.tools"}, tr.ClientCapabilities())
	assert.True(t, tr.Opens)
	assert.False(t, tr.Parallel)
	assert.Equal(t, "mrtr/ask", tr.Control)
	assert.Equal(t, `"Ada"`, tr.Lets["who"].String())

	var kinds []string
	for _, s := range tr.Steps {
		kinds = append(kinds, string(s.Kind)+" "+s.Label)
	}
	assert.Equal(t, []string{"> the first call", "<? progress", "<! a second answer", "< the server asks", ">raw broken",
		"< refused", ">http listen", ">close listen", "< nothing", "> again", "<~ not yet", "< done"}, kinds)

	first, asks, raw := tr.Steps[0], tr.Steps[3], tr.Steps[4]
	assert.Equal(t, 12, first.Line)
	assert.Equal(t, []int{3, 9}, first.HTTP.Split)
	require.Len(t, first.HTTP.Headers, 3)
	assert.Nil(t, first.HTTP.Headers[0].Value, "an empty value leaves the header out")
	assert.Equal(t, "  b\x00", first.HTTP.Headers[2].Value.Source())
	assert.Equal(t, []string{"mrtr.input-required", "mrtr.no-content"}, asks.IDs)
	assert.True(t, asks.HTTP.Status.Allows(200))
	assert.False(t, asks.HTTP.Status.Allows(202))
	assert.True(t, asks.HTTP.End)
	assert.Equal(t, `{"id": 1, "result": {"requestState": "{{$state}}", "...": ""}, "...": ""}`+"\n",
		greeter[asks.BodyStart:asks.BodyEnd])
	assert.True(t, tr.Steps[5].HTTP.Status.Allows(422))
	assert.True(t, tr.Steps[5].Silent())

	env := &match.Env{}
	env.Set("state", match.String("s"))
	body, err := raw.Raw.Expand(env)
	require.NoError(t, err)
	assert.Equal(t, "{\"id\":\xffababab\"s\"", string(body))
}

// TestMistakes reads testdata/mistakes: each file is a txtar archive of a transcript with one mistake (its marker lines begin
// with "==" there), and of the error that it must give.
func TestMistakes(t *testing.T) {
	files, err := filepath.Glob("testdata/mistakes/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			require.NoError(t, err)
			require.Len(t, archive.Files, 2)
			source := strings.ReplaceAll(string(archive.Files[0].Data), "== ", "-- ")
			source = strings.ReplaceAll(source, " ==\n", " --\n")
			_, err = transcript.Parse("area/file.txtar", []byte(source))
			require.Error(t, err)
			assert.Equal(t, strings.TrimSpace(string(archive.Files[1].Data)), err.Error())
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(greeter))
	files, _ := filepath.Glob("testdata/mistakes/*.txt")
	for _, file := range files {
		if b, err := os.ReadFile(file); err == nil {
			f.Add([]byte(strings.ReplaceAll(string(b), "== ", "-- ")))
		}
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		tr, err := transcript.Parse("area/file.txtar", source)
		for _, s := range tr.Steps {
			require.LessOrEqual(t, s.BodyStart, s.BodyEnd)
			require.LessOrEqual(t, s.BodyEnd, len(tr.Source))
		}
		if err != nil {
			assert.Contains(t, err.Error(), "area/file.txtar:")
		}
	})
}
