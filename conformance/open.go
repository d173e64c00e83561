package conformance

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/parley-mcp/parley/conformance/drive"
	"github.com/parley-mcp/parley/conformance/match"
)

// openID is the id of the driver's own initialize, far from those that transcripts use.
const openID = "990001"

// errVersion is returned if the server answers initialize with another revision.
var errVersion = errors.New("another revision was agreed")

// open opens the conversation as the revision says: by the handshake (2025-11-25 basic/lifecycle#initialization), or not at
// all.
func (p *player) open(ctx context.Context) error {
	if !p.facts.Handshake {
		return nil
	}
	p.always.opening = true
	defer func() { p.always.opening = false }()
	answer, err := p.ask(ctx, p.facts.Initialize(match.Number(openID), p.t.ClientCapabilities()))
	if err != nil {
		return fmt.Errorf("initialize: %w", err)
	}
	if answer.Get("result") == nil {
		return fmt.Errorf("initialize was refused: %s", cut(answer.String(), 300))
	}
	p.inventory.learn(answer.Get("result"))
	if p.session.version != p.facts.Version {
		return fmt.Errorf("initialize: %w: %q instead of %s", errVersion, p.session.version, p.facts.Version)
	}
	return p.initialized(ctx)
}

func (p *player) initialized(ctx context.Context) error {
	note := match.Object(
		match.Member{Name: "jsonrpc", Value: match.String("2.0")},
		match.Member{Name: "method", Value: match.String("notifications/initialized")})
	if err := p.post(ctx, "initialized", note); err != nil {
		return fmt.Errorf("notifications/initialized: %w", err)
	}
	if !p.http {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, p.patience())
	defer cancel()
	x := p.last.exchange
	for !p.box.ended[x] {
		if err := p.box.pull(ctx); err != nil {
			return fmt.Errorf("notifications/initialized was not answered: %s", p.missing(err))
		}
	}
	if status := x.Status(); status < 200 || status > 299 {
		return fmt.Errorf("notifications/initialized was answered with HTTP status %d%s", status, because(p.box.endErr[x]))
	}
	p.drop(x)
	return nil
}

// drop forgets what an exchange brought.
func (p *player) drop(x *drive.Exchange) {
	for _, it := range append([]*item(nil), p.box.items...) {
		if it.exchange == x {
			p.box.remove(it)
		}
	}
}

// ask sends a request of the driver's own and waits for its answer. What comes besides is left to the steps: text on the
// standard output, above all.
func (p *player) ask(ctx context.Context, request *match.Value) (*match.Value, error) {
	if err := p.post(ctx, request.Get("method").Str(), request); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, p.patience())
	defer cancel()
	x := p.last.exchange
	for {
		for _, it := range append([]*item(nil), p.box.items...) {
			switch {
			case it.value == nil && !it.bare && p.http:
				return nil, errors.New(p.garbage(it))
			case it.response() && (match.Equal(it.id(), request.Get("id")) || p.http && it.exchange == x):
				p.box.remove(it)
				return it.value, nil
			case p.ambient(it):
				p.box.remove(it)
				p.oblige(ctx, it)
			}
		}
		if p.http && p.box.ended[x] {
			return nil, fmt.Errorf("no answer (HTTP status %d)%s", x.Status(), because(p.box.endErr[x]))
		}
		if !p.http && len(p.box.ended) > 0 {
			return nil, errors.New("the process ended")
		}
		if err := p.box.pull(ctx); err != nil {
			return nil, fmt.Errorf("no answer: %s", p.missing(err))
		}
	}
}

// leaveTimeout bounds the farewell.
const leaveTimeout = 2 * time.Second

// leave ends the session that the driver opened, as a client should (2025-11-25 basic/transports#session-management).
func (p *player) leave(ctx context.Context) {
	if !p.http || p.session.id == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTimeout)
	defer cancel()
	header, err := p.header(p.obliged(http.MethodDelete, nil), nil)
	if err != nil {
		return
	}
	x, err := p.conn.Send(ctx, drive.Request{Label: "leave", Method: http.MethodDelete, Header: header})
	for err == nil && !p.box.ended[x] {
		err = p.box.pull(ctx)
	}
}
