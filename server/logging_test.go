package server_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
)

// newNoisy returns a server whose tool t logs once at each level.
func newNoisy(t *testing.T, o server.Options) *server.Server {
	s := newServer(t, o)
	require.NoError(t, server.AddTool(s, server.Tool{Name: "t"}, func(_ context.Context, c *server.Call, _ struct{}) (string, error) {
		for level := protocol.LogDebug; level <= protocol.LogEmergency; level++ {
			if err := c.Log(level, "part", object{"at": level.String()}); err != nil {
				return "", err
			}
		}
		return "done", nil
	}))
	return s
}

// levels returns the levels of what was said, and forgets it.
func (p *peer) levels() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []string
	for _, n := range p.said {
		all = append(all, n.(*protocol.LogNotification).Level.String())
	}
	p.said = nil
	return all
}

// remembering is a session that keeps the level.
type remembering struct {
	server.Session
	peer *peer
	err  error
}

// Name implements server.Session.
func (*remembering) Name() string { return "remembered" }

// SetLevel implements server.Session.
func (r *remembering) SetLevel(_ context.Context, level protocol.LogLevel) error {
	r.peer.in.LogLevel = level
	return r.err
}

var (
	allLevels  = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}
	fromInfo   = allLevels[1:]
	fromError  = allLevels[4:]
	fromNotice = allLevels[2:]
)

// A request whose log message fails, and whose handler takes that for its own failure, fails inside: the client is not told
// what could not be said.
//
// Proves: logging.internal-error-32603
func TestLoggingFailsInside(t *testing.T) {
	s := newServer(t, server.Options{})
	require.NoError(t, s.AddPrompt(server.Prompt{Name: "p"},
		func(_ context.Context, c *server.Call, _ map[string]string) (*protocol.GetPromptResult, error) {
			return &protocol.GetPromptResult{}, c.Log(protocol.LogError, "", make(chan string))
		}))
	p := newest(t, s)
	p.in.Meta.LogLevel = protocol.LogDebug
	p.failsInside("prompts/get", `{"name":"p"}`)
	assert.Empty(t, p.said)
}

// TestLogLevelOfARequest: P-11, where each request names its level, none means silence.
func TestLogLevelOfARequest(t *testing.T) {
	p := newest(t, newNoisy(t, server.Options{}))
	p.call("t", "{}")
	assert.Empty(t, p.levels())
	p.in.LogLevel = protocol.LogDebug
	p.call("t", "{}")
	assert.Empty(t, p.levels(), "a session's level is of the other lifecycle")
	p.in.Meta.LogLevel = protocol.LogError
	p.call("t", "{}")
	assert.Equal(t, fromError, p.levels())
	assert.Equal(t, protocol.KindMethodNotFound, p.fails("logging/setLevel", `{"level":"info"}`).Kind)
}

func TestLogLevelOfASession(t *testing.T) {
	eachRevision(t, newNoisy(t, server.Options{}), func(t *testing.T, p *peer) {
		if p.in.Codec.Features().LogLevelPerRequest.Holds() {
			return
		}
		p.call("t", "{}")
		assert.Empty(t, p.levels(), "without a session logging is not declared")
		assert.NotContains(t, p.open()["capabilities"], "logging")
		assert.Equal(t, protocol.KindMethodNotFound, p.fails("logging/setLevel", `{"level":"info"}`).Kind)

		session := &remembering{peer: p}
		p.in.Session = session
		assert.Contains(t, p.open()["capabilities"], "logging")
		p.call("t", "{}")
		assert.Equal(t, fromInfo, p.levels(), "until the client says which")
		assert.Equal(t, "{}", p.raw("logging/setLevel", `{"level":"error"}`))
		p.call("t", "{}")
		assert.Equal(t, fromError, p.levels())
		p.raw("logging/setLevel", `{"level":"debug"}`)
		p.call("t", "{}")
		assert.Equal(t, allLevels, p.levels())
		for _, params := range []string{`{"level":"loud"}`, `{"level":""}`, `{"level":3}`, `{}`} {
			assert.Equal(t, protocol.KindInvalidParams, p.fails("logging/setLevel", params).Kind, params)
		}
		session.err = errors.New("the store is down")
		assert.Equal(t, protocol.Internal(), p.fails("logging/setLevel", `{"level":"info"}`))
	})
}

func TestLogLevelOption(t *testing.T) {
	eachRevision(t, newNoisy(t, server.Options{LogLevel: protocol.LogNotice}), func(t *testing.T, p *peer) {
		if p.in.Codec.Features().LogLevelPerRequest.Holds() {
			return
		}
		p.in.Session = &remembering{peer: p}
		p.call("t", "{}")
		assert.Equal(t, fromNotice, p.levels())
	})
}

func TestLogMessages(t *testing.T) {
	s := newServer(t, server.Options{})
	require.NoError(t, server.AddTool(s, server.Tool{Name: "t"}, func(_ context.Context, c *server.Call, _ struct{}) (string, error) {
		assert.NoError(t, c.Log(protocol.LogInfo, "part", object{"b": 1, "a": []string{"x"}}))
		assert.NoError(t, c.Log(protocol.LogInfo, "", nil))
		assert.ErrorContains(t, c.Log(protocol.LogInfo, "", make(chan int)), "log message")
		assert.ErrorContains(t, c.Log(0, "", "x"), "no level")
		assert.ErrorContains(t, c.Log(protocol.LogEmergency+1, "", "x"), "no level")
		return "done", nil
	}))
	p := newest(t, s)
	p.in.Meta.LogLevel = protocol.LogInfo
	p.call("t", "{}")
	assert.Equal(t, []string{`{"level":"info","logger":"part","data":{"a":["x"],"b":1}}`, `{"level":"info","data":null}`}, p.heard())
}
