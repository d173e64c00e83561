// The harness tests itself: every transcript is also played as the server. Against a faithful playback each must pass, and
// against one that lies in a single pinned place each must fail at the step that pins it. So no check is there that cannot
// fail.
package conformance

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http/httptest"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/parley-mcp/parley/conformance/drive"
	"github.com/parley-mcp/parley/conformance/match"
	"github.com/parley-mcp/parley/conformance/playback"
	"github.com/parley-mcp/parley/conformance/report"
	"github.com/parley-mcp/parley/conformance/revision"
	"github.com/parley-mcp/parley/conformance/schema"
	"github.com/parley-mcp/parley/conformance/transcript"
	"github.com/parley-mcp/parley/conformance/transcripts"
)

func TestMain(m *testing.M) {
	if behaviour := os.Getenv("CONFORMANCE_TEST_CHILD"); behaviour != "" {
		newHonest().lines(behaviour)
		return
	}
	goleak.VerifyTestMain(m)
}

// How long to wait for a message. A playback that leaves one out costs that much; one that seems to have been too slow is
// played again with patience, since the machine may have been busy.
const (
	hasty   = 400 * time.Millisecond
	patient = 20 * time.Second
)

// against plays a transcript against a playback of itself.
func against(t testing.TB, tr *transcript.Transcript, facts revision.Facts, transport string, lie playback.Lie, wait time.Duration) report.Result {
	t.Helper()
	server := playback.New(tr, facts, lie)
	s := &server_{}
	s.serve(t, server, transport)
	defer s.close()
	o, err := Options{Transcripts: []*transcript.Transcript{}, Manifest: everything{}, StepTimeout: wait,
		Quiet: 40 * time.Millisecond}.withDefaults()
	require.NoError(t, err)
	spy := &spy{Conn: s.conn}
	s.server.header, s.server.tokens = []drive.Field{{Name: "Authorization", Value: "Bearer good-token"}}, map[string]string{}
	for _, kind := range transcript.Tokens {
		s.server.tokens[kind] = kind + "-text"
	}
	p := newPlayer(&s.server, o, tr, facts, transport, spy)
	r := p.play(t.Context())
	if tr.Control == "" {
		spy.check(t, facts.Version)
	}
	if lie.Faithful() {
		assert.Empty(t, server.Findings(), "the harness must send what the transcript says")
	}
	return r
}

// spy keeps what the harness sends. Unless a transcript sends something wrong on purpose, it must be right at its revision
// (T-08, T-16).
type spy struct {
	drive.Conn
	sent [][]byte
}

func (s *spy) Send(ctx context.Context, r drive.Request) (*drive.Exchange, error) {
	s.sent = append(s.sent, r.Body)
	return s.Conn.Send(ctx, r)
}

func (s *spy) check(t testing.TB, version string) {
	t.Helper()
	judge, err := schema.For(version)
	require.NoError(t, err)
	for _, body := range s.sent {
		message, err := match.Parse(body)
		if err != nil || message.Get("result") != nil {
			continue // an answer can only be judged beside its question
		}
		assert.Empty(t, judge.CheckClientMessage(body, ""), "the harness itself sends %s", body)
	}
}

// server_ is a playback that is being served.
type server_ struct {
	server server
	conn   drive.Conn
	http   *httptest.Server
	done   chan struct{}
}

func (s *server_) serve(t testing.TB, server *playback.Server, transport string) {
	if transport == transportHTTP {
		s.http = httptest.NewServer(server)
		endpoint, err := drive.ParseEndpoint(s.http.URL)
		require.NoError(t, err)
		s.server.endpoint, s.conn = endpoint, drive.NewHTTP(endpoint)
		return
	}
	inRead, inWrite, err := os.Pipe()
	require.NoError(t, err)
	outRead, outWrite := io.Pipe()
	s.conn, s.done = drive.NewLines(outRead, inWrite), make(chan struct{})
	go func() {
		defer close(s.done)
		_ = server.ServeLines(inRead, outWrite)
		_, _ = inRead.Close(), outWrite.Close()
	}()
}

func (s *server_) close() {
	s.conn.Close()
	if s.http != nil {
		s.http.Close()
	} else {
		<-s.done
	}
}

// each runs f for every transcript at every revision over every transport.
func each(t *testing.T, f func(t *testing.T, tr *transcript.Transcript, facts revision.Facts, transport string)) {
	t.Helper()
	all, err := transcripts.All()
	require.NoError(t, err)
	eachOf(t, all, f)
}

func eachOf(t *testing.T, all []*transcript.Transcript, f func(t *testing.T, tr *transcript.Transcript, facts revision.Facts, transport string)) {
	t.Helper()
	require.NotEmpty(t, all)
	for _, tr := range all {
		for _, version := range tr.Revisions {
			facts, _ := revision.Lookup(version)
			for _, transport := range tr.Transports {
				t.Run(fmt.Sprintf("%s@%s/%s", tr.Name, version, transport), func(t *testing.T) { f(t, tr, facts, transport) })
			}
		}
	}
}

func TestFaithfulPlaybackPasses(t *testing.T) {
	each(t, func(t *testing.T, tr *transcript.Transcript, facts revision.Facts, transport string) {
		r := against(t, tr, facts, transport, playback.Lie{}, patient)
		require.Equal(t, report.Pass, r.Verdict, "%s\n%s", r.Reason, problems(r))
		for _, s := range r.Steps {
			assert.Equal(t, report.Pass, s.Verdict, "step %q: %s", s.Label, s.Problem)
		}
	})
}

func problems(r report.Result) string {
	out := ""
	for _, s := range r.Steps {
		out += fmt.Sprintf("%s %s: %s %s\n", s.Kind, s.Label, s.Verdict, s.Problem)
	}
	return out
}

// TestNoLieSurvives is the mutation suite.
func TestNoLieSurvives(t *testing.T) {
	var mu sync.Mutex
	killed, survived := 0, 0
	t.Run("all", func(t *testing.T) {
		each(t, func(t *testing.T, tr *transcript.Transcript, facts revision.Facts, transport string) {
			if !speaksFor(tr, facts) {
				return // what is pinned is the same as at a newer revision
			}
			t.Parallel()
			for _, l := range lies(t, tr, facts, transport) {
				r := against(t, tr, facts, transport, l.lie, hasty)
				if !l.kills(r) {
					r = against(t, tr, facts, transport, l.lie, patient)
				}
				dead := l.kills(r)
				assert.True(t, dead, "survives: %s:%d: %s\n%s%s", tr.File, l.line, l.name, r.Reason, problems(r))
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
	t.Logf("%d mutants killed, %d survived", killed, survived)
	fmt.Printf("mutation suite: %d mutants killed, %d survived\n", killed, survived)
}

// speaksFor reports whether a revision is the newest of a transcript that opens the way it does.
func speaksFor(tr *transcript.Transcript, facts revision.Facts) bool {
	for _, f := range revision.All() { // newest first
		if transcript.Holds(tr.Revisions, f.Version) && f.Handshake == facts.Handshake {
			return f.Version == facts.Version
		}
	}
	return false
}

// A mutant is one lie, and the line of the step that must find it.
type mutant struct {
	name         string
	lie          playback.Lie
	line, orLine int
	others       []int // lines of steps that look at the same answer, and may be what notices
}

// kills reports whether a run failed where the lie is told.
func (m mutant) kills(r report.Result) bool {
	return r.Verdict == report.Fail && slices.ContainsFunc(r.Steps, func(s report.Step) bool {
		return s.Verdict == report.Fail && (s.Line == m.line || s.Line == m.orLine || slices.Contains(m.others, s.Line))
	})
}

// lies makes every lie there is about the steps of the server.
func lies(t *testing.T, tr *transcript.Transcript, facts revision.Facts, transport string) []mutant {
	t.Helper()
	env := &match.Env{Meta: facts.Meta}
	env.Set("revision", match.String(facts.Version))
	for name, v := range tr.Lets {
		env.Set(name, v)
	}
	var out []mutant
	for i, s := range tr.Steps {
		if s.Kind.Sends() {
			continue
		}
		out = append(out, messageLies(t, tr, env, i)...)
		if transport == transportHTTP {
			out = append(out, headLies(tr, i)...)
		}
		if s.Silent() && tr.Steps[i-1].Kind == transcript.Send && (transport == transportStdio || s.HTTP.Status == "" || s.HTTP.Status[0] == '2') {
			out = append(out, mutant{"something comes where nothing may", playback.Lie{Step: i, Body: "x"}, s.Line, s.Line, nil})
		}
	}
	return out
}

func messageLies(t *testing.T, tr *transcript.Transcript, env *match.Env, i int) []mutant {
	s := tr.Steps[i]
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
	if s.Kind == transcript.Forbid {
		return []mutant{{"it comes", playback.Lie{Step: i, Message: example}, s.Line, s.Line, surprised(tr, i)}}
	}
	var out []mutant
	for _, m := range s.Pattern.Mutants(example, env, first) {
		if s.Kind == transcript.Again && right(tr, env, i, m.Value) {
			continue
		}
		orLine := s.Line
		if begin := tr.Steps[beginning(tr, i)]; begin.Silent() { // over stdio, what is not what is waited for breaks a silence
			orLine = begin.Line
		}
		if s.Kind.NeedNotCome() { // what it no longer resembles surprises the step that waits
			for _, later := range tr.Steps[i:] {
				if orLine = later.Line; later.Kind == transcript.Expect {
					break
				}
			}
		}
		out = append(out, mutant{m.Name, playback.Lie{Step: i, Message: m.Value}, s.Line, orLine, append(forbids(tr, i), surprised(tr, i)...)})
	}
	return out
}

// right reports whether a message is what is waited for behind a <~ step: then it is no lie there.
func right(tr *transcript.Transcript, env *match.Env, i int, message *match.Value) bool {
	copied := *env
	copied.Vars = maps.Clone(env.Vars)
	for ; tr.Steps[i].Kind != transcript.Expect; i++ {
	}
	return len(tr.Steps[i].Pattern.Match(message, &copied)) == 0
}

// beginning is the first of the server's steps that follow one another up to step i.
func beginning(tr *transcript.Transcript, i int) int {
	for !tr.Steps[i-1].Kind.Sends() {
		i--
	}
	return i
}

// forbids are the lines of the <! steps among the server's steps around step i.
func forbids(tr *transcript.Transcript, i int) []int {
	var lines []int
	for _, s := range tr.Steps[beginning(tr, i):] {
		if s.Kind.Sends() {
			break
		}
		if s.Kind == transcript.Forbid {
			lines = append(lines, s.Line)
		}
	}
	return lines
}

// surprised are the lines of the < steps before a step that waits for nothing: what comes early comes while they wait.
func surprised(tr *transcript.Transcript, i int) []int {
	var lines []int
	if tr.Steps[i].Kind == transcript.Expect {
		return nil
	}
	for _, s := range tr.Steps[beginning(tr, i):i] {
		if s.Kind == transcript.Expect {
			lines = append(lines, s.Line)
		}
	}
	return lines
}

// asked reports whether one of the client's steps right before step i has an id.
func asked(tr *transcript.Transcript, i int, id *match.Value) bool {
	for i--; i >= 0 && tr.Steps[i].Kind.Sends(); i-- {
		s := tr.Steps[i]
		if s.Kind != transcript.Send || s.Pattern.Kind() == '[' || match.Equal(s.Pattern.Pinned("id"), id) {
			return true
		}
	}
	return false
}

// headLies lie about the head of an answer. Where several steps look at the same one, the first finds it.
func headLies(tr *transcript.Transcript, i int) []mutant {
	s := tr.Steps[i]
	if tr.Steps[i-1].Kind == transcript.Close {
		return nil // there is no answer to lie about
	}
	first := beginning(tr, i)
	if s.Pattern != nil && !asked(tr, first, s.Pattern.Pinned("id")) && !s.Pattern.Has("method") {
		return nil // the head of this answer was sent before
	}
	var out []mutant
	add := func(name string, lie playback.Lie) {
		lie.Step = i
		out = append(out, mutant{name, lie, s.Line, tr.Steps[first].Line, nil})
	}
	if s.HTTP.Status != "" || s.Silent() {
		wrong := 418
		for s.HTTP.Status.Allows(wrong) && s.HTTP.Status != "" {
			wrong += 100
		}
		add("another status", playback.Lie{Status: wrong})
	}
	if s.HTTP.EventID != nil {
		add("no event id", playback.Lie{NoEventID: true})
	}
	if s.HTTP.End {
		add("the stream goes on", playback.Lie{NoEnd: true})
	}
	for _, h := range s.HTTP.Headers {
		if h.Value.Absent() {
			add(h.Name+" added", playback.Lie{Header: map[string]string{h.Name: "unwanted"}})
			continue
		}
		add(h.Name+" changed", playback.Lie{Header: map[string]string{h.Name: "quite another"}})
	}
	return out
}
