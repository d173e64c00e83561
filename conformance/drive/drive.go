package drive

import (
	"context"
	"errors"
	"net/http"
	"sync"

	"github.com/parley-mcp/parley/internal/sse"
)

// Bounds, in bytes.
const (
	// MaxFrame bounds one message: a body, an event or a line.
	MaxFrame = 8 << 20
	// MaxAnswer bounds everything that one HTTP answer may carry.
	MaxAnswer = 64 << 20
	// MaxEvidence bounds what is kept of each direction of an exchange.
	MaxEvidence = 16 << 10
)

// ErrHungUp is how an exchange ends that the client itself closed.
var ErrHungUp = errors.New("the client closed the connection")

// ErrFlood is how an answer ends that is larger than MaxAnswer, and how a message ends that is larger than MaxFrame.
var ErrFlood = errors.New("the server sends more than the harness keeps")

// A Conn is one client's connection to a server: over HTTP the endpoint, over stdio a process.
type Conn interface {
	// Send puts a request on the wire. Over HTTP it returns at once, and how it went shows in what arrives; over stdio it
	// returns when the bytes are written.
	Send(ctx context.Context, r Request) (*Exchange, error)
	// Hangup closes the answer to an exchange; over stdio it closes the server's input.
	Hangup(x *Exchange)
	// Arrivals hands over what the server sends, in order for each exchange. It is never closed.
	Arrivals() <-chan Arrival
	// Close ends everything that the connection started, and waits for it.
	Close()
}

// A Request is what the client sends in one step.
type Request struct {
	Label string
	// Body is sent as it is. Over stdio a line feed is put behind it.
	Body []byte
	// The rest is for HTTP alone. Method defaults to POST; Path replaces the path of the endpoint if it is not empty.
	Method, Path string
	Header       []Field
	// Split are the offsets at which pieces of the body end; each piece is a chunk of its own.
	Split []int
	// Length is the Content-Length to claim; nil for the true one.
	Length *int
	// Hangup closes the connection when the request is out.
	Hangup bool
}

// A Field is one header line. A Request may hold the same name twice.
type Field struct{ Name, Value string }

// An ArrivalKind says what arrived.
type ArrivalKind int

const (
	// Head: the status and the headers of an HTTP answer are there.
	Head ArrivalKind = iota
	// Frame: a body, the data of an event, or a line.
	Frame
	// Bare: an event that carries no message.
	Bare
	// End: nothing more comes of this exchange, or of the process.
	End
)

// An Arrival is one thing that came from the server.
type Arrival struct {
	Kind ArrivalKind
	// Exchange is the HTTP exchange it belongs to; over stdio it is that of the process.
	Exchange *Exchange
	// Data is the frame, not looked at.
	Data []byte
	// Event holds the fields of the event that carried the frame; nil if it came otherwise.
	Event *sse.Event
	// Err says why the exchange ended; nil if it ended in order.
	Err error
}

// An Exchange is one HTTP request with its answer, or the whole life of a process. Its methods may be used while it runs.
type Exchange struct {
	// Label is that of the request.
	Label string
	// Request is what was sent.
	Request Request

	cancel   context.CancelCauseFunc
	mu       sync.Mutex
	status   int
	header   http.Header
	sent     evidence
	received evidence
}

// Status returns the status of the answer, or 0 as long as there is none.
func (x *Exchange) Status() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.status
}

// Header returns the headers of the answer, or nil as long as there are none.
func (x *Exchange) Header() http.Header {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.header
}

// Sent returns the bytes that went out, cut at MaxEvidence.
func (x *Exchange) Sent() string { return x.sent.text() }

// Received returns the bytes that came so far, cut at MaxEvidence.
func (x *Exchange) Received() string { return x.received.text() }

func (x *Exchange) setHead(status int, header http.Header) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.status, x.header = status, header
}

// evidence keeps the first bytes of a direction and counts the rest.
type evidence struct {
	mu   sync.Mutex
	kept []byte
	lost int
}

func (e *evidence) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := min(len(p), MaxEvidence-len(e.kept))
	e.kept = append(e.kept, p[:n]...)
	e.lost += len(p) - n
	return len(p), nil
}

func (e *evidence) text() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.lost > 0 {
		return string(e.kept) + "\n... " + count(e.lost) + " more bytes"
	}
	return string(e.kept)
}
