package server

import (
	"context"
	"slices"

	"github.com/parley-mcp/parley/protocol"
)

// openings keeps the answers that say what the server is. They are the same for all clients unless
// Options.InstructionsFor makes them differ.
type openings struct {
	discover kept
	// initialize has one for sessions that are remembered, and one for those that are not, each for clients that are somebody
	// and for those that are not, by the place of the codec.
	initialize [2][2][]kept
}

// changed drops the answers that say what the server offers, once that has changed. An answer that was begun before is
// kept with those dropped.
func (s *Server) changed() {
	o := &openings{}
	for remembered := range o.initialize {
		for somebody := range o.initialize[remembered] {
			o.initialize[remembered][somebody] = make([]kept, len(s.codecs))
		}
	}
	s.openings.Store(o)
}

// sameOpening reports whether all clients get the same answers.
func (s *Server) sameOpening() bool {
	return s.options.InstructionsFor == nil && !s.options.changesResults()
}

func (s *Server) initialize(ctx context.Context, c *Call) (protocol.Result, error) {
	remembered := c.in.Session != nil
	k := s.keptInitialize(c, remembered) // before what it keeps is looked at: see changed
	if k != nil {
		if r := k.load(); r != nil {
			return r, nil
		}
	}
	return s.keep(k, &protocol.InitializeResult{
		Revision:     c.Revision(),
		Capabilities: s.capabilities(c, remembered),
		Instructions: s.instructions(ctx, c),
	}), nil
}

// keptInitialize returns where the answer is kept, nil if it is not.
func (s *Server) keptInitialize(c *Call, remembered bool) *kept {
	if !s.sameOpening() {
		return nil
	}
	list := s.openings.Load().initialize[index(remembered)][index(c.isSomebody())]
	return &list[slices.Index(s.codecs, c.in.Codec)]
}

// discover declares logging always: each request can name its level.
func (s *Server) discover(ctx context.Context, c *Call) (protocol.Result, error) {
	var k *kept
	if s.sameOpening() {
		k = &s.openings.Load().discover
		if r := k.load(); r != nil {
			return r, nil
		}
	}
	r := &protocol.DiscoverResult{
		Cache:        s.options.Cache.Discovery,
		Capabilities: s.capabilities(c, true),
		Instructions: s.instructions(ctx, c),
	}
	for _, codec := range s.codecs {
		r.Supported = append(r.Supported, codec.Features().Revision)
	}
	if s.options.InstructionsFor != nil {
		r.Cache.Public = false
	}
	return s.keep(k, r), nil
}

// ping returns the same answer always, unless somebody may change it.
func (s *Server) ping() protocol.Result {
	if s.options.changesResults() {
		return &protocol.EmptyResult{}
	}
	if r := s.pong.load(); r != nil {
		return r
	}
	return s.keep(&s.pong, &protocol.EmptyResult{})
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
