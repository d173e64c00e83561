package conformance

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/parley-mcp/parley/conformance/match"
	"github.com/parley-mcp/parley/conformance/transcript"
)

// restMost bounds the time between two looks at something that is not yet there. What a server suggests beyond it is for clients
// that have hours.
const restMost = time.Second

// notYet takes an item that a <~ step speaks of, and reports whether it did: the client waits, and asks once more. over says that
// there is nothing to wait for any more.
func (p *player) notYet(ctx context.Context, it *item) (taken, over bool) {
	for _, j := range p.again {
		if diffs, ok := p.fits(p.t.Steps[j], it); !ok || len(diffs) > 0 {
			continue
		}
		p.box.remove(it)
		p.pass(j, it)
		p.rest(ctx, p.suggested(it))
		switch {
		case p.stopped:
			return true, true
		case ctx.Err() != nil:
			p.fail(p.now, fmt.Sprintf("it came to %q, and nothing else, for %s", p.t.Steps[j].Label, p.patience()), it)
			return true, true
		}
		return true, !p.askAgain(ctx, p.t.Steps[j])
	}
	return false, false
}

// suggested is how long the answer asks its client to wait (2025-11-25 basic/utilities/tasks#getting-tasks).
func (p *player) suggested(it *item) time.Duration {
	member := it.value.Get("result", p.facts.PollInterval)
	if member == nil || member.Kind != '0' {
		return p.options.Quiet / 2
	}
	ms, err := strconv.ParseFloat(member.Text, 64)
	switch {
	case err != nil || ms > float64(restMost.Milliseconds()):
		return restMost
	case ms <= 0:
		return p.options.Quiet / 2
	}
	return time.Duration(ms * float64(time.Millisecond))
}

// rest lets time pass, in which nothing may come that is forbidden.
func (p *player) rest(ctx context.Context, d time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	for !p.forbidden() && p.box.pull(ctx) == nil {
	}
}

// askAgain makes the request before a <~ step once more, and reports whether it could. Its id is new, and the answer is taken as
// one to the old.
func (p *player) askAgain(ctx context.Context, again *transcript.Step) bool {
	asked := p.t.Steps[p.now]
	for i := p.now; i >= 0; i-- {
		if asked = p.t.Steps[i]; asked.Kind == transcript.Send {
			break
		}
	}
	old := again.Pattern.Pinned("id")
	fresh := match.Number(fmt.Sprint(991000 + len(p.renewed)))
	if old.Kind == '"' {
		fresh = match.String(fmt.Sprintf("%s again %d", old.Text, len(p.renewed)+1))
	}
	p.renewed[fresh.String()] = old
	if err := p.request(ctx, asked, fresh); err != nil {
		p.fail(p.now, "it could not be asked once more: "+err.Error(), nil)
		return false
	}
	p.owner[old.String()] = p.last.of()
	return true
}

// restore gives the answer to a request that was made once more the id that the transcript speaks of.
func (p *player) restore(it *item) {
	if it.id() == nil || !it.response() {
		return
	}
	if old := p.renewed[it.id().String()]; old != nil {
		it.value = it.value.Clone().Set("id", old)
	}
}
