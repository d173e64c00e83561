package server

import (
	"context"

	"github.com/parley-mcp/parley/protocol"
)

// openings keeps the encodings of the answers that say what the server is. They are the same for all clients unless
// Options.InstructionsFor makes them differ.
type openings struct {
	discover protocol.Encodings
	// initialize has one each for sessions that are remembered or not, of clients that can be told from others or not.
	initialize [2][2]protocol.Encodings
}

func (s *Server) initialize(ctx context.Context, c *Call) (protocol.Result, error) {
	remembered := c.in.Session != nil
	o := s.openings.Load() // before what it keeps is looked at: see Server.changed
	r := &protocol.InitializeResult{
		Revision:     c.Revision(),
		Capabilities: s.capabilities(c, remembered),
		Instructions: s.instructions(ctx, c),
	}
	if s.options.InstructionsFor == nil && !s.options.changesResults() {
		r.Shared = &o.initialize[index(remembered)][index(c.isSomebody())]
	}
	return r, nil
}

// discover declares logging always: each request can name its level.
func (s *Server) discover(ctx context.Context, c *Call) (protocol.Result, error) {
	o := s.openings.Load()
	r := &protocol.DiscoverResult{
		Cache:        s.options.Cache.Discovery,
		Capabilities: s.capabilities(c, true),
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

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (s *Server) instructions(ctx context.Context, c *Call) string {
	if s.options.InstructionsFor != nil {
		return s.options.InstructionsFor(ctx, c)
	}
	return s.options.Instructions
}
