package stdio

import (
	"sync"
	"time"
)

// jobs are what runs on behalf of a pipe. They can be waited for, though not for ever: a tool may ignore that its context
// has ended. The zero value is ready.
type jobs struct {
	mu     sync.Mutex
	count  int
	closed bool
	idle   chan struct{} // closed when nothing runs and nothing more may begin
}

// enter begins a job that leave ends, and reports whether it may.
func (j *jobs) enter() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed {
		return false
	}
	j.count++
	return true
}

func (j *jobs) leave() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.count--; j.count == 0 && j.closed {
		close(j.idle)
	}
}

// run runs f beside its caller, and reports whether it does.
func (j *jobs) run(f func()) bool {
	if !j.enter() {
		return false
	}
	go func() {
		defer j.leave()
		f()
	}()
	return true
}

// close lets nothing more begin.
func (j *jobs) close() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.closed, j.idle = true, make(chan struct{})
	if j.count == 0 {
		close(j.idle)
	}
}

// wait waits, after close, until nothing runs, but no longer than the given time.
func (j *jobs) wait(most time.Duration) {
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-j.idle:
	case <-timer.C:
	}
}
