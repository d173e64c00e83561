package measure

import (
	"fmt"
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"

	"github.com/parley-mcp/parley/bench/contender"
	"github.com/parley-mcp/parley/bench/workload"
)

// Throughput is how fast a server answers clients that call it at once.
type Throughput struct {
	// Rate is requests per second of the clock. It says little where other programs use the cores.
	Rate float64
	// Cost is the CPU time per request, and the time it waits for locks, which do not depend on them.
	Cost time.Duration
}

// Parallel has n clients call one server at once, on n cores.
func Parallel(c contender.Contender, w workload.Workload, lane workload.Lane, n int, d time.Duration) (Throughput, error) {
	f := workload.NewFeatures(workload.StandardTools)
	s, err := c.New(f, lane == workload.Sessions)
	if err != nil {
		return Throughput{}, err
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(n))
	clients := make([]*Bench, n)
	for i := range clients {
		clients[i] = &Bench{contends: c, workload: w, lane: lane, features: f}
		if err := clients[i].prepare(s); err != nil {
			return Throughput{}, err
		}
		clients[i].Do(200)
	}
	var done, wrong atomic.Int64
	var all sync.WaitGroup
	began, spent := time.Now(), cpu()+waited()
	for _, b := range clients {
		all.Go(func() {
			for time.Since(began) < d {
				wrong.Add(int64(b.Do(100)))
				done.Add(100)
			}
		})
	}
	all.Wait()
	spent = cpu() + waited() - spent
	if wrong.Load() > 0 {
		return Throughput{}, fmt.Errorf("%d wrong answers", wrong.Load())
	}
	return Throughput{
		Rate: float64(done.Load()) / time.Since(began).Seconds(),
		Cost: spent / time.Duration(done.Load()),
	}, nil
}

// waited returns how long all goroutines have waited for locks.
func waited() time.Duration {
	sample := []metrics.Sample{{Name: "/sync/mutex/wait/total:seconds"}}
	metrics.Read(sample)
	return time.Duration(sample[0].Value.Float64() * float64(time.Second))
}
