package suite

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/bench/workload"
)

func TestRecordsRoundTrip(t *testing.T) {
	want := []Record{
		{Kind: InProcess, Workload: "W1", Lane: workload.Sessions, Contender: "floor", Round: 2, Values: map[string]float64{CPU: 5600.5, Wrong: 0}},
		{Kind: Loopback, Contender: "probe", Text: "it did not answer"},
	}
	var file bytes.Buffer
	for _, r := range want {
		require.NoError(t, Write(&file, r))
	}
	got, err := Read(&file)
	require.NoError(t, err)
	assert.Equal(t, want, got)
}

// All time but idle and waiting counts; the test's own processes have used next to nothing of it.
func TestBusy(t *testing.T) {
	assert.InDelta(t, 3600, othersIn("cpu  100000 20000 200000 7 7 20000 10000 10000 0 0\ncpu0 1 1 1 1\n").Seconds(), 60)
	assert.Zero(t, othersIn("no such line"))
}
