package server

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/parley-mcp/parley/protocol"
)

// A task is a call that goes on after its request is answered. What the client is to see of it is kept in neutral types:
// each revision has its own way of asking for it.
type task struct {
	store         *tasks
	id, principal string
	number        uint64 // in the order of creation
	created       time.Time
	ttl           time.Duration
	expiry        *time.Timer
	// heard: the client's revision has progress and log messages of tasks.
	heard bool
	// scopes are those of the tool.
	scopes []string
	// begun is how the task began: working, whatever has happened since (2025-11-25 basic/utilities/tasks#task-status-lifecycle).
	begun protocol.Task

	// gone and returned belong to the store, and its lock: the task is no longer kept, its handler has returned.
	gone, returned bool

	mu sync.Mutex
	// stop ends the handler's context. It is nil once the handler has returned: it holds all of the request.
	stop    context.CancelCauseFunc
	status  protocol.TaskStatus
	message string
	updated time.Time
	changes int // from 1 on
	result  protocol.Result
	err     *protocol.Error
	lost    error // why there is neither, and will not be
	open    map[string]*taskQuestion
	used    map[string]struct{} // keys, which name one question for as long as the task lives
	outbox  []protocol.Notification
	// readers wait for the end, the newest last. changed is closed when there is something new for them.
	readers []*Call
	changed chan struct{}
}

// A taskQuestion waits for its answer. It is closed when that is there, or no longer wanted.
type taskQuestion struct {
	key    string
	ask    protocol.Question
	closed context.Context
	close  context.CancelFunc
	answer protocol.Answer
	err    error
}

// now returns how the task stands.
func (t *task) now() protocol.Task {
	now, _ := t.look()
	return now
}

// look is now, with the number of changes.
func (t *task) look() (now protocol.Task, changes int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := protocol.Task{
		ID:      t.id,
		Status:  t.status,
		Message: t.message,
		Created: t.created,
		Updated: t.updated,
		TTLMs:   new(t.ttl.Milliseconds()),
		PollMs:  t.store.options.PollInterval.Milliseconds(),
		Result:  t.result,
		Error:   t.err,
	}
	if len(t.open) > 0 {
		s.Requests = make(map[string]protocol.Question, len(t.open))
		for key, q := range t.open {
			s.Requests[key] = q.ask
		}
	}
	return s, t.changes
}

// change runs f unless the task has ended, and tells everybody who wants to hear of it. f reports whether it has changed
// anything.
func (t *task) change(f func() bool) {
	t.mu.Lock()
	if t.status.Ended() || !f() {
		t.mu.Unlock()
		return
	}
	t.updated = time.Now()
	t.changes++
	t.wake()
	t.mu.Unlock()
	t.store.announcer.taskChanged(t.id)
}

// wake wakes those who wait. The lock is held.
func (t *task) wake() {
	close(t.changed)
	t.changed = make(chan struct{})
}

// end makes a status final. The lock is held.
func (t *task) end(status protocol.TaskStatus) bool {
	t.status = status
	for _, q := range t.open {
		q.err = errTaskEnded
		q.close()
	}
	t.open = nil
	return true
}

// finish takes what the handler has returned. A task that was cancelled before stays so (2025-11-25
// basic/utilities/tasks#task-cancellation).
func (t *task) finish(r protocol.Result, err *protocol.Error) {
	t.change(func() bool {
		if t.result, t.err = r, err; err != nil {
			t.message = err.Message
			return t.end(protocol.TaskFailed)
		}
		return t.end(protocol.TaskCompleted)
	})
	t.mu.Lock()
	t.stop = nil
	t.mu.Unlock()
	t.store.done(t)
}

// halt ends the handler's context.
func (t *task) halt(why error) {
	t.mu.Lock()
	stop := t.stop
	t.mu.Unlock()
	if stop != nil {
		stop(why)
	}
}

// cancel ends the task for its client, and reports whether it had not ended before.
func (t *task) cancel() bool {
	cancelled := false
	t.change(func() bool {
		cancelled = true
		return t.end(protocol.TaskCancelled)
	})
	t.halt(context.Canceled)
	return cancelled
}

// expire and close end a task of which nothing will be known any more.
func (t *task) expire() { t.lose(errExpired) }
func (t *task) close()  { t.lose(errClosed) }

func (t *task) lose(why error) {
	t.change(func() bool {
		t.lost = why
		return t.end(protocol.TaskCancelled)
	})
	t.halt(why)
}

// say keeps a notification until somebody comes for the result. Of progress only the newest counts.
func (t *task) say(n protocol.Notification) {
	if !t.heard {
		return
	}
	n.Base().Task = t.id
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.status.Ended() {
		return
	}
	if _, ok := n.(*protocol.ProgressNotification); ok {
		t.outbox = slices.DeleteFunc(t.outbox, func(n protocol.Notification) bool {
			_, same := n.(*protocol.ProgressNotification)
			return same
		})
	}
	if len(t.outbox) >= t.store.options.MaxMessages {
		t.outbox = slices.Delete(t.outbox, 0, 1)
	}
	t.outbox = append(t.outbox, n)
	t.wake()
}

// describe says in words how far the task is.
func (t *task) describe(message string) {
	if message == "" {
		return
	}
	t.change(func() bool {
		t.message = message
		return true
	})
}

// ask opens a question, and waits for its answer.
func (t *task) ask(ctx context.Context, key string, ask protocol.Question) (protocol.Answer, error) {
	q := &taskQuestion{ask: ask}
	q.closed, q.close = context.WithCancel(context.Background())
	defer q.close()
	if err := t.add(key, q); err != nil {
		return nil, err
	}
	select {
	case <-q.closed.Done():
		return q.answer, q.err
	case <-ctx.Done():
		t.resolve(q, nil, context.Cause(ctx))
		<-q.closed.Done()
		return q.answer, q.err
	}
}

// add opens a question under a key of its own.
func (t *task) add(key string, q *taskQuestion) error {
	err := errTaskEnded
	t.change(func() bool {
		if most := t.store.options.MaxQuestions; len(t.open) >= most {
			err = protocol.InvalidRequest("a task can ask at most %d questions at once", most)
			return false
		}
		err = nil
		if t.open == nil {
			t.open = map[string]*taskQuestion{}
		}
		if t.used == nil {
			t.used = map[string]struct{}{}
		}
		q.key = key
		for n := 2; ; n++ {
			if _, taken := t.used[q.key]; !taken {
				break
			}
			q.key = key + "-" + strconv.Itoa(n)
		}
		t.used[q.key] = struct{}{}
		t.open[q.key] = q
		t.status = protocol.TaskInputRequired
		return true
	})
	return err
}

// resolve closes a question, unless it is closed. With the last one the task goes on.
func (t *task) resolve(q *taskQuestion, answer protocol.Answer, err error) {
	t.change(func() bool {
		if t.open[q.key] != q {
			return false
		}
		delete(t.open, q.key)
		if len(t.open) == 0 {
			t.status = protocol.TaskWorking
		}
		q.answer, q.err = answer, err
		q.close()
		return true
	})
}

// asked returns the open question of that key, or nil.
func (t *task) asked(key string) *taskQuestion {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.open[key]
}

// outcome returns what the handler has returned, once the task has ended.
func (t *task) outcome() (protocol.Result, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.lost == errExpired:
		return nil, noTask()
	case t.lost != nil:
		return nil, t.lost
	case t.err != nil:
		return nil, t.err
	case t.result == nil:
		return nil, protocol.InvalidRequest("the task was cancelled: it has no result")
	}
	return t.result, nil
}

// join and leave say who waits for the end.
func (t *task) join(c *Call) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.readers = append(t.readers, c)
}

func (t *task) leave(c *Call) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.readers = slices.DeleteFunc(t.readers, func(other *Call) bool { return other == c })
	t.wake() // for the one whose turn it is now
}

// news returns what there is for a reader. Messages go to the newest: a client that comes again has lost what it had.
func (t *task) news(c *Call) (said []protocol.Notification, open []*taskQuestion, changed <-chan struct{}, over bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n := len(t.readers); n > 0 && t.readers[n-1] == c {
		said, t.outbox = t.outbox, nil
	}
	return said, slices.Collect(maps.Values(t.open)), t.changed, t.status.Ended()
}

// attend tells a client what the task has to say, asks it what the task asks, and returns when the task has ended. A
// question that gets no answer here stays open for whoever comes next (2025-11-25
// basic/utilities/tasks#input-required-status).
func (t *task) attend(ctx context.Context, c *Call) error {
	ctx, cancel := context.WithCancel(ctx)
	var asking sync.WaitGroup
	defer asking.Wait()
	defer cancel()
	t.join(c)
	defer t.leave(c)
	asked := map[*taskQuestion]bool{}
	for {
		said, open, changed, over := t.news(c)
		if stream := c.in.Stream; stream != nil {
			for _, n := range said {
				_ = stream.Notify(n) // who does not hear it comes for the result all the same
			}
			for _, q := range open {
				if !asked[q] {
					asking.Go(func() { t.put(ctx, stream, q) })
				}
			}
		}
		clear(asked)
		for _, q := range open {
			asked[q] = true
		}
		if over {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// put asks a client a question of the task. One that is answered elsewhere is withdrawn.
func (t *task) put(ctx context.Context, stream Stream, q *taskQuestion) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(q.closed, func() { cancel(errNotWanted) })()
	answer, err := stream.Ask(ctx, &protocol.Tracked{Question: q.ask, Task: t.id})
	if err == nil || clientError(err) != nil || errors.Is(err, ErrMalformedAnswer) {
		t.resolve(q, answer, err)
	}
}
