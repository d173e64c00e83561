package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// conversationRule is the SARIF rule of a broken step that names no requirement.
const conversationRule = "conversation"

// SARIF writes the report as SARIF 2.1.0: a rule for each requirement that is broken, an error or a warning for each
// step that breaks it, suppressed if a known-failure pattern covers it. Passes are left out, since the readers of SARIF
// show every result as an alert. What could not be judged, and what else fails a run, are notifications of the invocation.
func SARIF(w io.Writer, r *Report, o Options) error {
	s := sarifBuilder{options: o, rules: map[string]sarifRule{}, results: []sarifResult{}}
	for _, res := range sorted(r) {
		for _, step := range sarifEvidence(res) {
			s.step(res, step)
		}
		s.unjudged(res)
	}
	log := sarifLog{
		Schema:  "https://json.schemastore.org/sarif-2.1.0.json",
		Version: "2.1.0",
		Runs: []sarifRun{{
			Tool: sarifTool{Driver: sarifDriver{
				Name: oneLine(r.Tool.Name), Version: oneLine(r.Tool.Version), Rules: s.sortedRules(),
			}},
			Invocations: []sarifInvocation{{
				Successful: !r.Interrupted, Notifications: append(s.notifications, sarifRunProblems(r)...),
			}},
			Results:    s.results,
			Properties: properties("target", r.title(), "judgedBy", r.judgedBy()),
		}},
	}
	text, err := json.Marshal(log, json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil {
		return fmt.Errorf("encode the report: %w", err)
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

type sarifBuilder struct {
	options       Options
	rules         map[string]sarifRule
	results       []sarifResult
	notifications []sarifNotification
}

// sarifEvidence is the evidence of a result. One that fails for no step of its own, such as for want of an answer to the
// opening, gets a step that holds its reason, so that it is not lost.
func sarifEvidence(res *Result) []Step {
	steps := res.evidence()
	if len(steps) == 0 && (res.Verdict == Fail || res.Verdict == Warn) {
		steps = append(steps, Step{Label: "the whole", Verdict: res.Verdict, Problem: res.Reason})
	}
	return steps
}

// step adds a result for each requirement that the step breaks.
func (s *sarifBuilder) step(res *Result, step Step) {
	ids := step.Requirements
	if len(ids) == 0 {
		ids = []string{conversationRule}
	}
	place := oneLine(res.Transcript + " at " + res.column().String())
	for _, id := range ids {
		s.rule(id, res.Revision)
		result := sarifResult{
			Rule: oneLine(id), Kind: "fail", Level: "error",
			Message: sarifText{place + ":\n" + visible(step.Problem)},
			Locations: []sarifLocation{{
				Physical: sarifPhysical{sarifArtifact{sarifURI(res.Transcript)}, sarifRegion{max(step.Line, 1)}},
				Logical:  []sarifLogical{{Name: oneLine(step.Label), Full: place + ": " + oneLine(step.Label)}},
			}},
			Fingerprints: map[string]string{"parleyStep/v1": fingerprint(id, res, step)},
			Properties: properties("revision", res.Revision, "transport", res.Transport,
				"sent", step.Sent, "received", step.Received, "curl", step.Curl),
		}
		if step.Verdict == Warn {
			result.Level = "warning"
		}
		if res.known() {
			result.Suppressions = []sarifSuppression{{"external", oneLine(res.KnownReason)}}
		}
		s.results = append(s.results, result)
	}
}

// sarifURI is where a transcript is among those that come with the tool.
func sarifURI(transcript string) string {
	return (&url.URL{Path: "transcripts/" + oneLine(transcript) + ".txtar"}).EscapedPath()
}

func (s *sarifBuilder) rule(id, revision string) {
	if _, have := s.rules[id]; have {
		return
	}
	text, ok := s.options.requirements().Describe(id)
	switch {
	case id == conversationRule:
		text = "The conversation takes place as the transcript tells it."
	case !ok:
		text = id
	}
	s.rules[id] = sarifRule{ID: oneLine(id), Short: sarifText{oneLine(text)}, Help: s.options.clause(id, revision)}
}

func (s *sarifBuilder) sortedRules() []sarifRule {
	rules := []sarifRule{}
	for _, id := range slices.Sorted(maps.Keys(s.rules)) {
		rules = append(rules, s.rules[id])
	}
	return rules
}

// unjudged notes a result from which nothing can be concluded.
func (s *sarifBuilder) unjudged(res *Result) {
	level, ok := map[Verdict]string{NotReached: "error", Untestable: "warning", Open: "note"}[res.Verdict]
	if ok {
		s.notifications = append(s.notifications, sarifNotification{level, sarifText{oneLine(fmt.Sprintf(
			"%s at %s: %s: %s", res.Transcript, res.column(), heading[res.Verdict], res.Reason))}})
	}
}

func sarifRunProblems(r *Report) []sarifNotification {
	var out []sarifNotification
	for _, k := range r.Known {
		out = append(out, sarifNotification{"error", sarifText{oneLine("known failure " + k.Pattern + ": " + k.Problem)}})
	}
	if r.Interrupted {
		out = append(out, sarifNotification{"error", sarifText{"The run was interrupted before its end."}})
	}
	if len(r.Results) == 0 {
		out = append(out, sarifNotification{"error", sarifText{"Nothing was run."}})
	}
	return out
}

// fingerprint stays the same from run to run for the same step and requirement, whatever line the step is on.
func fingerprint(id string, res *Result, step Step) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{id, res.Transcript, step.Label, res.Revision, res.Transport}, "\x00")))
	return hex.EncodeToString(sum[:16])
}

// properties makes a property bag of names and values, the empty ones left out.
func properties(pairs ...string) map[string]any {
	bag := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			bag[pairs[i]] = visible(pairs[i+1])
		}
	}
	return bag
}
