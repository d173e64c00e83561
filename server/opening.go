package server

import (
	"context"

	"github.com/parley-mcp/parley/protocol"
)

// openings keeps the encodings of the answers that say what the server is. They are the same for all clients unless
// Options.InstructionsFor makes them differ.
type openings struct {
	discover protocol.Encodings
	// initialize has one for sessions that are remembered, and one for those that are not.
	initialize [2]protocol.Encodings
}

func (s *Server) initialize(ctx context.Context, c *Call) (protocol.Result, error) {
	remembered := c.in.Session != nil
	o := s.openings.Load() // before what it keeps is looked at: see Server.changed
	r := &protocol.InitializeResult{
		Revision:     c.Revision(),
		Capabilities: s.capabilities(remembered, s.announces(c)),
		Instructions: s.instructions(ctx, c),
	}
	if s.options.InstructionsFor == nil && !s.options.changesResults() {
		if r.Shared = &o.initialize[0]; remembered {
			r.Shared = &o.initialize[1]
		}
	}
	return r, nil
}

// discover declares logging always: each request can name its level.
func (s *Server) discover(ctx context.Context, c *Call) (protocol.Result, error) {
	o := s.openings.Load()
	r := &protocol.DiscoverResult{
		Cache:        s.options.Cache.Discovery,
		Capabilities: s.capabilities(true, s.announces(c)),
		Instructions: s.instructions(ctx, c),
	}
	for _, codec := range s.codecs {
		r.Supported = append(r.Supported, codec.Features().Revision)
	}
	switch {
	case s.options.InstructionsFor != nil:
		r.Cache.Public = false
	case !s.options.changesResults():
		r.Shared = &o.discover
	}
	return r, nil
}

func (s *Server) instructions(ctx context.Context, c *Call) string {
	if s.options.InstructionsFor != nil {
		return s.options.InstructionsFor(ctx, c)
	}
	return s.options.Instructions
}
