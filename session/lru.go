package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"sync"
	"sync/atomic"
	"time"
)

// LRUOptions say how many sessions an LRU keeps and for how long.
type LRUOptions struct {
	// MaxSessions is how many sessions there may be at a time; 0 is 100,000. The next one ends the one that has been idle
	// for longest.
	MaxSessions int
	// IdleTimeout is how long a session lives without use; 0 is 30 minutes.
	IdleTimeout time.Duration
}

const (
	defaultMaxSessions = 100_000
	defaultIdleTimeout = 30 * time.Minute
)

// shardCount is how many parts with a lock of their own the sessions are divided into; a power of two.
const shardCount = 32

// An LRU is a Store that keeps sessions in the memory of this process.
//
// A session ends by Delete, by Close, when it has been idle for IdleTimeout, and when it has been idle for longest while
// there are MaxSessions. One whose Watcher is busy is not idle, and neither IdleTimeout ends it nor, if an idle one is found
// soon, MaxSessions. It ends without traffic too, at most a thousandth of IdleTimeout late; there is no goroutine while
// nothing ends.
//
// The sessions of one client build share what the client said about itself, of which the first 4 KiB count: what makes it
// larger is left out, beginning with icons, description and website, and ending with the client's extensions.
type LRU struct {
	max     int64
	idle    int64
	watcher Watcher
	intern  *interner
	began   time.Time // zero of the clock by which use is noted
	count   atomic.Int64
	seed    maphash.Seed
	shards  [shardCount]shard

	mu     sync.Mutex // orders Open, Close and the timer
	timer  *time.Timer
	armed  bool
	closed bool
}

var errClosed = errors.New("the session store is closed")

// NewLRU returns an empty LRU, or an error if an option is out of range.
func NewLRU(o LRUOptions) (*LRU, error) {
	if o.MaxSessions < 0 {
		return nil, fmt.Errorf("LRUOptions.MaxSessions is %d: give a positive number, or 0 for %d", o.MaxSessions, defaultMaxSessions)
	}
	if o.IdleTimeout < 0 {
		return nil, fmt.Errorf("LRUOptions.IdleTimeout is %v: give a positive time, or 0 for %v", o.IdleTimeout, defaultIdleTimeout)
	}
	intern, err := newInterner()
	if err != nil {
		return nil, err
	}
	l := &LRU{
		max:     int64(cmp.Or(o.MaxSessions, defaultMaxSessions)),
		idle:    int64(cmp.Or(o.IdleTimeout, defaultIdleTimeout)),
		watcher: nobody{},
		intern:  intern,
		began:   time.Now(),
		seed:    maphash.MakeSeed(),
	}
	for i := range l.shards {
		l.shards[i].sessions = newSessions()
	}
	l.timer = time.AfterFunc(time.Duration(l.idle), l.expire)
	l.timer.Stop()
	return l, nil
}

// Open keeps a session and returns its id of 22 characters. It may end another session.
func (l *LRU) Open(_ context.Context, s *State) (string, error) {
	state, err := l.intern.intern(s)
	if err != nil {
		return "", err
	}
	id, err := newID()
	if err != nil {
		return "", err
	}
	for spare := maxSpared; ; spare-- {
		ok, err := l.insert(id, state)
		if ok || err != nil {
			return id, err
		}
		l.evict(spare > 0)
	}
}

// insert adds a session, unless there are too many.
func (l *LRU) insert(id string, state *State) (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return false, errClosed
	}
	if l.count.Load() >= l.max {
		return false, nil
	}
	l.count.Add(1)
	l.shard(id).add(id, kept{state, l.now()})
	l.arm(l.idle)
	return true, nil
}

// Get returns a session of principal.
func (l *LRU) Get(_ context.Context, id, principal string) (*State, error) {
	if !wellFormed(id, idLength) {
		return nil, ErrNotFound
	}
	s, ok := l.shard(id).get(id, principal, l.now())
	if !ok {
		return nil, ErrNotFound
	}
	return s, nil
}

// Save replaces the state of a session of s.Principal, and counts as use.
func (l *LRU) Save(_ context.Context, id string, s *State) error {
	if !wellFormed(id, idLength) {
		return ErrNotFound
	}
	state, err := l.intern.intern(s)
	if err != nil {
		return err
	}
	if !l.shard(id).save(id, state, l.now()) {
		return ErrNotFound
	}
	return nil
}

// Delete ends a session of principal.
func (l *LRU) Delete(_ context.Context, id, principal string) error {
	if !wellFormed(id, idLength) || !l.shard(id).remove(id, principal) {
		return ErrNotFound
	}
	l.ended(id)
	return nil
}

// Len returns how many sessions there are.
func (l *LRU) Len() int { return int(l.count.Load()) }

// Remembers returns true.
func (l *LRU) Remembers() bool { return true }

// Watch names who is asked whether a session is busy, and told once when it is over. Both may call the store.
func (l *LRU) Watch(w Watcher) { l.watcher = w }

// Close ends all sessions. After it, Open fails and there is no session.
func (l *LRU) Close() error {
	l.mu.Lock()
	l.closed = true
	l.timer.Stop()
	l.mu.Unlock()
	for i := range l.shards {
		for _, id := range l.shards[i].drain() {
			l.ended(id)
		}
	}
	return nil
}

// ended is called after a session was removed, by the one who removed it, with no lock held.
func (l *LRU) ended(id string) {
	l.count.Add(-1)
	l.watcher.Ended(id)
}

func (l *LRU) shard(id string) *shard {
	return &l.shards[maphash.String(l.seed, id)%shardCount]
}

func (l *LRU) now() int64 { return int64(time.Since(l.began)) }

// nobody watches a store that has not been told of a Watcher.
type nobody struct{}

func (nobody) Busy(string) bool { return false }
func (nobody) Ended(string)     {}
