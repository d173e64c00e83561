package suite

import (
	"fmt"
	"time"

	"github.com/parley-mcp/parley/bench/agent"
	"github.com/parley-mcp/parley/bench/contender"
	"github.com/parley-mcp/parley/bench/measure"
	"github.com/parley-mcp/parley/bench/workload"
)

// A Figure is an answer to a question about large and lasting things.
type Figure struct{ Question, Answer string }

// Limits measures what Parley does with large and lasting things.
func Limits() ([]Figure, error) {
	cores := agent.Cores()
	var all []Figure
	for _, measure := range []func(cores []int) ([]Figure, error){largeResult, crowd, slowReader} {
		figures, err := measure(cores)
		if err != nil {
			return nil, err
		}
		all = append(all, figures...)
	}
	return all, nil
}

const (
	mebi     = 1 << 20
	largest  = 64 * mebi
	fetches  = 5
	opened   = 10_000 // idle sessions
	watching = 2_000  // idle streams
	watched  = 10 * time.Second
	readers  = 50
	changes  = 100
)

// serving runs f with a contender that serves.
func serving(name string, cores []int, t agent.Task, f func(p *agent.Process, address string) error) error {
	p, err := agent.Start(name, cores)
	if err != nil {
		return err
	}
	defer p.Stop()
	address, err := p.Serve(t)
	if err != nil {
		return err
	}
	return f(p, address)
}

// largeResult fetches a large result several times, one after the other.
func largeResult(cores []int) ([]Figure, error) {
	var all []Figure
	for _, name := range []string{contender.Parley, contender.Floor} {
		t := agent.Task{Lane: workload.PerRequest, Large: largest}
		err := serving(name, cores, t, func(p *agent.Process, address string) error {
			features := t.Features()
			if _, _, err := measure.Fetch(address, t.Lane, features); err != nil {
				return err
			}
			before, err := p.Usage(true)
			if err != nil {
				return err
			}
			var first, last time.Duration
			for range fetches {
				if first, last, err = measure.Fetch(address, t.Lane, features); err != nil {
					return err
				}
			}
			after, err := p.Usage(false)
			if err != nil {
				return err
			}
			all = append(all, Figure{
				fmt.Sprintf("%s: a result of %d MiB, which the tool has in memory", name, largest/mebi),
				fmt.Sprintf("%.2f times its size allocated per request; first byte after %.0f ms, last after %.0f ms; %.0f ms of CPU time",
					float64(after.Allocated-before.Allocated)/fetches/largest, ms(first), ms(last), ms(after.CPU-before.CPU)/fetches),
			})
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("a large result of %s: %w", name, err)
		}
	}
	return all, nil
}

func ms(d time.Duration) float64 { return float64(d) / 1e6 }

// crowd opens many sessions and streams, and lets them be.
func crowd(cores []int) (all []Figure, err error) {
	err = serving(contender.Parley, cores, agent.Task{Lane: workload.Sessions}, func(p *agent.Process, address string) error {
		c := &crowdOf{p: p, address: address}
		all, err = c.measure()
		return err
	})
	if err != nil {
		err = fmt.Errorf("many sessions and streams: %w", err)
	}
	return all, err
}

type crowdOf struct {
	p       *agent.Process
	address string
}

func (c *crowdOf) measure() ([]Figure, error) {
	empty, err := c.p.Usage(true)
	if err != nil {
		return nil, err
	}
	client := measure.NewRemote(c.address)
	defer client.Close()
	for range opened {
		if _, err := workload.Open(client, workload.Sessions); err != nil {
			return nil, err
		}
	}
	sessions, err := c.p.Usage(true)
	if err != nil {
		return nil, err
	}
	all := []Figure{{fmt.Sprintf("%d idle sessions", opened),
		fmt.Sprintf("%.0f bytes of heap each; goroutines: %d with none, %d with them",
			float64(sessions.Heap-empty.Heap)/opened, empty.Goroutines, sessions.Goroutines)}}
	for _, lane := range []workload.Lane{workload.Sessions, workload.PerRequest} {
		streams, err := measure.OpenStreams(c.address, lane, watching/2)
		if err != nil {
			return nil, err
		}
		defer streams.Close()
	}
	full, err := c.p.Usage(true)
	if err != nil {
		return nil, err
	}
	time.Sleep(watched)
	later, err := c.p.Usage(false)
	if err != nil {
		return nil, err
	}
	return append(all, Figure{
		fmt.Sprintf("%d idle streams beside them, half of them of sessions, half at 2026-07-28", watching),
		fmt.Sprintf("%.1f KiB each, net/http's buffers and stacks included; %.1f goroutines each; %.2f %% of a core in %.0f s of rest; %d MiB resident at most",
			float64(full.Heap+full.Stack-sessions.Heap-sessions.Stack)/watching/1024, float64(full.Goroutines-sessions.Goroutines)/watching,
			100*(later.CPU-full.CPU).Seconds()/watched.Seconds(), watched.Seconds(), later.Resident/mebi),
	}), nil
}

// slowReader compares how long changes take to reach readers without and with one that does not read.
func slowReader(cores []int) (all []Figure, err error) {
	t := agent.Task{Lane: workload.PerRequest, SendBuffer: 4096}
	err = serving(contender.Parley, cores, t, func(p *agent.Process, address string) error {
		streams, err := measure.OpenStreams(address, t.Lane, readers)
		if err != nil {
			return err
		}
		defer streams.Close()
		change := func() error { return p.Change(1) }
		without, err := streams.Fanout(changes, change)
		if err != nil {
			return err
		}
		before, err := p.Usage(true)
		if err != nil {
			return err
		}
		slow, err := measure.OpenSlowReader(address, t.Lane, readers)
		if err != nil {
			return err
		}
		with, err := streams.Fanout(changes, change)
		if err != nil {
			return err
		}
		after, err := p.Usage(true)
		if err != nil {
			return err
		}
		got, err := slow.Wake()
		all = []Figure{{
			fmt.Sprintf("%d readers of changes, and one more that does not read", readers),
			fmt.Sprintf("a change reaches the last reader after %.2f ms (%.2f ms without the slow one), %d missed; the server's heap grew by %.1f KiB; the slow one was told %d of %d changes when it woke",
				ms(with.Median), ms(without.Median), with.Missed+without.Missed, (float64(after.Heap)-float64(before.Heap))/1024, got, changes),
		}}
		return err
	})
	if err != nil {
		err = fmt.Errorf("a slow reader: %w", err)
	}
	return all, err
}
