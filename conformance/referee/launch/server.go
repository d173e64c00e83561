package launch

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"time"
)

const (
	readyIn  = 30 * time.Second // for a server to say where it listens
	tailSize = 20               // lines of a server's log that an error shows
)

var listening = regexp.MustCompile(`listening on (https?://\S+)`)

// Server is a running HTTP server. Stop must be called.
type Server struct {
	// URL is the endpoint, as the server printed it.
	URL string

	cancel context.CancelFunc
	done   chan struct{}
	err    error // set before done is closed

	mu   sync.Mutex
	tail []string
}

// Start runs a server and waits until it prints "listening on URL" to stderr, at most 30 s.
func Start(ctx context.Context, name string, args ...string) (*Server, error) {
	ctx, cancel := context.WithCancel(ctx)
	cmd := Command(ctx, name, args...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		cancel()
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		cancel()
		return nil, err
	}
	s := &Server{cancel: cancel, done: make(chan struct{})}
	url := make(chan string, 1)
	go s.watch(cmd, stderr, url)
	select {
	case s.URL = <-url:
		return s, nil
	case <-s.done:
		err = fmt.Errorf("it ended: %w", s.err)
	case <-ctx.Done():
		err = ctx.Err()
	case <-time.After(readyIn):
		err = fmt.Errorf(`it did not print "listening on URL" within %s`, readyIn)
	}
	s.Stop()
	return nil, fmt.Errorf("start %s: %w\n%s", strings.Join(cmd.Args, " "), err, s.Log())
}

// watch reads the server's log to its end and then waits for the server.
func (s *Server) watch(cmd *exec.Cmd, stderr io.Reader, url chan<- string) {
	defer close(s.done)
	found := false
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		s.keep(lines.Text())
		if m := listening.FindStringSubmatch(lines.Text()); m != nil && !found {
			found = true
			url <- m[1]
		}
	}
	_, _ = io.Copy(io.Discard, stderr) // a line too long for the scanner must not block the server
	s.err = cmd.Wait()
	if s.err == nil {
		s.err = fmt.Errorf("exit status 0")
	}
}

func (s *Server) keep(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.tail) == tailSize {
		s.tail = s.tail[1:]
	}
	s.tail = append(s.tail, line)
}

// Log is the last 20 lines that the server wrote to stderr.
func (s *Server) Log() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.tail, "\n")
}

// Died is nil while the server runs, and after that says how it ended.
func (s *Server) Died() error {
	select {
	case <-s.done:
		return fmt.Errorf("the server ended: %w\n%s", s.err, s.Log())
	default:
		return nil
	}
}

// Stop ends the server and waits until it is gone.
func (s *Server) Stop() {
	s.cancel()
	<-s.done
}
