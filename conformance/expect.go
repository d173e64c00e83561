package conformance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/parley-mcp/parley/conformance/drive"
	"github.com/parley-mcp/parley/conformance/match"
	"github.com/parley-mcp/parley/conformance/report"
	"github.com/parley-mcp/parley/conformance/transcript"
)

// expect waits for the message that step s pins.
func (p *player) expect(ctx context.Context, s *transcript.Step) {
	ctx, cancel := context.WithTimeout(ctx, p.patience())
	defer cancel()
	for {
		if p.bareRefusal(s) {
			p.drop(p.last.exchange)
			p.ignored[p.last.exchange] = true
			p.pass(p.now, &item{exchange: p.last.exchange})
			return
		}
		if p.look(ctx, s) {
			return
		}
		if problem := p.hopeless(s); problem != "" {
			p.fail(p.now, problem, p.nearest())
			return
		}
		if err := p.box.pull(ctx); err != nil {
			p.fail(p.now, p.missing(err), p.nearest())
			return
		}
	}
}

// look goes through what has come and reports whether the step is decided.
func (p *player) look(ctx context.Context, s *transcript.Step) bool {
again:
	if p.forbidden() {
		return p.stopped
	}
	for _, it := range p.box.firsts() {
		if diffs, fits := p.fits(s, it); fits && len(diffs) == 0 {
			p.accept(s, it)
			return true
		}
		if p.optional(it) {
			if p.stopped {
				return true
			}
			goto again
		}
		if taken, over := p.notYet(ctx, it); over {
			return true
		} else if taken {
			goto again
		}
	}
	for _, it := range p.box.firsts() {
		diffs, fits := p.fits(s, it)
		switch {
		case p.mayBeBare(s, it.exchange) && it.value == nil:
			return false // a refusal says by its status what it has to say, and has not yet ended
		case it.value == nil && !it.bare && !it.stray:
			p.fail(p.now, p.garbage(it), it)
			p.box.remove(it)
			return true
		case fits && p.meant(s, it):
			p.box.remove(it)
			p.fail(p.now, diffs.String(), it)
			return true
		case p.ambient(it):
			p.box.remove(it)
			p.oblige(ctx, it)
			goto again
		case !p.claimed(it):
			p.box.remove(it)
			p.fail(p.now, fmt.Sprintf("another message came instead: %s\n%s", cut(string(it.raw), 300), diffs), it)
			return true
		}
	}
	return false
}

// mayBeBare reports whether step s takes the status of an answer for its message.
func (p *player) mayBeBare(s *transcript.Step, x *drive.Exchange) bool {
	return p.http && s.HTTP.Or != "" && x == p.last.of() && s.HTTP.Or.Allows(x.Status())
}

// bareRefusal reports whether the answer is over, is one that step s takes for its message, and holds no message.
func (p *player) bareRefusal(s *transcript.Step) bool {
	x := p.last.of()
	return p.mayBeBare(s, x) && p.box.ended[x] && p.box.endErr[x] == nil &&
		!slices.ContainsFunc(p.box.items, func(it *item) bool { return it.exchange == x && it.value != nil })
}

// fits compares an item with what step s pins. ok is false if it can not be meant.
func (p *player) fits(s *transcript.Step, it *item) (diffs match.Differences, ok bool) {
	if s.Priming() {
		if it.event == nil || !it.bare {
			return nil, false
		}
		return p.carrier(s, it), true
	}
	if it.bare || it.value == nil {
		return nil, false
	}
	if s.Pattern.Kind() == '[' {
		return p.fitsBatch(s, it)
	}
	diffs = s.Pattern.Match(it.value, p.env)
	if len(diffs) == 0 {
		diffs = p.carrier(s, it)
	}
	return diffs, true
}

// fitsBatch compares a batch with a pattern of one: its items may come in any order.
func (p *player) fitsBatch(s *transcript.Step, it *item) (match.Differences, bool) {
	if it.batch == nil {
		return s.Pattern.Match(it.value, p.env), true
	}
	patterns, open := s.Pattern.Items()
	taken := map[*item]bool{}
	var diffs match.Differences
	for i, pattern := range patterns {
		found := false
		for _, member := range it.batch.items {
			if !taken[member] && len(pattern.Match(member.value, p.env)) == 0 {
				taken[member], found = true, true
				break
			}
		}
		if !found {
			diffs = append(diffs, match.Difference{Path: fmt.Sprintf("[%d]", i), Want: pattern.Source.String(), Got: "no such item"})
		}
	}
	if len(it.batch.items) > len(patterns) && !open {
		diffs = append(diffs, match.Difference{Path: "message", Want: fmt.Sprintf("%d items", len(patterns)), Got: fmt.Sprint(len(it.batch.items))})
	}
	if len(diffs) == 0 {
		diffs = p.carrier(s, it)
	}
	return diffs, true
}

// carrier compares what HTTP has beside the message.
func (p *player) carrier(s *transcript.Step, it *item) match.Differences {
	if !p.http {
		return nil
	}
	diffs := p.answerHead(s, it.exchange)
	if s.HTTP.On != "" && p.labels[s.HTTP.On] != it.exchange {
		diffs = append(diffs, match.Difference{Path: "HTTP stream", Want: "the answer to " + s.HTTP.On, Got: "the answer to " + it.exchange.Label})
	}
	event := it.event
	field := func(name string, want *match.Text, text func() (string, bool)) {
		if want == nil {
			return
		}
		got, has := "", false
		if event != nil {
			got, has = text()
		}
		diffs = append(diffs, want.Match("event "+name, got, has, p.env)...)
	}
	field("id", s.HTTP.EventID, func() (string, bool) { return event.ID, event.HasID })
	field("retry", s.HTTP.Retry, func() (string, bool) { return fmt.Sprint(event.Retry.Milliseconds()), event.HasRetry })
	return diffs
}

// answerHead compares status and headers of an answer.
func (p *player) answerHead(s *transcript.Step, x *drive.Exchange) match.Differences {
	var diffs match.Differences
	if !s.HTTP.Status.Allows(x.Status()) {
		diffs = append(diffs, match.Difference{Path: "HTTP status", Want: string(s.HTTP.Status), Got: fmt.Sprint(x.Status())})
	}
	for _, h := range s.HTTP.Headers {
		values := x.Header().Values(h.Name)
		got := strings.Join(values, ", ")
		if plain, ok := h.Value.Plain(); ok && strings.EqualFold(h.Name, "Content-Type") && !strings.Contains(plain, ";") {
			got, _, _ = strings.Cut(got, ";")
		}
		diffs = append(diffs, h.Value.Match("HTTP header "+h.Name, got, len(values) > 0, p.env)...)
	}
	return diffs
}

// accept takes the item that the step waited for.
func (p *player) accept(s *transcript.Step, it *item) {
	gone := []*item{it}
	if s.Pattern != nil && s.Pattern.Kind() == '[' && it.batch != nil {
		gone = it.batch.items
	}
	p.box.remove(gone...)
	p.pass(p.now, it)
	if s.HTTP.End && p.http {
		p.ends(it)
	}
}

// ends waits for the end of the answer that carried an item.
func (p *player) ends(it *item) {
	ctx, cancel := context.WithTimeout(context.Background(), p.patience())
	defer cancel()
	for !p.box.ended[it.exchange] {
		if p.box.pull(ctx) != nil {
			p.fail(p.now, "the server did not end the answer behind this message", it)
			return
		}
	}
}

// optional takes an item that a <? step speaks of, and reports whether it did.
func (p *player) optional(it *item) bool {
	for _, j := range p.maybe {
		s := p.t.Steps[j]
		diffs, ok := p.fits(s, it)
		if !ok {
			continue
		}
		if len(diffs) == 0 {
			p.box.remove(it)
			p.pass(j, it)
			return true
		}
		if it.method() != "" && addressed(s, it) && !p.sameKindBefore(j, it) {
			p.box.remove(it)
			p.fail(j, diffs.String(), it)
			return true
		}
	}
	return false
}

// sameKindBefore reports whether a further step may still take an item of the same method, so that one difference decides nothing.
func (p *player) sameKindBefore(j int, it *item) bool {
	for _, k := range p.maybe {
		if k > j && addressed(p.t.Steps[k], it) {
			return true
		}
	}
	return addressed(p.t.Steps[p.now], it) || p.claimed(it)
}

// forbidden looks for what must not come, and reports whether it did.
func (p *player) forbidden() bool {
	for _, j := range p.never {
		for _, it := range p.box.items {
			if diffs, ok := p.fits(p.t.Steps[j], it); ok && len(diffs) == 0 && p.steps[j].Verdict == report.NotReached {
				p.box.remove(it)
				p.fail(j, "it came: "+cut(string(it.raw), 300), it)
				return true
			}
		}
	}
	return false
}

// claimed reports whether a later step waits for an item, before the client sends again.
func (p *player) claimed(it *item) bool {
	for _, s := range p.t.Steps[p.now+1:] {
		if s.Kind.Sends() {
			return false
		}
		if s.Priming() && it.bare || s.Kind != transcript.Forbid && p.meant(s, it) {
			return true
		}
	}
	return false
}

func (p *player) garbage(it *item) string {
	where := "the server's answer"
	if !p.http {
		where = "standard output"
	}
	return fmt.Sprintf("%s holds what is no JSON: %v: %s", where, it.parse, cut(fmt.Sprintf("%q", it.raw), 300))
}

// hopeless says why the step can no longer be fulfilled: what could carry its message has ended.
func (p *player) hopeless(s *transcript.Step) string {
	if !p.http {
		for ended := range p.box.ended {
			return "the process ended its output" + because(p.box.endErr[ended])
		}
		return ""
	}
	last := p.last.of()
	x := last
	if s.Pattern != nil {
		if id := s.Pattern.Pinned("id"); id != nil && p.owner[id.String()] != nil {
			x = p.owner[id.String()]
		}
	}
	if on := p.labels[s.HTTP.On]; on != nil {
		x = on
	}
	switch {
	case x == nil || !p.box.ended[x] || !p.box.ended[last]:
		return ""
	case s.Pattern != nil && !p.response(s) && p.streams():
		return ""
	}
	status := ""
	if code := x.Status(); code != 0 {
		status = fmt.Sprintf(" (HTTP status %d)", code)
	}
	return fmt.Sprintf("the answer to %q ended without this message%s%s", x.Label, status, because(p.box.endErr[x]))
}

// response reports whether a step waits for an answer.
func (p *player) response(s *transcript.Step) bool { return !s.Pattern.Has("method") }

// streams reports whether an answer is still open, on which something may come.
func (p *player) streams() bool {
	for x := range p.box.headed {
		if !p.box.ended[x] {
			return true
		}
	}
	return false
}

func (s *sent) of() *drive.Exchange {
	if s == nil {
		return nil
	}
	return s.exchange
}

func because(err error) string {
	if err == nil {
		return ""
	}
	return ": " + err.Error()
}

// missing says that the message that was waited for did not come.
func (p *player) missing(err error) string {
	problem := "it did not come within " + p.patience().String()
	switch {
	case errors.Is(err, errPending):
		problem = err.Error()
	case errors.Is(err, context.Canceled):
		problem = "the run was stopped"
	}
	if len(p.box.items) > 0 {
		problem += "\nanother message waits: " + cut(string(p.box.items[0].raw), 200)
	}
	return problem
}

// nearest is the item that shows best what came instead.
func (p *player) nearest() *item {
	if len(p.box.items) > 0 {
		return p.box.items[0]
	}
	return nil
}
