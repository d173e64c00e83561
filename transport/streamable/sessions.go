package streamable

import (
	"errors"
	"strconv"
	"sync"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
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
	readers []*stream          // that GET has opened and that are still read, the oldest first
	changes *server.Subscription
}

const (
	// maxStreams is how many streams of a session can be resumed; the oldest are given up.
	maxStreams = 64
	// maxReaders is how many streams a session may have open by GET at once. One more closes the oldest: a client that
	// reconnects while its old connection hangs must get through.
	maxReaders = 8
)

var errSessionOver = errors.New("the session has ended")

// get returns what the session has open.
func (o *openSessions) get(id string) *openSession {
	o.mu.Lock()
	defer o.mu.Unlock()
	s := o.all[id]
	if s == nil {
		if o.all == nil {
			o.all = map[string]*openSession{}
		}
		s = &openSession{id: id, ended: make(chan struct{}), streams: map[string]*stream{}}
		o.all[id] = s
	}
	return s
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
	s.names++
	name := strconv.Itoa(s.names)
	st := newStream(h, s.id, name)
	s.streams[name] = st
	s.order = append(s.order, name)
	if len(s.order) > maxStreams {
		delete(s.streams, s.order[0])
		s.order = s.order[1:]
	}
	return st
}

func (s *openSession) stream(name string) *stream {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.streams[name]
}

// read notes that a stream is read by GET; the function returned ends that.
func (s *openSession) read(st *stream) (done func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.readers = append(s.readers, st)
	if len(s.readers) > maxReaders {
		s.readers[0].end()
		s.readers = s.readers[1:]
	}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		for i, r := range s.readers {
			if r == st {
				s.readers = append(s.readers[:i:i], s.readers[i+1:]...)
				return
			}
		}
	}
}

// subscription returns the session's, which hears of all lists.
func (s *openSession) subscription(srv *server.Server) (*server.Subscription, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return nil, errSessionOver
	}
	if s.changes == nil {
		var err error
		if s.changes, err = srv.Subscribe(protocol.SubscriptionFilter{ToolsListChanged: true, PromptsListChanged: true, ResourcesListChanged: true}); err != nil {
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
	for _, st := range streams {
		st.end()
	}
	if changes != nil {
		changes.Close()
	}
	o.h.options.EventLog.Forget(id)
}
