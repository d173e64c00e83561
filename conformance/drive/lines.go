package drive

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// Lines is a [Conn] that speaks one message a line over two streams.
type Lines struct {
	in       io.ReadCloser
	out      io.WriteCloser
	life     *Exchange
	arrivals chan Arrival
	closing  chan struct{}
	once     sync.Once
	running  sync.WaitGroup
}

// NewLines returns a connection that reads from in and writes to out, both of which it closes.
func NewLines(in io.ReadCloser, out io.WriteCloser) *Lines {
	l := &Lines{in: in, out: out, life: &Exchange{Label: "process"}, arrivals: make(chan Arrival, 16),
		closing: make(chan struct{})}
	l.running.Go(l.read)
	return l
}

// Arrivals implements Conn.
func (l *Lines) Arrivals() <-chan Arrival { return l.arrivals }

// Hangup implements Conn: it closes the server's input.
func (l *Lines) Hangup(*Exchange) { _ = l.out.Close() }

// Close implements Conn.
func (l *Lines) Close() {
	l.once.Do(func() { close(l.closing) })
	_, _ = l.out.Close(), l.in.Close()
	l.running.Wait()
}

// Send implements Conn. It waits until the server has taken the bytes, or ctx ends.
func (l *Lines) Send(ctx context.Context, r Request) (*Exchange, error) {
	if w, ok := l.out.(interface{ SetWriteDeadline(time.Time) error }); ok {
		deadline, _ := ctx.Deadline()
		_ = w.SetWriteDeadline(deadline)
		defer context.AfterFunc(ctx, func() { _ = w.SetWriteDeadline(time.Unix(1, 0)) })()
	}
	line := append(append([]byte(nil), r.Body...), '\n')
	x := &Exchange{Label: r.Label, Request: r}
	_, _ = x.sent.Write(line)
	if _, err := l.out.Write(line); err != nil {
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return x, errors.New("the server does not read its standard input")
		}
		return x, fmt.Errorf("the server's standard input is closed: %w", err)
	}
	return x, nil
}

// read hands over what comes, line by line. A line that is too long ends the conversation, but reading goes on behind it, so
// that a process never blocks on what nobody reads.
func (l *Lines) read() {
	in := bufio.NewReaderSize(l.in, 64<<10)
	for {
		line, long, err := readLine(in)
		if len(line) > 0 || err == nil {
			l.deliver(Arrival{Kind: Frame, Exchange: l.life, Data: line})
		}
		if long {
			l.deliver(Arrival{Kind: End, Exchange: l.life, Err: ErrFlood})
		}
		if err != nil {
			l.deliver(Arrival{Kind: End, Exchange: l.life})
			return
		}
	}
}

// readLine reads one line without its line feed, cut to MaxEvidence if it is longer than MaxFrame.
func readLine(in *bufio.Reader) (line []byte, long bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if !long {
			line = append(line, part...)
		}
		if len(line) > MaxFrame {
			line, long = line[:MaxEvidence:MaxEvidence], true
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			if n := len(line); n > 0 && line[n-1] == '\n' {
				line = line[:n-1]
			}
			return line, long, err
		}
	}
}

func (l *Lines) deliver(a Arrival) {
	select {
	case l.arrivals <- a:
	case <-l.closing:
	}
}
