package measure_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/bench/contender"
	"github.com/parley-mcp/parley/bench/measure"
	"github.com/parley-mcp/parley/bench/workload"
)

// Every contender answers every workload in every lane as it should, in process; what is timed is the same request.
func TestContendersAnswerRight(t *testing.T) {
	features := workload.NewFeatures(workload.StandardTools)
	for _, c := range contender.All() {
		for _, w := range workload.All() {
			for _, lane := range w.Lanes {
				t.Run(c.Name+"/"+w.ID+"/"+string(lane), func(t *testing.T) {
					b, err := measure.Prepare(c, w, lane, features)
					require.NoError(t, err)
					cell, err := b.Time(time.Nanosecond)
					require.NoError(t, err)
					assert.Positive(t, cell.Requests)
					assert.Positive(t, cell.CPU)
					assert.Zero(t, cell.Wrong)
				})
			}
		}
	}
}

// A large result is right as well, where a contender has one.
func TestLargeResult(t *testing.T) {
	w, err := workload.Find(workload.Large)
	require.NoError(t, err)
	features := workload.NewFeatures(1)
	features.Large = 1 << 20
	for _, c := range contender.All() {
		if c.Large {
			_, err := measure.Prepare(c, w, workload.PerRequest, features)
			assert.NoError(t, err, c.Name)
		}
	}
}

func TestIdleSessionsCostSomething(t *testing.T) {
	c, err := contender.Find(contender.Parley)
	require.NoError(t, err)
	each, err := measure.IdleSessions(c, 2000)
	require.NoError(t, err)
	assert.InDelta(t, 300, each.Heap, 250)
	assert.Less(t, each.Goroutines, 0.01)
}

func TestParallelClients(t *testing.T) {
	c, err := contender.Find(contender.Floor)
	require.NoError(t, err)
	w, err := workload.Find("W1")
	require.NoError(t, err)
	got, err := measure.Parallel(c, w, workload.Sessions, 2, 10*time.Millisecond)
	require.NoError(t, err)
	assert.Positive(t, got.Rate)
	assert.Positive(t, got.Cost)
}
