package rpc

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/parley-mcp/parley/internal/jsonrpc"
	"github.com/parley-mcp/parley/internal/rawjson"
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
)

// Questions are the requests of the server that wait for an answer, by session and id. The zero value is ready.
type Questions struct {
	last   atomic.Int64
	mu     sync.Mutex
	open   map[string]map[string]*question
	closed bool
}

// A question waits.
type question struct {
	answer   chan jsonrpc.Message
	progress chan struct{}
	lost     chan struct{} // closed when no answer can come any more
}

// maxQuestions bounds how many questions of one session may be open.
const maxQuestions = 64

// mostGrants is how often a client that reports progress may take the time it has (2025-11-25 basic/lifecycle#timeouts).
const mostGrants = 10

var (
	errUnanswered   = errors.New("the client has not answered in time")
	errLost         = errors.New("the client is gone and cannot answer")
	errTooManyAsked = fmt.Errorf("the client has %d questions to answer already", maxQuestions)
)

// An Asker is how one call asks.
type Asker struct {
	Session string
	Codec   protocol.Codec
	// Timeout is how long the client may take; each sign of progress grants it anew, up to ten times as long in all.
	Timeout time.Duration
	// Send sends a message to the client.
	Send func(message []byte) error
}

// firstID is where ids begin: anywhere, so that an answer which a balancer brings to another replica of the server answers
// no question there.
var firstID = rand.Int64N(1 << 52)

// Ask sends a question and waits for its answer. A question that is given up is cancelled.
func (q *Questions) Ask(ctx context.Context, a Asker, ask protocol.Question) (protocol.Answer, error) {
	id := jsonrpc.Int64ID(firstID + q.last.Add(1))
	tracked := protocol.Tracked{Question: ask}
	if t, ok := ask.(*protocol.Tracked); ok {
		tracked = *t
	}
	tracked.ProgressToken = id.Raw()
	message, err := a.Codec.Append(jsonrpc.AppendRequestHead(nil, id, ask.Method()), &tracked)
	if err != nil {
		return nil, err
	}
	waiting := &question{answer: make(chan jsonrpc.Message, 1), progress: make(chan struct{}, 1), lost: make(chan struct{})}
	if err := q.add(a.Session, id, waiting); err != nil {
		return nil, err
	}
	defer q.remove(a.Session, id)
	if err := a.Send(jsonrpc.AppendEnd(message)); err != nil {
		return nil, err
	}
	m, err := q.wait(ctx, waiting, a.Timeout)
	if err != nil {
		a.cancel(id, err)
		return nil, err
	}
	if m.Err != nil {
		return nil, clientError(m.Err)
	}
	answer, err := a.Codec.DecodeAnswer(ask, m.Result)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %v", server.ErrMalformedAnswer, ask.Method(), err)
	}
	return answer, nil
}

func (q *Questions) wait(ctx context.Context, w *question, timeout time.Duration) (jsonrpc.Message, error) {
	timer, most := time.NewTimer(timeout), time.NewTimer(mostGrants*timeout)
	defer timer.Stop()
	defer most.Stop()
	for {
		select {
		case m := <-w.answer:
			return m, nil
		case <-w.progress:
			timer.Reset(timeout)
		case <-timer.C:
			return jsonrpc.Message{}, errUnanswered
		case <-most.C:
			return jsonrpc.Message{}, errUnanswered
		case <-w.lost:
			return jsonrpc.Message{}, errLost
		case <-ctx.Done():
			return jsonrpc.Message{}, context.Cause(ctx)
		}
	}
}

// cancel tells the client that its answer is no longer wanted (2025-11-25 basic/utilities/cancellation#cancellation-flow).
func (a *Asker) cancel(id jsonrpc.ID, why error) {
	n := &protocol.CancelledNotification{RequestID: id.Raw(), Reason: why.Error()}
	if message, err := AppendNotification(nil, a.Codec, n); err == nil {
		_ = a.Send(message)
	}
}

func clientError(raw jsontext.Value) error {
	code, _ := rawjson.Lookup(raw, "code")
	text, _ := rawjson.Lookup(raw, "message")
	e := &server.ClientError{}
	_, _ = fmt.Sscan(string(code), &e.Code) // anything else is 0
	e.Message, _ = rawjson.String(text)
	return e
}

func (q *Questions) add(session string, id jsonrpc.ID, w *question) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.closed:
		return errLost
	case len(q.open[session]) >= maxQuestions:
		return errTooManyAsked
	}
	if q.open == nil {
		q.open = map[string]map[string]*question{}
	}
	if q.open[session] == nil {
		q.open[session] = map[string]*question{}
	}
	q.open[session][id.Key()] = w
	return nil
}

func (q *Questions) remove(session string, id jsonrpc.ID) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.open[session], id.Key())
	if len(q.open[session]) == 0 {
		delete(q.open, session)
	}
}

func (q *Questions) find(session, key string) *question {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.open[session][key]
}

// Close gives up all questions, now and from now on: no answer can come any more.
func (q *Questions) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	for _, session := range q.open {
		for _, w := range session {
			close(w.lost)
		}
	}
	q.open = nil
}

// Answered takes a client's response. One that answers no open question of its session, or answers one twice, is ignored.
func (q *Questions) Answered(session string, m *jsonrpc.Message) {
	if w := q.find(session, m.ID.Key()); w != nil {
		select {
		case w.answer <- *m:
		default:
		}
	}
}

// Progressed takes a client's word that it is still working on a question.
func (q *Questions) Progressed(session string, token jsontext.Value) {
	if w := q.find(session, string(token)); w != nil {
		select {
		case w.progress <- struct{}{}:
		default:
		}
	}
}
