package streamable

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
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

	ended atomic.Bool

	mu        sync.Mutex    // of what follows, and of writing, for which a slow reader may take its time
	next      int           // number of the next event
	changed   chan struct{} // closed when conn or ended change
	keepAlive *time.Timer

	// quick is never held while a client is waited for. With it alone conn can be read; changing conn takes mu too.
	quick     sync.Mutex
	conn      *conn // nil while nobody reads
	forgotten bool  // it can no longer be resumed
}

// A conn is one connection that a stream is sent over.
type conn struct {
	w  http.ResponseWriter
	rc *http.ResponseController
	// until is when a write fails; the stream's lock guards it. lasts: it may pass while nothing is written, as in HTTP/1.
	until time.Time
	lasts bool
	// cut: nothing more is to be written.
	cut atomic.Bool
}

func newConn(q *request) *conn {
	return &conn{w: q.w, rc: http.NewResponseController(q.w), lasts: q.r.ProtoMajor == 1}
}

func newStream(h *Handler, session, name string) *stream {
	return &stream{h: h, session: session, name: name, changed: make(chan struct{})}
}

// attach begins a stream over a connection. prime gives the client an event id at once, to come back with.
func (s *stream) attach(c *conn, prime bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open(c)
	if prime && s.name != "" {
		s.append(sse.AppendPriming(nil, eventID(s.name, s.next)))
	} else {
		s.write(nil)
	}
}

// resume goes on over another connection, behind the event with the given number. It fails if events since are no longer
// kept.
func (s *stream) resume(c *conn, number int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var lacking [][]byte
	if number != s.next-1 {
		var ok bool
		if lacking, ok = s.h.options.EventLog.After(s.session, s.name, number); !ok {
			return errNotKept
		}
	}
	s.open(c)
	s.write(nil)
	for _, e := range lacking {
		s.write(e)
	}
	return nil
}

// open begins an answer that is an event stream. The lock is held.
func (s *stream) open(c *conn) {
	header := c.w.Header()
	header.Set("Content-Type", typeSSE)
	header.Set("Cache-Control", "no-cache")
	header.Set("X-Accel-Buffering", "no")
	c.w.WriteHeader(http.StatusOK)
	s.replace(c)
}

// detach gives a connection up, if the stream still uses it.
func (s *stream) detach(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == c {
		s.letGo()
	}
}

// letGo gives up a connection that is in order: what ends the exchange can still be written. The lock is held.
func (s *stream) letGo() {
	c := s.conn
	s.replace(nil)
	if c != nil && (c.lasts || c.cut.Load()) { // nobody cuts it from now on
		_ = c.rc.SetWriteDeadline(time.Time{})
	}
}

// grace is how long who gives up a connection waits for somebody who is still writing to it.
const grace = time.Second

// drop is detach for a connection whose reader may be slow.
func (s *stream) drop(c *conn) {
	late := time.AfterFunc(grace, func() { s.cut(c) })
	defer late.Stop()
	s.detach(c)
}

// cut ends what is being written to a connection, if the stream still uses it; nil is whatever it uses.
func (s *stream) cut(c *conn) {
	s.quick.Lock()
	defer s.quick.Unlock()
	if now := s.conn; now != nil && (c == nil || c == now) {
		now.cut.Store(true)
		_ = now.rc.SetWriteDeadline(time.Unix(1, 0)) // not every writer can
	}
}

// replace changes the connection. The lock is held.
func (s *stream) replace(c *conn) {
	s.quick.Lock()
	s.conn = c
	s.quick.Unlock()
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
	return s.conn, s.ended.Load(), s.changed
}

// send sends a message. The error is that nobody reads, and nobody will.
func (s *stream) send(message []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended.Load() {
		return errNobody
	}
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
	s.keep(event)
	s.next++
	s.write(event)
}

func (s *stream) keep(event []byte) {
	s.quick.Lock()
	defer s.quick.Unlock()
	if !s.forgotten {
		s.h.options.EventLog.Append(s.session, s.name, s.next, event)
	}
}

// write sends bytes over the connection, and the header before, within the time that a slow reader has. The lock is held.
func (s *stream) write(b []byte) {
	c := s.conn
	if c == nil {
		return
	}
	c.extend(s.h.options.WriteTimeout)
	if c.cut.Load() {
		s.letGo()
		return
	}
	if !c.write(b) {
		s.replace(nil)
		return
	}
	if !c.lasts {
		_ = c.rc.SetWriteDeadline(time.Time{}) // HTTP/2 ends a stream whose deadline passes, written to or not
	}
}

// extend gives a write the time that a slow reader has, or up to half as much again: setting deadlines was a tenth of what
// an announcement to many streams cost.
func (c *conn) extend(timeout time.Duration) {
	now := time.Now()
	if c.lasts && c.until.Sub(now) >= timeout {
		return
	}
	c.until = now.Add(timeout + timeout/2)
	_ = c.rc.SetWriteDeadline(c.until) // not every writer can
}

func (c *conn) write(b []byte) bool {
	if _, err := c.w.Write(b); err != nil {
		return false
	}
	err := c.rc.Flush()
	return err == nil || errors.Is(err, http.ErrNotSupported)
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
	s.ended.Store(true)
	s.letGo()
}

// stop is end and forget for streams some of whose readers may be slow.
func stop(streams map[string]*stream) {
	late := time.AfterFunc(grace, func() {
		for _, s := range streams {
			s.cut(nil)
		}
	})
	defer late.Stop()
	for _, s := range streams {
		s.forget()
		s.end()
	}
}

// forget keeps nothing from now on for the stream to be resumed.
func (s *stream) forget() {
	s.quick.Lock()
	defer s.quick.Unlock()
	s.forgotten = true
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
