package streamable

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"

	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/session"
)

// openSessions are the sessions that have, or had, something open in this process beyond running calls: streams, and a
// subscription. A session that has never had takes no room.
type openSessions struct {
	h   *Handler
	mu  sync.Mutex
	all map[string]*openSession
}

// An openSession is what one session has open.
type openSession struct {
	id    string
	ended chan struct{} // closed when the session is over

	mu      sync.Mutex
	over    bool
	names   int
	streams map[string]*stream // that can be resumed, by name
	order   []string           // of their names, the oldest first
	readers []*reader          // the oldest first
	changes *server.Subscription
}

// A reader is a stream that is read by GET, over one connection.
type reader struct {
	stream *stream
	conn   *conn
}

const (
	// maxStreams is how many streams of a session can be resumed. One more makes it give up the oldest that is over, or else
	// the oldest.
	maxStreams = 64
	// maxReaders is how many streams a session may have open by GET at once. One more closes the oldest: a client that
	// reconnects while its old connection hangs must get through.
	maxReaders = 8
)

var errSessionOver = errors.New("the session has ended")

// get returns what the session of a request has open. If the session has ended since it was found, that is over already:
// nobody would tell of its end any more.
func (o *openSessions) get(q *request) *openSession {
	s, made := o.make(q.sessionID)
	if made {
		ctx := context.WithoutCancel(q.r.Context())
		if _, err := o.h.sessions.Get(ctx, q.sessionID, q.principal); errors.Is(err, session.ErrNotFound) {
			o.Ended(q.sessionID)
		}
	}
	return s
}

func (o *openSessions) make(id string) (s *openSession, made bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if s := o.all[id]; s != nil {
		return s, false
	}
	if o.all == nil {
		o.all = map[string]*openSession{}
	}
	s = &openSession{id: id, ended: make(chan struct{}), streams: map[string]*stream{}}
	o.all[id] = s
	return s, true
}

func (o *openSessions) find(id string) *openSession {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.all[id]
}

// newStream makes a stream that can be resumed.
func (s *openSession) newStream(h *Handler) *stream {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return newStream(h, "", "")
	}
	s.names++
	name := strconv.Itoa(s.names)
	st := newStream(h, s.id, name)
	s.streams[name] = st
	s.order = append(s.order, name)
	if len(s.order) > maxStreams {
		s.giveUp()
	}
	return st
}

// giveUp makes room for a stream. The lock is held.
func (s *openSession) giveUp() {
	i := max(0, slices.IndexFunc(s.order, func(name string) bool { return s.streams[name].ended.Load() }))
	s.streams[s.order[i]].forget()
	delete(s.streams, s.order[i])
	s.order = slices.Delete(s.order, i, i+1)
}

func (s *openSession) isOver() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.over
}

func (s *openSession) stream(name string) *stream {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.streams[name]
}

// read notes that a stream is read by GET; the function returned ends that.
func (s *openSession) read(st *stream, c *conn) (done func()) {
	r := &reader{st, c}
	if oldest := s.add(r); oldest != nil {
		oldest.stream.drop(oldest.conn) // from where its client may take it up again
	}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.readers = slices.DeleteFunc(s.readers, func(other *reader) bool { return other == r })
	}
}

// add adds a reader, and returns the one that is one too many.
func (s *openSession) add(r *reader) (oldest *reader) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.readers = append(s.readers, r)
	if len(s.readers) > maxReaders {
		oldest, s.readers = s.readers[0], s.readers[1:]
	}
	return oldest
}

// subscription returns the session's.
func (s *openSession) subscription(srv *server.Server) (*server.Subscription, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return nil, errSessionOver
	}
	if s.changes == nil {
		var err error
		if s.changes, err = srv.SubscribeSession(s.id); err != nil {
			return nil, err
		}
	}
	return s.changes, nil
}

// Busy implements session.Watcher.
func (o *openSessions) Busy(id string) bool {
	if o.h.calls.Busy(id) {
		return true
	}
	s := o.find(id)
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.readers) > 0
}

// Ended implements session.Watcher: it cancels the session's calls, closes its streams and forgets all of it.
func (o *openSessions) Ended(id string) {
	o.h.calls.Ended(id)
	o.mu.Lock()
	s := o.all[id]
	delete(o.all, id)
	o.mu.Unlock()
	if s == nil {
		return
	}
	s.mu.Lock()
	s.over = true
	streams, changes := s.streams, s.changes
	s.streams, s.changes = nil, nil
	s.mu.Unlock()
	close(s.ended)
	stop(streams)
	if changes != nil {
		changes.Close()
	}
	o.h.options.EventLog.Forget(id)
}
