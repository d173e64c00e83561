package stdio

import (
	"sync"
	"time"
)

// tasks are what runs on behalf of a pipe. They can be waited for, though not for ever: a tool may ignore that its context
// has ended. The zero value is ready.
type tasks struct {
	mu     sync.Mutex
	count  int
	closed bool
	idle   chan struct{} // closed when nothing runs and nothing more may begin
}

// enter begins a task that leave ends, and reports whether it may.
func (t *tasks) enter() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return false
	}
	t.count++
	return true
}

func (t *tasks) leave() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.count--; t.count == 0 && t.closed {
		close(t.idle)
	}
}

// run runs f beside its caller, and reports whether it does.
func (t *tasks) run(f func()) bool {
	if !t.enter() {
		return false
	}
	go func() {
		defer t.leave()
		f()
	}()
	return true
}

// close lets nothing more begin.
func (t *tasks) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed, t.idle = true, make(chan struct{})
	if t.count == 0 {
		close(t.idle)
	}
}

// wait waits, after close, until nothing runs, but no longer than the given time.
func (t *tasks) wait(most time.Duration) {
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-t.idle:
	case <-timer.C:
	}
}
