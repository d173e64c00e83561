package measure

import (
	"runtime"

	"github.com/parley-mcp/parley/bench/contender"
	"github.com/parley-mcp/parley/bench/workload"
)

// PerSession is what one idle session costs.
type PerSession struct {
	Heap, Stack float64 // bytes
	Goroutines  float64
}

// IdleSessions opens n sessions that nobody uses (W7).
func IdleSessions(c contender.Contender, n int) (PerSession, error) {
	s, err := c.New(workload.NewFeatures(workload.StandardTools), true)
	if err != nil {
		return PerSession{}, err
	}
	client := NewLocal(s)
	open := func(n int) error {
		for range n {
			if _, err := workload.Open(client, workload.Sessions); err != nil {
				return err
			}
		}
		return nil
	}
	if err := open(50); err != nil { // what is set up once
		return PerSession{}, err
	}
	before := Used(true)
	if err := open(n); err != nil {
		return PerSession{}, err
	}
	after := Used(true)
	err = open(1) // the sessions are alive until here
	runtime.KeepAlive(s)
	each := func(before, after uint64) float64 { return (float64(after) - float64(before)) / float64(n) }
	return PerSession{
		Heap:       each(before.Heap, after.Heap),
		Stack:      each(before.Stack, after.Stack),
		Goroutines: float64(after.Goroutines-before.Goroutines) / float64(n),
	}, err
}
