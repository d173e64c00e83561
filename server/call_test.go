package server_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
)

// TestCallKnowsItsClient: what the transport knows reaches the author as it is, and what it does not know is nil.
func TestCallKnowsItsClient(t *testing.T) {
	s := newServer(t, server.Options{})
	var known bool
	client, can := &protocol.Implementation{Name: "c"}, &protocol.ClientCapabilities{}
	require.NoError(t, server.AddTool(s, server.Tool{Name: "t"}, func(_ context.Context, c *server.Call, _ struct{}) (string, error) {
		if known {
			assert.Same(t, client, c.Client())
			assert.Same(t, can, c.Capabilities())
			assert.Equal(t, "ada", c.Principal())
			assert.Equal(t, "s-1", c.SessionID())
			assert.Equal(t, `{"own":1}`, string(c.Meta()))
		} else {
			assert.Nil(t, c.Client())
			assert.Nil(t, c.Capabilities())
			assert.Empty(t, c.Principal())
			assert.Empty(t, c.SessionID())
			assert.Nil(t, c.Meta())
		}
		assert.Equal(t, "t", c.Params().(*protocol.CallToolParams).Name)
		return string(c.Revision()), nil
	}))
	eachRevision(t, s, func(t *testing.T, p *peer) {
		for _, known = range []bool{false, true} {
			if known {
				p.in.Client, p.in.Capabilities, p.in.Principal, p.in.SessionID = client, can, "ada", "s-1"
				p.in.RawMeta = jsontext.Value(`{"own":1}`)
			}
			assert.Contains(t, p.call("t", "{}"), string(p.in.Codec.Features().Revision))
		}
	})
}

func TestPrincipal(t *testing.T) {
	s := newServer(t, server.Options{Principal: func(_ context.Context, header http.Header) string { return header.Get("X-User") }})
	assert.Equal(t, "ada", s.PrincipalOf(t.Context(), http.Header{"X-User": {"ada"}}))
	assert.Empty(t, s.PrincipalOf(t.Context(), nil), "on stdio there are no headers")
}

// TestNothingOffered: a server that has nothing declares nothing, and has none of the methods.
//
// Proves: lifecycle.advertise-implemented-features
func TestNothingOffered(t *testing.T) {
	eachRevision(t, newServer(t, server.Options{}), func(t *testing.T, p *peer) {
		declared := p.open()["capabilities"].(object)
		delete(declared, "logging") // each request can name its level
		assert.Empty(t, declared)
		for method, params := range map[string]string{
			"tools/list": "{}", "tools/call": `{"name":"t"}`, "prompts/list": "{}", "prompts/get": `{"name":"p"}`,
			"resources/list": "{}", "resources/templates/list": "{}", "resources/read": `{"uri":"test://r"}`,
			"completion/complete": completePrompt, "no/such": "{}",
		} {
			assert.Equal(t, protocol.KindMethodNotFound, p.fails(method, params).Kind, method)
		}
		if p.in.Codec.Features().Lifecycle == protocol.Handshake {
			assert.Equal(t, "{}", p.raw("ping", "{}"))
		} else {
			assert.Equal(t, protocol.KindMethodNotFound, p.fails("ping", "{}").Kind)
		}
	})
}

// TestLongNamesAreClipped: an error does not carry back all that a client sent.
func TestLongNamesAreClipped(t *testing.T) {
	s := newServer(t, server.Options{})
	addTools(t, s, "t")
	addPrompts(t, s, "p")
	long := strings.Repeat("x", 1<<20)
	p := newest(t, s)
	for _, method := range []string{"tools/call", "prompts/get"} {
		assert.Less(t, len(p.fails(method, `{"name":"`+long+`"}`).Message), 300)
	}
}
