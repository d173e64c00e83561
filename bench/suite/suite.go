package suite

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/parley-mcp/parley/bench/agent"
	"github.com/parley-mcp/parley/bench/contender"
	"github.com/parley-mcp/parley/bench/measure"
	"github.com/parley-mcp/parley/bench/workload"
)

// A Suite measures all contenders.
type Suite struct {
	Config
	// Out gets the records, Progress what is going on.
	Out, Progress io.Writer

	servers, clients []int // cores of either side; nil where none can be chosen
	began            time.Time
	err              error // of writing a record
}

// Run measures everything. It keeps this process, which is the client, to the last core, and servers to the first.
func (s *Suite) Run() error {
	s.began = time.Now()
	cores := agent.Cores()
	if len(cores) > 1 {
		s.servers, s.clients = cores[:1], cores[len(cores)-1:]
		if err := agent.Stay(s.clients); err != nil {
			return err
		}
	}
	before, began := busy(), time.Now()
	s.rounds(InProcess, s.Rounds, s.inProcess)
	s.rounds(Catalogue, s.CatalogueRounds, s.catalogue)
	s.rounds(Loopback, s.LoopbackRounds, s.loopback)
	s.rounds(Sessions, 1, s.sessions)
	s.rounds(Fanout, s.FanoutRounds, s.fanout)
	s.rounds(Cores, s.CoreRounds, func(round int) { s.cores(round, cores) })
	s.machine(len(cores), (busy()-before).Seconds()/time.Since(began).Seconds())
	return s.err
}

func (s *Suite) rounds(kind Kind, n int, run func(round int)) {
	for round := range n {
		fmt.Fprintf(s.Progress, "%5.0f s  %s, round %d of %d\n", time.Since(s.began).Seconds(), kind, round+1, n)
		run(round)
	}
}

func (s *Suite) write(r Record, err error) {
	if err != nil {
		r.Values, r.Text = nil, err.Error()
		fmt.Fprintf(s.Progress, "        %s %s %s %s: %v\n", r.Contender, r.Kind, r.Workload, r.Lane, err)
	}
	if err := Write(s.Out, r); err != nil {
		s.err = err
	}
}

func (s *Suite) machine(cores int, others float64) {
	if cores == 0 {
		cores = runtime.NumCPU()
	}
	text := fmt.Sprintf("%s/%s, %d cores, %s", runtime.GOOS, runtime.GOARCH, cores, runtime.Version())
	if others >= 0.1 {
		text += fmt.Sprintf("; other programs used %.1f cores meanwhile", others)
	}
	s.write(Record{Kind: Machine, Text: text}, nil)
}

// with starts an agent for each contender that may take part, and stops them after run.
func (s *Suite) with(may func(contender.Contender) bool, run func([]*agent.Process)) {
	var all []*agent.Process
	defer func() {
		for _, p := range all {
			p.Stop()
		}
	}()
	for _, c := range contender.All() {
		if !may(c) {
			continue
		}
		p, err := agent.Start(c.Name, s.servers)
		if err != nil {
			s.write(Record{Contender: c.Name}, err)
			continue
		}
		all = append(all, p)
	}
	run(all)
}

func everybody(contender.Contender) bool    { return true }
func answering(c contender.Contender) bool  { return !c.Bare }
func announcing(c contender.Contender) bool { return !c.Quiet }
func oneOf(names ...string) func(contender.Contender) bool {
	return func(c contender.Contender) bool { return slices.Contains(names, c.Name) }
}

// inProcess has W4, whose requests leave sessions behind, at the end.
func (s *Suite) inProcess(round int) {
	workloads := workload.All()
	slices.SortStableFunc(workloads, func(a, b workload.Workload) int {
		if a.Opens == b.Opens {
			return 0
		} else if b.Opens {
			return -1
		}
		return 1
	})
	s.with(everybody, func(agents []*agent.Process) {
		for _, w := range workloads {
			for _, lane := range w.Lanes {
				for _, a := range agents {
					s.time(a, Record{Kind: InProcess, Workload: w.ID, Lane: lane, Round: round},
						agent.Task{Workload: w.ID, Lane: lane, For: s.InProcess})
				}
			}
		}
	})
}

// catalogue is W8: a list of more and more tools.
func (s *Suite) catalogue(round int) {
	s.with(answering, func(agents []*agent.Process) {
		for _, n := range s.Catalogue {
			for _, a := range agents {
				s.time(a, Record{Kind: Catalogue, Workload: fmt.Sprint(n), Lane: workload.PerRequest, Round: round},
					agent.Task{Workload: "W3", Lane: workload.PerRequest, Tools: n, For: s.CatalogueFor})
			}
		}
	})
}

func (s *Suite) time(a *agent.Process, r Record, t agent.Task) {
	cell, err := a.InProcess(t)
	r.Contender = a.Name
	r.Values = map[string]float64{CPU: float64(cell.CPU), Allocs: cell.Allocs, Bytes: cell.Bytes,
		Requests: float64(cell.Requests), Wrong: float64(cell.Wrong)}
	s.write(r, err)
}

// sessions is W7.
func (s *Suite) sessions(round int) {
	s.with(answering, func(agents []*agent.Process) {
		for _, a := range agents {
			each, err := a.IdleSessions(s.Sessions)
			s.write(Record{Kind: Sessions, Lane: workload.Sessions, Contender: a.Name, Round: round,
				Values: map[string]float64{Bytes: each.Heap + each.Stack, Threads: each.Goroutines}}, err)
		}
	})
}

// cores compares the throughput of two cores with that of one.
func (s *Suite) cores(round int, cores []int) {
	if len(cores) < 2 {
		return
	}
	pinned := s.servers
	s.servers = cores[:2]
	defer func() { s.servers = pinned }()
	s.with(oneOf("null", contender.Floor, contender.Parley, contender.GoSDKTuned, contender.MCPGoTuned), func(agents []*agent.Process) {
		for _, lane := range []workload.Lane{workload.Sessions, workload.PerRequest} {
			for _, a := range agents {
				t := agent.Task{Workload: "W1", Lane: lane, For: s.CoresFor, Cores: 1}
				one, err := a.Parallel(t)
				var two measure.Throughput
				if err == nil {
					t.Cores = 2
					two, err = a.Parallel(t)
				}
				s.write(Record{Kind: Cores, Workload: "W1", Lane: lane, Contender: a.Name, Round: round,
					Values: map[string]float64{Speedup: two.Rate / one.Rate, CPUSpeedup: 2 * float64(one.Cost) / float64(two.Cost)}}, err)
			}
		}
	})
}

// busy returns the CPU time that all cores have spent, less what this program's processes have; 0 if nobody says.
func busy() time.Duration {
	stat, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0
	}
	return othersIn(string(stat))
}
