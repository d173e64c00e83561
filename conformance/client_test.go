// The judge of clients is judged: each transcript passes with a client that does as it says, and fails with one that departs
// from it in a single pinned place.
package conformance

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/conformance/drive"
	"github.com/parley-mcp/parley/conformance/match"
	"github.com/parley-mcp/parley/conformance/playback"
	"github.com/parley-mcp/parley/conformance/report"
	"github.com/parley-mcp/parley/conformance/revision"
	"github.com/parley-mcp/parley/conformance/schema"
	"github.com/parley-mcp/parley/conformance/transcript"
	"github.com/parley-mcp/parley/conformance/transcripts"
)

// asClient plays a transcript's client against the mock, and returns what the mock has found.
func asClient(t testing.TB, tr *transcript.Transcript, facts revision.Facts, transport string, wait time.Duration, alter func(int, *drive.Request)) []report.Result {
	results, _ := playClient(t, tr, facts, transport, wait, alter)
	return results
}

func playClient(t testing.TB, tr *transcript.Transcript, facts revision.Facts, transport string, wait time.Duration, alter func(int, *drive.Request)) ([]report.Result, *player) {
	t.Helper()
	server := playback.New(tr, facts, playback.Lie{})
	s := &server_{}
	s.serve(t, server, transport)
	o, err := Options{Transcripts: []*transcript.Transcript{}, Manifest: everything{}, StepTimeout: wait, Quiet: time.Millisecond}.withDefaults()
	require.NoError(t, err)
	p := newPlayer(&s.server, o, tr, facts, transport, s.conn)
	p.alter = alter
	p.schema, err = schema.For(facts.Version)
	require.NoError(t, err)
	p.play(t.Context())
	s.close()
	results, err := ClientResults(everything{}, server, tr, facts, transport)
	require.NoError(t, err)
	return results, p
}

// eachClient runs f for every transcript that judges clients, at every revision over every transport.
func eachClient(t *testing.T, f func(t *testing.T, tr *transcript.Transcript, facts revision.Facts, transport string)) {
	t.Helper()
	all, err := transcripts.Clients()
	require.NoError(t, err)
	eachOf(t, all, f)
}

func TestFaithfulClientPasses(t *testing.T) {
	eachClient(t, func(t *testing.T, tr *transcript.Transcript, facts revision.Facts, transport string) {
		results, p := playClient(t, tr, facts, transport, patient, nil)
		for _, r := range results {
			assert.Equal(t, report.Pass, r.Verdict, "%s: %s\n%s", r.Transcript, r.Reason, problems(r))
		}
		for _, o := range p.always.objections {
			assert.True(t, strings.Contains(o.problem, "com.example"), "the mock itself is wrong: %s: %s", o.check.name, o.problem)
		}
	})
}

// TestNoUnfaithfulClientPasses is the mutation suite for the side of the client.
func TestNoUnfaithfulClientPasses(t *testing.T) {
	var mu sync.Mutex
	killed, survived := 0, 0
	t.Run("all", func(t *testing.T) {
		eachClient(t, func(t *testing.T, tr *transcript.Transcript, facts revision.Facts, transport string) {
			if !speaksFor(tr, facts) {
				return
			}
			t.Parallel()
			for _, m := range clientMutants(t, tr, facts, transport) {
				dead := m.kills(asClient(t, tr, facts, transport, hasty, m.alter)[0])
				assert.True(t, dead, "survives: %s:%d: %s", tr.File, m.line, m.name)
				mu.Lock()
				if dead {
					killed++
				} else {
					survived++
				}
				mu.Unlock()
			}
		})
	})
	fmt.Printf("mutation suite of clients: %d mutants killed, %d survived\n", killed, survived)
}

type clientMutant struct {
	name  string
	line  int
	alter func(int, *drive.Request)
}

// kills reports whether the step of the mutant did not pass.
func (m clientMutant) kills(r report.Result) bool {
	for _, s := range r.Steps {
		if s.Line == m.line {
			return s.Verdict != report.Pass
		}
	}
	return false
}

func clientMutants(t *testing.T, tr *transcript.Transcript, facts revision.Facts, transport string) []clientMutant {
	t.Helper()
	env := &match.Env{Meta: facts.Meta}
	env.Set("revision", match.String(facts.Version))
	for name, v := range tr.Lets {
		env.Set(name, v)
	}
	var out []clientMutant
	for i, s := range tr.Steps {
		add := func(name string, change func(*drive.Request)) {
			out = append(out, clientMutant{name, s.Line, func(step int, r *drive.Request) {
				if step == i {
					change(r)
				}
			}})
		}
		if s.Kind != transcript.Send && s.Kind != transcript.SendHTTP {
			continue
		}
		for _, m := range messageMutants(t, s, env) {
			add(m.Name, func(r *drive.Request) { r.Body = m.Value.Append(nil) })
		}
		if transport == transportHTTP {
			headerMutants(s, add)
		}
	}
	return append(out, forbidden(t, tr, env)...)
}

// messageMutants are the wrong forms of a step's message. The id of a request is the client's to choose.
func messageMutants(t *testing.T, s *transcript.Step, env *match.Env) []match.Mutant {
	t.Helper()
	if s.Pattern == nil {
		return nil
	}
	first := map[string]bool{}
	whole, _ := s.Pattern.Names()
	for _, name := range whole {
		first[name] = env.Vars[name] == nil
	}
	example, err := s.Pattern.Example(env)
	require.NoError(t, err)
	var out []match.Mutant
	for _, m := range s.Pattern.Mutants(example, env, first) {
		if m.Name != "id changed" || !s.Pattern.Has("method") {
			out = append(out, m)
		}
	}
	return out
}

func headerMutants(s *transcript.Step, add func(string, func(*drive.Request))) {
	for _, h := range s.HTTP.Headers {
		if !h.Value.Absent() {
			add(h.Name+" removed", func(r *drive.Request) { r.Header = without(r.Header, h.Name) })
		}
		add(h.Name+" changed", func(r *drive.Request) {
			r.Header = append(without(r.Header, h.Name), drive.Field{Name: h.Name, Value: "quite another"})
		})
	}
}

// forbidden sends what must not come, with the step that is taken last before it, or else first behind it.
func forbidden(t *testing.T, tr *transcript.Transcript, env *match.Env) []clientMutant {
	t.Helper()
	var out []clientMutant
	for i, s := range tr.Steps {
		if s.Kind != transcript.Never {
			continue
		}
		example, err := s.Pattern.Example(env)
		require.NoError(t, err)
		out = append(out, clientMutant{"it comes", s.Line, func(step int, r *drive.Request) {
			if step == i {
				r.Body = example.Append(nil)
			}
		}})
	}
	return out
}
