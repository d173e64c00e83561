// Package suite says what is measured, how often and in which order, and runs it: contenders take turns within each round,
// so that what disturbs the machine disturbs them alike.
package suite

import (
	"bufio"
	"io"

	"github.com/go-json-experiment/json"

	"github.com/parley-mcp/parley/bench/workload"
)

// A Record is one measurement of one contender.
type Record struct {
	Kind      Kind               `json:"kind"`
	Workload  string             `json:"workload,omitzero"`
	Lane      workload.Lane      `json:"lane,omitzero"`
	Contender string             `json:"contender,omitzero"`
	Round     int                `json:"round"`
	Values    map[string]float64 `json:"values,omitempty"`
	// Text says why there are no values, or describes the machine.
	Text string `json:"text,omitzero"`
}

// A Kind is a way to measure.
type Kind string

// The kinds.
const (
	InProcess Kind = "in-process"
	Loopback  Kind = "loopback"
	Catalogue Kind = "catalogue" // W8: Workload is the number of tools
	Sessions  Kind = "sessions"  // W7
	Fanout    Kind = "fan-out"   // W9
	Cores     Kind = "cores"
	Machine   Kind = "machine"
)

// The values.
const (
	CPU      = "cpu"      // nanoseconds per request
	Allocs   = "allocs"   // per request
	Bytes    = "bytes"    // allocated per request, or per session
	Requests = "requests" // that were timed
	Wrong    = "wrong"    // answers
	Rate     = "rate"     // requests per second
	Latency  = "latency"  // nanoseconds
	Speedup  = "speedup"  // of two cores, by the clock
	// CPUSpeedup is the same by CPU time and waiting for locks.
	CPUSpeedup = "cpu-speedup"
	Threads    = "threads" // goroutines per session
)

// Write appends a record to a file of them.
func Write(w io.Writer, r Record) error {
	line, err := json.Marshal(r, json.Deterministic(true))
	if err == nil {
		_, err = w.Write(append(line, '\n'))
	}
	return err
}

// Read returns all records of a file.
func Read(r io.Reader) ([]Record, error) {
	var all []Record
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var rec Record
		if err := json.Unmarshal(lines.Bytes(), &rec); err != nil {
			return nil, err
		}
		all = append(all, rec)
	}
	return all, lines.Err()
}
