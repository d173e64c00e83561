package server_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/revisions"
	"github.com/parley-mcp/parley/server"
)

// instructionsByName are those of one client.
func instructionsByName(_ context.Context, c *server.Call) string {
	if init, ok := c.Params().(*protocol.InitializeParams); ok {
		return "for " + init.Client.Name
	}
	return "for " + c.Principal()
}

// open sends what a client of the peer's revision opens with.
func (p *peer) open() object {
	p.t.Helper()
	if f := p.in.Codec.Features(); f.Lifecycle == protocol.Handshake {
		return p.result("initialize", `{"protocolVersion":"`+string(f.Revision)+`","capabilities":{},"clientInfo":{"name":"ada","version":"1"}}`)
	}
	return p.result("server/discover", "{}")
}

func TestOpening(t *testing.T) {
	full := info
	full.Title, full.WebsiteURL = "Title", "https://example.com"
	s, err := server.New(server.Options{Info: full, Instructions: "read this", Cache: server.CacheHints{Discovery: protocol.CacheHint{TTLMs: 7, Public: true}}})
	require.NoError(t, err)
	defer func() { assert.NoError(t, s.Close()) }()
	eachRevision(t, s, func(t *testing.T, p *peer) {
		f := p.in.Codec.Features()
		for range 2 { // the second time from what is kept
			r := p.open()
			assert.Equal(t, "read this", r["instructions"])
			if f.Lifecycle == protocol.PerRequest {
				assert.Len(t, r["supportedVersions"], len(revisions.All()))
				assert.Equal(t, 7.0, r["ttlMs"])
				assert.Equal(t, "public", r["cacheScope"])
				assert.Equal(t, "Title", r["_meta"].(object)[protocol.MetaServerInfo].(object)["title"])
				continue
			}
			assert.Equal(t, string(f.Revision), r["protocolVersion"])
			assert.Equal(t, "test", r["serverInfo"].(object)["name"])
		}
	})
}

func TestInstructionsFunction(t *testing.T) {
	s := newServer(t, server.Options{InstructionsFor: instructionsByName, Cache: server.CacheHints{Discovery: protocol.CacheHint{TTLMs: 7, Public: true}}})
	eachRevision(t, s, func(t *testing.T, p *peer) {
		p.in.Principal = "ada"
		r := p.open()
		assert.Equal(t, "for ada", r["instructions"])
		if p.in.Codec.Features().Lifecycle == protocol.PerRequest {
			assert.Equal(t, "private", r["cacheScope"], "they may be of one client")
			p.in.Principal = "eve"
			assert.Equal(t, "for eve", p.open()["instructions"])
		}
	})
}

// TestCapabilitiesFollow: what is offered is declared, from the moment it is.
func TestCapabilitiesFollow(t *testing.T) {
	for _, codec := range revisions.All() {
		t.Run(string(codec.Features().Revision), func(t *testing.T) {
			s := newServer(t, server.Options{})
			p := newPeer(t, s, codec)
			declared := func() object { return p.open()["capabilities"].(object) }
			for _, name := range []string{"tools", "prompts", "resources", "completions"} {
				assert.NotContains(t, declared(), name)
			}
			addTools(t, s, "t")
			assert.Contains(t, declared(), "tools")
			addPrompts(t, s, "p")
			assert.Contains(t, declared(), "prompts")
			require.NoError(t, s.AddResourceTemplate(server.ResourceTemplate{URITemplate: "test://{v}", Name: "v"}, reader("v")))
			assert.Contains(t, declared(), "resources")
			require.True(t, s.RemoveTool("t"))
			assert.Contains(t, declared(), "tools", "a declaration is not taken back")
		})
	}
}

// TestDeclarationsAreNeverStale: what is kept of an answer that raced with a change is not given to those who ask later.
func TestDeclarationsAreNeverStale(t *testing.T) {
	for range 300 {
		s := newServer(t, server.Options{})
		var asking sync.WaitGroup
		for range 2 {
			asking.Go(func() { newest(t, s).open() })
		}
		addTools(t, s, "t")
		asking.Wait()
		require.Contains(t, newest(t, s).open()["capabilities"], "tools")
	}
}

func TestExtensions(t *testing.T) {
	s := newServer(t, server.Options{
		Extensions:   map[string][]byte{"example.com/ext": []byte(`{"a":1}`)},
		Experimental: map[string][]byte{"own": []byte(`{}`)},
	})
	eachRevision(t, s, func(t *testing.T, p *peer) {
		declared := p.open()["capabilities"].(object)
		assert.Equal(t, object{"own": object{}}, declared["experimental"])
		if p.in.Codec.Features().Lifecycle == protocol.PerRequest {
			assert.Equal(t, object{"example.com/ext": object{"a": 1.0}}, declared["extensions"])
		} else {
			assert.NotContains(t, declared, "extensions")
		}
	})
}

func ExampleAddTool() {
	s, err := server.New(server.Options{Info: protocol.Implementation{Name: "calculator", Version: "1.0.0"}})
	if err != nil {
		panic(err)
	}
	defer s.Close()
	type pair struct {
		A int64 `json:"a" jsonschema:"one summand"`
		B int64 `json:"b" jsonschema:"the other"`
	}
	type total struct {
		Sum int64 `json:"sum"`
	}
	err = server.AddTool(s, server.Tool{Name: "add", Description: "Adds two integers."},
		func(_ context.Context, _ *server.Call, in pair) (total, error) { return total{in.A + in.B}, nil })
	fmt.Println(err)
	err = server.AddTool(s, server.Tool{Name: "not a name"},
		func(_ context.Context, _ *server.Call, in pair) (string, error) { return "", nil })
	fmt.Println(err)
	// Output:
	// <nil>
	// tool "not a name": a name has only letters, digits, underscores, hyphens and dots
}
