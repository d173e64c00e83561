// A run finds out what a server speaks, runs what applies, and judges it. What a server does wrong ends in a verdict with
// evidence, never in a run that hangs, and never in a pass.
package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/conformance/report"
	"github.com/parley-mcp/parley/conformance/revision"
	"github.com/parley-mcp/parley/conformance/transcript"
)

// quick are options for servers that answer at once or never.
var quick = Options{StepTimeout: 300 * time.Millisecond, Quiet: 20 * time.Millisecond}

func parse(t *testing.T, name, source string) *transcript.Transcript {
	t.Helper()
	tr, err := transcript.Parse(name+".txtar", []byte(source))
	require.NoError(t, err)
	return tr
}

func handshakes() string {
	var out []string
	for _, f := range revision.All() {
		if f.Handshake {
			out = append(out, f.Version)
		}
	}
	return strings.Join(out, " ")
}

const pings = "-- > ping --\n{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"}\n-- < pong [ping.empty-result] --\n" +
	"{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": {}}\n"

func ping(t *testing.T) *transcript.Transcript {
	return parse(t, "ping/one", "Ping.\n\nrevisions: "+handshakes()+"\n"+pings)
}

func serve(t *testing.T, h http.Handler) Target {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return Target{URL: srv.URL + "/mcp"}
}

// told are the results of transcripts, without those of the checks that are always on.
func told(r *report.Report) []report.Result {
	return slices.DeleteFunc(slices.Clone(r.Results), func(r report.Result) bool { return r.Area == alwaysArea })
}

func TestRunAgainstAnHonestServer(t *testing.T) {
	target := serve(t, newHonest())
	target.Command, target.Env = []string{os.Args[0]}, []string{"CONFORMANCE_TEST_CHILD=honest"}
	o := quick
	o.Names, o.StepTimeout = honestly, 5*time.Second
	total := 0
	o.Progress = func(done, all int, _ report.Result) { total++; assert.LessOrEqual(t, done, all) }
	r, err := Run(t.Context(), target, o)
	require.NoError(t, err)
	h := newHonest()
	assert.Equal(t, map[string][]string{"http": {h.stateless, h.handshake}, "stdio": {h.stateless, h.handshake}}, r.Target.Revisions)
	assert.Equal(t, report.Software{Name: "honest", Version: "1"}, r.Target.Server)
	assert.Len(t, told(r), total)
	assert.False(t, r.Interrupted)
	passed := 0
	for _, res := range r.Results {
		assert.Contains(t, []report.Verdict{report.Pass, report.NotApplicable}, res.Verdict,
			"%s@%s/%s: %s\n%s", res.Transcript, res.Revision, res.Transport, res.Reason, problems(res))
		if res.Verdict == report.Pass {
			passed++
		}
	}
	assert.Greater(t, passed, 15)
	assert.True(t, slices.IsSortedFunc(r.Results, func(a, b report.Result) int { return strings.Compare(a.Transcript, b.Transcript) }))
}

// TestNotApplicable: T-01, T-02, what a server does not declare, or a fixture that it does not have, is no failure, and no pass.
func TestNotApplicable(t *testing.T) {
	h := newHonest()
	head := "Story.\n\nrevisions: " + handshakes() + "\n"
	o := quick
	o.Transcripts = []*transcript.Transcript{
		parse(t, "a/fixture", head+"fixture: some_tool\n"+pings),
		parse(t, "a/capability", head+"capability: resources.subscribe\n"+pings),
		ping(t),
	}
	r, err := Run(t.Context(), serve(t, h), o)
	require.NoError(t, err)
	for _, res := range told(r) {
		switch {
		case res.Revision != h.handshake:
			assert.Equal(t, report.NotApplicable, res.Verdict)
			assert.Contains(t, res.Reason, "does not speak")
		case res.Transcript == "a/fixture":
			assert.Equal(t, "the server does not list some_tool", res.Reason)
			assert.Equal(t, report.NotApplicable, res.Verdict)
		case res.Transcript == "a/capability":
			assert.Equal(t, "the server does not declare the capability resources.subscribe", res.Reason)
			assert.Equal(t, report.NotApplicable, res.Verdict)
		default:
			assert.Equal(t, report.Pass, res.Verdict, res.Reason)
		}
	}
}

// levels is a manifest for tests.
type levels map[string]string

func (l levels) Level(id, _ string) (string, bool) { level, ok := l[id]; return level, ok }
func (l levels) Open(id, _ string) string {
	if id == "open" {
		return "two sentences disagree"
	}
	return ""
}

func TestVerdicts(t *testing.T) {
	manifest := levels{"must": "MUST", "not": "MUST_NOT", "should": "SHOULD", "may": "MAY", "open": "MUST"}
	for ids, want := range map[string]report.Verdict{
		"[must]": report.Fail, "[not]": report.Fail, "[should]": report.Warn, "[may]": report.NotApplicable,
		"[should must]": report.Fail, "[open?]": report.Open, "[open? must]": report.Fail, "[open]": report.Fail, "": report.Fail,
	} {
		o := quick
		o.Manifest = manifest
		wrong := "-- > ping --\n{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"}\n-- < pong " + ids + " --\n" +
			"{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": {\"more\": 1}}\n-- > again --\n{\"jsonrpc\": \"2.0\", \"id\": 2, \"method\": \"ping\"}\n" +
			"-- < pong again --\n{\"jsonrpc\": \"2.0\", \"id\": 2, \"result\": {}}\n"
		o.Transcripts = []*transcript.Transcript{parse(t, "a/b", "Story.\n\nrevisions: "+newHonest().handshake+"\n"+wrong)}
		r, err := Run(t.Context(), serve(t, newHonest()), o)
		require.NoError(t, err)
		res := told(r)[0]
		assert.Equal(t, want, res.Verdict, ids)
		assert.Contains(t, res.Steps[1].Problem, "result.more: want 1, got nothing")
		assert.NotEmpty(t, res.Reason)
		last := report.NotReached
		if want == report.Warn {
			last = report.Pass // a SHOULD does not stop the conversation
		}
		assert.Equal(t, last, res.Steps[3].Verdict, ids)
	}
}

// TestControlThatFailsMakesUntestable: T-12, T-14, a refusal proves nothing of a server that refuses, or leaves out, the right
// thing too.
func TestControlThatFailsMakesUntestable(t *testing.T) {
	revisions := "Story.\n\nrevisions: " + newHonest().handshake + "\n"
	control := parse(t, "a/control", revisions+"-- > ping --\n{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"no/such\"}\n-- < pong --\n{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": {}}\n")
	negative := parse(t, "a/negative", revisions+"control: a/control\n-- > bad --\n{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"no/such\"}\n"+
		"-- < refused --\n{\"jsonrpc\": \"2.0\", \"id\": 1, \"error\": {\"code\": -32601, \"...\": \"\"}}\n")
	o := quick
	o.Transcripts = []*transcript.Transcript{negative, control}
	o.Run = "a/negative"
	r, err := Run(t.Context(), serve(t, newHonest()), o)
	require.NoError(t, err)
	results := told(r)
	require.Len(t, results, 2, "the control runs too")
	assert.Equal(t, report.Fail, results[0].Verdict)
	assert.Equal(t, report.Untestable, results[1].Verdict)
	assert.Contains(t, results[1].Reason, "its control a/control came to fail")
}

func TestBadHTTPServers(t *testing.T) {
	honest := newHonest()
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a redirect was followed") }))
	defer elsewhere.Close()
	for name, c := range map[string]struct {
		misbehave func(w http.ResponseWriter, r *http.Request, id string)
		want      string
	}{
		"hangs":   {func(_ http.ResponseWriter, r *http.Request, _ string) { <-r.Context().Done() }, "did not come within"},
		"resets":  {func(http.ResponseWriter, *http.Request, string) { panic(http.ErrAbortHandler) }, "closed the connection without an answer"},
		"garbage": {func(w http.ResponseWriter, _ *http.Request, _ string) { _, _ = io.WriteString(w, "<html>") }, "no JSON"},
		"empty":   {func(http.ResponseWriter, *http.Request, string) {}, "ended without this message (HTTP status 200)"},
		"floods": {func(w http.ResponseWriter, r *http.Request, _ string) {
			w.Header().Set("Content-Type", "text/event-stream")
			for r.Context().Err() == nil {
				_, _ = io.WriteString(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":1}}\n\n")
			}
		}, ""},
		"redirects": {func(w http.ResponseWriter, r *http.Request, _ string) {
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		}, "HTTP status 307"},
		"wrong type": {func(w http.ResponseWriter, _ *http.Request, id string) {
			w.Header().Set("Content-Type", "text/plain")
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":`+id+`,"result":{}}`)
		}, "want application/json or text/event-stream"},
		"wrong id": {func(w http.ResponseWriter, _ *http.Request, id string) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":"`+id+`","result":{}}`)
		}, `id: want 1, got "1"`},
		"foreign vocabulary": {func(w http.ResponseWriter, _ *http.Request, id string) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":`+id+`,"result":{"resultType":"complete"}}`)
		}, "resultType"},
	} {
		t.Run(name, func(t *testing.T) {
			o := quick
			o.Transcripts = []*transcript.Transcript{ping(t)}
			o.Revisions = []string{honest.handshake}
			target := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				if !bytes.Contains(body, []byte(`"ping"`)) {
					r.Body = io.NopCloser(bytes.NewReader(body))
					honest.ServeHTTP(w, r)
					return
				}
				c.misbehave(w, r, "1")
			}))
			started := time.Now()
			r, err := Run(t.Context(), target, o)
			require.NoError(t, err)
			bad := slices.IndexFunc(r.Results, func(r report.Result) bool { return r.Verdict == report.Fail })
			require.GreaterOrEqual(t, bad, 0, "there must be a failure")
			res := r.Results[bad]
			assert.Contains(t, problems(res), c.want)
			failed := slices.IndexFunc(res.Steps, func(s report.Step) bool { return s.Verdict == report.Fail })
			assert.Contains(t, res.Steps[failed].Sent, `"ping"`)
			assert.Contains(t, res.Steps[failed].Curl, "curl ")
			assert.Less(t, time.Since(started), 5*time.Second)
		})
	}
}

func TestBadProcesses(t *testing.T) {
	honest := newHonest()
	for behaviour, want := range map[string]string{
		"chatty": `standard output holds what is no JSON`,
		"silent": "did not come within",
		"flood":  "did not come within",
		"crash":  "",
	} {
		t.Run(behaviour, func(t *testing.T) {
			o := quick
			o.StepTimeout = time.Second
			o.Transcripts = []*transcript.Transcript{ping(t)}
			o.Revisions = []string{honest.handshake}
			r, err := Run(t.Context(), Target{Command: []string{os.Args[0]}, Env: []string{"CONFORMANCE_TEST_CHILD=" + behaviour}}, o)
			require.NoError(t, err)
			bad := slices.IndexFunc(r.Results, func(r report.Result) bool { return r.Verdict == report.Fail })
			if want == "" {
				assert.Negative(t, bad, "it answered before it died")
				return
			}
			require.GreaterOrEqual(t, bad, 0, "there must be a failure")
			assert.Contains(t, problems(r.Results[bad]), want)
		})
	}
}

func TestUnreachable(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())
	_, err = Run(t.Context(), Target{URL: "http://" + l.Addr().String()}, quick)
	assert.ErrorIs(t, err, ErrUnreachable)
	_, err = Run(t.Context(), Target{Command: []string{"/no/such/program"}}, quick)
	assert.ErrorIs(t, err, ErrUnreachable)
	_, err = Run(t.Context(), Target{}, quick)
	assert.ErrorContains(t, err, "neither a URL nor a command")
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	o := Options{Progress: func(done, _ int, _ report.Result) {
		if done == 3 {
			cancel()
		}
	}, Parallel: 1}
	r, err := Run(ctx, serve(t, newHonest()), o)
	require.NoError(t, err)
	assert.True(t, r.Interrupted)
	assert.Less(t, len(told(r)), 6)
	assert.GreaterOrEqual(t, len(told(r)), 3)
}

// TestFindingsHoldWhatWasOnTheWire: T-15, byte for byte, headers and line ends with it, and how to do it again.
func TestFindingsHoldWhatWasOnTheWire(t *testing.T) {
	honest := newHonest()
	const body = "event: message\r\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{ \"more\" : 1.0 }}\r\n\r\n"
	o := quick
	o.Transcripts, o.Revisions = []*transcript.Transcript{ping(t)}, []string{honest.handshake}
	r, err := Run(t.Context(), serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked, _ := io.ReadAll(r.Body)
		if !bytes.Contains(asked, []byte(`"ping"`)) {
			r.Body = io.NopCloser(bytes.NewReader(asked))
			honest.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Content-Length", fmt.Sprint(len(body)))
		w.Header().Set("X-Odd", " a\tb")
		_, _ = io.WriteString(w, body)
	})), o)
	require.NoError(t, err)
	step := told(r)[0].Steps[1]
	assert.Equal(t, report.Fail, step.Verdict, step.Problem)
	assert.Contains(t, step.Received, "HTTP/1.1 200 OK")
	assert.Contains(t, step.Received, "a\tb")
	assert.Contains(t, step.Received, body)
	assert.Contains(t, step.Sent, "POST /mcp HTTP/1.1")
	assert.Contains(t, step.Sent, `"ping"`)
	assert.Contains(t, step.Curl, "curl ")
}

func TestSecretsStandInNoReport(t *testing.T) {
	h := newHonest()
	target := serve(t, h)
	target.URL += "?key=query-secret"
	target.Header = http.Header{"Authorization": {"Bearer bearer-secret"}, "X-Tenant": {"tenant-secret"}}
	o := quick
	o.Names = honestly
	r, err := Run(t.Context(), target, o)
	require.NoError(t, err)
	assert.Equal(t, "Bearer bearer-secret", h.seen.Get("Authorization"), "they are sent")
	all, err := json.Marshal(r)
	require.NoError(t, err)
	for _, secret := range []string{"bearer-secret", "tenant-secret", "query-secret", "session-0000"} {
		assert.False(t, bytes.Contains(all, []byte(secret)), secret)
	}
	assert.True(t, bytes.Contains(all, []byte("X-Tenant: ***")))
}

func TestKnown(t *testing.T) {
	known, err := ParseKnown("known.txt", strings.NewReader("# all comment\n\na/* # it is known\nping/*@"+newHonest().handshake+"/http # no longer true\nno/such # gone\n"))
	require.NoError(t, err)
	o := quick
	o.Known = known
	o.Transcripts = []*transcript.Transcript{ping(t), parse(t, "a/b", "Story.\n\nrevisions: "+newHonest().handshake+
		"\n-- > ping --\n{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"}\n-- < pong --\n{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": {\"a\": 1}}\n")}
	r, err := Run(t.Context(), serve(t, newHonest()), o)
	require.NoError(t, err)
	assert.Equal(t, "it is known", told(r)[0].KnownReason)
	require.Len(t, r.Known, 2)
	assert.Contains(t, r.Known[0].Problem, "it passed: ping/one@")
	assert.Equal(t, "it matches no transcript", r.Known[1].Problem)

	for text, want := range map[string]string{"a/b\n": "f:1: \"a/b\" has no reason", "\n[ # x\n": "f:2: \"[\" is no pattern", "a b # x": "is no pattern"} {
		_, err := ParseKnown("f", strings.NewReader(text))
		assert.ErrorContains(t, err, want)
	}
}

func TestCheck(t *testing.T) {
	head := "Story.\n\nrevisions: " + newHonest().handshake + "\n"
	manifest := levels{"ping.empty-result": "MUST"}
	a, b := parse(t, "a/a", head+"control: a/b\n"+pings), parse(t, "a/b", head+"control: a/a\n"+pings)
	assert.ErrorContains(t, Check([]*transcript.Transcript{a, b}, manifest), "a/a.txtar:1: control: a/b leads in a circle")
	assert.ErrorContains(t, Check([]*transcript.Transcript{a}, manifest), "there is no transcript a/b")
	assert.ErrorContains(t, Check([]*transcript.Transcript{b, b}, manifest), "two transcripts with the name a/b")
	unknown := parse(t, "a/c", head+strings.ReplaceAll(pings, "ping.empty-result", "no.such"))
	assert.ErrorContains(t, Check([]*transcript.Transcript{unknown}, manifest), "a/c.txtar:6: the manifest has no requirement no.such")
	open := parse(t, "a/d", head+strings.ReplaceAll(pings, "ping.empty-result", "ping.empty-result?"))
	assert.ErrorContains(t, Check([]*transcript.Transcript{open}, manifest), "drop the '?'")
}

func TestBuiltinTranscripts(t *testing.T) {
	o, err := Options{}.withDefaults()
	require.NoError(t, err, "they parse, and name requirements that exist")
	assert.NotEmpty(t, o.Transcripts)
}

func TestAsGoTest(t *testing.T) { TestTarget(t, serve(t, newHonest()), Options{Names: honestly}) }

func TestRewrite(t *testing.T) {
	source := "Story.\n\nrevisions: " + newHonest().handshake + "\n-- > ping --\n{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"}\n" +
		"-- < pong --\nhttp: 200\n{\"jsonrpc\": \"2.0\", \"id\": \"{{integer}}\", \"result\": {\"a\": 1}}\n-- > again --\n" +
		"{\"jsonrpc\": \"2.0\", \"id\": 2, \"method\": \"ping\"}\n-- < pong again --\n{\"jsonrpc\": \"2.0\", \"id\": 2, \"result\": {}}\n"
	o := quick
	var got string
	o.Rewrite = func(_ *transcript.Transcript, text []byte) error { got = string(text); return nil }
	o.Transcripts = []*transcript.Transcript{parse(t, "a/b", source)}
	target := serve(t, newHonest())
	_, err := Run(t.Context(), target, o)
	require.NoError(t, err)
	assert.Equal(t, strings.Replace(source, `{"a": 1}`, `{}`, 1), got)

	o.Rewrite = func(*transcript.Transcript, []byte) error { t.Error("nothing failed"); return nil }
	o.Transcripts = []*transcript.Transcript{parse(t, "a/b", got)}
	_, err = Run(t.Context(), target, o)
	require.NoError(t, err)
}

// TestForeignVocabularyIsToldOnce: a server that says one thing too many in every answer breaks one requirement, not every
// transcript.
func TestForeignVocabularyIsToldOnce(t *testing.T) {
	h := newHonest()
	target := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, r)
		for name, values := range rec.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(rec.Code)
		_, _ = w.Write(bytes.Replace(rec.Body.Bytes(), []byte(`"result":{"tools"`), []byte(`"result":{"ttlMs":1,"tools"`), 1))
	}))
	o := quick
	o.Revisions, o.Names = []string{h.handshake}, []string{"tools/list", "ping/answer"}
	r, err := Run(t.Context(), target, o)
	require.NoError(t, err)
	for _, res := range told(r) {
		assert.Equal(t, report.Pass, res.Verdict, res.Transcript)
	}
	for _, res := range r.Results {
		if res.Area != alwaysArea {
			continue
		}
		want := report.Pass
		if res.Transcript == "always/vocabulary" {
			want = report.Fail
			assert.Contains(t, res.Reason, `member "ttlMs" belongs to`)
			assert.Contains(t, res.Reason, "(tools/list, line")
			assert.Contains(t, res.Steps[0].Sent, "tools/list")
			assert.Contains(t, res.Steps[0].Received, "ttlMs")
		}
		assert.Equal(t, want, res.Verdict, res.Transcript)
	}
	o.Known = []Known{{Pattern: "always/vocabulary", Reason: "it is known"}}
	r, err = Run(t.Context(), target, o)
	require.NoError(t, err)
	assert.Empty(t, r.Known)
}
