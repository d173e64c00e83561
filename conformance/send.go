package conformance

import (
	"context"
	"net/http"

	"github.com/parley-mcp/parley/conformance/drive"
	"github.com/parley-mcp/parley/conformance/match"
	"github.com/parley-mcp/parley/conformance/transcript"
)

// send plays a step of the client.
func (p *player) send(ctx context.Context, s *transcript.Step) error {
	if s.Kind == transcript.Close {
		p.hangup(s)
		return nil
	}
	return p.request(ctx, s, nil)
}

// request sends what a step of the client holds, under another id if there is one.
func (p *player) request(ctx context.Context, s *transcript.Step, id *match.Value) error {
	r := drive.Request{Label: s.Label, Split: s.HTTP.Split, Length: s.HTTP.Length, Hangup: s.HTTP.Hangup}
	var message *match.Value
	var err error
	switch s.Kind {
	case transcript.Send:
		if message, err = p.compose(s); err != nil {
			return err
		}
		if id != nil {
			message.Set("id", id)
		}
		r.Body = message.Append(nil)
	default:
		if s.Raw != nil {
			if r.Body, err = s.Raw.Expand(p.env); err != nil {
				return err
			}
		}
		message, _ = match.Parse(r.Body)
		r.Method = s.Method
		p.dirty = true
	}
	if r.Method == "" {
		r.Method = http.MethodPost
	}
	if s.HTTP.Path != nil {
		if r.Path, err = s.HTTP.Path.Expand(p.env); err != nil {
			return err
		}
	}
	if s.Kind == transcript.SendHTTP && !p.http {
		return nil // stdio has no such thing
	}
	if r.Header, err = p.header(p.obliged(r.Method, message), s.HTTP.Headers); err != nil {
		return err
	}
	if p.alter != nil {
		p.alter(p.now, &r)
		message, _ = match.Parse(r.Body)
	}
	return p.put(ctx, r, message, s.Kind != transcript.SendHTTP)
}

// trespass sends what the client must not send, if it is altered so that it does.
func (p *player) trespass(ctx context.Context) {
	r := drive.Request{Label: "trespass", Method: http.MethodPost}
	if p.alter(p.now, &r); r.Body == nil {
		return
	}
	message, err := match.Parse(r.Body)
	if err != nil || p.post(ctx, r.Label, message) != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, p.patience())
	defer cancel()
	for x := p.last.exchange; p.http && !p.box.ended[x] && p.box.pull(ctx) == nil; {
	}
}

// compose is the message of a step. Where the transcript judges clients, the harness plays the one that does as it says, and
// nothing more than its revision asks for.
func (p *player) compose(s *transcript.Step) (*match.Value, error) {
	if p.t.Client == nil {
		return s.Pattern.Expand(p.env)
	}
	message, err := s.Pattern.Example(p.env)
	if err != nil || message.Get("method") == nil || message.Get("id") == nil {
		return message, err
	}
	meta := p.facts.Meta(match.Meta{Capabilities: p.t.ClientCapabilities()})
	if meta == nil {
		return message, nil
	}
	params := message.Get("params")
	if params == nil {
		params = match.Object()
		message.Set("params", params)
	}
	for _, m := range params.Get("_meta").All() {
		meta.Set(m.Name, m.Value)
	}
	params.Set("_meta", meta)
	return message, nil
}

// put sends a request and remembers what is needed to understand the answers.
func (p *player) put(ctx context.Context, r drive.Request, message *match.Value, isMessage bool) error {
	ctx, cancel := context.WithTimeout(ctx, p.patience())
	defer cancel()
	out := &sent{message: isMessage}
	members := []*match.Value{message}
	if message != nil && message.Kind == '[' {
		members = message.Items
	}
	var ids []string
	for _, m := range members {
		method, id := m.Get("method").Str(), m.Get("id")
		if method == "" || id == nil {
			continue
		}
		out.asks = true
		ids = append(ids, id.String())
		p.asked[id.String()] = method
		if token := m.Get("params", "_meta", "progressToken"); token != nil {
			p.tokens[token.String()] = id.String()
		}
		p.lastID = id.String()
		p.inFlight++
	}
	p.heard = nil
	x, err := p.conn.Send(ctx, r)
	if x == nil {
		return err
	}
	out.exchange = x
	p.last = out
	p.labels[r.Label] = x
	for _, id := range ids {
		p.owner[id] = x
	}
	p.batches[x] = len(members) > 1 || message != nil && message.Kind == '['
	p.evidenceOfSend(x)
	return err
}

func (p *player) evidenceOfSend(x *drive.Exchange) {
	if p.now < len(p.evidence) {
		p.evidence[p.now] = trace{sent: x}
	}
}

// hangup closes the answer to an earlier step, or the input of a process.
func (p *player) hangup(s *transcript.Step) {
	x := p.labels[s.Label]
	p.conn.Hangup(x)
	p.last = &sent{exchange: x, closed: true}
	p.dirty = true
}

// post sends a message that no step holds: the driver's own.
func (p *player) post(ctx context.Context, label string, message *match.Value) error {
	header, err := p.header(p.obliged(http.MethodPost, message), nil)
	if err != nil {
		return err
	}
	return p.put(ctx, drive.Request{Label: label, Method: http.MethodPost, Header: header, Body: message.Append(nil)}, message, true)
}

// oblige answers a ping that the server sends at any time, so that it does not give the conversation up.
func (p *player) oblige(ctx context.Context, it *item) {
	if it.method() != "ping" || it.id() == nil {
		return
	}
	last, heard := p.last, p.heard
	answer := match.Object(
		match.Member{Name: "jsonrpc", Value: match.String("2.0")},
		match.Member{Name: "id", Value: it.id()},
		match.Member{Name: "result", Value: match.Object()})
	now := p.now
	p.now = len(p.evidence) // this exchange is no step's evidence
	_ = p.post(ctx, "answer to a ping", answer)
	p.now, p.last, p.heard = now, last, heard
}
