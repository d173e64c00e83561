package server

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/parley-mcp/parley/protocol"
)

// A Call is one request while it is handled: who asks, what the client can do, and how to tell it something before the
// answer. Its methods may be called from several goroutines, and do nothing once the request is answered.
type Call struct {
	server *Server
	in     *Incoming
	// mu guards what follows, and orders what is sent.
	mu       sync.Mutex
	answered bool
	progress float64
	reported bool
	rounds   rounds
	// work is set if the handler runs on a goroutine of its own: see Task.
	work *work
	pace *pace // once something was said
	// ctx ends when nobody wants the answer any more.
	ctx context.Context
}

// Incoming is what a transport knows of a request.
type Incoming struct {
	// ID and Method are the request's, ID as JSON. RawParams are its params as they came.
	ID        jsontext.Value
	Method    string
	RawParams jsontext.Value
	// Params are the decoded params.
	Params protocol.Params
	// RawMeta is the request's _meta, Meta what the protocol keeps in it.
	RawMeta jsontext.Value
	Meta    protocol.RequestMeta
	// Codec speaks the revision of the request.
	Codec protocol.Codec
	// Client and Capabilities are nil if they are not known.
	Client       *protocol.Implementation
	Capabilities *protocol.ClientCapabilities
	Principal    string
	// SessionID is empty without a session.
	SessionID string
	// LogLevel is the level that the session has set; zero if none.
	LogLevel protocol.LogLevel
	// Session is what the client can change of its session; nil without a session that remembers.
	Session Session
	// Header are the headers in which the client mirrors parts of the body; nil where there is no such duty.
	Header http.Header
	// Stream carries what is said before the answer; nil if nothing can.
	Stream Stream
	// Closing is closed when requests that last should come to their end; nil is never.
	Closing <-chan struct{}
	// Call is where NewCall puts the call, a zero Call; nil lets it take memory.
	Call *Call
}

// A Stream carries messages to the client ahead of a call's answer, in order.
type Stream interface {
	// Notify sends n, or fails because the client is gone.
	Notify(n protocol.Notification) error
	// Ask sends q as a request and waits for its answer. Its errors are ErrNoWayBack, a *ClientError, ErrMalformedAnswer,
	// that of ctx, and that nobody answered in time.
	Ask(ctx context.Context, q protocol.Question) (protocol.Answer, error)
	// Detach closes the connection and not the stream, which the client may take up again after the given time. It
	// reports whether it could.
	Detach(retry time.Duration) bool
}

// A Session is what a client can change of its session.
type Session interface {
	// Name names the session among all of the server's. It is a secret.
	Name() string
	SetLevel(ctx context.Context, level protocol.LogLevel) error
	// Watch and Unwatch name a resource of which the client wants to hear.
	Watch(ctx context.Context, uri string) error
	Unwatch(ctx context.Context, uri string)
}

// NewCall returns the call for a request, which keeps in. It is for transports.
func (s *Server) NewCall(in *Incoming) *Call {
	c := in.Call
	if c == nil {
		c = new(Call)
	}
	c.server, c.in, c.ctx = s, in, context.Background()
	return c
}

// Revision returns the revision that the client speaks.
func (c *Call) Revision() protocol.Revision { return c.in.Codec.Features().Revision }

// Client returns what the client calls itself, or nil if it did not say. It is not verified.
func (c *Call) Client() *protocol.Implementation { return c.in.Client }

// Capabilities returns what the client can do, or nil if that is not known: nothing may be asked of it then.
func (c *Call) Capabilities() *protocol.ClientCapabilities { return c.in.Capabilities }

// Principal returns who calls, as Options.Principal named it.
func (c *Call) Principal() string { return c.in.Principal }

// SessionID returns the id of the session, or "" without one. It is a secret: do not show it to others.
func (c *Call) SessionID() string { return c.in.SessionID }

// Meta returns the request's _meta as it came, or nil.
func (c *Call) Meta() jsontext.Value { return c.in.RawMeta }

// Params returns the request's params: a pointer to one of the ...Params types of package protocol.
func (c *Call) Params() protocol.Params { return c.in.Params }

// send sends n unless the request is answered. build is called under the lock and may return nil to send nothing.
func (c *Call) send(build func() protocol.Notification) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.work != nil && c.work.task != nil:
		if n := build(); n != nil {
			c.work.task.say(n)
		}
		return context.Cause(c.ctx)
	case c.in.Stream == nil, c.answered:
		return nil
	case c.ctx.Err() != nil:
		return context.Cause(c.ctx)
	}
	n := build()
	if n == nil {
		return nil
	}
	return c.in.Stream.Notify(n)
}

// Detach closes the connection on which the client waits, without giving up the call: the client comes back for the
// answer, after retry at the earliest. It reports whether that was possible: the client's revision has it, and there is a
// session that keeps the answer (2025-11-25 basic/transports#sending-messages-to-the-server). Where it is not, nothing happens.
func (c *Call) Detach(retry time.Duration) bool {
	return c.in.Stream != nil && c.task() == nil && !c.isAnswered() && c.in.Stream.Detach(retry)
}

// finish stops all sending, but that of a task.
func (c *Call) finish() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.work == nil || c.work.task == nil {
		c.sayLast()
	}
	c.answered = true
}

// sayLast says what its pace has held back. The lock is held.
func (c *Call) sayLast() {
	if c.pace == nil {
		return
	}
	for _, last := range c.pace.end() {
		if c.ctx.Err() == nil {
			_ = c.in.Stream.Notify(last) // a client that is gone needs no answer either
		}
	}
}

// paced returns the call's pace. The lock is held.
func (c *Call) paced() *pace {
	if c.pace == nil {
		c.pace = new(pace)
	}
	return c.pace
}

func (c *Call) isAnswered() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.answered
}
