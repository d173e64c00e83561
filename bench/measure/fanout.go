package measure

import (
	"slices"
	"time"
)

// A FanoutResult is how long announcements took to reach all streams.
type FanoutResult struct {
	Median time.Duration // until the last stream had it
	Missed int           // announcements that did not come within two seconds
}

// Fanout has the list of tools change a number of times, one after the other, and waits each time until every stream knows
// (W9). change returns when the server has been told.
func (s *Streams) Fanout(times int, change func() error) (FanoutResult, error) {
	var res FanoutResult
	var took []time.Duration
	for range times {
		s.settle()
		began := time.Now()
		if err := change(); err != nil {
			return res, err
		}
		last, missed := s.await(2 * time.Second)
		res.Missed += missed
		if missed == 0 {
			took = append(took, last.Sub(began))
		}
	}
	if len(took) > 0 {
		slices.Sort(took)
		res.Median = took[len(took)/2]
	}
	return res, nil
}

// await returns when the last stream had an announcement, and how many streams have had none.
func (s *Streams) await(atMost time.Duration) (last time.Time, missed int) {
	seen := make([]bool, len(s.conns))
	missed = len(s.conns)
	late := time.After(atMost)
	for missed > 0 {
		select {
		case e := <-s.events:
			if !seen[e.stream] {
				seen[e.stream] = true
				missed--
			}
			if e.at.After(last) {
				last = e.at
			}
		case <-late:
			return last, missed
		}
	}
	return last, 0
}

// settle waits until nothing has come for a while, such as what a server says twice.
func (s *Streams) settle() {
	for {
		select {
		case <-s.events:
		case <-time.After(30 * time.Millisecond):
			return
		}
	}
}
