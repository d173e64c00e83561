// Package agent runs one contender in a process of its own, which does what the benchmark tells it over its standard input
// and output, and ends when the input does. Each contender so has a heap, a collector and cores to itself.
package agent

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/rpc"
	"time"

	"github.com/parley-mcp/parley/bench/contender"
	"github.com/parley-mcp/parley/bench/measure"
	"github.com/parley-mcp/parley/bench/workload"
)

// An Agent is what the other process can call.
type Agent struct {
	contender contender.Contender
	server    contender.Server // while it serves over loopback
}

// Run serves calls about a contender until the input ends.
func Run(name string, in io.Reader, out io.Writer) error {
	c, err := contender.Find(name)
	if err != nil {
		return err
	}
	s := rpc.NewServer()
	if err := s.RegisterName("Agent", &Agent{contender: c}); err != nil {
		return err
	}
	s.ServeConn(pipes{in, out})
	return nil
}

type pipes struct {
	io.Reader
	io.Writer
}

func (pipes) Close() error { return nil }

// Task is a workload in a lane.
type Task struct {
	Workload string
	Lane     workload.Lane
	Tools    int // how many tools the server has; workload.StandardTools if 0
	For      time.Duration
	Cores    int // of Parallel
	// SendBuffer is how many bytes of a connection the kernel keeps for a reader that is late; 0 is its default.
	SendBuffer int
	Large      int // bytes that the tool workload.Large returns
}

// Features returns what a server for the task offers.
func (t *Task) Features() *workload.Features {
	n := t.Tools
	if n == 0 {
		n = workload.StandardTools
	}
	f := workload.NewFeatures(n)
	f.Large = t.Large
	return f
}

// InProcess times requests without a network.
func (a *Agent) InProcess(t Task, cell *measure.Cell) error {
	w, err := workload.Find(t.Workload)
	if err != nil {
		return err
	}
	b, err := measure.Prepare(a.contender, w, t.Lane, t.Features())
	if err == nil {
		*cell, err = b.Time(t.For)
	}
	return err
}

// Parallel has as many clients as cores call at once.
func (a *Agent) Parallel(t Task, rate *measure.Throughput) error {
	w, err := workload.Find(t.Workload)
	if err == nil {
		*rate, err = measure.Parallel(a.contender, w, t.Lane, t.Cores, t.For)
	}
	return err
}

// IdleSessions returns what an idle session costs when there are n.
func (a *Agent) IdleSessions(n int, each *measure.PerSession) (err error) {
	*each, err = measure.IdleSessions(a.contender, n)
	return err
}

// Serve begins to serve on a loopback port, and returns its address.
func (a *Agent) Serve(t Task, address *string) error {
	s, err := a.contender.New(t.Features(), t.Lane == workload.Sessions)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	a.server = s
	*address = l.Addr().String()
	go func() {
		err := (&http.Server{Handler: s, ReadHeaderTimeout: time.Minute}).Serve(bounded{l, t.SendBuffer})
		panic(fmt.Sprintf("the server has ended: %v", err)) // nobody closes it: the process ends first
	}()
	return nil
}

// Usage returns what this process uses; with collect, after collecting garbage.
func (a *Agent) Usage(collect bool, u *measure.Usage) error {
	*u = measure.Used(collect)
	return nil
}

// Change has the list of tools change n times.
func (a *Agent) Change(n int, _ *struct{}) error {
	for range n {
		a.server.ToolsChanged()
	}
	return nil
}

// bounded is a listener whose connections keep a bounded number of bytes for a reader that is late.
type bounded struct {
	net.Listener
	sendBuffer int
}

func (b bounded) Accept() (net.Conn, error) {
	c, err := b.Listener.Accept()
	if tcp, ok := c.(*net.TCPConn); ok && b.sendBuffer > 0 {
		_ = tcp.SetWriteBuffer(b.sendBuffer)
	}
	return c, err
}
