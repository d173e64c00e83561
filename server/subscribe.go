package server

import (
	"context"
	"slices"

	"github.com/parley-mcp/parley/protocol"
)

// subscribe and unsubscribe serve revisions with sessions: the session remembers what it wants to hear of
// (2025-11-25 server/resources#subscriptions).
func (s *Server) subscribe(ctx context.Context, c *Call, p *protocol.SubscribeParams) (protocol.Result, error) {
	if !s.announces(c) || !s.offersResources() {
		return nil, errUndeclared
	}
	if read, _, _ := s.findResource(c, p.URI); read == nil {
		return nil, protocol.ResourceNotFound(p.URI)
	}
	if err := c.in.Session.Watch(ctx, p.URI); err != nil {
		return nil, err
	}
	return &protocol.EmptyResult{}, nil
}

func (s *Server) unsubscribe(ctx context.Context, c *Call, p *protocol.UnsubscribeParams) (protocol.Result, error) {
	if !s.announces(c) || !s.offersResources() {
		return nil, errUndeclared
	}
	c.in.Session.Unwatch(ctx, p.URI)
	return &protocol.EmptyResult{}, nil
}

// listen serves revisions without sessions: the request itself is the subscription, and lasts until the client cancels it
// or the server ends it, which it says in a result (2026-07-28 basic/patterns/subscriptions).
func (s *Server) listen(ctx context.Context, c *Call, p *protocol.ListenParams) (protocol.Result, error) {
	if c.in.Stream == nil {
		return nil, ErrNoWayBack
	}
	if len(p.Filter.Resources) > MaxResources {
		return nil, errTooMany
	}
	if len(p.Filter.Tasks) > MaxResources {
		return nil, protocol.InvalidRequest("at most %d tasks can be subscribed to", MaxResources)
	}
	if len(p.Filter.Tasks) > 0 && s.tasks.offered.Load() {
		if err := c.needsTasks(); err != nil {
			return nil, err
		}
	}
	filter := s.honoured(ctx, c, p.Filter)
	sub, err := s.Subscribe(filter)
	if err != nil {
		return nil, err
	}
	defer sub.Close()
	ack := &protocol.SubscriptionsAcknowledgedNotification{Filter: filter}
	ack.SubscriptionID = c.in.ID
	if err := c.in.Stream.Notify(ack); err != nil {
		return nil, err
	}
	for closing := false; !closing; {
		select {
		case <-ctx.Done():
		case <-c.in.Closing:
			closing = true // after what has changed before
		case <-sub.Wake():
		}
		for _, n := range sub.Take() {
			if ctx.Err() != nil {
				break // nothing more is said to a client that has cancelled
			}
			n.Base().SubscriptionID = c.in.ID
			if err := c.in.Stream.Notify(n); err != nil {
				return nil, err
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return &protocol.ListenResult{ID: c.in.ID}, nil
}

// honoured returns the part of a filter that the server can serve (#acknowledgment): lists that it has, and resources that
// the principal can see.
func (s *Server) honoured(ctx context.Context, c *Call, f protocol.SubscriptionFilter) protocol.SubscriptionFilter {
	if s.options.Quiet {
		return protocol.SubscriptionFilter{}
	}
	f.ToolsListChanged = f.ToolsListChanged && s.tools.used()
	f.PromptsListChanged = f.PromptsListChanged && s.prompts.used()
	f.ResourcesListChanged = f.ResourcesListChanged && s.offersResources()
	var uris []string
	seen := map[string]bool{}
	for _, uri := range f.Resources {
		if read, _, _ := s.findResource(c, uri); read != nil && !seen[uri] {
			uris = append(uris, uri)
		}
		seen[uri] = true
	}
	f.Resources = uris
	f.Tasks = s.ownTasks(ctx, c, f.Tasks)
	return f
}

// ownTasks returns those of the ids that are of tasks which the client may ask for, each once.
func (s *Server) ownTasks(ctx context.Context, c *Call, ids []string) []string {
	var own []string
	for _, id := range ids {
		t := s.tasks.find(c.in.Principal, id)
		if t != nil && !slices.Contains(own, id) && s.allowTask(ctx, t) == nil {
			own = append(own, id)
		}
	}
	return own
}

// announces reports whether changes can be announced to the client of a call.
func (s *Server) announces(c *Call) bool {
	if s.options.Quiet {
		return false
	}
	return c.in.Session != nil || !c.in.Codec.Features().ServerRequests.Holds()
}
