package session

import "time"

// maxSpared is how many busy sessions an Open passes over while it looks for one to end.
const maxSpared = 8

// evict ends the session that has been idle for longest, or, if it may be spared, puts it off when it is busy.
func (l *LRU) evict(spare bool) {
	if c, ok := l.oldest(); ok {
		l.retire(c, spare)
	}
}

// retire ends a session that nobody has used since it became a candidate. One that is busy, if it may be spared, counts as
// used instead.
func (l *LRU) retire(c candidate, spare bool) {
	if spare && l.watcher.Busy(c.id) {
		l.shard(c.id).touch(c, l.now())
		return
	}
	if l.shard(c.id).retire(c) {
		l.ended(c.id)
	}
}

// expire ends what is idle and sets the timer for what will be next. The timer calls it.
func (l *LRU) expire() {
	for i := range l.shards {
		s := &l.shards[i]
		for c, ok := s.oldest(); ok && l.left(c) <= 0; c, ok = s.oldest() {
			l.retire(c, true)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.armed = false
	if c, ok := l.oldest(); ok {
		// Sessions that end at nearly the same time end together.
		l.arm(max(l.left(c), l.idle/1000))
	}
}

// arm sets the timer if it is not set. There is one for all sessions, set for the one that was oldest at the time: using
// that one leaves the timer alone, which will find the oldest then. It is called with l.mu held.
func (l *LRU) arm(in int64) {
	if !l.armed && !l.closed {
		l.armed = true
		l.timer.Reset(time.Duration(in))
	}
}

// left returns how long a session may still be idle.
func (l *LRU) left(c candidate) int64 { return c.used + l.idle - l.now() }

// oldest returns the session that has been idle for longest.
func (l *LRU) oldest() (oldest candidate, found bool) {
	for i := range l.shards {
		if c, ok := l.shards[i].oldest(); ok && (!found || c.used < oldest.used) {
			oldest, found = c, true
		}
	}
	return oldest, found
}
