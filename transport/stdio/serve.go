package stdio

import (
	"context"
	"errors"
	"sync"

	"github.com/parley-mcp/parley/internal/jsonrpc"
	"github.com/parley-mcp/parley/internal/rawjson"
	"github.com/parley-mcp/parley/negotiate"
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/transport/internal/rpc"
)

// A handshake is the one session that a pipe can have.
type handshake struct {
	name   string // of the session, for the server alone
	mu     sync.Mutex
	opened bool
	codec  protocol.Codec
	init   *protocol.InitializeParams
	level  protocol.LogLevel
	// changes is the session's subscription, once there is one; announcing: it is being read.
	changes    *server.Subscription
	announcing bool
}

// line serves one line.
func (p *pipe) line(line []byte) {
	packet, fault := p.served.Parse(line, p.options.MaxDepth, p.options.MaxBatch)
	switch {
	case fault != nil:
		_ = p.write(jsonrpc.AppendError(nil, jsonrpc.ID{}, fault))
	case packet.Batch:
		p.batch(packet.Messages)
	default:
		p.message(&packet.Single, p.respond)
	}
}

// respond writes a response, nil if there is none.
func (p *pipe) respond(response []byte) {
	if response != nil {
		_ = p.write(response)
	}
}

// message serves one message. respond gets its response, or nil if there is none.
func (p *pipe) message(m *jsonrpc.Parsed, respond func([]byte)) {
	switch {
	case m.Error != nil:
		respond(jsonrpc.AppendError(nil, m.ID, m.Error))
	case m.Kind == jsonrpc.Request:
		p.request(&m.Message, respond)
	case m.Kind == jsonrpc.Response:
		p.questions.Answered("", &m.Message)
		respond(nil)
	default:
		p.notified(&m.Message)
		respond(nil)
	}
}

// notified acts on a notification. They have the same form at all revisions that have them; whatever is unknown is ignored.
func (p *pipe) notified(m *jsonrpc.Message) {
	switch m.Method {
	case protocol.NotificationCancelled:
		raw, _ := rawjson.Lookup(m.Params, "requestId")
		if id, ok := jsonrpc.ParseID(raw); ok {
			p.calls.Cancel("", id)
		}
	case protocol.NotificationProgress:
		if token, ok := rawjson.Lookup(m.Params, "progressToken"); ok {
			p.questions.Progressed("", token)
		}
	case protocol.NotificationInitialized:
		p.announce()
	}
}

func (p *pipe) request(m *jsonrpc.Message, respond func([]byte)) {
	in, err := p.choose(m)
	if err != nil {
		body, _ := rpc.AppendError(nil, m.ID, in.Codec, err)
		respond(body)
		return
	}
	if m.Method == protocol.MethodInitialize && !isPerRequest(in.Codec) {
		p.initialize(m, in, respond) // before the next line is read, which may depend on it
		return
	}
	p.start(m, in, respond)
}

// Negotiated implements negotiate.Session. The session's lock is held, and it is open.
func (p *pipe) Negotiated() (protocol.Revision, error) {
	return p.session.codec.Features().Revision, nil
}

// choose applies the negotiation's rules, and returns what is then known. With an error it is in whose words to put it.
func (p *pipe) choose(m *jsonrpc.Message) (*server.Incoming, error) {
	version, err := p.served.Claim(m)
	if err != nil {
		return &server.Incoming{Codec: p.served.Words(protocol.PerRequest)}, err
	}
	claims := negotiate.Claims{Method: m.Method, Meta: version}
	if m.Method == protocol.MethodInitialize {
		claims.Requested = rpc.RequestedVersion(m)
	}
	p.session.mu.Lock()
	defer p.session.mu.Unlock()
	if p.session.opened {
		claims.Session = p
	}
	d, err := p.served.Select(claims)
	if errors.Is(err, negotiate.ErrSessionRequired) {
		if m.Method == protocol.MethodPing { // allowed before initialize (2025-11-25 basic/lifecycle#initialization)
			return &server.Incoming{Codec: p.served.Words(d.Lifecycle)}, nil
		}
		err = protocol.InvalidRequest("send initialize first")
	}
	if err != nil {
		return &server.Incoming{Codec: p.served.Words(d.Lifecycle)}, err
	}
	in := &server.Incoming{Closing: p.ending, Codec: p.served.Codec(d.Revision), Principal: p.server.PrincipalOf(p.life, nil)}
	in.Meta, err = in.Codec.DecodeMeta(m.Meta)
	if d.Lifecycle == protocol.PerRequest {
		in.Client, in.Capabilities = in.Meta.Client, in.Meta.Capabilities
		return in, err
	}
	in.Session = p // an initialize too will have one
	if p.session.opened {
		in.Client, in.Capabilities, in.LogLevel = &p.session.init.Client, &p.session.init.Capabilities, p.session.level
	}
	return in, nil
}

func isPerRequest(c protocol.Codec) bool { return c.Features().Lifecycle == protocol.PerRequest }

// initialize opens the session. It cannot be cancelled.
func (p *pipe) initialize(m *jsonrpc.Message, in *server.Incoming, respond func([]byte)) {
	in.Stream, in.LogLevel = nil, 0
	response := rpc.Answer(p.life, p.server, m, in, nil)
	if response.Result != nil {
		p.session.mu.Lock()
		p.session.opened, p.session.codec, p.session.level = true, in.Codec, 0
		p.session.init = in.Params.(*protocol.InitializeParams)
		p.session.mu.Unlock()
	}
	respond(response.Message())
}

// SetLevel implements server.Session.
func (p *pipe) SetLevel(_ context.Context, level protocol.LogLevel) error {
	p.session.mu.Lock()
	defer p.session.mu.Unlock()
	p.session.level = level
	return nil
}

// start runs a request beside the reading of further lines: those that change what comes after run at once.
func (p *pipe) start(m *jsonrpc.Message, in *server.Incoming, respond func([]byte)) {
	refuse := func(err error) {
		body, _ := rpc.AppendError(nil, m.ID, in.Codec, err)
		respond(body)
	}
	select {
	case p.slots <- struct{}{}:
	default:
		refuse(&protocol.Error{Kind: protocol.KindInternal, Message: "too many requests at once: wait for answers"})
		return
	}
	ctx, cancel := context.WithCancelCause(p.life)
	in.Stream = &stream{p, in.Codec}
	running := new(rpc.Running)
	if !p.calls.Start("", running, m.ID, rpc.CancelFunc(cancel)) {
		cancel(nil)
		<-p.slots
		refuse(protocol.InvalidRequest("a request with the id %s is still running", m.ID))
		return
	}
	run := func() {
		defer func() { <-p.slots }()
		defer cancel(nil)
		out, gone := p.run(ctx, m, in)
		p.calls.Done("", running)
		if gone {
			out = nil
		}
		respond(out)
	}
	if changesSession[m.Method] {
		run()
		return
	}
	if !p.running.run(run) { // the pipe has been closed since this line was read
		p.calls.Done("", running)
		cancel(nil)
		<-p.slots
		respond(nil)
	}
}

// changesSession are the methods that change what comes after them, and so are done before the next line is read.
var changesSession = map[string]bool{
	protocol.MethodSetLevel:             true,
	protocol.MethodResourcesSubscribe:   true,
	protocol.MethodResourcesUnsubscribe: true,
}

// run handles a request. gone is true if the client has cancelled it.
func (p *pipe) run(ctx context.Context, m *jsonrpc.Message, in *server.Incoming) (out []byte, gone bool) {
	timed := ctx
	if p.options.CallTimeout > 0 && m.Method != protocol.MethodListen {
		var cancel context.CancelFunc
		timed, cancel = context.WithTimeout(ctx, p.options.CallTimeout)
		defer cancel()
	}
	response := rpc.Answer(timed, p.server, m, in, nil)
	return response.Message(), errors.Is(context.Cause(ctx), rpc.ErrCancelled)
}
