package server_test

import (
	"bytes"
	"context"
	"log/slog"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/revisions"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/session"
)

// The tests of this package have no transport: a peer decodes and encodes in the words of one revision, and hands over what
// a transport would.

type object = map[string]any

var info = protocol.Implementation{Name: "test", Version: "1"}

// newServer returns a server without sessions, and without a log unless o has one.
func newServer(t testing.TB, o server.Options) *server.Server {
	t.Helper()
	o.Info, o.Sessions = info, session.None
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	s, err := server.New(o)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	return s
}

// newLog returns a logger and what it has written.
func newLog() (*slog.Logger, *bytes.Buffer) {
	var b bytes.Buffer
	return slog.New(slog.NewTextHandler(&b, nil)), &b
}

// A peer is a client of one revision. What the server says before it answers is in said.
type peer struct {
	t      testing.TB
	server *server.Server
	in     server.Incoming

	mu   sync.Mutex
	said []protocol.Notification
}

func newPeer(t testing.TB, s *server.Server, codec protocol.Codec) *peer {
	p := &peer{t: t, server: s, in: server.Incoming{Codec: codec}}
	p.in.Stream = &ear{peer: p}
	return p
}

// newest returns a peer of the newest revision.
func newest(t testing.TB, s *server.Server) *peer { return newPeer(t, s, revisions.All()[0]) }

// eachRevision runs a test with a peer of each revision.
func eachRevision(t *testing.T, s *server.Server, test func(t *testing.T, p *peer)) {
	t.Helper()
	for _, codec := range revisions.All() {
		t.Run(string(codec.Features().Revision), func(t *testing.T) { test(t, newPeer(t, s, codec)) })
	}
}

// An ear hears what is said before an answer. It cannot be asked.
type ear struct {
	server.Stream
	peer *peer
}

// Notify implements server.Stream.
func (e *ear) Notify(n protocol.Notification) error {
	e.peer.mu.Lock()
	defer e.peer.mu.Unlock()
	e.peer.said = append(e.peer.said, n)
	return nil
}

// ask sends a request and returns the result as JSON, or the error.
func (p *peer) ask(method, params string) (string, *protocol.Error) {
	p.t.Helper()
	return p.askWith(context.Background(), method, params)
}

func (p *peer) askWith(ctx context.Context, method, params string) (string, *protocol.Error) {
	p.t.Helper()
	in := p.in
	in.ID, in.Method, in.RawParams = jsontext.Value("1"), method, jsontext.Value(params)
	var err error
	if in.Params, err = in.Codec.DecodeRequest(method, jsontext.Value(params)); err != nil {
		return "", protocol.AsError(err)
	}
	result, err := p.server.Dispatch(ctx, p.server.NewCall(&in))
	if err != nil {
		var e *protocol.Error
		require.ErrorAs(p.t, err, &e, "only protocol errors get out")
		return "", e
	}
	out, err := in.Codec.Append(nil, result)
	require.NoError(p.t, err)
	return string(out), nil
}

// raw sends a request that succeeds, and returns its result as JSON.
func (p *peer) raw(method, params string) string {
	p.t.Helper()
	raw, failed := p.ask(method, params)
	require.Nil(p.t, failed)
	return raw
}

// result is raw, decoded.
func (p *peer) result(method, params string) object {
	p.t.Helper()
	raw := p.raw(method, params)
	var m object
	require.NoError(p.t, json.Unmarshal([]byte(raw), &m), raw)
	return m
}

// fails sends a request that fails, and returns its error.
func (p *peer) fails(method, params string) *protocol.Error {
	p.t.Helper()
	raw, failed := p.ask(method, params)
	require.NotNil(p.t, failed, raw)
	return failed
}

// failsInside sends a request that fails for reasons which are the server's alone, in words and with the code of the peer's
// revision.
func (p *peer) failsInside(method, params string) {
	p.t.Helper()
	failed := p.fails(method, params)
	assert.Equal(p.t, protocol.Internal(), failed)
	assert.Equal(p.t, -32603, p.in.Codec.Error(failed).Code)
}

// call calls a tool, and returns the result as JSON.
func (p *peer) call(tool, arguments string) string {
	p.t.Helper()
	return p.raw("tools/call", `{"name":"`+tool+`","arguments":`+arguments+`}`)
}

// names returns the names on a page of a list, and its cursor.
func (p *peer) names(method, member, params string) (names []string, next any) {
	p.t.Helper()
	m := p.result(method, params)
	for _, item := range m[member].([]any) {
		names = append(names, item.(object)["name"].(string))
	}
	return names, m["nextCursor"]
}

func (p *peer) tools() []string {
	p.t.Helper()
	names, _ := p.names("tools/list", "tools", "{}")
	return names
}

// addTools adds tools that return their own name.
func addTools(t testing.TB, s *server.Server, names ...string) {
	t.Helper()
	for _, name := range names {
		require.NoError(t, server.AddTool(s, server.Tool{Name: name, Description: "d"},
			func(context.Context, *server.Call, struct{}) (string, error) { return name, nil }))
	}
}

func addPrompts(t testing.TB, s *server.Server, names ...string) {
	t.Helper()
	for _, name := range names {
		require.NoError(t, s.AddPrompt(server.Prompt{Name: name},
			func(context.Context, *server.Call, map[string]string) (*protocol.GetPromptResult, error) {
				return &protocol.GetPromptResult{Messages: []protocol.PromptMessage{
					{Role: protocol.RoleUser, Content: &protocol.TextContent{Text: name}},
				}}, nil
			}))
	}
}

// reader reads a text.
func reader(text string) server.ResourceHandler {
	return func(context.Context, *server.Call, string, map[string]string) (*protocol.ReadResourceResult, error) {
		return &protocol.ReadResourceResult{Contents: []*protocol.ResourceContents{{Text: text}}}, nil
	}
}

func addResources(t testing.TB, s *server.Server, uris ...string) {
	t.Helper()
	for _, uri := range uris {
		require.NoError(t, s.AddResource(server.Resource{URI: uri, Name: uri}, reader(uri)))
	}
}
