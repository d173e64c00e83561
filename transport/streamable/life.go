package streamable

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"
)

// lives are the calls that run, so that those that run for too long, or into the end of Shutdown, can be cancelled. There is
// one timer for all of them: a timer and two hooks for each call showed in the profile.
type lives struct {
	timeout time.Duration // no bound if negative
	armed   atomic.Bool
	shards  [16]lifeShard
}

// A lifeShard is a part of them, with the requests that are being served. A request keeps to one, so that requests on
// several cores seldom meet.
type lifeShard struct {
	active  atomic.Int64 // requests
	mu      sync.Mutex
	running []*life
	stopped error // why nothing may run any more
	_       [64]byte
}

// pick returns a shard for a request.
func (ls *lives) pick() *lifeShard { return &ls.shards[rand.IntN(len(ls.shards))] }

// active reports whether requests are being served. One that is, all the while, is seen.
func (ls *lives) active() bool {
	for i := range ls.shards {
		if ls.shards[i].active.Load() > 0 {
			return true
		}
	}
	return false
}

// A life is the context of one call. It ends with its parent, when it is cancelled, and when it has lasted too long.
//
// It makes a real context of itself when somebody asks for one: when it is cancelled, or waited for. Most calls are over
// before, and what a real one costs showed in the profile.
type life struct {
	parent context.Context
	alone  bool // the parent's end is not its own
	real   atomic.Pointer[realLife]
	over   atomic.Bool // the call has ended
	until  time.Time   // zero is never
	shard  *lifeShard  // that watches it; nil if none does
	index  int
}

// A realLife is a life that can be waited for.
type realLife struct {
	context.Context
	cancel context.CancelCauseFunc
}

// make returns the real context.
func (l *life) make() *realLife {
	if r := l.real.Load(); r != nil {
		return r
	}
	parent := l.parent
	if l.alone {
		parent = context.WithoutCancel(parent)
	}
	r := &realLife{}
	r.Context, r.cancel = context.WithCancelCause(parent)
	if !l.real.CompareAndSwap(nil, r) {
		r.cancel(nil)
		return l.real.Load()
	}
	if l.over.Load() {
		r.cancel(nil)
	}
	return r
}

// Cancel implements rpc.Canceler.
func (l *life) Cancel(cause error) { l.make().cancel(cause) }

// Deadline implements context.Context.
func (l *life) Deadline() (time.Time, bool) {
	if l.alone {
		return time.Time{}, false
	}
	return l.parent.Deadline()
}

// Done implements context.Context.
func (l *life) Done() <-chan struct{} { return l.make().Done() }

// Err implements context.Context.
func (l *life) Err() error {
	switch r := l.real.Load(); {
	case r != nil:
		return r.Err()
	case l.over.Load():
		return context.Canceled
	case l.alone:
		return nil
	}
	return l.parent.Err()
}

// Value implements context.Context. Package context finds the real one, and its cause, by a value.
func (l *life) Value(key any) any {
	switch r := l.real.Load(); {
	case r != nil:
		return r.Value(key)
	case l.alone && l.over.Load():
		return l.make().Value(key)
	}
	return l.parent.Value(key)
}

// begin starts l within parent. alone says that parent's end is not its own.
func (l *life) begin(parent context.Context, alone bool) { l.parent, l.alone = parent, alone }

// watch lets l end when it has lasted too long, if it is bounded, and in Shutdown.
func (ls *lives) watch(l *life, in *lifeShard, bounded bool) {
	if bounded && ls.timeout > 0 {
		l.until = time.Now().Add(ls.timeout)
	}
	l.shard = in
	l.shard.add(l)
	if !l.until.IsZero() {
		ls.arm(ls.timeout)
	}
}

func (s *lifeShard) add(l *life) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped != nil {
		l.Cancel(s.stopped)
	}
	l.index = len(s.running)
	s.running = append(s.running, l)
}

// end ends l.
func (l *life) end() {
	if l.shard != nil {
		l.shard.remove(l)
	}
	l.over.Store(true)
	if r := l.real.Load(); r != nil {
		r.cancel(nil)
	}
}

func (s *lifeShard) remove(l *life) {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := len(s.running) - 1
	s.running[last].index = l.index
	s.running[l.index], s.running[last] = s.running[last], nil
	s.running = s.running[:last]
}

// arm sets the timer, if it is not set: then it is set for a call that began earlier.
func (ls *lives) arm(in time.Duration) {
	if !ls.armed.Load() && ls.armed.CompareAndSwap(false, true) {
		time.AfterFunc(in, ls.sweep)
	}
}

// sweep cancels what has lasted too long, and sets the timer for what is next to. The timer counts as set meanwhile: what
// begins then ends later than what is there, or is found by the second look.
func (ls *lives) sweep() {
	next := ls.cancelOld()
	if next.IsZero() {
		ls.armed.Store(false)
		if next = ls.cancelOld(); next.IsZero() || !ls.armed.CompareAndSwap(false, true) {
			return
		}
	}
	time.AfterFunc(time.Until(next), ls.sweep)
}

// cancelOld cancels what has lasted too long, and returns when the next will have; zero if there is nothing else.
func (ls *lives) cancelOld() (next time.Time) {
	now := time.Now()
	for i := range ls.shards {
		s := &ls.shards[i]
		s.mu.Lock()
		for _, l := range s.running {
			switch {
			case l.until.IsZero():
			case now.Before(l.until):
				if next.IsZero() || l.until.Before(next) {
					next = l.until
				}
			default:
				l.Cancel(context.DeadlineExceeded)
			}
		}
		s.mu.Unlock()
	}
	return next
}

// stop cancels everything, now and from now on.
func (ls *lives) stop(cause error) {
	for i := range ls.shards {
		s := &ls.shards[i]
		s.mu.Lock()
		s.stopped = cause
		for _, l := range s.running {
			l.Cancel(cause)
		}
		s.mu.Unlock()
	}
}
