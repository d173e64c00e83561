package suite

import (
	"time"

	"github.com/parley-mcp/parley/bench/workload"
)

// A Config says how much is measured.
type Config struct {
	Rounds    int           // in process
	InProcess time.Duration // CPU time of one measurement

	CatalogueRounds int
	Catalogue       []int // numbers of tools
	CatalogueFor    time.Duration

	LoopbackRounds    int
	LoopbackWorkloads []string
	LoopbackLanes     []workload.Lane
	LoopbackFor       time.Duration
	Connections       int

	Sessions     int // that are opened
	FanoutRounds int
	Streams      int
	Changes      int // of the list, per round
	CoreRounds   int
	CoresFor     time.Duration
}

// Quick is a Config that takes less than 90 seconds and shows where contenders stand.
func Quick() Config {
	return Config{
		Rounds: 3, InProcess: 20 * time.Millisecond,
		CatalogueRounds: 1, Catalogue: []int{1000}, CatalogueFor: 20 * time.Millisecond,
		LoopbackRounds: 1, LoopbackWorkloads: []string{"W1", "W3"}, LoopbackFor: 350 * time.Millisecond, Connections: 32,
		LoopbackLanes: []workload.Lane{workload.Sessions, workload.PerRequest},
		Sessions:      2000,
		FanoutRounds:  1, Streams: 200, Changes: 8,
		CoreRounds: 2, CoresFor: 120 * time.Millisecond,
	}
}

// Full is a Config that takes about ten minutes.
func Full() Config {
	return Config{
		Rounds: 7, InProcess: 80 * time.Millisecond,
		CatalogueRounds: 3, Catalogue: []int{10, 100, 1000}, CatalogueFor: 60 * time.Millisecond,
		LoopbackRounds: 2, LoopbackWorkloads: []string{"W1", "W2", "W3", "W4", "W5", "W6"},
		LoopbackFor: 600 * time.Millisecond, Connections: 64,
		LoopbackLanes: workload.Lanes(),
		Sessions:      10000,
		FanoutRounds:  2, Streams: 200, Changes: 20,
		CoreRounds: 5, CoresFor: 400 * time.Millisecond,
	}
}
