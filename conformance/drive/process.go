package drive

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"
)

// Grace is how long a process has to end after its input is closed, and again after it is asked to terminate.
const Grace = 2 * time.Second

// Process is a [Conn] to a server that runs as a child process and speaks one message a line.
//
// The child has a process group of its own, all of which is ended by Close. What it writes to its standard error is read
// and its end kept as evidence.
type Process struct {
	*Lines
	cmd    *exec.Cmd
	stderr tail
	exited chan struct{}
}

// StartProcess starts a server. The environment is that of the caller with env added.
func StartProcess(args, env []string) (*Process, error) {
	if len(args) == 0 {
		return nil, errors.New("the command line is empty")
	}
	inRead, inWrite, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	outRead, outWrite, err := os.Pipe()
	if err != nil {
		_, _ = inRead.Close(), inWrite.Close()
		return nil, err
	}
	p := &Process{cmd: exec.Command(args[0], args[1:]...), exited: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), env...)
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = inRead, outWrite, &p.stderr
	p.cmd.WaitDelay = Grace
	ownGroup(p.cmd)
	err = p.cmd.Start()
	_, _ = inRead.Close(), outWrite.Close()
	if err != nil {
		_, _ = inWrite.Close(), outRead.Close()
		return nil, fmt.Errorf("starting the server: %w", err)
	}
	p.Lines = NewLines(outRead, inWrite)
	go func() {
		_ = p.cmd.Wait()
		close(p.exited)
	}()
	return p, nil
}

// Stderr returns the end of what the process wrote to its standard error.
func (p *Process) Stderr() string { return p.stderr.String() }

// Pid is the id of the process, which is also that of its group.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Close implements Conn: it closes the input, waits, asks the process to terminate, waits, and kills it. Whatever is left
// of its process group is killed in any case.
func (p *Process) Close() {
	p.once.Do(func() { close(p.closing) })
	_ = p.out.Close()
	if !p.wait(Grace) {
		terminate(p.cmd)
		p.wait(Grace)
	}
	kill(p.cmd)
	<-p.exited
	p.Lines.Close()
}

func (p *Process) wait(d time.Duration) bool {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	defer cancel()
	return p.Wait(ctx)
}

// Ended reports whether the process has ended.
func (p *Process) Ended() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}

// Wait returns true once the process has ended, or false if ctx ends before.
func (p *Process) Wait(ctx context.Context) bool {
	select {
	case <-p.exited:
		return true
	case <-ctx.Done():
		return false
	}
}

// tail keeps the last bytes that were written.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

const maxTail = 4 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, b...)
	if over := len(t.kept) - maxTail; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.kept)
}
