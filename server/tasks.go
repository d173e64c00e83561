package server

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/parley-mcp/parley/protocol"
)

// TaskOptions bound the tasks of a server. They live in the memory of this process, from their creation until their time
// is over, and are of no other replica. A field that is zero has its default.
type TaskOptions struct {
	// TTL is how long a task is kept, its result included; 1 h if zero. A task that still runs then is cancelled. A client
	// that may ask for another time gets it, up to MaxTTL; 24 h if zero, or TTL if that is more.
	TTL, MaxTTL time.Duration
	// PollInterval is how long a client should wait before it asks again; 1 s if zero.
	PollInterval time.Duration
	// Max is how many tasks there may be, of those that have ended too while they are kept; 10,000 if zero. MaxPerPrincipal
	// is how many of one principal, where nobody in particular is one too; 1000 if zero. A call that has to be one more
	// fails; one that need not is answered without a task.
	Max, MaxPerPrincipal int
	// MaxQuestions is how many questions of one task may be open at once; 64 if zero. One more fails.
	MaxQuestions int
	// MaxMessages is how many progress and log messages of one task wait for a client that comes for its result; 100 if
	// zero. The oldest are dropped beyond that.
	MaxMessages int
}

// complete fills in the defaults.
func (o *TaskOptions) complete() error {
	if o.TTL < 0 || o.MaxTTL < 0 || o.PollInterval < 0 || o.Max < 0 || o.MaxPerPrincipal < 0 || o.MaxQuestions < 0 || o.MaxMessages < 0 {
		return errors.New("server: Options.Tasks has a negative limit")
	}
	orElse(&o.TTL, time.Hour)
	orElse(&o.MaxTTL, max(24*time.Hour, o.TTL))
	orElse(&o.PollInterval, time.Second)
	orElse(&o.Max, 10_000)
	orElse(&o.MaxPerPrincipal, 1000)
	orElse(&o.MaxQuestions, 64)
	orElse(&o.MaxMessages, 100)
	if o.MaxTTL < o.TTL {
		return errors.New("server: Options.Tasks.MaxTTL is less than TTL")
	}
	return nil
}

func orElse[T comparable](option *T, value T) {
	var zero T
	if *option == zero {
		*option = value
	}
}

// tasks are those of a server.
type tasks struct {
	options   TaskOptions
	announcer *announcer
	// offered: some tool can run as a task, or could once.
	offered atomic.Bool

	mu     sync.Mutex
	closed bool
	last   uint64 // number of the newest
	held   int    // how many count: those that are kept, and those whose handler still runs
	all    map[string]*task
	owners map[string]*owner
	// running counts handlers; idle is closed when closed is set and there are none.
	running int
	idle    chan struct{}
}

// An owner is what is kept of a principal that has tasks.
type owner struct {
	held int
	kept []*task // the oldest first
}

var (
	errTooManyTasks = &protocol.Error{Kind: protocol.KindInternal, Message: "too many tasks: wait until some are over, and no longer kept"}
	errClosed       = errors.New("the server is closed")
	errExpired      = errors.New("the task has expired")
	errTaskEnded    = errors.New("the task is over: nothing can be asked any more")
)

func (ts *tasks) init(o TaskOptions, a *announcer) {
	ts.options, ts.announcer = o, a
	ts.all, ts.owners = map[string]*task{}, map[string]*owner{}
	ts.idle = make(chan struct{})
}

// begin returns a new task for a work. ttl is what the client asks for, in milliseconds, or nil.
func (ts *tasks) begin(c *Call, ttl *int64, w *work) (*task, error) {
	now := time.Now()
	t := &task{
		store:     ts,
		id:        rand.Text(), // at least 128 bits, which nobody guesses (2025-11-25 basic/utilities/tasks#task-isolation-and-access-control)
		principal: c.in.Principal,
		heard:     c.in.Codec.Features().TasksOnRequest.Holds(),
		ttl:       ts.lifetime(ttl),
		created:   now,
		updated:   now,
		status:    protocol.TaskWorking,
		changes:   1,
		scopes:    w.scopes,
		stop:      w.stop,
		changed:   make(chan struct{}),
	}
	t.begun = t.now()
	ts.mu.Lock()
	defer ts.mu.Unlock()
	o := ts.owners[t.principal]
	switch {
	case ts.closed:
		return nil, errClosed
	case ts.held >= ts.options.Max || o != nil && o.held >= ts.options.MaxPerPrincipal:
		return nil, errTooManyTasks
	case o == nil:
		o = &owner{}
		ts.owners[t.principal] = o
	}
	ts.held++
	o.held++
	ts.last++
	t.number = ts.last
	ts.all[t.id] = t
	o.kept = append(o.kept, t)
	t.expiry = time.AfterFunc(t.ttl, func() { ts.drop(t) })
	return t, nil
}

// lifetime returns how long a task is kept.
func (ts *tasks) lifetime(asked *int64) time.Duration {
	most := ts.options.MaxTTL
	switch {
	case asked == nil || *asked <= 0:
		return ts.options.TTL
	case *asked >= most.Milliseconds():
		return most
	}
	return time.Duration(*asked) * time.Millisecond
}

// drop forgets a task whose time is over. If its handler still runs, it counts on until that returns: what a client can
// begin is bounded by what runs.
func (ts *tasks) drop(t *task) {
	ts.mu.Lock()
	if ts.all[t.id] == t {
		delete(ts.all, t.id)
		o := ts.owners[t.principal]
		o.kept = slices.DeleteFunc(o.kept, func(other *task) bool { return other == t })
		if t.gone = true; t.returned {
			ts.release(t)
		}
	}
	ts.mu.Unlock()
	t.expire()
}

// done notes that the handler of a task has returned.
func (ts *tasks) done(t *task) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if t.returned = true; t.gone {
		ts.release(t)
	}
}

// release makes room for another task. The lock is held.
func (ts *tasks) release(t *task) {
	ts.held--
	o := ts.owners[t.principal]
	if o.held--; o.held == 0 {
		delete(ts.owners, t.principal)
	}
}

// find returns the principal's task, or nil.
func (ts *tasks) find(principal, id string) *task {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if t := ts.all[id]; t != nil && t.principal == principal {
		return t
	}
	return nil
}

// now returns how a task stands, and after how many changes.
func (ts *tasks) now(id string) (now protocol.Task, changes int, ok bool) {
	ts.mu.Lock()
	t := ts.all[id]
	ts.mu.Unlock()
	if t == nil {
		return protocol.Task{}, 0, false
	}
	now, changes = t.look()
	return now, changes, true
}

// page returns tasks of a principal behind a cursor, nil for the first, the oldest first.
func (ts *tasks) page(principal string, cursor *string, size int) (list []*task, next *string, err error) {
	after := uint64(0)
	if cursor != nil {
		if after, err = readTaskCursor(*cursor); err != nil {
			return nil, nil, err
		}
	}
	ts.mu.Lock()
	defer ts.mu.Unlock()
	o := ts.owners[principal]
	if o == nil {
		return nil, nil, nil
	}
	start, _ := slices.BinarySearchFunc(o.kept, after+1, func(t *task, n uint64) int {
		return int(int64(t.number) - int64(n))
	})
	end := start + min(size, len(o.kept)-start)
	if end < len(o.kept) {
		next = new(taskCursor(o.kept[end-1].number))
	}
	return slices.Clone(o.kept[start:end]), next, nil
}

// A task cursor is Base64 of a version and the number of the task behind which a page begins.
const taskCursorVersion = 2

func taskCursor(number uint64) string {
	return base64.RawURLEncoding.EncodeToString(binary.AppendUvarint([]byte{taskCursorVersion}, number))
}

func readTaskCursor(s string) (uint64, error) {
	b, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil || len(b) < 2 || b[0] != taskCursorVersion {
		return 0, errCursor
	}
	number, n := binary.Uvarint(b[1:])
	if n != len(b)-1 || number > 1<<62 {
		return 0, errCursor
	}
	return number, nil
}

// run runs f beside its caller, unless the server is closed.
func (ts *tasks) run(f func()) error {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.closed {
		return errClosed
	}
	ts.running++
	go func() {
		defer ts.ran()
		f()
	}()
	return nil
}

func (ts *tasks) ran() {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.running--; ts.running == 0 && ts.closed {
		close(ts.idle)
	}
}

// closeGrace is how long close waits for handlers that ignore that their context has ended.
const closeGrace = 5 * time.Second

// close ends all tasks, and waits until their handlers have returned.
func (ts *tasks) close() error {
	ts.mu.Lock()
	if ts.closed {
		ts.mu.Unlock()
		return nil
	}
	ts.closed = true
	if ts.running == 0 {
		close(ts.idle)
	}
	var all []*task
	for _, t := range ts.all {
		all = append(all, t)
	}
	ts.mu.Unlock()
	for _, t := range all {
		t.expiry.Stop()
		t.close()
	}
	late := time.NewTimer(closeGrace)
	defer late.Stop()
	select {
	case <-ts.idle:
		return nil
	case <-late.C:
		return fmt.Errorf("server: handlers of tasks still run %v after their context has ended", closeGrace)
	}
}
