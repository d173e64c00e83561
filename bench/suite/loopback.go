package suite

import (
	"slices"
	"time"

	"github.com/parley-mcp/parley/bench/agent"
	"github.com/parley-mcp/parley/bench/contender"
	"github.com/parley-mcp/parley/bench/measure"
	"github.com/parley-mcp/parley/bench/workload"
)

// loopback has one server at a time, fresh for each measurement.
func (s *Suite) loopback(round int) {
	for _, w := range workload.All() {
		for _, lane := range w.Lanes {
			if !slices.Contains(s.LoopbackWorkloads, w.ID) || !slices.Contains(s.LoopbackLanes, lane) {
				continue
			}
			for _, c := range contender.All() {
				r := Record{Kind: Loopback, Workload: w.ID, Lane: lane, Contender: c.Name, Round: round}
				res, err := s.load(c, w, lane)
				r.Values = map[string]float64{CPU: float64(res.ServerCPU), Rate: res.Rate, Latency: float64(res.Median),
					Requests: float64(res.Requests), Wrong: float64(res.Wrong)}
				s.write(r, err)
			}
		}
	}
}

func (s *Suite) load(c contender.Contender, w workload.Workload, lane workload.Lane) (measure.LoadResult, error) {
	p, err := agent.Start(c.Name, s.servers)
	if err != nil {
		return measure.LoadResult{}, err
	}
	defer p.Stop()
	t := agent.Task{Lane: lane}
	address, err := p.Serve(t)
	if err != nil {
		return measure.LoadResult{}, err
	}
	return measure.Load{
		Address: address, Workload: w, Lane: lane, Features: t.Features(), Connections: s.Connections,
		Warm: 150 * time.Millisecond, For: s.LoopbackFor, Bare: c.Bare, CPU: p.CPU,
	}.Run()
}

// fanout is W9: one change of the list of tools, told to all streams.
func (s *Suite) fanout(round int) {
	for _, lane := range []workload.Lane{workload.Sessions, workload.PerRequest} {
		s.with(announcing, func(agents []*agent.Process) {
			for _, a := range agents {
				res, err := s.announce(a, lane)
				s.write(Record{Kind: Fanout, Lane: lane, Contender: a.Name, Round: round,
					Values: map[string]float64{Latency: float64(res.Median), Requests: float64(s.Streams * s.Changes), Wrong: float64(res.Missed)}}, err)
			}
		})
	}
}

func (s *Suite) announce(a *agent.Process, lane workload.Lane) (measure.FanoutResult, error) {
	address, err := a.Serve(agent.Task{Lane: lane})
	if err != nil {
		return measure.FanoutResult{}, err
	}
	streams, err := measure.OpenStreams(address, lane, s.Streams)
	if err != nil {
		return measure.FanoutResult{}, err
	}
	defer streams.Close()
	return streams.Fanout(s.Changes, func() error { return a.Change(1) })
}
