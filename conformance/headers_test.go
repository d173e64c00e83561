// What the driver sends beside a message is what the revision obliges every client to send; what a transcript says of a header
// goes before it.
package conformance

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/conformance/drive"
	"github.com/parley-mcp/parley/conformance/match"
	"github.com/parley-mcp/parley/conformance/revision"
	"github.com/parley-mcp/parley/conformance/transcript"
)

func headerPlayer(t *testing.T, version string) *player {
	t.Helper()
	facts, ok := revision.Lookup(version)
	require.True(t, ok)
	return &player{server: &server{}, facts: facts, http: true, inventory: &inventory{}, env: &match.Env{}}
}

func parseValue(t *testing.T, text string) *match.Value {
	t.Helper()
	v, err := match.Parse([]byte(text))
	require.NoError(t, err)
	return v
}

func fields(list []drive.Field) map[string]string {
	out := map[string]string{}
	for _, f := range list {
		out[f.Name] += f.Value
	}
	return out
}

func TestObligedWithHandshake(t *testing.T) {
	p := headerPlayer(t, "2025-11-25")
	p.session.id, p.session.version = "s-1", "2025-11-25"
	both := map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
	assert.Equal(t, both, fields(p.obliged("POST", parseValue(t, `{"method":"initialize"}`))), "nothing is agreed yet")
	both["MCP-Protocol-Version"], both["Mcp-Session-Id"] = "2025-11-25", "s-1"
	assert.Equal(t, both, fields(p.obliged("POST", parseValue(t, `{"method":"ping"}`))))
	assert.Equal(t, map[string]string{"Accept": "text/event-stream", "MCP-Protocol-Version": "2025-11-25", "Mcp-Session-Id": "s-1"},
		fields(p.obliged("GET", nil)))

	p = headerPlayer(t, "2025-03-26")
	p.session.id, p.session.version = "s-1", "2025-03-26"
	assert.Equal(t, map[string]string{"Mcp-Session-Id": "s-1"}, fields(p.obliged("DELETE", nil)), "this revision has no version header")
}

func TestObligedWithoutHandshake(t *testing.T) {
	p := headerPlayer(t, "2026-07-28")
	p.inventory.tools = map[string]*match.Value{"run": parseValue(t, `{"inputSchema":{"properties":{
		"region":{"type":"string","x-mcp-header":"Region"},"dry":{"type":"boolean","x-mcp-header":"Dry"},
		"n":{"type":"integer","x-mcp-header":"N"},"none":{"type":"string","x-mcp-header":"None"},"plain":{"type":"string"},
		"inner":{"type":"object","properties":{"zone":{"type":"string","x-mcp-header":"Zone"}}}}}}`)}
	got := fields(p.obliged("POST", parseValue(t, `{"method":"tools/call","params":{"name":"run",
		"arguments":{"region":"Köln","dry":false,"n":42,"none":null,"plain":"x","inner":{"zone":"a"}}}}`)))
	assert.Equal(t, map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "run",
		"Mcp-Param-Region": "=?base64?S8O2bG4=?=", "Mcp-Param-Dry": "false", "Mcp-Param-N": "42", "Mcp-Param-Zone": "a"}, got)

	got = fields(p.obliged("POST", parseValue(t, `{"method":"resources/read","params":{"uri":"file:///a","_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01"}}}`)))
	assert.Equal(t, "file:///a", got["Mcp-Name"])
	assert.Equal(t, "2099-01-01", got["MCP-Protocol-Version"], "the header repeats the body")
	assert.NotContains(t, fields(p.obliged("GET", nil)), "MCP-Protocol-Version")
}

func TestHeaderLines(t *testing.T) {
	tr := parse(t, "a/b", "Story.\n\nrevisions: 2025-11-25\n-- > ping --\nhttp: Accept:\nhttp: X-A: 1\nhttp: x-a: \"\"\nhttp: Content-Type: text/plain\n"+
		"{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"}\n-- < pong --\n{}\n")
	p := headerPlayer(t, "2025-11-25")
	p.server.header = []drive.Field{{Name: "Authorization", Value: "Bearer t"}}
	got, err := p.header(p.obliged("POST", nil), tr.Steps[0].HTTP.Headers)
	require.NoError(t, err)
	assert.Equal(t, []drive.Field{{Name: "Authorization", Value: "Bearer t"}, {Name: "X-A", Value: "1"}, {Name: "x-a", Value: ""},
		{Name: "Content-Type", Value: "text/plain"}}, got)
	text, err := match.CompileText("Bearer other")
	require.NoError(t, err)
	got, err = p.header(nil, []transcript.Header{{Name: "authorization", Value: text}})
	require.NoError(t, err)
	assert.Equal(t, []drive.Field{{Name: "authorization", Value: "Bearer other"}}, got, "a transcript about credentials sends its own")
}
