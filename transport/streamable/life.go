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

type lifeShard struct {
	mu      sync.Mutex
	running []*life
	stopped error // why nothing may run any more
	_       [64]byte
}

// A life is the context of one call. It ends with its parent, when it is cancelled, and when it has lasted too long.
type life struct {
	context.Context
	cancel   context.CancelCauseFunc
	detached withoutCancel
	until    time.Time // zero is never
	shard    *lifeShard
	index    int
}

// withoutCancel is what context.WithoutCancel makes, in memory that is there already.
type withoutCancel struct{ context.Context }

func (*withoutCancel) Deadline() (time.Time, bool) { return time.Time{}, false }
func (*withoutCancel) Done() <-chan struct{}       { return nil }
func (*withoutCancel) Err() error                  { return nil }

// begin starts l within parent. bounded says whether it may last too long, alone that parent's end is not its own. It must
// be ended.
func (ls *lives) begin(l *life, parent context.Context, bounded, alone bool) {
	if alone {
		l.detached.Context = parent
		parent = &l.detached
	}
	l.Context, l.cancel = context.WithCancelCause(parent)
	if bounded && ls.timeout > 0 {
		l.until = time.Now().Add(ls.timeout)
	}
	l.shard = &ls.shards[rand.IntN(len(ls.shards))]
	l.shard.add(l)
	if !l.until.IsZero() {
		ls.arm(ls.timeout)
	}
}

func (s *lifeShard) add(l *life) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped != nil {
		l.cancel(s.stopped)
	}
	l.index = len(s.running)
	s.running = append(s.running, l)
}

// end ends l.
func (l *life) end() {
	s := l.shard
	s.mu.Lock()
	last := len(s.running) - 1
	s.running[last].index = l.index
	s.running[l.index], s.running[last] = s.running[last], nil
	s.running = s.running[:last]
	s.mu.Unlock()
	l.cancel(nil)
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
				l.cancel(context.DeadlineExceeded)
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
			l.cancel(cause)
		}
		s.mu.Unlock()
	}
}
