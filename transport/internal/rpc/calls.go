package rpc

import (
	"context"
	"errors"
	"hash/maphash"
	"sync"

	"github.com/parley-mcp/parley/internal/jsonrpc"
)

// ErrCancelled is the cause of a context whose call the client has cancelled: it gets no answer.
var ErrCancelled = errors.New("cancelled by the client")

// ErrSessionEnded is the cause of a context whose session is over.
var ErrSessionEnded = errors.New("the session has ended")

// Calls are the running calls by session and request id. The zero value is ready. A session without running calls takes
// no room.
type Calls struct{ shards [64]shard }

var seed = maphash.MakeSeed()

type shard struct {
	mu       sync.Mutex
	sessions map[string]*Running // the first of each session
	_        [48]byte            // a cache line for each
}

// A Running is a call that can be cancelled. It is its owner's memory, which Calls only links.
type Running struct {
	id   jsonrpc.ID
	call Canceler
	next *Running
}

// A Canceler is cancelled for a cause, ErrCancelled or ErrSessionEnded. It must not call Calls.
type Canceler interface{ Cancel(cause error) }

// CancelFunc is a Canceler made of what package context returns.
type CancelFunc context.CancelCauseFunc

// Cancel implements Canceler.
func (f CancelFunc) Cancel(cause error) { f(cause) }

func (c *Calls) shard(session string) *shard {
	return &c.shards[maphash.String(seed, session)%uint64(len(c.shards))]
}

// find returns the call of the session with that id, or nil. The lock is held.
func (s *shard) find(session string, id jsonrpc.ID) *Running {
	r := s.sessions[session]
	for r != nil && !r.id.Equal(id) {
		r = r.next
	}
	return r
}

// Start registers a call, and fails if one with that id runs already in the session. Each must be ended with Done.
func (c *Calls) Start(session string, r *Running, id jsonrpc.ID, call Canceler) bool {
	s := c.shard(session)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.find(session, id) != nil {
		return false
	}
	if s.sessions == nil {
		s.sessions = map[string]*Running{}
	}
	*r = Running{id, call, s.sessions[session]}
	s.sessions[session] = r
	return true
}

// Runs reports whether a call with that id runs in the session.
func (c *Calls) Runs(session string, id jsonrpc.ID) bool {
	s := c.shard(session)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.find(session, id) != nil
}

// Done ends a call.
func (c *Calls) Done(session string, r *Running) {
	s := c.shard(session)
	s.mu.Lock()
	defer s.mu.Unlock()
	first := s.sessions[session]
	switch {
	case first != r:
		for first.next != r {
			first = first.next
		}
		first.next = r.next
	case r.next != nil:
		s.sessions[session] = r.next
	default:
		delete(s.sessions, session)
	}
}

// Cancel cancels a call of the session, if there is one with that id.
func (c *Calls) Cancel(session string, id jsonrpc.ID) {
	s := c.shard(session)
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.find(session, id); r != nil {
		r.call.Cancel(ErrCancelled)
	}
}

// Busy reports whether the session has running calls.
func (c *Calls) Busy(session string) bool {
	s := c.shard(session)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sessions[session] != nil
}

// Ended cancels all calls of the session.
func (c *Calls) Ended(session string) {
	s := c.shard(session)
	s.mu.Lock()
	defer s.mu.Unlock()
	for r := s.sessions[session]; r != nil; r = r.next {
		r.call.Cancel(ErrSessionEnded)
	}
}
