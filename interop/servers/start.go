package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"github.com/parley-mcp/parley/conformance/referee/launch"
)

// readyIn is how long a server may take until it accepts connections.
const readyIn = 60 * time.Second

// start runs a server at a port that is free, and waits until it accepts connections there. Call stop to end it.
func start(ctx context.Context, at func(port string) command) (address string, stop func(), err error) {
	port, err := freePort()
	if err != nil {
		return "", nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	c := at(port)
	cmd := launch.Command(ctx, c.args[0], c.args[1:]...)
	log := &tail{}
	cmd.Env, cmd.Stdout, cmd.Stderr = append(os.Environ(), c.env...), log, log
	if err := cmd.Start(); err != nil {
		cancel()
		return "", nil, err
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = cmd.Wait() // it is ended by a signal, or its end shows as a connection that is refused
	}()
	stop = func() { cancel(); <-done }
	address = net.JoinHostPort("127.0.0.1", port)
	if err := accepts(ctx, address, done); err != nil {
		stop()
		return "", nil, fmt.Errorf("start %s: %w\n%s", c.args[0], err, log)
	}
	return address, stop, nil
}

// accepts waits until somebody accepts connections at an address.
func accepts(ctx context.Context, address string, ended <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(ctx, readyIn)
	defer cancel()
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
		if err == nil {
			return conn.Close()
		}
		select {
		case <-again.C:
		case <-ended:
			return fmt.Errorf("it ended before it listened at %s", address)
		case <-ctx.Done():
			return fmt.Errorf("nothing listens at %s: %w", address, err)
		}
	}
}

// freePort is a port of 127.0.0.1 at which nobody listens.
func freePort() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	return port, listener.Close()
}

// tail keeps the end of what a server prints, for the error if it does not start.
type tail struct {
	mu  sync.Mutex
	end []byte
}

var _ io.Writer = (*tail)(nil)

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.end = append(t.end, p...)
	t.end = bytes.Clone(t.end[max(0, len(t.end)-2000):])
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.end)
}
