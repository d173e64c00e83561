package report

import (
	"fmt"
	"math"
	"strconv"

	"github.com/parley-mcp/parley/bench/contender"
	"github.com/parley-mcp/parley/bench/suite"
	"github.com/parley-mcp/parley/bench/workload"
)

// A row is one line of the table.
type row struct {
	what, lane string
	// of returns the value of a contender, NaN if it has none.
	of func(contender string) float64
	// goal bounds Parley's value; 0 is no goal.
	goal    float64
	atLeast bool
	show    func(float64) string
}

// rows returns the table: ratios of CPU time to the floor first, then what has figures of its own.
func rows(rs results) []row {
	var all []row
	for _, w := range workload.All() {
		for _, lane := range w.Lanes {
			all = append(all, rs.relative("in process: "+w.ID+" "+w.Title, point{suite.InProcess, w.ID, lane}, suite.CPU, inProcessGoal(w.ID, lane)))
		}
	}
	for _, n := range []int{10, 100, 1000} {
		p := point{suite.Catalogue, strconv.Itoa(n), workload.PerRequest}
		goal := 0.0
		if n == 1000 {
			goal = 1.2
		}
		all = append(all, rs.relative(fmt.Sprintf("in process: W8 tools/list, %d tools", n), p, suite.CPU, goal))
	}
	for _, w := range workload.All() {
		for _, lane := range w.Lanes {
			all = append(all, rs.relative("loopback: "+w.ID+" "+w.Title, point{suite.Loopback, w.ID, lane}, suite.CPU, 0.95))
		}
	}
	for _, lane := range workload.Lanes() {
		all = append(all, rs.relative("loopback: W9 one change, 200 streams", point{suite.Fanout, "", lane}, suite.Latency, 1))
	}
	all = append(all, rs.figures()...)
	return append(all, rs.against(contender.MCPGoTuned, 10), rs.against(contender.GoSDKTuned, 25))
}

// inProcessGoal returns the most that Parley may cost, as a multiple of the floor.
func inProcessGoal(id string, lane workload.Lane) float64 {
	switch {
	case id == "W2" || id == "W3" || id == "W6":
		return 0.3
	case id == "W1" && lane == workload.PerRequest:
		return 0.5
	}
	return 0.75
}

// relative is a row of ratios to the floor.
func (rs results) relative(what string, p point, metric string, goal float64) row {
	return row{what: what, lane: p.lane.Title(), goal: goal, show: short,
		of: func(c string) float64 { return rs.ratio(p, c, contender.Floor, metric) }}
}

// figures are rows of values.
func (rs results) figures() []row {
	var all []row
	absolute := func(what string, p point, metric string, goal float64, atLeast bool) {
		all = append(all, row{what: what, lane: p.lane.Title(), goal: goal, atLeast: atLeast, show: short,
			of: func(c string) float64 { return rs.value(p, c, metric) }})
	}
	for _, lane := range workload.Lanes() {
		goal := 17.0
		if lane == workload.PerRequest {
			goal = 20
		}
		absolute("allocations, W1", point{suite.InProcess, "W1", lane}, suite.Allocs, goal, false)
	}
	for _, lane := range workload.Lanes() {
		absolute("allocations, W3", point{suite.InProcess, "W3", lane}, suite.Allocs, 5, false)
	}
	absolute("W7 bytes per idle session", point{suite.Sessions, "", workload.Sessions}, suite.Bytes, 400, false)
	absolute("W7 goroutines per idle session", point{suite.Sessions, "", workload.Sessions}, suite.Threads, 0.001, false)
	for _, lane := range []workload.Lane{workload.Sessions, workload.PerRequest} {
		absolute("W1 throughput, 2 cores to 1, by CPU time", point{suite.Cores, "W1", lane}, suite.CPUSpeedup, 1.8, true)
		absolute("W1 throughput, 2 cores to 1, by the clock", point{suite.Cores, "W1", lane}, suite.Speedup, 1.8, true)
	}
	return all
}

// against is the row that says how many times as much as Parley a peer costs, over all workloads in process.
func (rs results) against(peer string, goal float64) row {
	var times []float64
	for _, w := range workload.All() {
		for _, lane := range w.Lanes {
			if r := rs.ratio(point{suite.InProcess, w.ID, lane}, peer, contender.Parley, suite.CPU); !math.IsNaN(r) {
				times = append(times, r)
			}
		}
	}
	return row{what: "in process: W1 to W6, " + peer + " to parley", lane: "geometric mean", goal: goal, atLeast: true, show: short,
		of: func(c string) float64 {
			if c == contender.Parley {
				return mean(times)
			}
			return math.NaN()
		}}
}

// short shows three digits.
func short(v float64) string {
	switch {
	case math.IsNaN(v):
		return "–"
	case v >= 99.95:
		return fmt.Sprintf("%.0f", v)
	case v >= 9.995:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

// verdict says whether v, Parley's value, reaches the goal, both as they are shown.
func (r row) verdict(v float64) string {
	if n, err := strconv.ParseFloat(r.show(v), 64); err == nil {
		v = n
	}
	switch {
	case r.goal == 0 || math.IsNaN(v):
		return ""
	case r.atLeast == (v >= r.goal) || v == r.goal:
		return "met"
	}
	return "**missed**"
}

func (r row) bound() string {
	switch {
	case r.goal == 0:
		return ""
	case r.atLeast:
		return "≥ " + short(r.goal)
	case r.goal < 0.01:
		return "0"
	}
	return "≤ " + short(r.goal)
}
