package agent

import (
	"errors"
	"io"
	"net/rpc"
	"os"
	"os/exec"
	"time"

	"github.com/parley-mcp/parley/bench/measure"
)

// A Process is an agent at the other end.
type Process struct {
	Name   string
	cmd    *exec.Cmd
	input  io.Closer
	client *rpc.Client
}

// Start starts this program again, as the agent of a contender, on the given cores.
func Start(name string, cores []int) (*Process, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(program, "agent", name)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := startOn(cmd, cores); err != nil {
		return nil, err
	}
	conn := struct {
		io.Reader
		io.WriteCloser
	}{out, in}
	return &Process{Name: name, cmd: cmd, input: in, client: rpc.NewClient(conn)}, nil
}

// patience is how long one call of an agent may take.
const patience = 2 * time.Minute

func (p *Process) call(method string, args, reply any) error {
	done := p.client.Go("Agent."+method, args, reply, make(chan *rpc.Call, 1)).Done
	select {
	case c := <-done:
		return c.Error
	case <-time.After(patience):
		_ = p.cmd.Process.Kill()
		return errors.New(p.Name + " did not answer " + method + " in time")
	}
}

// InProcess calls Agent.InProcess.
func (p *Process) InProcess(t Task) (cell measure.Cell, err error) {
	err = p.call("InProcess", t, &cell)
	return cell, err
}

// Parallel calls Agent.Parallel.
func (p *Process) Parallel(t Task) (rate measure.Throughput, err error) {
	err = p.call("Parallel", t, &rate)
	return rate, err
}

// IdleSessions calls Agent.IdleSessions.
func (p *Process) IdleSessions(n int) (each measure.PerSession, err error) {
	err = p.call("IdleSessions", n, &each)
	return each, err
}

// Serve calls Agent.Serve.
func (p *Process) Serve(t Task) (address string, err error) {
	err = p.call("Serve", t, &address)
	return address, err
}

// Usage calls Agent.Usage.
func (p *Process) Usage(collect bool) (u measure.Usage, err error) {
	err = p.call("Usage", collect, &u)
	return u, err
}

// CPU returns the CPU time that the agent has used.
func (p *Process) CPU() (time.Duration, error) {
	u, err := p.Usage(false)
	return u.CPU, err
}

// Change calls Agent.Change.
func (p *Process) Change(n int) error { return p.call("Change", n, &struct{}{}) }

// Stop ends the agent.
func (p *Process) Stop() {
	_ = p.client.Close() // ends its input
	kill := time.AfterFunc(5*time.Second, func() { _ = p.cmd.Process.Kill() })
	_ = p.cmd.Wait() // how it ended says nothing about what it measured
	kill.Stop()
}
