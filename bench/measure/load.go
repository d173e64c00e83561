package measure

import (
	"bytes"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/parley-mcp/parley/bench/workload"
)

// Load says what clients ask of a server over loopback.
type Load struct {
	Address     string
	Workload    workload.Workload
	Lane        workload.Lane
	Features    *workload.Features
	Connections int
	Warm, For   time.Duration
	// Bare: answers are not looked at.
	Bare bool
	// CPU returns the CPU time that the server has used.
	CPU func() (time.Duration, error)
}

// A LoadResult is what came of it.
type LoadResult struct {
	Requests, Wrong int
	ServerCPU       time.Duration // per request
	Rate            float64       // requests per second
	Median, P99     time.Duration // from request to answer
}

// The phases of a measurement.
const (
	warming int32 = iota
	measuring
	over
)

// Run has all connections send requests, one after the other each.
func (l Load) Run() (LoadResult, error) {
	workers := make([]*worker, l.Connections)
	failed := make([]error, l.Connections)
	var all sync.WaitGroup
	for i := range workers {
		workers[i] = &worker{load: &l, client: NewRemote(l.Address)}
		defer workers[i].client.Close()
		all.Go(func() { failed[i] = workers[i].prepare(i) })
	}
	all.Wait()
	if err := errors.Join(failed...); err != nil {
		return LoadResult{}, err
	}
	var phase atomic.Int32
	for _, w := range workers {
		all.Go(func() { w.run(&phase) })
	}
	time.Sleep(l.Warm)
	before, err := l.CPU()
	began := time.Now()
	phase.Store(measuring)
	time.Sleep(l.For)
	phase.Store(over)
	took := time.Since(began)
	after, errAfter := l.CPU()
	all.Wait()
	if err := errors.Join(err, errAfter); err != nil {
		return LoadResult{}, err
	}
	return summarize(workers, took, after-before)
}

func summarize(workers []*worker, took, spent time.Duration) (LoadResult, error) {
	var res LoadResult
	var times []time.Duration
	for _, w := range workers {
		res.Requests += len(w.times)
		res.Wrong += w.wrong
		times = append(times, w.times...)
	}
	if res.Requests == 0 {
		return res, errors.New("no request was answered in time")
	}
	slices.Sort(times)
	res.ServerCPU = spent / time.Duration(res.Requests)
	res.Rate = float64(res.Requests) / took.Seconds()
	res.Median, res.P99 = times[len(times)/2], times[len(times)*99/100]
	return res, nil
}

// A worker is one connection.
type worker struct {
	load   *Load
	client *Remote
	call   *workload.Call
	length int // of a right answer
	idAt   int // where its id is
	times  []time.Duration
	wrong  int
}

func (w *worker) prepare(i int) error {
	l := w.load
	call, r, err := l.Workload.Prepare(w.client, l.Lane, l.Features, !l.Bare)
	if err != nil {
		return err
	}
	w.call, w.length = call, len(r.Body)
	w.idAt = bytes.Index(r.Body, strconv.AppendInt(nil, call.ID, 10))
	w.times = make([]time.Duration, 0, 1<<15)
	call.Skip(int64(i) * 1000) // connections have ids of their own
	w.client.use(call)
	return nil
}

func (w *worker) run(phase *atomic.Int32) {
	for p := phase.Load(); p != over; p = phase.Load() {
		w.call.Next()
		began := time.Now()
		err := w.client.hit()
		took := time.Since(began)
		if phase.Load() == measuring { // when it ended
			w.times = append(w.times, took)
		}
		if err != nil || !w.right() {
			w.wrong++
		}
	}
	if r, err := w.client.Do(w.call); !w.load.Bare && (err != nil || w.load.verify(w.call, r) != nil) {
		w.wrong++
	}
}

func (l *Load) verify(c *workload.Call, r workload.Response) error {
	return l.Workload.Verify(l.Lane, l.Features, c, r)
}

// right checks that an answer is as long as it should be and has the right id where it should be; what is not is checked
// in full.
func (w *worker) right() bool {
	if w.load.Bare {
		return true
	}
	body := w.client.response.Body()
	var digits [20]byte
	id := strconv.AppendInt(digits[:0], w.call.ID, 10)
	if w.client.response.StatusCode() == http.StatusOK && len(body) == w.length && w.idAt >= 0 &&
		bytes.HasPrefix(body[w.idAt:], id) {
		return true
	}
	return w.load.verify(w.call, w.client.answer()) == nil
}
