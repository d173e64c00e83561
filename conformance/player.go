package conformance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/parley-mcp/parley/conformance/drive"
	"github.com/parley-mcp/parley/conformance/match"
	"github.com/parley-mcp/parley/conformance/report"
	"github.com/parley-mcp/parley/conformance/revision"
	"github.com/parley-mcp/parley/conformance/schema"
	"github.com/parley-mcp/parley/conformance/transcript"
)

// A player holds one conversation with a server: it plays the client's steps and judges what comes.
type player struct {
	server    *server
	options   Options
	t         *transcript.Transcript
	facts     revision.Facts
	http      bool
	conn      drive.Conn
	mask      *drive.Mask
	inventory *inventory
	schema    *schema.Schema // nil: messages are not held against a schema
	env       *match.Env
	box       *inbox

	session  struct{ id, version string }
	asked    map[string]string // method by id, of what the client asked
	tokens   map[string]string // id by progress token
	batches  map[*drive.Exchange]bool
	ignored  map[*drive.Exchange]bool   // answers that a step has already found wrong
	owner    map[string]*drive.Exchange // exchange by id
	labels   map[string]*drive.Exchange
	inFlight int
	lastID   string
	last     *sent // the last thing sent

	steps    []report.Step
	evidence []trace
	always   always
	now      int // the step that runs
	maybe    []int
	again    []int                   // the <~ steps behind what was asked last
	renewed  map[string]*match.Value // the transcript's id, by the one under which a request was made once more
	never    []int
	heard    []string // frames over stdio since the last send
	stopped  bool
	reason   string
	came     map[int]*match.Value             // what came at steps that failed
	alter    func(step int, r *drive.Request) // changes what a step sends, so that a judge of clients can be tested
	dirty    bool                             // the server may hold state of this conversation when it is over
}

// sent is what a step of the client put on the wire.
type sent struct {
	exchange *drive.Exchange
	asks     bool // it contains a request, so that an answer is due
	message  bool // it is a message, and no bare HTTP request
	closed   bool
}

// A trace is where the evidence of a step comes from; the bytes are read when the conversation is over.
type trace struct {
	sent   *drive.Exchange
	answer *drive.Exchange
	text   string // received, where it is not that of answer
}

// patience is how long to wait for the next message.
func (p *player) patience() time.Duration {
	if p.http || p.box.heard {
		return p.options.StepTimeout
	}
	return p.options.StepTimeout + 4*p.options.starting
}

func newPlayer(srv *server, o Options, t *transcript.Transcript, facts revision.Facts, transport string, conn drive.Conn) *player {
	p := &player{server: srv, options: o, t: t, facts: facts, http: transport == transportHTTP, conn: conn,
		mask: &drive.Mask{}, inventory: &inventory{}, asked: map[string]string{}, tokens: map[string]string{},
		batches: map[*drive.Exchange]bool{}, owner: map[string]*drive.Exchange{}, labels: map[string]*drive.Exchange{},
		came: map[int]*match.Value{}, ignored: map[*drive.Exchange]bool{}, renewed: map[string]*match.Value{}}
	for _, f := range srv.header {
		p.mask.Header(f.Name, f.Value)
	}
	if srv.endpoint != nil {
		for _, values := range srv.endpoint.Query() {
			for _, value := range values {
				p.mask.Value(value)
			}
		}
	}
	for _, token := range srv.tokens {
		p.mask.Value(token)
	}
	p.env = &match.Env{Meta: facts.Meta, Open: t.Client != nil} // the mock adds to a result what the revision wants of all
	p.env.Set("revision", match.String(facts.Version))
	for name, v := range t.Lets {
		p.env.Set(name, v)
	}
	p.box = newInbox(conn, p.inspect)
	return p
}

// play goes through the steps and returns the result.
func (p *player) play(ctx context.Context) report.Result {
	p.predefine()
	p.steps = make([]report.Step, len(p.t.Steps))
	p.evidence = make([]trace, len(p.t.Steps))
	for i, s := range p.t.Steps {
		p.steps[i] = report.Step{Label: s.Label, Line: s.Line, Kind: string(s.Kind), Verdict: report.NotReached,
			Requirements: stands(p.options.Manifest, s.IDs, p.facts.Version)}
	}
	if p.t.Opens {
		if err := p.open(ctx); err != nil {
			p.stop("the driver could not open: " + err.Error())
			p.steps = append([]report.Step{{Label: "the driver opens", Line: 1, Kind: "<", Verdict: report.Fail, Problem: err.Error()}}, p.steps...)
			p.evidence = append([]trace{p.traceOf(nil)}, p.evidence...)
			return p.result()
		}
		p.listen(ctx)
	}
	for i, s := range p.t.Steps {
		if p.stopped {
			break
		}
		p.now = i
		p.step(ctx, s)
		p.settle(ctx, i)
	}
	p.leftover()
	if p.t.Opens {
		p.leave(ctx)
	}
	return p.result()
}

// notCome is said of a step that speaks of what need not come.
const notCome = "it did not come, which is allowed"

func (p *player) step(ctx context.Context, s *transcript.Step) {
	switch s.Kind {
	case transcript.Never: // only a client that is altered sends it
		if p.alter != nil {
			p.trespass(ctx)
		}
		p.steps[p.now].Verdict = report.Pass
	case transcript.Optional:
		p.maybe = append(p.maybe, p.now)
		p.steps[p.now].Verdict, p.steps[p.now].Problem = report.NotApplicable, notCome
	case transcript.Again:
		p.again = append(p.again, p.now)
		p.steps[p.now].Verdict, p.steps[p.now].Problem = report.NotApplicable, notCome
	case transcript.Forbid:
		p.never = append(p.never, p.now)
	case transcript.Expect:
		if s.Silent() {
			p.silence(ctx, s)
		} else {
			p.expect(ctx, s)
		}
	default:
		err := p.send(ctx, s)
		switch {
		case errors.Is(err, match.ErrUnknown): // a step that may be broken was to capture it
			p.stopped, p.steps[p.now].Problem = true, err.Error()
		case err != nil:
			p.fail(p.now, err.Error(), nil)
		default:
			p.steps[p.now].Verdict = report.Pass
		}
	}
}

// settle ends what holds until the next step, or until the next message that must come.
func (p *player) settle(ctx context.Context, i int) {
	s := p.t.Steps[i]
	if s.Kind == transcript.Expect {
		p.maybe, p.again = nil, nil
	}
	if s.Kind == transcript.Forbid {
		if i+1 < len(p.t.Steps) && !p.t.Steps[i+1].Kind.Sends() {
			return // the step that follows waits, and looks out for it
		}
		p.quiet(ctx)
	}
	if s.Kind.NeedNotCome() || len(p.never) == 0 || p.stopped {
		return
	}
	for _, j := range p.never {
		if p.steps[j].Verdict == report.NotReached {
			p.steps[j].Verdict = report.Pass
		}
	}
	p.never = nil
}

// leftover fails the last step that waited if something has come that no step has taken and that may not come at any time.
func (p *player) leftover() {
	if p.stopped {
		return
	}
	for _, it := range p.box.items {
		if p.ambient(it) {
			continue
		}
		for i := len(p.t.Steps) - 1; i >= 0; i-- {
			if k := p.t.Steps[i].Kind; k == transcript.Expect {
				p.fail(i, "another message came that nothing asked for: "+cut(string(it.raw), 300), it)
				return
			}
		}
	}
}

// fail records what is wrong at step i. A step whose requirements are all weaker than MUST, or outside the
// set to which the run is restricted, does not stop the conversation.
func (p *player) fail(i int, problem string, it *item) {
	verdict, why := judge(p.options.Manifest, p.t.Steps[i].IDs, p.t.Steps[i].OpenIDs, p.facts.Version)
	if before := p.steps[i].Verdict; before != report.NotReached && before != report.NotApplicable {
		verdict = report.Worst(verdict, before)
	}
	p.steps[i].Verdict = verdict
	p.steps[i].Problem = joinLines(why, p.mask.Hide(problem))
	if it != nil && it.value != nil && p.t.Steps[i].Kind == transcript.Expect {
		p.came[i] = it.value
	}
	p.evidence[i] = p.traceOf(it)
	if verdict != report.Warn && !outside(p.options.Manifest, p.t.Steps[i].IDs, p.facts.Version) {
		p.stop(fmt.Sprintf("step %q: %s", p.t.Steps[i].Label, firstLine(p.mask.Hide(problem))))
	} else if p.reason == "" {
		p.reason = fmt.Sprintf("step %q: %s", p.t.Steps[i].Label, firstLine(p.mask.Hide(problem)))
	}
}

func (p *player) stop(reason string) {
	p.stopped = true
	p.dirty = true
	p.reason = p.mask.Hide(reason)
}

// pass records that step i is in order.
func (p *player) pass(i int, it *item) {
	p.evidence[i] = p.traceOf(it)
	if v := p.steps[i].Verdict; v == report.NotReached || v == report.NotApplicable {
		p.steps[i].Verdict, p.steps[i].Problem = report.Pass, ""
	}
}

func (p *player) traceOf(it *item) trace {
	t := trace{}
	if p.last != nil {
		t.sent = p.last.exchange
	}
	switch {
	case p.http && it != nil:
		t.answer, t.sent = it.exchange, it.exchange
	case p.http:
		t.answer = t.sent
	default:
		t.text = strings.Join(p.heard, "\n")
	}
	return t
}

// accepted reports whether every step was in order. The checks that are always on may still object.
func (p *player) accepted() bool {
	return !p.stopped && !slices.ContainsFunc(p.steps[:min(len(p.t.Steps), len(p.steps))], func(s report.Step) bool {
		return s.Verdict == report.Fail || s.Verdict == report.NotApplicable && s.Problem != "" && s.Problem != notCome
	})
}

// result sums up and fills in the evidence.
func (p *player) result() report.Result {
	p.conclude()
	r := report.Result{Transcript: p.t.Name, Area: p.t.Area, Story: p.t.Summary(), Revision: p.facts.Version,
		Transport: transportStdio, Reason: p.reason}
	if p.http {
		r.Transport = transportHTTP
	}
	var verdicts []report.Verdict
	for i := range p.steps {
		p.fill(&p.steps[i], p.evidence[i])
		if p.steps[i].Verdict != report.NotReached {
			verdicts = append(verdicts, p.steps[i].Verdict)
		}
	}
	r.Verdict = report.Worst(verdicts...)
	if slices.Contains([]report.Verdict{report.Pass, ""}, r.Verdict) {
		r.Reason = ""
	}
	if p.stopped && r.Verdict == report.Pass { // the conversation did not come to its end
		r.Verdict, r.Reason = report.NotApplicable, p.reason
	}
	if r.Verdict == report.Pass && !p.accepted() && !slices.ContainsFunc(p.steps, func(s report.Step) bool { return len(s.Requirements) > 0 }) {
		r.Verdict, r.Reason = report.NotApplicable, outsideReason // a control that is wrong where nobody is to judge
	}
	r.Steps = p.steps
	return r
}

// shownWhenPassed bounds the evidence of a step that is in order, in bytes.
const shownWhenPassed = 2 << 10

func (p *player) fill(s *report.Step, t trace) {
	bound := drive.MaxEvidence
	if s.Verdict == report.Pass {
		bound = shownWhenPassed
	}
	sends := transcript.Kind(s.Kind).Sends()
	failed := s.Verdict != report.Pass && s.Verdict != report.NotApplicable && s.Verdict != report.NotReached
	if t.sent != nil && (sends || failed) {
		s.Sent = cut(p.mask.Hide(t.sent.Sent()), bound)
		if p.http && p.server.endpoint != nil {
			s.Curl = drive.Curl(p.server.endpoint, t.sent.Request, p.mask)
		}
	}
	if sends && !failed {
		return
	}
	if t.answer != nil {
		t.text = t.answer.Received()
	}
	s.Received = cut(p.mask.Hide(t.text), bound)
	if process, ok := p.conn.(*drive.Process); ok && failed && process.Stderr() != "" {
		s.Received = joinLines(s.Received, "standard error:\n"+cut(p.mask.Hide(process.Stderr()), bound))
	}
}

func cut(s string, n int) string {
	if len(s) <= n {
		return strings.ToValidUTF8(s, "\uFFFD")
	}
	return strings.ToValidUTF8(s[:n], "\uFFFD") + fmt.Sprintf("\n... %d more bytes", len(s)-n)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

func joinLines(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "\n")
}
