// Package stdio serves the protocol over standard input and output, one message a line: all revisions on one pipe. A
// message that carries its own revision is served by itself; initialize opens the one session that the pipe has.
//
//	err := stdio.Run(ctx, s)
package stdio

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/parley-mcp/parley/internal/jsonrpc"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/transport/internal/rpc"
)

// Options configure Serve. The zero value is the default.
type Options struct {
	// MaxLine is the size of a message in bytes; 4 MiB if zero.
	MaxLine int
	// MaxDepth is how deeply a message may nest; 128 if zero.
	MaxDepth int
	// MaxBatch is how many messages a batch may hold, where the revision has batches; 100 if zero.
	MaxBatch int
	// MaxCalls is how many requests may run at once; 1000 if zero. One more is refused.
	MaxCalls int
	// CallTimeout is how long a call may run before its context ends; 15 min if zero, no bound if negative.
	CallTimeout time.Duration
	// AskTimeout is how long a client may take to answer a question; 5 min if zero. A sign of progress grants it anew, up
	// to ten times as long in all.
	AskTimeout time.Duration
	// Linger is how long calls may still run once the input has ended, before they are cancelled; 5 s if zero.
	Linger time.Duration
}

func (o *Options) complete() error {
	if o.MaxLine < 0 || o.MaxDepth < 0 || o.MaxBatch < 0 || o.MaxCalls < 0 || o.Linger < 0 || o.AskTimeout < 0 {
		return errors.New("stdio: Options has a negative limit")
	}
	set(&o.MaxLine, 4<<20)
	set(&o.MaxDepth, 128)
	set(&o.MaxBatch, 100)
	set(&o.MaxCalls, 1000)
	set(&o.CallTimeout, 15*time.Minute)
	set(&o.AskTimeout, 5*time.Minute)
	set(&o.Linger, 5*time.Second)
	return nil
}

func set[T comparable](option *T, value T) {
	var zero T
	if *option == zero {
		*option = value
	}
}

// Run serves s on the standard input and output of this process until the input ends. For that time os.Stdout is
// os.Stderr and os.Stdin is empty, so that neither a tool nor a program that it starts gets hold of the real ones.
func Run(ctx context.Context, s *server.Server) error {
	empty, err := os.Open(os.DevNull)
	if err != nil {
		return fmt.Errorf("stdio: %w", err)
	}
	in, out := os.Stdin, os.Stdout
	os.Stdin, os.Stdout = empty, os.Stderr
	defer func() {
		os.Stdin, os.Stdout = in, out
		_ = empty.Close()
	}()
	return Serve(ctx, s, in, out, Options{})
}

// Serve serves s on a pipe of its own until in ends, answers what is still running, and returns nil. When ctx ends first,
// calls are cancelled and its error returned; a read of in that blocks is then left behind until in is closed. A call that
// ignores that it is cancelled is left behind after another Options.Linger; what it says is dropped.
func Serve(ctx context.Context, s *server.Server, in io.Reader, out io.Writer, o Options) error {
	if err := o.complete(); err != nil {
		return err
	}
	p := newPipe(ctx, s, out, o)
	ended := make(chan error, 1)
	go func() { ended <- p.read(in) }()
	var err error
	select {
	case err = <-ended:
		p.questions.Close()
		close(p.ending)
		p.running.close()
		p.running.wait(o.Linger)
	case <-p.life.Done(): // ctx has ended, or the output is broken
		p.running.close()
	}
	if err == nil {
		err = ctx.Err()
	}
	p.stop(nil)
	p.running.wait(o.Linger)
	if changes := p.session.changes; changes != nil {
		changes.Close()
	}
	return errors.Join(err, p.close())
}

// A pipe is the state of one Serve.
type pipe struct {
	server  *server.Server
	options Options
	served  *rpc.Served

	life context.Context
	stop context.CancelCauseFunc
	// ending is closed when the input has ended: what lasts comes to its end.
	ending    chan struct{}
	calls     rpc.Calls
	questions rpc.Questions
	running   jobs
	slots     chan struct{}

	session handshake

	mu  sync.Mutex // of writing
	out io.Writer
	// fault is why nothing can be written any more.
	fault atomic.Pointer[error]
}

var errClosed = errors.New("the pipe is closed")

func newPipe(ctx context.Context, s *server.Server, out io.Writer, o Options) *pipe {
	p := &pipe{
		server:  s,
		options: o,
		served:  rpc.NewServed(s.Codecs(), false),
		slots:   make(chan struct{}, o.MaxCalls),
		out:     out,
		ending:  make(chan struct{}),
		session: handshake{name: rand.Text()},
	}
	p.life, p.stop = context.WithCancelCause(ctx)
	return p
}

// read reads lines until the end of the input.
func (p *pipe) read(in io.Reader) error {
	r := bufio.NewReaderSize(in, 64<<10)
	for p.life.Err() == nil {
		line, err := readLine(r, p.options.MaxLine)
		switch {
		case errors.Is(err, errTooLong):
			_ = p.write(jsonrpc.AppendError(nil, jsonrpc.ID{}, &jsonrpc.Error{Code: jsonrpc.InvalidRequest, Message: err.Error()}))
			continue
		case len(line) > 0 && p.running.enter():
			p.line(line)
			p.running.leave()
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

var errTooLong = errors.New("invalid request: the message is too long")

// readLine returns the next line in memory of its own, without its end (LF or CRLF) and without blanks around it. A line
// that is longer than the limit without its end is read to its end and dropped.
func readLine(r *bufio.Reader, limit int) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if long = long || len(line)+len(part) > limit+len("\r\n"); !long {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		line = bytes.Trim(line, " \t\r\n")
		if long || len(line) > limit {
			line = nil
			if err == nil {
				err = errTooLong
			}
		}
		return line, err
	}
}

// write writes one message, whole.
func (p *pipe) write(message []byte) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.broken(); err != nil {
		return err
	}
	if _, err := p.out.Write(append(message, '\n')); err != nil {
		p.fault.Store(&err)
		p.stop(err)
		return err
	}
	return nil
}

// close lets nothing more be written, and returns why nothing could before. It waits for no write, since one may hang.
func (p *pipe) close() error {
	if p.mu.TryLock() {
		defer p.mu.Unlock()
	}
	err := p.broken()
	p.fault.CompareAndSwap(nil, &errClosed)
	return err
}

func (p *pipe) broken() error {
	if err := p.fault.Load(); err != nil {
		return *err
	}
	return nil
}
