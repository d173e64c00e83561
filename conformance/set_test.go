package conformance

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/conformance/report"
	"github.com/parley-mcp/parley/conformance/requirements"
	"github.com/parley-mcp/parley/conformance/transcript"
)

// twoPings expects of the first ping what a server cannot give, and of the second what it gives.
func twoPings(t *testing.T, name, first, second string) *transcript.Transcript {
	return parse(t, name, "Story.\n\nrevisions: "+newHonest().handshake+"\n-- > ping --\n{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"}\n-- < pong "+first+" --\n"+
		"{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": {\"more\": 1}}\n-- > again --\n{\"jsonrpc\": \"2.0\", \"id\": 2, \"method\": \"ping\"}\n"+
		"-- < pong again "+second+" --\n{\"jsonrpc\": \"2.0\", \"id\": 2, \"result\": {}}\n")
}

func restricted(t *testing.T, ids []string, all ...*transcript.Transcript) (*report.Report, error) {
	o := quick
	manifest := levels{"old": "MUST", "new": "MUST"}
	for _, c := range AlwaysChecks() {
		for _, id := range c.Requirements {
			manifest[id] = "MUST"
		}
	}
	o.Manifest = manifest
	o.Set = &requirements.Set{Name: "set@1", Revision: newHonest().handshake, IDs: ids}
	o.Transcripts = all
	return Run(t.Context(), serve(t, newHonest()), o)
}

// What a set does not hold fails nobody, and is not said to have passed.
func TestASetJudgesAlone(t *testing.T) {
	r, err := restricted(t, []string{"old"}, twoPings(t, "a/b", "[new]", "[old]"), twoPings(t, "a/other", "[new]", "[new]"))
	require.NoError(t, err)
	require.Len(t, told(r), 1, "what proves nothing of the set is not run")
	res := told(r)[0]
	assert.Equal(t, report.Pass, res.Verdict)
	assert.Equal(t, report.NotApplicable, res.Steps[1].Verdict)
	assert.Contains(t, res.Steps[1].Problem, outsideReason)
	assert.Empty(t, res.Steps[1].Requirements)
	assert.Equal(t, report.Pass, res.Steps[3].Verdict, "the conversation goes on")
	assert.Equal(t, &report.RequirementSet{Name: "set@1", Total: 1, Tested: 1}, r.Set)
	assert.Equal(t, map[string][]string{"http": {newHonest().handshake}}, r.Target.Revisions, "no other revision is tested")
	assert.Len(t, r.Results, 1, "the checks of every message are outside, too")
}

func TestASetStillFails(t *testing.T) {
	r, err := restricted(t, []string{"old"}, twoPings(t, "a/b", "[new old]", "[new]"))
	require.NoError(t, err)
	assert.Equal(t, report.Fail, told(r)[0].Verdict)
	assert.Equal(t, []string{"old"}, told(r)[0].Steps[1].Requirements)
	r, err = restricted(t, []string{"old"}, twoPings(t, "a/b", "", "[old]"))
	require.NoError(t, err)
	assert.Equal(t, report.Fail, told(r)[0].Verdict, "a precondition is one, whatever the set")
}

// A control that is wrong outside the set shows nothing: nothing is said of what rests on it.
func TestASetNeedsItsControls(t *testing.T) {
	negative := parse(t, "a/negative", "Story.\n\nrevisions: "+newHonest().handshake+"\ncontrol: a/control\n-- > ping --\n{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"}\n"+
		"-- < pong [old] --\n{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": {}}\n")
	r, err := restricted(t, []string{"old"}, negative, twoPings(t, "a/control", "[new]", "[new]"))
	require.NoError(t, err)
	require.Len(t, told(r), 2)
	assert.Equal(t, report.NotApplicable, told(r)[0].Verdict)
	assert.Equal(t, report.NotApplicable, told(r)[1].Verdict)
	assert.Contains(t, told(r)[1].Reason, "its control a/control is not applicable")
	assert.Equal(t, 0, r.Set.Tested)
}

func TestASetIsOfOneRevision(t *testing.T) {
	o := quick
	o.Set, o.Revisions = &requirements.Set{Name: "set@1", Revision: newHonest().handshake}, []string{newHonest().stateless}
	_, err := Run(t.Context(), serve(t, newHonest()), o)
	assert.ErrorContains(t, err, "the requirements set@1 are those of "+newHonest().handshake)
}
