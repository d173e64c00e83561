package session

import (
	"math"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// A shard keeps some of the sessions, in the order of their last use. Its methods hold the lock for no longer than they run,
// and call nobody.
type shard struct {
	mu       sync.Mutex
	sessions *simplelru.LRU[string, kept]
	peak     int      // the most sessions since the map was made, which never gives memory back
	_        [40]byte // a cache line per shard
}

// kept is what a shard keeps of a session. used is when that was last used, on the store's clock.
type kept struct {
	state *State
	used  int64
}

// A candidate is a session that may have to end, if it has not been used since.
type candidate struct {
	id   string
	used int64
}

// minShrink is the number of sessions from which on a shard minds how much memory its list holds.
const minShrink = 512

// newSessions returns an unbounded list: the bound is on all shards together.
func newSessions() *simplelru.LRU[string, kept] {
	sessions, err := simplelru.NewLRU[string, kept](math.MaxInt, nil)
	if err != nil {
		panic(err) // it only refuses a size that is not positive
	}
	return sessions
}

func (s *shard) add(id string, k kept) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sessions.Add(id, k)
	s.peak = max(s.peak, s.sessions.Len())
}

// get returns the session's state and notes its use.
func (s *shard) get(id, principal string, now int64) (*State, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, ok := s.sessions.Peek(id)
	if !ok || k.state.Principal != principal {
		return nil, false
	}
	k.used = now
	s.sessions.Add(id, k)
	return k.state, true
}

// save replaces the session's state and notes its use.
func (s *shard) save(id string, state *State, now int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, ok := s.sessions.Peek(id)
	if !ok || k.state.Principal != state.Principal {
		return false
	}
	s.sessions.Add(id, kept{state, now})
	return true
}

func (s *shard) remove(id, principal string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, ok := s.sessions.Peek(id)
	if !ok || k.state.Principal != principal {
		return false
	}
	s.drop(id)
	return true
}

// oldest returns the session that has been idle for longest.
func (s *shard) oldest() (candidate, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, k, ok := s.sessions.GetOldest()
	return candidate{id, k.used}, ok
}

// retire removes a candidate that has not been used since it became one.
func (s *shard) retire(c candidate) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, ok := s.sessions.Peek(c.id)
	if !ok || k.used != c.used {
		return false
	}
	s.drop(c.id)
	return true
}

// touch notes the use of a candidate that is busy.
func (s *shard) touch(c candidate, now int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if k, ok := s.sessions.Peek(c.id); ok {
		k.used = now
		s.sessions.Add(c.id, k)
	}
}

// drain removes all sessions and returns their ids.
func (s *shard) drain() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	ids := s.sessions.Keys()
	s.sessions, s.peak = newSessions(), 0
	return ids
}

// drop removes a session, and makes the list anew when it has become much too large for what is left.
func (s *shard) drop(id string) {
	s.sessions.Remove(id)
	if s.peak < minShrink || s.sessions.Len() > s.peak/4 {
		return
	}
	fresh := newSessions()
	for _, id := range s.sessions.Keys() {
		k, _ := s.sessions.Peek(id)
		fresh.Add(id, k)
	}
	s.sessions, s.peak = fresh, fresh.Len()
}
