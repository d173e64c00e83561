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
	sessions map[string][]Running
}

// A Running is a call that can be cancelled.
type Running struct {
	id     string
	cancel context.CancelCauseFunc
}

func (c *Calls) shard(session string) *shard {
	return &c.shards[maphash.String(seed, session)%uint64(len(c.shards))]
}

// Start registers a call, and fails if one with that id runs already in the session. Each must be ended with Done.
func (c *Calls) Start(session string, id jsonrpc.ID, cancel context.CancelCauseFunc) bool {
	s, key := c.shard(session), id.Key()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.sessions[session] {
		if r.id == key {
			return false
		}
	}
	if s.sessions == nil {
		s.sessions = map[string][]Running{}
	}
	s.sessions[session] = append(s.sessions[session], Running{key, cancel})
	return true
}

// Done ends a call.
func (c *Calls) Done(session string, id jsonrpc.ID) {
	s := c.shard(session)
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.sessions[session]
	for i, r := range list {
		if r.id == string(id.Raw()) {
			if len(list) == 1 {
				delete(s.sessions, session)
				return
			}
			list[i] = list[len(list)-1]
			s.sessions[session] = list[:len(list)-1]
			return
		}
	}
}

// Cancel cancels a call of the session, if there is one with that id.
func (c *Calls) Cancel(session string, id jsonrpc.ID) {
	s := c.shard(session)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.sessions[session] {
		if r.id == string(id.Raw()) {
			r.cancel(ErrCancelled)
		}
	}
}

// Busy reports whether the session has running calls.
func (c *Calls) Busy(session string) bool {
	s := c.shard(session)
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.sessions[session]) > 0
}

// Ended cancels all calls of the session.
func (c *Calls) Ended(session string) {
	s := c.shard(session)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.sessions[session] {
		r.cancel(ErrSessionEnded)
	}
}
