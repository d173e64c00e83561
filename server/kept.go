package server

import (
	"sync/atomic"

	"github.com/parley-mcp/parley/protocol"
)

// kept is an answer that is the same for everybody, once somebody has asked, with its encodings. The zero value is ready.
type kept struct {
	result    atomic.Pointer[protocol.Result]
	encodings protocol.Encodings
}

// load returns the answer, or nil. It must not be changed.
func (k *kept) load() protocol.Result {
	if r := k.result.Load(); r != nil {
		return *r
	}
	return nil
}

// keep keeps r, which is complete but for who answers, unless k is nil, and returns it.
func (s *Server) keep(k *kept, r protocol.Result) protocol.Result {
	if k != nil {
		r.Base().Server, r.Base().Shared = &s.options.Info, &k.encodings
		k.result.Store(&r)
	}
	return r
}
