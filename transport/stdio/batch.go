package stdio

import (
	"sync"

	"github.com/parley-mcp/parley/internal/jsonrpc"
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/transport/internal/rpc"
)

// batch serves an array where the session's revision has them (2025-03-26 basic#batching): its responses are one array,
// written when the last of them is there.
func (p *pipe) batch(messages []jsonrpc.Parsed) {
	if err := p.checkBatch(messages); err != nil {
		body, _ := rpc.AppendError(nil, jsonrpc.ID{}, p.server.Codecs()[0], err)
		_ = p.write(body)
		return
	}
	b := &answers{pipe: p, left: len(messages)}
	for i := range messages {
		p.message(&messages[i], b.add)
	}
}

func (p *pipe) checkBatch(messages []jsonrpc.Parsed) error {
	p.session.mu.Lock()
	defer p.session.mu.Unlock()
	if !p.session.opened || !p.session.codec.Features().Batching.Holds() {
		return protocol.InvalidRequest("there are no batches here: send one message a line")
	}
	for _, m := range messages {
		switch {
		case m.Method == protocol.MethodInitialize:
			return protocol.InvalidRequest("initialize cannot be part of a batch")
		case rpc.ClaimsVersion(&m.Message):
			return protocol.InvalidRequest("a request that names its revision in _meta cannot be part of a batch")
		}
	}
	return nil
}

// answers collects the responses of a batch.
type answers struct {
	pipe *pipe
	mu   sync.Mutex
	left int
	out  []byte
}

// add takes the response to one message, nil if there is none.
func (b *answers) add(response []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if response != nil {
		if b.out == nil {
			b.out = []byte{'['}
		} else {
			b.out = append(b.out, ',')
		}
		b.out = append(b.out, response...)
	}
	if b.left--; b.left == 0 && b.out != nil {
		_ = b.pipe.write(append(b.out, ']'))
	}
}
