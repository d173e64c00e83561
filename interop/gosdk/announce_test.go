package gosdk

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What the server announces: at the revisions with a handshake on the stream that the client opens by GET, or on stdio; at
// the other one on requests that the client keeps open, of which it says by an acknowledgment that they have begun.

const watched = "test://watched-resource"

func (v *visit) announcements() {
	if v.revision == perRequest {
		v.await(acknowledged, 1)
	}
	for kind, tool := range map[string]string{toolsChanged: "test_trigger_tool_change", promptsChanged: "test_trigger_prompt_change"} {
		require.Zero(v, v.count(kind), kind)
		v.call(tool, nil)
		v.await(kind, 1)
	}
	v.note("list changes")

	v.call("test_trigger_resource_update", nil)
	require.NoError(v, v.session.Subscribe(v.ctx, &mcp.SubscribeParams{URI: watched}))
	if v.revision == perRequest {
		v.await(acknowledged, 2)
	}
	before := v.read(watched).Text
	v.call("test_trigger_resource_update", nil)
	assert.Equal(v, []string{watched}, v.await(updated, 1), "and not of what was before the subscription")
	assert.NotEqual(v, before, v.read(watched).Text)
	v.note("resource updates")
	v.unsubscribe()
}

// unsubscribe asks not to be told of the resource any longer. Where that is a request, nothing is said after its answer; that
// is certain when a list has changed twice since, because what is announced together may be in any order.
func (v *visit) unsubscribe() {
	require.NoError(v, v.session.Unsubscribe(v.ctx, &mcp.UnsubscribeParams{URI: watched}))
	if v.revision == perRequest {
		return
	}
	v.call("test_trigger_resource_update", nil)
	for n := range 2 {
		v.call("test_trigger_tool_change", nil)
		v.await(toolsChanged, n+2)
	}
	assert.Equal(v, 1, v.count(updated))
	v.note("unsubscribe")
}
