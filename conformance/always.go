package conformance

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/parley-mcp/parley/conformance/report"
	"github.com/parley-mcp/parley/conformance/revision"
	"github.com/parley-mcp/parley/conformance/schema"
)

// A check is one that is always on: it looks at every message of every transcript, and reports once for each revision and
// transport.
type check struct {
	name  string // that of its result, as if it were a transcript
	story string
	// ids are the requirements, of which the first that the revision has is meant.
	ids []string
	// open: the specification contradicts itself about this very thing.
	open bool
	// transport is the only one it is about; empty for both.
	transport string
}

// alwaysArea is the area of their results.
const alwaysArea = "always"

// The checks.
var (
	checkShape    = &check{name: "json-rpc", story: "Every message is JSON-RPC.", ids: []string{"base.jsonrpc-2.0"}}
	checkNullID   = &check{name: "null-id", story: "An error to a request whose id could not be read has no id.", ids: []string{"base.error-id-matches", "base.error-response-same-id"}, open: true}
	checkSchema   = &check{name: "schema", story: "Every message fits the schema of its revision.", ids: []string{"schema.source-of-truth"}}
	checkForeign  = &check{name: "vocabulary", story: "No message uses what only another revision defines.", ids: []string{"lifecycle.respect-negotiated-version", "schema.source-of-truth"}}
	checkContent  = &check{name: "content-type", story: "Every message comes as JSON or as an event.", ids: []string{"transport.http.response-content-type"}, transport: transportHTTP}
	checkRequests = &check{name: "server-requests", story: "A server sends no requests but those of its revision.", ids: revision.ServerRequests}
	checkNotes    = &check{name: "server-notifications", story: "A server sends no notifications but those of its revision.", ids: revision.ServerNotifications}
	checkStdout   = &check{name: "stdout", story: "Nothing but messages is written to the standard output.", ids: []string{"transport.stdio.stdout-only-mcp"}, transport: transportStdio}
	checks        = []*check{checkContent, checkShape, checkMetaLabel, checkMetaName, checkMetaOwner, checkMetaOwned, checkMetaPrefix, checkMetaTrace,
		checkNullID, checkSchema, checkNotes, checkRequests, checkStdout, checkForeign}
)

// An AlwaysCheck is a check that looks at every message of every transcript. Its results stand in the report as those of a
// transcript with its name.
type AlwaysCheck struct {
	// Name is that of its results, such as "always/schema".
	Name, Story string
	// Requirements are those that it proves: at each revision the first that the revision has, and all of them if it looks at a
	// client.
	Requirements []string
	// Revisions are those that it is about; nil stands for all.
	Revisions []string
	// Open is true if it looks at the very thing that the specification leaves open: where the manifest has an open point, what
	// it finds is recorded and judged by nobody.
	Open bool
}

// AlwaysChecks lists the checks that look at every message.
func AlwaysChecks() []AlwaysCheck {
	var out []AlwaysCheck
	for _, c := range checks {
		out = append(out, AlwaysCheck{Name: alwaysArea + "/" + c.name, Story: c.story, Requirements: slices.Clone(c.ids), Open: c.open})
	}
	return out
}

// id is the requirement that the check is about at a revision.
func (c *check) id(m Manifest, version string) string {
	for _, id := range c.ids {
		if level, _ := m.Level(id, version); level != "" {
			return id
		}
	}
	return c.ids[0]
}

// An objection is what a check has against messages, told apart by their kind.
type objection struct {
	check    *check
	problem  string // the first of its kind
	times    int
	line     int
	evidence trace
	shown    report.Step // the evidence as text, when the conversation is over
}

// always gathers the objections of a conversation.
type always struct {
	opening    bool // the driver opens: that is judged where a transcript opens itself, and not in all the others
	looked     int  // messages that were held against the schema
	objections map[string]*objection
}

var itemNumber = regexp.MustCompile(`/\d+\b`)

// object records an objection to an item that has just come. Objections that differ in the numbers of items are of one kind.
func (p *player) object(it *item, c *check, problem string) {
	if p.always.opening && c != checkStdout {
		return
	}
	key := c.name + " " + itemNumber.ReplaceAllString(problem, "/*")
	if known := p.always.objections[key]; known != nil {
		known.times++
		return
	}
	o := &objection{check: c, problem: p.mask.Hide(problem), times: 1, line: 1, evidence: p.traceOf(it)}
	if p.now < len(p.t.Steps) {
		o.line = p.t.Steps[p.now].Line
	}
	if !p.http {
		o.evidence.text = string(it.raw)
		if x := p.owner[it.id().String()]; x != nil && it.response() {
			o.evidence.sent = x
		}
	}
	if p.always.objections == nil {
		p.always.objections = map[string]*objection{}
	}
	p.always.objections[key] = o
}

// checkOf says which check a problem of the schema belongs to.
func checkOf(problem schema.Problem, it *item) *check {
	id := it.id()
	switch {
	case problem.Path == "/id" && id != nil && id.Kind == 'n' && it.value.Get("error") != nil:
		return checkNullID
	case problem.Kind == schema.KindShape:
		return checkShape
	case problem.Kind == schema.KindForeign:
		return checkForeign
	}
	return checkSchema
}

// conclude turns the evidence of the objections into text.
func (p *player) conclude() {
	for _, o := range p.always.objections {
		o.shown = report.Step{Kind: "<", Verdict: report.Fail} // evidence is shown as that of a failure
		p.fill(&o.shown, o.evidence)
	}
}

// always returns what the checks that are always on came to, for each revision and transport that was tested.
func (r *run) always(jobs []*job) []report.Result {
	var out []report.Result
	for _, c := range checks {
		for _, facts := range r.revisions() {
			for _, transport := range r.server.transports() {
				looked := 0
				var mine []*job
				for _, j := range jobs {
					if j.finished && j.facts.Version == facts.Version && j.transport == transport {
						looked += j.always.looked + len(j.always.objections)
						mine = append(mine, j)
					}
				}
				demanded := len(stands(r.options.Manifest, c.ids, facts.Version)) > 0
				if looked > 0 && demanded && (c.transport == "" || c.transport == transport) && !outside(r.options.Manifest, c.ids, facts.Version) {
					out = append(out, r.sum(c, facts, transport, mine))
				}
			}
		}
	}
	return out
}

// maxProblems bounds how many kinds of problem one result shows.
const maxProblems = 20

// sum puts the objections of one check at one place together.
func (r *run) sum(c *check, facts revision.Facts, transport string, jobs []*job) report.Result {
	id := c.id(r.options.Manifest, facts.Version)
	step := report.Step{Label: "every message", Line: 1, Kind: "<", Verdict: report.Pass,
		Requirements: stands(r.options.Manifest, []string{id}, facts.Version)}
	out := report.Result{Transcript: alwaysArea + "/" + c.name, Area: alwaysArea, Story: c.story, Revision: facts.Version,
		Transport: transport}
	var problems []string
	seen := map[string]bool{}
	for _, j := range jobs {
		for _, key := range slices.Sorted(maps.Keys(j.always.objections)) {
			o := j.always.objections[key]
			if o.check != c || seen[key] {
				continue
			}
			seen[key] = true
			problems = append(problems, fmt.Sprintf("%s (%s, line %d%s)", o.problem, j.t.Name, o.line, more(jobs, key, j)))
			if len(problems) == 1 {
				step.Sent, step.Received, step.Curl = o.shown.Sent, o.shown.Received, o.shown.Curl
			}
		}
	}
	if len(problems) > 0 {
		out.Reason = problems[0]
		if n := len(problems); n > maxProblems {
			problems = append(problems[:maxProblems], fmt.Sprintf("... and %d more kinds", n-maxProblems))
		}
		var open []string
		if c.open {
			open = append(open, id)
		}
		verdict, why := judge(r.options.Manifest, []string{id}, open, facts.Version)
		step.Verdict, step.Problem = verdict, joinLines(why, strings.Join(problems, "\n"))
	}
	out.Verdict, out.Steps = step.Verdict, []report.Step{step}
	return out
}

// more says in how many further places an objection came.
func more(jobs []*job, key string, first *job) string {
	times, others := 0, 0
	for _, j := range jobs {
		if o := j.always.objections[key]; o != nil {
			times += o.times
			if j != first {
				others++
			}
		}
	}
	text := ""
	if times > 1 {
		text = fmt.Sprintf("; %d times", times)
	}
	if others > 0 {
		text += fmt.Sprintf(", also in %d more transcripts", others)
	}
	return text
}
