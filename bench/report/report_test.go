package report

import (
	"strings"
	"testing"

	"github.com/google/pprof/profile"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/bench/contender"
	"github.com/parley-mcp/parley/bench/suite"
	"github.com/parley-mcp/parley/bench/workload"
)

// Ratios are taken within a round, and the middle one is shown: a round that was disturbed as a whole changes nothing.
func TestTable(t *testing.T) {
	var records []suite.Record
	for round, cpu := range [][2]float64{{100, 60}, {100, 70}, {900, 630}} {
		for i, name := range []string{contender.Floor, contender.Parley} {
			records = append(records, suite.Record{Kind: suite.InProcess, Workload: "W1", Lane: workload.Sessions, Contender: name, Round: round,
				Values: map[string]float64{suite.CPU: cpu[i], suite.Allocs: 18, suite.Requests: 1e6}})
		}
	}
	records = append(records, suite.Record{Kind: suite.Loopback, Contender: "go-sdk", Text: "refused"},
		suite.Record{Kind: suite.Machine, Text: "a machine"})
	var out strings.Builder
	require.NoError(t, Table(&out, records))
	lines := strings.Split(out.String(), "\n")
	require.Len(t, lines, 7, out.String()) // header, rule, two rows, the peers' means are empty
	assert.Regexp(t, `W1 .*\| +1\.00 \|.*\| +0\.70 \| ≤ 0\.75 \| +met \|`, lines[2])
	assert.Regexp(t, `allocations, W1.*\| +18\.0 \| ≤ 17\.0 \| \*\*missed\*\* \|`, lines[3])
	assert.Contains(t, lines[5], "Goals met: 1 of 2. Rounds: 3 in process, 1 over loopback. Timed: 6.0 million requests, wrong answers: 0. Measurements of go-sdk that failed: 1. Machine: a machine.")
}

// The runtime's work is charged to who makes it do so, the harness's to nobody.
func TestFrames(t *testing.T) {
	sample := func(n int64, stack ...string) *profile.Sample {
		s := &profile.Sample{Value: []int64{n}}
		for _, name := range stack {
			s.Location = append(s.Location, &profile.Location{Line: []profile.Line{{Function: &profile.Function{Name: name}}}})
		}
		return s
	}
	const serve = "example.org/x/streamable.(*Handler).ServeHTTP"
	frames, total := Frames(&profile.Profile{Sample: []*profile.Sample{
		sample(5, "runtime.mallocgc", "example.org/x/json.Parse[go.shape.int]", serve, "main.main"),
		sample(2, "example.org/x/json.Parse[go.shape.string]", serve, "main.main"),
		sample(4, "memmove", "runtime.x", "runtime.gcBgMarkWorker"),
		sample(9, "runtime.mallocgc", "example.org/x/measure.Do", "main.main"),
	}}, 0)
	assert.Equal(t, []Frame{{"json.Parse[…]", 7}, {"(garbage collection in the background)", 4}}, frames)
	assert.EqualValues(t, 11, total)
}
