package server_test

import (
	"context"
	"errors"
	"math"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
)

// heard returns what was said so far, as JSON in the words of the peer's revision, and forgets it.
func (p *peer) heard() []string {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []string
	for _, n := range p.said {
		out, err := p.in.Codec.Append(nil, n)
		require.NoError(p.t, err)
		all = append(all, string(out))
	}
	p.said = nil
	return all
}

// newReporting returns a server whose tool t reports the progress given.
func newReporting(t *testing.T, reports ...server.Progress) *server.Server {
	s := newServer(t, server.Options{})
	require.NoError(t, server.AddTool(s, server.Tool{Name: "t"}, func(_ context.Context, c *server.Call, _ struct{}) (string, error) {
		for _, r := range reports {
			if err := c.Progress(r); err != nil {
				return "", err
			}
		}
		return "done", nil
	}))
	return s
}

// TestProgressTokens: P-05, the token comes back as it was, also if it is falsy or beyond 2^53; P-06, without one nothing
// is said.
func TestProgressTokens(t *testing.T) {
	s := newReporting(t, server.Progress{Done: 1})
	eachRevision(t, s, func(t *testing.T, p *peer) {
		for _, token := range []string{`0`, `""`, `"0"`, `"a"`, `9007199254740993`} {
			p.in.Meta.ProgressToken = jsontext.Value(token)
			p.call("t", "{}")
			assert.Equal(t, []string{`{"progressToken":` + token + `,"progress":1}`}, p.heard())
		}
		p.in.Meta.ProgressToken = nil
		p.call("t", "{}")
		assert.Empty(t, p.heard())
	})
}

// TestProgressRises: P-06, what does not rise is not said.
func TestProgressRises(t *testing.T) {
	s := newReporting(t,
		server.Progress{Done: 0, Total: 3, Message: "begun"}, server.Progress{Done: 0}, server.Progress{Done: 2}, server.Progress{Done: 1},
		server.Progress{Done: 2}, server.Progress{Done: 2.5}, server.Progress{Done: 3, Total: 3, Message: "done"})
	eachRevision(t, s, func(t *testing.T, p *peer) {
		p.in.Meta.ProgressToken = jsontext.Value(`"p"`)
		p.call("t", "{}")
		first, last := `{"progressToken":"p","progress":0,"total":3,"message":"begun"}`, `{"progressToken":"p","progress":3,"total":3,"message":"done"}`
		assert.Equal(t, []string{first, `{"progressToken":"p","progress":2}`, `{"progressToken":"p","progress":2.5}`, last}, p.heard())
	})
}

func TestProgressThatIsNoNumber(t *testing.T) {
	for _, done := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, r := range []server.Progress{{Done: done}, {Done: 1, Total: done}} {
			s := newReporting(t, r)
			p := newest(t, s)
			p.in.Meta.ProgressToken = jsontext.Value(`"p"`)
			assert.Contains(t, p.call("t", "{}"), "not a number that can be sent")
			assert.Empty(t, p.heard())
		}
	}
}

// TestNothingAfterTheAnswer: P-06, a goroutine that outlives its call is not heard.
func TestNothingAfterTheAnswer(t *testing.T) {
	s := newServer(t, server.Options{})
	answered, late := make(chan struct{}), make(chan error, 2)
	require.NoError(t, server.AddTool(s, server.Tool{Name: "t"}, func(_ context.Context, c *server.Call, _ struct{}) (string, error) {
		go func() {
			<-answered
			late <- c.Progress(server.Progress{Done: 1})
			late <- c.Log(protocol.LogEmergency, "", "late")
		}()
		return "done", nil
	}))
	p := newest(t, s)
	p.in.Meta.ProgressToken, p.in.Meta.LogLevel = jsontext.Value("1"), protocol.LogDebug
	p.call("t", "{}")
	close(answered)
	assert.NoError(t, <-late)
	assert.NoError(t, <-late)
	assert.Empty(t, p.heard())
}

// TestProgressFromSeveralGoroutines: whatever the order of the reports, what is said rises.
func TestProgressFromSeveralGoroutines(t *testing.T) {
	s := newServer(t, server.Options{Limits: server.Limits{Progress: server.Unlimited}})
	require.NoError(t, server.AddTool(s, server.Tool{Name: "t"}, func(_ context.Context, c *server.Call, _ struct{}) (string, error) {
		var working sync.WaitGroup
		for range 4 {
			working.Go(func() {
				for i := range 50 {
					assert.NoError(t, c.Progress(server.Progress{Done: float64(i)}))
				}
			})
		}
		working.Wait()
		return "done", nil
	}))
	p := newest(t, s)
	p.in.Meta.ProgressToken = jsontext.Value("1")
	p.call("t", "{}")
	require.Len(t, p.said, 50)
	for i, n := range p.said {
		assert.EqualValues(t, i, n.(*protocol.ProgressNotification).Progress)
	}
}

// deaf is a stream whose client is gone.
type deaf struct{ server.Stream }

var errGone = errors.New("the client is gone")

func (deaf) Notify(protocol.Notification) error { return errGone }

func TestClientThatIsGone(t *testing.T) {
	s := newReporting(t, server.Progress{Done: 1})
	p := newest(t, s)
	p.in.Meta.ProgressToken = jsontext.Value("1")
	p.in.Stream = deaf{}
	assert.Contains(t, p.call("t", "{}"), errGone.Error(), "the author learns it, and decides")
	p.in.Stream = nil
	assert.Contains(t, p.call("t", "{}"), "done", "where nothing can be said, nothing is")
}
