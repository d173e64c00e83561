package matrix

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/conformance/transcript"
	"github.com/parley-mcp/parley/conformance/transcripts"
)

// The transcripts that come with the harness all do work: their ids exist, they prove something at each of their revisions,
// and none repeats another.
func TestTranscriptsProveSomething(t *testing.T) {
	all, err := transcripts.All()
	require.NoError(t, err)
	require.NoError(t, Review(all, manifest(t)))
}

func parse(t *testing.T, name, source string) *transcript.Transcript {
	t.Helper()
	tr, err := transcript.Parse(name+".txtar", []byte(source))
	require.NoError(t, err)
	return tr
}

func ask(t *testing.T, name, revisions, method, ids string) *transcript.Transcript {
	return parse(t, name, "Story.\n\nrevisions: "+revisions+"\n-- > ask --\n{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \""+method+"\"}\n"+
		"-- < answer "+ids+" --\n{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": {}}\n")
}

func TestReview(t *testing.T) {
	pong := ask(t, "ping/one", "2025-06-18", "ping", "[ping.empty-result]")
	cases := map[string]struct {
		all  []*transcript.Transcript
		want string
	}{
		"an unknown id": {[]*transcript.Transcript{ask(t, "ping/one", "2025-06-18", "ping", "[ping.empty-result ping.empty-results]")},
			"conformance/transcripts/ping/one.txtar:6: unknown requirement ping.empty-results: did you mean ping.empty-result?"},
		"an id of another revision": {[]*transcript.Transcript{ask(t, "ping/one", "2026-07-28", "ping", "[ping.empty-result]")},
			"ping/one.txtar:6: requirement ping.empty-result holds at none"},
		"no id": {[]*transcript.Transcript{ask(t, "ping/one", "2025-06-18", "ping", "")},
			"ping/one.txtar:1: it proves nothing at 2025-06-18"},
		"no id at one revision": {[]*transcript.Transcript{ask(t, "ping/one", "2025-06-18 2026-07-28", "ping", "[ping.empty-result]")},
			"ping/one.txtar:1: it proves nothing at 2026-07-28"},
		"the same again": {[]*transcript.Transcript{pong, ask(t, "ping/two", "2025-06-18", "ping", "[ping.empty-result]")},
			"ping/two.txtar:1: ping/one asks the same and proves the same"},
		"less of the same": {[]*transcript.Transcript{ask(t, "ping/less", "2025-06-18", "ping", "[ping.empty-result]"),
			ask(t, "ping/more", "2025-06-18 2025-11-25", "ping", "[ping.empty-result]")},
			"ping/less.txtar:1: ping/more asks the same"},
	}
	idle := ask(t, "ping/two", "2025-11-25", "ping", "[ping.empty-result]")
	idle.Also = "it was once the same"
	cases["a reason that has gone"] = struct {
		all  []*transcript.Transcript
		want string
	}{[]*transcript.Transcript{pong, idle}, "ping/two.txtar:1: also: no other transcript asks the same"}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) { assert.ErrorContains(t, Review(c.all, manifest(t)), c.want) })
	}
}

// The same requirement is proven anew by whoever asks something else, at another revision, or for something else.
func TestReviewLetsThemProveItAnew(t *testing.T) {
	require.NoError(t, Review([]*transcript.Transcript{
		ask(t, "ping/one", "2025-06-18", "ping", "[ping.empty-result]"),
		ask(t, "ping/two", "2025-06-18", "another", "[ping.empty-result]"),
		ask(t, "ping/three", "2025-11-25", "ping", "[ping.empty-result]"),
		ask(t, "ping/four", "2025-06-18", "ping", "[base.result-id-matches]"),
	}, manifest(t)))
	for i, revisions := range []string{"2025-06-18", "2025-06-18 2025-11-25"} {
		twins := []*transcript.Transcript{ask(t, "ping/one", "2025-06-18", "ping", "[ping.empty-result]"), ask(t, "ping/two", revisions, "ping", "[ping.empty-result]")}
		require.Error(t, Review(twins, manifest(t)))
		twins[0].Also = "it is the shortest of all"
		require.NoError(t, Review(twins, manifest(t)), i)
	}
	control := []*transcript.Transcript{ask(t, "ping/one", "2025-06-18", "ping", "[ping.empty-result]"),
		ask(t, "ping/two", "2025-06-18 2025-11-25", "ping", "[ping.empty-result]"), ask(t, "ping/three", "2025-06-18", "pong", "[ping.empty-result]")}
	control[2].Control = "ping/one"
	require.NoError(t, Review(control, manifest(t)))
}
