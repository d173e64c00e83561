package conformance

import (
	"slices"
	"strings"

	"github.com/parley-mcp/parley/conformance/playback"
	"github.com/parley-mcp/parley/conformance/report"
	"github.com/parley-mcp/parley/conformance/revision"
	"github.com/parley-mcp/parley/conformance/transcript"
	"github.com/parley-mcp/parley/conformance/watch"
)

// clientArea is the area of the checks that look at every message of a client.
const clientArea = "client-always"

// ClientChecks lists the checks that look at everything that a client under test sends. Each proves all of its requirements.
func ClientChecks() []AlwaysCheck {
	var out []AlwaysCheck
	for _, c := range watch.Checks() {
		out = append(out, AlwaysCheck{Name: clientArea + "/" + c.Name, Story: c.Story, Requirements: slices.Clone(c.Requirements),
			Revisions: c.Revisions()})
	}
	return out
}

// ClientResults say what a client under test has done in a conversation with the mock: one result for the transcript, and
// one for each check that had something to look at. A nil manifest stands for the built-in one. The transport is "http" or
// "stdio".
func ClientResults(m Manifest, s *playback.Server, t *transcript.Transcript, facts revision.Facts, transport string) ([]report.Result, error) {
	if m == nil {
		builtin, err := builtinManifest()
		if err != nil {
			return nil, err
		}
		m = builtin
	}
	j := clientJudge{m, facts.Version, transport}
	out := []report.Result{j.transcript(s, t)}
	for _, o := range s.Checks() {
		if o.Looked > 0 && len(j.stands(o.Requirements)) > 0 {
			out = append(out, j.check(o))
		}
	}
	return out, nil
}

type clientJudge struct {
	manifest            Manifest
	revision, transport string
}

// stands are the requirements that hold at the revision, and over the transport if they are of one.
func (j clientJudge) stands(ids []string) []string {
	return slices.DeleteFunc(stands(j.manifest, ids, j.revision), func(id string) bool {
		of, _, _ := strings.Cut(strings.TrimPrefix(id, "transport."), ".")
		return strings.HasPrefix(id, "transport.") && (of == transportHTTP || of == transportStdio) && of != j.transport
	})
}

func (j clientJudge) transcript(s *playback.Server, t *transcript.Transcript) report.Result {
	r := report.Result{Transcript: t.Name, Area: t.Area, Story: t.Summary(), Revision: j.revision, Transport: j.transport}
	outcomes := s.Outcomes()
	var verdicts []report.Verdict
	excused := false // the client stopped where it may
	for i, step := range t.Steps {
		out := report.Step{Label: step.Label, Line: step.Line, Kind: string(step.Kind), Sent: outcomes[i].Sent, Verdict: report.Pass,
			Requirements: j.stands(step.IDs)}
		switch o := outcomes[i]; {
		case o.Problem != "":
			why := ""
			out.Verdict, why = judge(j.manifest, step.IDs, step.OpenIDs, j.revision)
			out.Problem = joinLines(why, o.Problem)
		case step.Kind == transcript.Never && o.Due:
		case !o.Came && step.Kind.Sends():
			out.Verdict = report.NotReached
			if out.Problem = "the conversation did not come so far"; o.Due {
				out.Verdict, out.Problem = judge(j.manifest, step.IDs, step.OpenIDs, j.revision)
				out.Problem = joinLines(out.Problem, "the client did not send it")
				excused = out.Verdict != report.Fail
			}
		case !o.Came:
			out.Verdict = report.NotReached
		}
		if excused && out.Verdict == report.NotReached {
			out.Verdict, out.Problem = report.NotApplicable, "the client did not go so far, and need not"
		}
		if out.Verdict != report.Pass && r.Reason == "" {
			r.Reason = "step \"" + step.Label + "\": " + firstLine(out.Problem)
		}
		verdicts = append(verdicts, out.Verdict)
		r.Steps = append(r.Steps, out)
	}
	r.Verdict = report.Worst(verdicts...)
	return r
}

func (j clientJudge) check(o watch.Outcome) report.Result {
	r := report.Result{Transcript: clientArea + "/" + o.Name, Area: clientArea, Story: o.Story, Revision: j.revision, Transport: j.transport}
	step := report.Step{Label: "every message", Line: 1, Kind: ">", Verdict: report.Pass, Requirements: j.stands(o.Requirements), Sent: o.Sent}
	if len(o.Problems) > 0 {
		why := ""
		step.Verdict, why = judge(j.manifest, step.Requirements, nil, j.revision)
		step.Problem = joinLines(why, strings.Join(o.Problems, "\n"))
		r.Reason = o.Problems[0]
	}
	r.Verdict, r.Steps = step.Verdict, []report.Step{step}
	return r
}

// MergeClientResults puts the results of the same check at the same revision over the same transport together: the worst
// verdict counts, and the first evidence of it is kept.
func MergeClientResults(all []report.Result) []report.Result {
	type place struct{ name, revision, transport string }
	at := map[place]int{}
	var out []report.Result
	for _, r := range all {
		p := place{r.Transcript, r.Revision, r.Transport}
		i, known := at[p]
		switch {
		case !known:
			at[p] = len(out)
			out = append(out, r)
		case report.Worst(r.Verdict, out[i].Verdict) != out[i].Verdict:
			out[i] = r
		}
	}
	return out
}
