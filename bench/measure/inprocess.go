package measure

import (
	"fmt"
	"runtime"
	"time"

	"github.com/parley-mcp/parley/bench/contender"
	"github.com/parley-mcp/parley/bench/workload"
)

// A Cell is what was measured of one workload in one lane.
type Cell struct {
	Requests, Wrong int
	CPU             time.Duration // per request, garbage collection included
	Allocs, Bytes   float64       // per request
}

// A Bench is a contender in this process with a request prepared for it.
type Bench struct {
	client   *Local
	call     *workload.Call
	length   int
	contends contender.Contender
	workload workload.Workload
	lane     workload.Lane
	features *workload.Features
}

// Prepare creates a server and checks three answers.
func Prepare(c contender.Contender, w workload.Workload, lane workload.Lane, f *workload.Features) (*Bench, error) {
	s, err := c.New(f, lane == workload.Sessions)
	if err != nil {
		return nil, err
	}
	b := &Bench{contends: c, workload: w, lane: lane, features: f}
	return b, b.prepare(s)
}

func (b *Bench) prepare(s contender.Server) error {
	b.client = NewLocal(s)
	call, r, err := b.workload.Prepare(b.client, b.lane, b.features, !b.contends.Bare)
	if err != nil {
		return fmt.Errorf("%s: %w", b.contends.Name, err)
	}
	b.call, b.length = call, len(r.Body)
	return nil
}

// Do sends n requests and returns how many answers were wrong.
func (b *Bench) Do(n int) (wrong int) {
	b.client.use(b.call)
	for range n {
		b.call.Next()
		b.client.hit(false)
		if !b.client.right(b.length) {
			wrong++
		}
	}
	return wrong
}

// verify sends one request and checks the answer in full.
func (b *Bench) verify() error {
	if b.contends.Bare {
		return nil
	}
	b.call.Next()
	r, err := b.client.Do(b.call)
	if err != nil {
		return err
	}
	return b.workload.Verify(b.lane, b.features, b.call, r)
}

const (
	slice = 10 * time.Millisecond // of CPU time between full checks
	// mostSessions bounds the requests that each open a session.
	mostSessions = 3000
	// mostCounted is how many requests allocations are counted over, unless they take long.
	mostCounted = 200
)

// Time measures requests for a duration of CPU time, and for about 10 ms at least.
func (b *Bench) Time(d time.Duration) (Cell, error) {
	most := 1 << 30
	if b.workload.Opens && b.lane == workload.Sessions {
		most = mostSessions
	}
	n, took := 1, time.Duration(0)
	for took < slice/4 && n < most/8 { // warm up, and see how many requests are a slice
		n *= 2
		began := cpu()
		b.Do(n)
		took = cpu() - began
	}
	n = max(1, min(most/8, int(float64(n)*float64(slice)/float64(max(took, time.Microsecond)))))
	var cell Cell
	runtime.GC()
	var total time.Duration
	for cell.Requests == 0 || total < d && cell.Requests < most {
		began := cpu()
		cell.Wrong += b.Do(n)
		total += cpu() - began
		cell.Requests += n
		if err := b.verify(); err != nil {
			return cell, fmt.Errorf("while timed: %w", err)
		}
	}
	cell.CPU = total / time.Duration(cell.Requests)
	b.count(&cell, min(max(n, 10), mostCounted))
	return cell, nil
}

// count counts the allocations of n requests, less the harness's own, the request. What happens once in many requests, such
// as growing a pool, is left out, as testing.AllocsPerRun does.
func (b *Bench) count(cell *Cell, n int) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	cell.Wrong += b.Do(n)
	runtime.ReadMemStats(&after)
	cell.Requests += n
	cell.Allocs = float64(int(after.Mallocs-before.Mallocs)/n - 1)
	cell.Bytes = float64(after.TotalAlloc-before.TotalAlloc) / float64(n)
}
