package server_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/revisions"
	"github.com/parley-mcp/parley/server"
)

// threeAtOnce lets few things happen at once, and shows to the second when the next may.
var threeAtOnce = server.Rate{PerSecond: 0.5, Burst: 3}

func refused(result string) bool { return result != "" && jsonOf(result)["isError"] == true }

func jsonOf(raw string) (m object) {
	_ = json.Unmarshal([]byte(raw), &m)
	return m
}

// inItsTime runs a test with a server and a peer of each revision, in a time of its own.
func inItsTime(t *testing.T, serve func(t *testing.T) *server.Server, test func(t *testing.T, p *peer)) {
	t.Helper()
	for _, codec := range revisions.All() {
		t.Run(string(codec.Features().Revision), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { test(t, newPeer(t, serve(t), codec)) })
		})
	}
}

// Proves: tools.rate-limit
func TestCallsOfToolsAreLimited(t *testing.T) {
	inItsTime(t, func(t *testing.T) *server.Server {
		s := newServer(t, server.Options{Limits: server.Limits{Tools: threeAtOnce}})
		addTools(t, s, "t")
		require.NoError(t, server.AddTool(s, server.Tool{Name: "asked", Description: "counts"},
			func(context.Context, *server.Call, struct{}) (object, error) { return object{"n": 1}, nil }))
		return s
	}, func(t *testing.T, p *peer) {
		for range 3 {
			assert.Contains(t, p.call("t", "{}"), `"text":"t"`)
		}
		assert.Contains(t, p.call("t", "{}"), "too many requests: try again in 2s", "the model reads when to come back")
		assert.True(t, refused(p.call("asked", "{}")), "a refusal has no structured content, and is none of the server's mistakes")
		assert.True(t, refused(p.call("t", `{"no":"such"}`)), "what is wrong counts, too")
		p.result("tools/list", "{}")

		time.Sleep(1999 * time.Millisecond)
		assert.Contains(t, p.call("t", "{}"), "try again in 1ms", "a refusal costs nothing")
		time.Sleep(time.Millisecond)
		assert.Contains(t, p.call("t", "{}"), `"text":"t"`)
		assert.True(t, refused(p.call("t", "{}")))
	})
}

// Proves: completion.rate-limit
func TestCompletionsAreLimited(t *testing.T) {
	const params = `{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":""}}`
	inItsTime(t, func(t *testing.T) *server.Server {
		s := newServer(t, server.Options{Limits: server.Limits{Completions: threeAtOnce}})
		require.NoError(t, s.AddPrompt(server.Prompt{Name: "p", Arguments: []protocol.PromptArgument{{Name: "a"}}}, noMessages))
		require.NoError(t, s.CompletePrompt("p", "a", func(context.Context, *server.Call, string, map[string]string) ([]string, error) {
			return []string{"value"}, nil
		}))
		return s
	}, func(t *testing.T, p *peer) {
		for range 3 {
			p.result("completion/complete", params)
		}
		wire := p.in.Codec.Error(p.fails("completion/complete", params))
		assert.Equal(t, 429, wire.Code)
		assert.Equal(t, "too many requests: try again in 2s", wire.Message)
		assert.JSONEq(t, `{"retryAfterMs":2000}`, string(wire.Data))
		time.Sleep(2 * time.Second)
		p.result("completion/complete", params)
	})
}

// Whoever can be told apart has a bound of his own: nobody uses up what another needs.
func TestWhoseRequestsCountTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, server.Options{Limits: server.Limits{Tools: server.Rate{PerSecond: 1}}})
		addTools(t, s, "t")
		p := newest(t, s)
		for _, who := range [][2]string{{"ada", "1"}, {"bob", "1"}, {"", "1"}, {"", "2"}, {"", ""}, {"1", ""}} {
			p.in.Principal, p.in.SessionID = who[0], who[1]
			assert.False(t, refused(p.call("t", "{}")), "%q", who)
			assert.True(t, refused(p.call("t", "{}")), "%q", who)
		}
		p.in.Principal, p.in.SessionID = "ada", "another session of hers"
		assert.True(t, refused(p.call("t", "{}")))
	})
}

func TestLimitsByDefault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, server.Options{})
		addTools(t, s, "t")
		p := newest(t, s)
		for range 5000 {
			require.False(t, refused(p.call("t", "{}")), "who cannot be told apart is not bounded together")
		}
		p.in.Principal = "ada"
		for range 2000 {
			require.False(t, refused(p.call("t", "{}")))
		}
		assert.True(t, refused(p.call("t", "{}")))
		time.Sleep(time.Second)
		for range 1000 {
			require.False(t, refused(p.call("t", "{}")))
		}
		assert.True(t, refused(p.call("t", "{}")))
	})
}

// A middleware sees who is refused before it is an answer like others.
func TestRefusalsCanBeCounted(t *testing.T) {
	count := 0
	s := newServer(t, server.Options{
		Limits: server.Limits{Tools: server.Rate{PerSecond: 1e-3, Burst: 1}},
		Middleware: []server.Middleware{func(next server.Handler) server.Handler {
			return func(ctx context.Context, c *server.Call) (protocol.Result, error) {
				r, err := next(ctx, c)
				if _, many := errors.AsType[*server.RateError](err); many {
					count++
				}
				return r, err
			}
		}},
	})
	addTools(t, s, "t")
	p := newest(t, s)
	for range 3 {
		p.call("t", "{}")
	}
	assert.Equal(t, 2, count)
}

// A handler may refuse for reasons of its own, in the same words.
func TestHandlersThatAreBusy(t *testing.T) {
	busy := &server.RateError{RetryAfter: 1500 * time.Microsecond}
	s := newServer(t, server.Options{})
	require.NoError(t, s.AddResource(server.Resource{URI: "x://y", Name: "y"},
		func(context.Context, *server.Call, string, map[string]string) (*protocol.ReadResourceResult, error) {
			return nil, fmt.Errorf("upstream: %w", busy)
		}))
	require.NoError(t, server.AddTool(s, server.Tool{Name: "t"},
		func(context.Context, *server.Call, struct{}) (string, error) { return "", busy }))
	p := newest(t, s)
	assert.Contains(t, p.call("t", "{}"), "try again in 2ms")
	failed := p.fails("resources/read", `{"uri":"x://y"}`)
	assert.Equal(t, 429, failed.Code)
	assert.JSONEq(t, `{"retryAfterMs":2}`, string(failed.Data))
}

// What is left out is told of, at the level of the worst that was.
//
// Proves: logging.rate-limit
func TestLogMessagesAreLimited(t *testing.T) {
	inItsTime(t, func(t *testing.T) *server.Server {
		s := newServer(t, server.Options{Limits: server.Limits{Logs: threeAtOnce}})
		require.NoError(t, server.AddTool(s, server.Tool{Name: "t"}, func(_ context.Context, c *server.Call, in struct{ Times []int }) (string, error) {
			for at, n := range in.Times {
				for i := range n {
					level := protocol.LogInfo
					if i == 4 {
						level = protocol.LogError
					}
					if err := c.Log(level, "", fmt.Sprint(at, "-", i)); err != nil {
						return "", err
					}
				}
				time.Sleep(2 * time.Second)
			}
			return "done", nil
		}))
		return s
	}, func(t *testing.T, p *peer) {
		p.in.Session, p.in.Meta.LogLevel = &remembering{peer: p}, protocol.LogDebug
		p.call("t", `{"Times":[5,2]}`)
		heard := p.heard()
		assert.Equal(t, []string{
			`{"level":"info","data":"0-0"}`, `{"level":"info","data":"0-1"}`, `{"level":"info","data":"0-2"}`,
			`{"level":"info","data":"1-0"}`,
			`{"level":"error","data":"3 log messages were left out: there were too many at once"}`,
		}, heard)
		p.call("t", `{"Times":[3]}`)
		assert.Len(t, p.heard(), 3, "each call begins anew, and one within the bound hears of nothing left out")
	})
}

// A report that comes too early is not lost, unless a newer one says more.
//
// Proves: progress.rate-limit
func TestProgressIsLimited(t *testing.T) {
	var began time.Time
	inItsTime(t, func(t *testing.T) *server.Server {
		s := newServer(t, server.Options{Limits: server.Limits{Progress: threeAtOnce}})
		require.NoError(t, server.AddTool(s, server.Tool{Name: "t"}, func(_ context.Context, c *server.Call, in struct{ Seconds int }) (string, error) {
			began = time.Now()
			for i := range 1000 {
				if err := c.Progress(server.Progress{Done: float64(i)}); err != nil {
					return "", err
				}
			}
			time.Sleep(time.Duration(in.Seconds) * time.Second)
			return "done", c.Progress(server.Progress{Done: 1000})
		}))
		return s
	}, func(t *testing.T, p *peer) {
		p.in.Meta.ProgressToken = jsontext.Value("1")
		progress := func(seconds int) (all []float64) {
			p.call("t", fmt.Sprintf(`{"Seconds":%d}`, seconds))
			assert.Equal(t, time.Duration(seconds)*time.Second, time.Since(began), "nobody waits for a report")
			for _, n := range p.said {
				all = append(all, n.(*protocol.ProgressNotification).Progress)
			}
			p.said = nil
			return all
		}
		assert.Equal(t, []float64{0, 1, 2, 1000}, progress(1), "the last one comes with the answer at the latest")
		assert.Equal(t, []float64{0, 1, 2, 999, 1000}, progress(3), "one waits for its turn, and the next for the answer")
		time.Sleep(time.Minute)
		assert.Empty(t, p.said, "nothing comes after the answer")
		assert.Equal(t, []float64{0, 1, 2, 999, 1000}, progress(5))
	})
}

func TestLimitsThatAreWrong(t *testing.T) {
	for _, r := range []server.Rate{{PerSecond: -1}, {PerSecond: math.NaN()}, {Burst: 3}, {PerSecond: 1, Burst: -1}, {PerSecond: math.Inf(-1)}} {
		for _, l := range []server.Limits{{Tools: r}, {Completions: r}, {Logs: r}, {Progress: r}} {
			_, err := server.New(server.Options{Info: info, Limits: l})
			assert.ErrorContains(t, err, "Options.Limits")
		}
	}
	s := newServer(t, server.Options{Limits: server.Limits{Tools: server.Unlimited, Logs: server.Unlimited}})
	addTools(t, s, "t")
	p := newest(t, s)
	p.in.Principal = "ada"
	for range 1000 {
		require.False(t, refused(p.call("t", "{}")))
	}
}
