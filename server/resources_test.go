package server_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
)

// cached reads a text with a cache hint.
func cached(hint protocol.CacheHint) server.ResourceHandler {
	return func(context.Context, *server.Call, string, map[string]string) (*protocol.ReadResourceResult, error) {
		return &protocol.ReadResourceResult{Cache: hint, Contents: []*protocol.ResourceContents{{Text: "x"}}}, nil
	}
}

func TestResourcesRefusedAtOnce(t *testing.T) {
	s := newServer(t, server.Options{})
	addResources(t, s, "test://taken")
	read := reader("")
	for why, err := range map[string]error{
		"Name":             s.AddResource(server.Resource{URI: "test://r"}, read),
		"absolute":         s.AddResource(server.Resource{URI: "r.txt", Name: "r"}, read),
		"resource \"\"":    s.AddResource(server.Resource{Name: "r"}, read),
		"handler":          s.AddResource(server.Resource{URI: "test://r", Name: "r"}, nil),
		"Meta":             s.AddResource(server.Resource{URI: "test://r", Name: "r", Meta: []byte(`"m"`)}, read),
		"already":          s.AddResource(server.Resource{URI: "test://taken", Name: "r"}, read),
		"resource templat": s.AddResourceTemplate(server.ResourceTemplate{URITemplate: "test://{v}"}, read),
		`"test://{v"`:      s.AddResourceTemplate(server.ResourceTemplate{URITemplate: "test://{v", Name: "r"}, read),
		`"test://{}"`:      s.AddResourceTemplate(server.ResourceTemplate{URITemplate: "test://{}", Name: "r"}, read),
	} {
		assert.ErrorContains(t, err, why)
	}
}

func TestContentsAreCompleted(t *testing.T) {
	s := newServer(t, server.Options{})
	require.NoError(t, s.AddResource(server.Resource{URI: "test://r", Name: "r", MIMEType: "text/plain"},
		func(context.Context, *server.Call, string, map[string]string) (*protocol.ReadResourceResult, error) {
			return &protocol.ReadResourceResult{Contents: []*protocol.ResourceContents{
				{Text: "a"},
				{URI: "test://r/part", MIMEType: "text/html", Text: ""},
				{Blob: []byte{}},
			}}, nil
		}))
	eachRevision(t, s, func(t *testing.T, p *peer) {
		assert.Equal(t, []any{
			object{"uri": "test://r", "mimeType": "text/plain", "text": "a"},
			object{"uri": "test://r/part", "mimeType": "text/html", "text": ""},
			object{"uri": "test://r", "mimeType": "text/plain", "blob": ""},
		}, p.result("resources/read", `{"uri":"test://r"}`)["contents"])
	})
}

// TestNotFound: all ways to say that there is no such resource are one to the client, which learns the URI.
func TestNotFound(t *testing.T) {
	s := newServer(t, server.Options{})
	for uri, answer := range map[string]struct {
		r   *protocol.ReadResourceResult
		err error
	}{
		"test://own":      {nil, protocol.ResourceNotFound("test://own")},
		"test://file":     {nil, fmt.Errorf("open: %w", fs.ErrNotExist)},
		"test://nothing":  {nil, nil},
		"test://no-parts": {&protocol.ReadResourceResult{}, nil},
	} {
		require.NoError(t, s.AddResource(server.Resource{URI: uri, Name: "r"},
			func(context.Context, *server.Call, string, map[string]string) (*protocol.ReadResourceResult, error) {
				return answer.r, answer.err
			}))
	}
	eachRevision(t, s, func(t *testing.T, p *peer) {
		for _, uri := range []string{"test://own", "test://file", "test://nothing", "test://no-parts", "test://unknown", "", "::"} {
			e := p.fails("resources/read", `{"uri":"`+uri+`"}`)
			assert.Equal(t, protocol.KindResourceNotFound, e.Kind)
			assert.Equal(t, uri, e.URI)
		}
	})
}

// Proves: resources.internal-32603
func TestResourceErrorsStayInside(t *testing.T) {
	bad := &protocol.ResourceContents{Text: "x", Meta: []byte("7")}
	for name, answer := range map[string]struct {
		r   *protocol.ReadResourceResult
		err error
	}{
		"error":        {nil, errors.New("the password is 1234")},
		"_meta":        {&protocol.ReadResourceResult{Contents: []*protocol.ResourceContents{bad}}, nil},
		"negative TTL": {&protocol.ReadResourceResult{Cache: protocol.CacheHint{TTLMs: -1}, Contents: []*protocol.ResourceContents{{}}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			logger, log := newLog()
			s := newServer(t, server.Options{Logger: logger})
			require.NoError(t, s.AddResource(server.Resource{URI: "test://r", Name: "r"},
				func(context.Context, *server.Call, string, map[string]string) (*protocol.ReadResourceResult, error) {
					return answer.r, answer.err
				}))
			eachRevision(t, s, func(t *testing.T, p *peer) { p.failsInside("resources/read", `{"uri":"test://r"}`) })
			assert.Contains(t, log.String(), "a handler failed")
		})
	}
}

// TestTemplates matches RFC 6570 templates: variables come decoded.
func TestTemplates(t *testing.T) {
	for _, c := range []struct {
		template, uri string
		vars          map[string]string // nil: no match
	}{
		{"test://t/{id}/data", "test://t/123/data", map[string]string{"id": "123"}},
		{"test://t/{id}/data", "test://t/a%20%C3%A9/data", map[string]string{"id": "a é"}},
		{"test://t/{id}/data", "test://t/a/b/data", nil},
		{"test://t/{id}/data", "test://t/123/data/more", nil},
		{"test://t/{id}", "TEST://t/1", nil},
		{"test://f/{+path}", "test://f/a/b.txt", map[string]string{"path": "a/b.txt"}},
		{"test://f{/a,b}", "test://f/x/y", map[string]string{"a": "x", "b": "y"}},
		{"test://q{?from,to}", "test://q?from=1&to=2", map[string]string{"from": "1", "to": "2"}},
		{"test://f{#part}", "test://f#top", map[string]string{"part": "top"}},
	} {
		s := newServer(t, server.Options{})
		var got map[string]string
		require.NoError(t, s.AddResourceTemplate(server.ResourceTemplate{URITemplate: c.template, Name: "t", MIMEType: "text/plain"},
			func(_ context.Context, _ *server.Call, uri string, vars map[string]string) (*protocol.ReadResourceResult, error) {
				assert.Equal(t, c.uri, uri)
				got = maps.Clone(vars)
				return &protocol.ReadResourceResult{Contents: []*protocol.ResourceContents{{Text: "x"}}}, nil
			}))
		p := newest(t, s)
		if c.vars == nil {
			assert.Equal(t, protocol.KindResourceNotFound, p.fails("resources/read", `{"uri":"`+c.uri+`"}`).Kind, c.uri)
			continue
		}
		assert.Contains(t, p.result("resources/read", `{"uri":"`+c.uri+`"}`)["contents"], object{"uri": c.uri, "mimeType": "text/plain", "text": "x"})
		assert.Equal(t, c.vars, got, c.uri)
	}
}

func TestWhoReads(t *testing.T) {
	s := newServer(t, server.Options{})
	for _, template := range []string{"test://{first}", "test://{second}"} {
		require.NoError(t, s.AddResourceTemplate(server.ResourceTemplate{URITemplate: template, Name: "t"}, reader(template)))
	}
	addResources(t, s, "test://own")
	p := newest(t, s)
	read := func(uri string) any {
		return p.result("resources/read", `{"uri":"`+uri+`"}`)["contents"].([]any)[0].(object)["text"]
	}
	assert.Equal(t, "test://own", read("test://own"), "a resource of its own comes before templates")
	assert.Equal(t, "test://{first}", read("test://other"), "of several templates the first")
}
