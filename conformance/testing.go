package conformance

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/conformance/report"
)

// Test runs every transcript against a handler, each as a subtest with the name of the transcript, the revision and the
// transport, and after them each check that looks at every message. What the server does not have is skipped with the reason; what breaks a requirement of level MUST fails.
//
//	func TestConformance(t *testing.T) { conformance.Test(t, newHandler()) }
func Test(t *testing.T, handler http.Handler) {
	t.Helper()
	srv := httptest.NewServer(handler)
	t.Cleanup(srv.Close)
	TestTarget(t, Target{Name: "handler", URL: srv.URL}, Options{})
}

// TestTarget is [Test] for any target, with options.
func TestTarget(t *testing.T, target Target, options Options) {
	t.Helper()
	r, err := newRun(target, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.close)
	if err := r.probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	jobs := r.jobs()
	t.Run("transcripts", func(t *testing.T) {
		for _, j := range jobs {
			t.Run(j.t.Name+"/"+j.facts.Version+"/"+j.transport, func(t *testing.T) {
				t.Parallel()
				j.do(t.Context(), r)
				if !j.finished {
					t.Skip("the run was stopped")
				}
				tell(t, r.options, j.result)
			})
		}
	})
	results := r.always(jobs)
	for _, result := range results {
		t.Run(result.Transcript+"/"+result.Revision+"/"+result.Transport, func(t *testing.T) { tell(t, r.options, result) })
	}
	for _, j := range jobs {
		if j.finished {
			results = append(results, j.result)
		}
	}
	for _, k := range applyKnown(r.options, results, !all(jobs)) {
		t.Errorf("known failure %s (%s): %s", k.Pattern, k.Reason, k.Problem)
	}
}

func all(jobs []*job) bool {
	for _, j := range jobs {
		if !j.finished {
			return false
		}
	}
	return true
}

// tell turns a result into the outcome of a subtest.
func tell(t *testing.T, o Options, one report.Result) {
	t.Helper()
	result := []report.Result{one}
	applyKnown(o, result, true)
	switch r := result[0]; {
	case r.Verdict == report.Pass:
	case r.KnownReason != "":
		t.Skipf("known failure: %s\n%s", r.KnownReason, explain(r))
	case r.Verdict == report.Fail, r.Verdict == report.NotReached:
		t.Error(explain(r))
	case r.Verdict == report.Warn, r.Verdict == report.Open:
		t.Logf("%s: %s", r.Verdict, explain(r))
	default:
		t.Skipf("%s: %s", r.Verdict, r.Reason)
	}
}

// explain shows the steps that are not in order, with the exchange.
func explain(r report.Result) string {
	var b strings.Builder
	b.WriteString(r.Reason + "\n")
	for _, s := range r.Steps {
		if s.Problem == "" || s.Verdict == report.NotApplicable {
			continue
		}
		b.WriteString(s.Kind + " " + s.Label + " [" + strings.Join(s.Requirements, " ") + "]: " + string(s.Verdict) + "\n" + s.Problem + "\n")
		for _, part := range []struct{ name, text string }{{"sent", s.Sent}, {"received", s.Received}, {"repeat", s.Curl}} {
			if part.text != "" {
				b.WriteString("--- " + part.name + "\n" + part.text + "\n")
			}
		}
	}
	return b.String()
}
