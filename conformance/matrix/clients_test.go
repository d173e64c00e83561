// Who judges a client proves nothing of servers, and the other way round: a requirement that binds both sides has two proofs.
package matrix

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/conformance"
	"github.com/parley-mcp/parley/conformance/transcript"
)

func askedClient(t *testing.T, name, revisions, ids string) *transcript.Transcript {
	return parse(t, name, "Story.\n\nrevisions: "+revisions+"\n-- client --\n{\"calls\": []}\n-- > it calls "+ids+" --\n{\"jsonrpc\": \"2.0\", \"id\": 1, "+
		"\"method\": \"ping\", \"...\": \"\"}\n-- < answer --\n{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": {}}\n")
}

func TestClientsAndServersAreProvenApart(t *testing.T) {
	const both, client, revision = "ping.empty-result", "session.client-includes-id", "2025-06-18"
	clients := []*transcript.Transcript{askedClient(t, "client/one", revision, "["+both+" "+client+"]")}
	m := build(t, Sources{Clients: clients})
	proof := Proof{Name: "client/one", Path: "conformance/transcripts/client/one.txtar"}
	assert.Equal(t, ByTranscript, m.at(t, client, revision).Status)
	assert.Equal(t, []Proof{proof}, m.at(t, client, revision).Proofs)
	c := m.at(t, both, revision)
	assert.Equal(t, Gap, c.Status, "of servers nothing is proven")
	assert.Equal(t, []Proof{proof}, c.Clients)
	assert.Equal(t, ByTranscript, c.ofClients().Status)
	assert.Contains(t, m.Pages()[2].Text, "**GAP**; of clients: [client/one]")

	m = build(t, Sources{Transcripts: []*transcript.Transcript{ask(t, "ping/one", revision, "ping", "["+both+"]")}})
	assert.Equal(t, ByTranscript, m.at(t, both, revision).Status)
	assert.Equal(t, Gap, m.at(t, both, revision).ofClients().Status, "of clients nothing is proven")
}

func TestClientChecksProveAllOfTheirOwn(t *testing.T) {
	m := build(t, Sources{ClientChecks: []conformance.AlwaysCheck{{Name: "client-always/a", Revisions: []string{"2025-06-18"},
		Requirements: []string{"session.client-includes-id", "session.client-404-reinitialize"}}}})
	for _, id := range []string{"session.client-includes-id", "session.client-404-reinitialize"} {
		assert.Equal(t, ByTranscript, m.at(t, id, "2025-06-18").Status)
		assert.Equal(t, Gap, m.at(t, id, "2025-11-25").Status)
	}
}

func TestReviewKnowsWhomIsJudged(t *testing.T) {
	m := manifest(t)
	require.NoError(t, Review([]*transcript.Transcript{askedClient(t, "client/one", "2025-06-18", "[session.client-includes-id]")}, m))
	assert.ErrorContains(t, Review([]*transcript.Transcript{askedClient(t, "client/one", "2025-06-18", "[session.terminated-id-404]")}, m),
		"conformance/transcripts/client/one.txtar:6: requirement session.terminated-id-404 binds the server: it is none of whom the transcript judges")
	assert.ErrorContains(t, Review([]*transcript.Transcript{ask(t, "ping/one", "2025-06-18", "ping", "[session.client-includes-id]")}, m),
		"requirement session.client-includes-id binds the client")
	assert.ErrorContains(t, Review([]*transcript.Transcript{askedClient(t, "client/one", "2025-06-18", "[session.client-includes-id]"),
		askedClient(t, "client/two", "2025-06-18", "[session.client-includes-id]")}, m), "client/two", "it asks the same and proves no more")
}

// What parley explain says of tests is what the tree says.
func TestCited(t *testing.T) {
	for _, c := range builtin(t).Citations {
		found := Cited(c.ID)
		require.NotEmpty(t, found, c.ID)
		c.Line = 0
		assert.Contains(t, found, c)
	}
	assert.Empty(t, Cited("no.such"))
}
