// The facts are a table: what can be wrong with it is a revision that says nothing, or says it twice.
package revision_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/conformance/match"
	"github.com/parley-mcp/parley/conformance/revision"
)

func TestTable(t *testing.T) {
	versions := revision.Versions()
	assert.Equal(t, []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"}, versions)
	for _, f := range revision.All() {
		assert.Equal(t, f.Handshake, f.Sessions, f.Version)
		assert.Equal(t, f.Handshake, len(f.Ambient) > 0, f.Version)
		assert.NotEqual(t, f.Handshake, f.MirrorHeaders, f.Version)
		got, ok := revision.Lookup(f.Version)
		assert.True(t, ok)
		assert.Equal(t, f.Version, got.Version)
	}
	assert.False(t, slices.ContainsFunc(revision.All(), func(f revision.Facts) bool { return f.Batches && f.VersionHeader }))
	_, ok := revision.Lookup("2024-11-05")
	assert.False(t, ok)
}

func TestMeta(t *testing.T) {
	stateless, _ := revision.Lookup("2026-07-28")
	ask := match.Meta{Capabilities: []string{"elicitation.url", "elicitation.form", "roots.listChanged", "extensions.a.b/c"},
		Extra: []match.Member{{Name: "logLevel", Value: match.String("info")}, {Name: "progressToken", Value: match.Number("1")}}}
	assert.Equal(t, `{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":`+revision.Client.String()+
		`,"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"url":{},"form":{}},"roots":{"listChanged":true},"extensions":{"a.b/c":{}}},`+
		`"io.modelcontextprotocol/logLevel":"info","progressToken":1}`, stateless.Meta(ask).String())
	handshake, _ := revision.Lookup("2025-11-25")
	assert.Equal(t, `{"progressToken":1}`, handshake.Meta(ask).String())
	assert.Nil(t, handshake.Meta(match.Meta{Capabilities: []string{"roots"}}))
	assert.Contains(t, handshake.Initialize(match.Number("7"), []string{"sampling"}).String(), `"id":7,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"sampling":{}}`)
}

func TestDeclares(t *testing.T) {
	caps, err := match.Parse([]byte(`{"tools":{},"resources":{"subscribe":true,"listChanged":false},"extensions":{"a.b/c":{"d":{}}}}`))
	require.NoError(t, err)
	for path, want := range map[string]bool{"tools": true, "prompts": false, "resources.subscribe": true, "resources.listChanged": false,
		"extensions.a.b/c": true, "extensions.a.b/c.d": true, "extensions.a": false, "tools.listChanged": false} {
		assert.Equal(t, want, revision.Declares(caps, path), path)
	}
	assert.False(t, revision.Declares(nil, "tools"))
}
