package conformance

import (
	"context"
	"fmt"
	"mime"
	"net/http"

	"github.com/parley-mcp/parley/conformance/drive"
	"github.com/parley-mcp/parley/conformance/transcript"
)

// silence plays a < step without a body: nothing may come. Over HTTP that is an answer without a message, 202 if a message
// was sent (2025-11-25 basic/transports#sending-messages-to-the-server).
func (p *player) silence(ctx context.Context, s *transcript.Step) {
	switch {
	case p.last == nil:
		p.fail(p.now, "nothing was sent before this step", nil)
	case !p.http && p.last.closed:
		p.ended(ctx)
	case !p.http, p.last.closed:
		p.quiet(ctx)
		p.unasked()
	default:
		p.emptyAnswer(ctx, s, p.last.exchange)
	}
	if !p.stopped && p.steps[p.now].Problem == "" {
		p.pass(p.now, &item{exchange: p.last.exchange})
	}
}

// emptyAnswer waits for the head of an answer and judges it.
func (p *player) emptyAnswer(ctx context.Context, s *transcript.Step, x *drive.Exchange) {
	ctx, cancel := context.WithTimeout(ctx, p.patience())
	defer cancel()
	for !p.box.headed[x] && !p.box.ended[x] {
		if err := p.box.pull(ctx); err != nil {
			p.fail(p.now, "no answer: "+p.missing(err), nil)
			return
		}
	}
	if !p.box.headed[x] {
		p.fail(p.now, "no answer"+because(p.box.endErr[x]), nil)
		return
	}
	want := *s
	if want.HTTP.Status == "" {
		if want.HTTP.Status = "2xx"; p.last.message {
			want.HTTP.Status = "202"
		}
	}
	if diffs := p.answerHead(&want, x); len(diffs) > 0 {
		p.drop(x)
		p.ignored[x] = true
		p.fail(p.now, diffs.String(), &item{exchange: x})
		return
	}
	content := x.Header().Get("Content-Type")
	media, _, _ := mime.ParseMediaType(content)
	if x.Request.Method == http.MethodGet && x.Request.Path == "" && x.Status() < 300 && media != "text/event-stream" {
		p.fail(p.now, fmt.Sprintf("GET was answered with Content-Type %q: want text/event-stream, or status 405", content), &item{exchange: x})
		return
	}
	p.body(ctx, s, x)
}

// body waits for the end of an answer that should carry nothing. A refusal may say in its body why.
func (p *player) body(ctx context.Context, s *transcript.Step, x *drive.Exchange) {
	media, _, _ := mime.ParseMediaType(x.Header().Get("Content-Type"))
	if media == "text/event-stream" && !s.HTTP.End {
		return
	}
	for !p.box.ended[x] {
		if err := p.box.pull(ctx); err != nil {
			p.fail(p.now, "the answer does not end: "+p.missing(err), nil)
			return
		}
	}
	for _, it := range append([]*item(nil), p.box.items...) {
		if it.exchange != x {
			continue
		}
		p.box.remove(it)
		if p.last.message && x.Status() < 300 {
			p.fail(p.now, fmt.Sprintf("the answer must have no body, but has %q", cut(string(it.raw), 300)), it)
			return
		}
	}
}

// quiet waits a moment, in which nothing may come that is forbidden.
func (p *player) quiet(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, p.options.Quiet)
	defer cancel()
	for !p.forbidden() && p.box.pull(ctx) == nil {
	}
}

// unasked fails the step if something has come that nobody waits for.
func (p *player) unasked() {
	if p.stopped {
		return
	}
	for _, it := range p.box.firsts() {
		if p.http && it.exchange != p.last.exchange || p.ambient(it) || it.value != nil && p.claimed(it) {
			continue
		}
		p.box.remove(it)
		p.fail(p.now, "nothing may come, but this did: "+cut(string(it.raw), 300), it)
		return
	}
}

// ended waits until the process ends after its input was closed (2026-07-28 basic/transports/stdio#shutdown).
func (p *player) ended(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, p.patience())
	defer cancel()
	for len(p.box.ended) == 0 {
		if err := p.box.pull(ctx); err != nil {
			p.fail(p.now, "the server's input is closed, and it does not end: "+p.missing(err), nil)
			return
		}
	}
	if process, ok := p.conn.(*drive.Process); ok && !process.Wait(ctx) {
		p.fail(p.now, "the server closed its output, and the process did not end", nil)
	}
}
