package conformance

import (
	"context"
	"errors"
	"fmt"

	"github.com/parley-mcp/parley/conformance/drive"
	"github.com/parley-mcp/parley/conformance/match"
	"github.com/parley-mcp/parley/internal/sse"
)

// maxPending and maxPendingBytes bound the messages that wait for a step to take them.
const (
	maxPending      = 2000
	maxPendingBytes = 64 << 20
)

// An item is one message from the server that no step has taken yet, or something that is no message.
type item struct {
	// lane is what it is in order with: an item is never taken before the ones that came earlier on its lane.
	lane     string
	exchange *drive.Exchange
	raw      []byte
	value    *match.Value // nil if raw is no JSON
	parse    error
	event    *sse.Event // the event that carried it
	bare     bool       // an event without a message
	batch    *batch     // the array it came in
	stray    bool       // it has been judged where it came, such as text on the standard output, and disturbs nothing else
}

// A batch is an array of messages that came in one piece.
type batch struct{ items []*item }

func (it *item) id() *match.Value { return it.value.Get("id") }

func (it *item) method() string { return it.value.Get("method").Str() }

// response reports whether it is an answer.
func (it *item) response() bool {
	return it.value != nil && it.value.Get("method") == nil && (it.value.Get("result") != nil || it.value.Get("error") != nil)
}

// An inbox holds what has arrived.
type inbox struct {
	conn    drive.Conn
	items   []*item
	size    int  // bytes of the items
	heard   bool // something has come
	headed  map[*drive.Exchange]bool
	ended   map[*drive.Exchange]bool
	endErr  map[*drive.Exchange]error
	arrived func(*item) // is told of every item: gives it its lane, and looks at it
}

func newInbox(conn drive.Conn, arrived func(*item)) *inbox {
	return &inbox{conn: conn, headed: map[*drive.Exchange]bool{}, ended: map[*drive.Exchange]bool{},
		endErr: map[*drive.Exchange]error{}, arrived: arrived}
}

var errPending = errors.New("the server sends more messages than any step waits for")

// pull waits for one arrival and takes it in.
func (b *inbox) pull(ctx context.Context) error {
	if len(b.items) > maxPending || b.size > maxPendingBytes {
		return errPending
	}
	if err := ctx.Err(); err != nil {
		return err // a server that never stops must not keep a step from ending
	}
	select {
	case a := <-b.conn.Arrivals():
		b.heard = true
		b.take(a)
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (b *inbox) take(a drive.Arrival) {
	switch a.Kind {
	case drive.Head:
		b.headed[a.Exchange] = true
	case drive.End:
		b.ended[a.Exchange], b.endErr[a.Exchange] = true, a.Err
	case drive.Bare:
		b.add(&item{exchange: a.Exchange, event: a.Event, bare: true})
	case drive.Frame:
		b.frame(a)
	}
}

func (b *inbox) frame(a drive.Arrival) {
	it := &item{exchange: a.Exchange, event: a.Event, raw: a.Data}
	it.value, it.parse = match.Parse(a.Data)
	if it.value == nil || it.value.Kind != '[' || len(it.value.Items) == 0 {
		b.add(it)
		return
	}
	group := &batch{}
	for _, v := range it.value.Items {
		member := &item{exchange: a.Exchange, event: a.Event, raw: []byte(v.String()), value: v, batch: group}
		group.items = append(group.items, member)
		b.add(member)
	}
}

func (b *inbox) add(it *item) {
	b.arrived(it)
	b.items = append(b.items, it)
	b.size += len(it.raw)
}

// firsts returns the first item of every lane, in the order in which they came.
func (b *inbox) firsts() []*item {
	seen := map[string]bool{}
	var out []*item
	for _, it := range b.items {
		if !seen[it.lane] {
			seen[it.lane] = true
			out = append(out, it)
		}
	}
	return out
}

// remove takes items out.
func (b *inbox) remove(gone ...*item) {
	kept := b.items[:0]
next:
	for _, it := range b.items {
		for _, g := range gone {
			if it == g {
				b.size -= len(it.raw)
				continue next
			}
		}
		kept = append(kept, it)
	}
	clear(b.items[len(kept):])
	b.items = kept
}

// laneOf orders what came. Over HTTP a stream is in order, except that the answers of a batch may come in any order. Over
// stdio there is one stream for everything: there, what belongs to one request is in order.
func (p *player) laneOf(it *item) string {
	if it.value == nil || it.value.Kind != '{' {
		return "all"
	}
	if p.http {
		if it.batch != nil || p.batches[it.exchange] {
			return fmt.Sprintf("%p %s", it.exchange, it.id())
		}
		return fmt.Sprintf("%p", it.exchange)
	}
	if it.response() {
		return it.id().String()
	}
	params := it.value.Get("params")
	if key := p.facts.SubscriptionID; key != "" {
		if sub := params.Get("_meta", key); sub != nil {
			return "subscription " + sub.String()
		}
	}
	if token := params.Get("progressToken"); token != nil {
		if id := p.tokens[token.String()]; id != "" {
			return id
		}
	}
	if p.inFlight == 1 && it.method() != "" && !p.ambient(it) {
		return p.lastID
	}
	return "unasked"
}
