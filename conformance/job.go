package conformance

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/parley-mcp/parley/conformance/drive"
	"github.com/parley-mcp/parley/conformance/match"
	"github.com/parley-mcp/parley/conformance/report"
	"github.com/parley-mcp/parley/conformance/revision"
	"github.com/parley-mcp/parley/conformance/transcript"
)

// A job is one transcript at one revision over one transport. It runs once, whoever asks first: a worker, or a job whose
// control it is.
type job struct {
	t         *transcript.Transcript
	facts     revision.Facts
	transport string
	control   *job

	once     sync.Once
	result   report.Result
	came     map[int]*match.Value // what came at steps that failed
	accepted bool                 // every step was in order, whatever else was wrong
	always   always
	finished bool
}

// jobs lists what is to be run, ordered by transcript, revision (newest first) and transport.
func (r *run) jobs() []*job {
	var out []*job
	byName := map[string]*job{}
	key := func(name string, facts revision.Facts, transport string) string {
		return name + " " + facts.Version + " " + transport
	}
	chosen := slices.Clone(r.options.chosen())
	slices.SortStableFunc(chosen, func(a, b *transcript.Transcript) int { return strings.Compare(a.Name, b.Name) })
	for _, t := range chosen {
		for _, facts := range r.revisions() {
			for _, transport := range r.server.transports() {
				if transcript.Holds(t.Revisions, facts.Version) && transcript.Holds(t.Transports, transport) {
					j := &job{t: t, facts: facts, transport: transport}
					out = append(out, j)
					byName[key(t.Name, facts, transport)] = j
				}
			}
		}
	}
	for _, j := range out {
		j.control = byName[key(j.t.Control, j.facts, j.transport)]
	}
	return out
}

func (j *job) do(ctx context.Context, r *run) {
	j.once.Do(func() {
		started := time.Now()
		result, ok := j.without(ctx, r)
		if !ok {
			result = j.converse(ctx, r)
		}
		if ctx.Err() != nil {
			return // what was cut short is not judged
		}
		result.ElapsedMs = time.Since(started).Milliseconds()
		j.result, j.finished = result, true
	})
}

// without returns a result that needs no conversation.
func (j *job) without(ctx context.Context, r *run) (report.Result, bool) {
	w := r.worlds[column{j.transport, j.facts.Version}]
	if w == nil {
		w = &world{why: "the server was not reached"}
	}
	if !w.spoken {
		return j.verdict(r, report.NotApplicable, fmt.Sprintf("the server does not speak %s over %s: %s", j.facts.Version, j.transport, w.why)), true
	}
	if lack := w.inventory.lacks(j.t.Fixtures, j.t.Capabilities); lack != "" {
		return j.verdict(r, report.NotApplicable, lack), true
	}
	if lack := w.inventory.cannotAsk(j.transport, j.facts.Handshake); lack != "" && isAsked(j.t) {
		return j.verdict(r, report.NotApplicable, lack), true
	}
	if j.control == nil {
		return report.Result{}, false
	}
	j.control.do(ctx, r)
	switch c := j.control.result; {
	case j.control.accepted:
		return report.Result{}, false
	case c.Verdict == report.NotApplicable:
		return j.verdict(r, report.NotApplicable, "its control "+j.t.Control+" is not applicable: "+c.Reason), true
	default:
		return j.verdict(r, report.Untestable, fmt.Sprintf(
			"its control %s came to %s, so that a refusal here would prove nothing", j.t.Control, c.Verdict)), true
	}
}

// verdict is a result without a conversation.
func (j *job) verdict(r *run, v report.Verdict, reason string) report.Result {
	out := report.Result{Transcript: j.t.Name, Area: j.t.Area, Story: j.t.Summary(), Revision: j.facts.Version,
		Transport: j.transport, Verdict: v, Reason: reason, Steps: []report.Step{}}
	for _, s := range j.t.Steps {
		out.Steps = append(out.Steps, report.Step{Label: s.Label, Line: s.Line, Kind: string(s.Kind), Verdict: v,
			Requirements: stands(r.options.Manifest, s.IDs, j.facts.Version)})
	}
	return out
}

// converse connects and plays the transcript.
func (j *job) converse(ctx context.Context, r *run) report.Result {
	c := column{j.transport, j.facts.Version}
	if j.transport == transportHTTP { // processes do not see one another
		if j.t.Parallel {
			r.alone.RLock()
			defer r.alone.RUnlock()
		} else {
			r.alone.Lock()
			defer r.alone.Unlock()
		}
	}
	conn := r.pool.take(c)
	if conn == nil {
		var err error
		if conn, err = r.server.connect(ctx, j.transport); err != nil {
			return j.verdict(r, report.Untestable, "no connection: "+err.Error())
		}
	}
	p := newPlayer(r.server, r.options, j.t, j.facts, j.transport, conn)
	inventory := r.worlds[c].inventory
	p.inventory, p.schema = &inventory, r.schemas[j.facts.Version]
	result := p.play(ctx)
	j.came, j.accepted, j.always = p.came, p.accepted(), p.always
	if reusable(p) {
		r.pool.keep(c, conn)
	} else {
		r.pool.discard(conn)
	}
	return result
}

// reusable reports whether the process of a conversation may serve another: only where a revision has no state between
// requests, and this conversation has left nothing behind.
func reusable(p *player) bool {
	_, process := p.conn.(*drive.Process)
	return process && !p.facts.Handshake && !p.dirty && p.inFlight == 0 && len(p.box.items) == 0 && len(p.box.ended) == 0
}
