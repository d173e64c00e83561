package stdio

import (
	"context"
	"errors"
	"time"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/transport/internal/rpc"
)

// A stream carries a call's notifications. They need no tag: a progress token says whose they are.
type stream struct {
	pipe  *pipe
	codec protocol.Codec
}

// Notify implements server.Stream.
func (s *stream) Notify(n protocol.Notification) error {
	message, err := rpc.AppendNotification(nil, s.codec, n)
	if errors.Is(err, protocol.ErrNotInRevision) {
		return nil
	}
	if err != nil {
		return err
	}
	return s.pipe.write(message)
}

// Ask implements server.Stream.
func (s *stream) Ask(ctx context.Context, q protocol.Question) (protocol.Answer, error) {
	if !s.codec.Features().ServerRequests.Holds() {
		return nil, server.ErrNoWayBack
	}
	return s.pipe.questions.Ask(ctx, rpc.Asker{Codec: s.codec, Timeout: s.pipe.options.AskTimeout, Send: s.pipe.write}, q)
}

// Detach implements server.Stream: a pipe has one connection.
func (s *stream) Detach(time.Duration) bool { return false }

// Name implements server.Session.
func (p *pipe) Name() string { return p.session.name }

// Watch implements server.Session.
func (p *pipe) Watch(_ context.Context, uri string) error {
	changes, err := p.subscription()
	if err != nil {
		return err
	}
	return changes.Watch(uri)
}

// Unwatch implements server.Session.
func (p *pipe) Unwatch(_ context.Context, uri string) {
	if changes, err := p.subscription(); err == nil {
		changes.Unwatch(uri)
	}
}

// subscription returns the session's.
func (p *pipe) subscription() (*server.Subscription, error) {
	p.session.mu.Lock()
	defer p.session.mu.Unlock()
	if p.session.changes == nil {
		var err error
		if p.session.changes, err = p.server.SubscribeSession(p.session.name); err != nil {
			return nil, err
		}
	}
	return p.session.changes, nil
}

// announce begins to tell the session of changes, once (2025-11-25 basic/lifecycle#initialization).
func (p *pipe) announce() {
	p.session.mu.Lock()
	begin := p.session.opened && !p.session.announcing && !p.server.Quiet()
	p.session.announcing = p.session.announcing || begin
	p.session.mu.Unlock()
	if !begin {
		return
	}
	changes, err := p.subscription()
	if err != nil {
		return
	}
	p.running.run(func() {
		for {
			select {
			case <-p.ending:
				return
			case <-p.life.Done():
				return
			case <-changes.Wake():
				p.tell(changes.Take())
			}
		}
	})
}

func (p *pipe) tell(list []protocol.Notification) {
	p.session.mu.Lock()
	codec := p.session.codec
	p.session.mu.Unlock()
	for _, n := range list {
		if message, err := rpc.AppendNotification(nil, codec, n); err == nil {
			_ = p.write(message)
		}
	}
}
