package server_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/revisions"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/session"
)

// TestOptionsRefused: an option that is wrong or contradicts another is named by the constructor.
func TestOptionsRefused(t *testing.T) {
	for why, change := range map[string]func(*server.Options){
		"Options.Info needs a Name":                   func(o *server.Options) { o.Info.Name = "" },
		"and a Version":                               func(o *server.Options) { o.Info.Version = "" },
		"exclude each other":                          func(o *server.Options) { o.Instructions, o.InstructionsFor = "i", instructionsByName },
		"SessionsOptional needs":                      func(o *server.Options) { o.Sessions, o.SessionsOptional = session.None, true },
		"PageSize, MaxRounds or StateTTL is negative": func(o *server.Options) { o.PageSize = -1 },
		"negative TTLMs":                              func(o *server.Options) { o.Cache.Prompts.TTLMs = -1 },
		`"ext" in Options.Extensions`:                 func(o *server.Options) { o.Extensions = map[string][]byte{"ext": []byte(`true`)} },
		`"exp" in Options.Extensions`:                 func(o *server.Options) { o.Experimental = map[string][]byte{"exp": []byte(`{`)} },
		`no revision "1999-12-31"`:                    func(o *server.Options) { o.Revisions = []protocol.Revision{"1999-12-31"} },
		"twice":                                       func(o *server.Options) { o.Revisions = []protocol.Revision{"2025-11-25", "2025-11-25"} },
		"Middleware has a nil element":                func(o *server.Options) { o.Middleware = []server.Middleware{nil} },
		"LogLevel is none":                            func(o *server.Options) { o.LogLevel = protocol.LogEmergency + 1 },
	} {
		t.Run(why, func(t *testing.T) {
			o := server.Options{Info: info}
			change(&o)
			_, err := server.New(o)
			assert.ErrorContains(t, err, why)
		})
	}
}

func TestRevisionsServed(t *testing.T) {
	all := revisions.Names(revisions.All())
	for _, c := range []struct{ chosen, want []protocol.Revision }{
		{nil, all},
		{[]protocol.Revision{"2025-03-26", "2026-07-28"}, []protocol.Revision{"2026-07-28", "2025-03-26"}}, // newest first
		{[]protocol.Revision{"2025-06-18"}, []protocol.Revision{"2025-06-18"}},
	} {
		s := newServer(t, server.Options{Revisions: c.chosen})
		assert.Equal(t, c.want, revisions.Names(s.Codecs()))
	}
}

func TestZeroOptions(t *testing.T) {
	s, err := server.New(server.Options{Info: info})
	require.NoError(t, err)
	defer func() { assert.NoError(t, s.Close()) }()
	assert.True(t, s.Sessions().Remembers(), "sessions are the default")
	assert.False(t, s.SessionsOptional())
	assert.NotNil(t, s.Logger())
	assert.Empty(t, s.PrincipalOf(t.Context(), nil))
	assert.True(t, newServer(t, server.Options{}).SessionsOptional(), "without sessions none is required")
}
