package streamable

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/parley-mcp/parley/internal/sse"
)

// A stream is what a client reads as one stream of events, over one connection or, where it can be resumed, over several
// that follow each other. Who sends writes to the connection himself, so that a slow reader holds up nobody else; when it
// takes too long, it loses the connection.
type stream struct {
	h *Handler
	// name is the stream's within its session; empty for one whose events have no ids and are not kept.
	session, name string
	// standalone: the stream was opened by GET, for what the server says unprompted.
	standalone bool

	mu        sync.Mutex // of what follows, and of writing
	next      int        // number of the next event
	conn      *conn      // nil while nobody reads
	ended     bool
	changed   chan struct{} // closed when conn or ended change
	keepAlive *time.Timer
}

// A conn is one connection that a stream is sent over.
type conn struct {
	w  http.ResponseWriter
	rc *http.ResponseController
}

func newStream(h *Handler, session, name string) *stream {
	return &stream{h: h, session: session, name: name, changed: make(chan struct{})}
}

// attach begins a stream over a connection. prime gives the client an event id at once, to come back with.
func (s *stream) attach(w http.ResponseWriter, prime bool) *conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.open(w)
	if prime {
		s.append(sse.AppendPriming(nil, eventID(s.name, s.next)))
	}
	s.flush()
	return c
}

// resume goes on over another connection, behind the event with the given number. It fails if events since are no longer
// kept.
func (s *stream) resume(w http.ResponseWriter, number int) (*conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	lacking, ok := s.h.options.EventLog.After(s.session, s.name, number)
	if !ok {
		return nil, errNotKept
	}
	c := s.open(w)
	for _, e := range lacking {
		s.write(e)
	}
	s.flush()
	return c, nil
}

// open begins an answer that is an event stream. The lock is held.
func (s *stream) open(w http.ResponseWriter) *conn {
	header := w.Header()
	header.Set("Content-Type", typeSSE)
	header.Set("Cache-Control", "no-cache")
	header.Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	c := &conn{w, http.NewResponseController(w)}
	s.replace(c)
	return c
}

// detach gives a connection up, if the stream still uses it.
func (s *stream) detach(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == c {
		s.replace(nil)
		_ = c.rc.SetWriteDeadline(time.Time{})
	}
}

// replace changes the connection. The lock is held.
func (s *stream) replace(c *conn) {
	s.conn = c
	if s.keepAlive != nil {
		s.keepAlive.Stop()
		s.keepAlive = nil
	}
	if every := s.h.options.KeepAlive; c != nil && every > 0 {
		s.keepAlive = time.AfterFunc(every, s.comment)
	}
	close(s.changed)
	s.changed = make(chan struct{})
}

// state returns the connection, whether the stream is over, and a channel that is closed when one of them changes.
func (s *stream) state() (c *conn, ended bool, changed <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conn, s.ended, s.changed
}

// send sends a message. The error is that nobody reads, and nobody will.
func (s *stream) send(message []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.name == "" {
		buf := getBuffer()
		out := sse.AppendMessage(*buf, "", message)
		s.write(out)
		putBuffer(buf, out)
		if s.conn == nil {
			return errNobody
		}
		return nil
	}
	s.append(sse.AppendMessage(nil, eventID(s.name, s.next), message))
	return nil
}

var (
	errNobody  = fmt.Errorf("the client is gone: %w", context.Canceled)
	errNotKept = errors.New("events since Last-Event-ID are no longer kept")
)

// append keeps an event, which has the id of the next, and sends it. The lock is held.
func (s *stream) append(event []byte) {
	s.h.options.EventLog.Append(s.session, s.name, s.next, event)
	s.next++
	s.write(event)
}

// write sends bytes over the connection, within the time that a slow reader has. The lock is held.
func (s *stream) write(b []byte) {
	if s.conn == nil {
		return
	}
	_ = s.conn.rc.SetWriteDeadline(time.Now().Add(s.h.options.WriteTimeout)) // not every writer can
	if _, err := s.conn.w.Write(b); err != nil {
		s.replace(nil)
		return
	}
	s.flush()
}

// flush sends what was written, and the header. The lock is held.
func (s *stream) flush() {
	if s.conn == nil {
		return
	}
	if err := s.conn.rc.Flush(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		s.replace(nil)
	}
}

// comment keeps the connection open while nothing is said.
func (s *stream) comment() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil {
		return
	}
	if s.write(sse.AppendKeepAlive(nil)); s.keepAlive != nil {
		s.keepAlive.Reset(s.h.options.KeepAlive)
	}
}

// end ends the stream.
func (s *stream) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	if s.conn != nil {
		_ = s.conn.rc.SetWriteDeadline(time.Time{})
	}
	s.replace(nil)
}

// hangUp closes the connection and leaves the stream, which the client may take up again after retry. It reports whether
// the connection could be closed from here.
func (s *stream) hangUp(retry time.Duration) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil {
		return false
	}
	s.write(sse.AppendRetry(nil, retry))
	if s.conn == nil {
		return true // the client was faster
	}
	raw, _, err := s.conn.rc.Hijack()
	if err != nil {
		return false
	}
	s.replace(nil)
	_, _ = raw.Write([]byte("0\r\n\r\n")) // the end of a body in chunks, which is what it was
	_ = raw.Close()
	return true
}
