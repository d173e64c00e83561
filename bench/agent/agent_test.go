package agent_test

import (
	"io"
	"net/rpc"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/bench/agent"
	"github.com/parley-mcp/parley/bench/contender"
	"github.com/parley-mcp/parley/bench/measure"
	"github.com/parley-mcp/parley/bench/workload"
)

// conn is the other end of an agent's input and output.
type conn struct {
	io.Reader
	io.WriteCloser
}

// start runs an agent in this process, and ends it with the test.
func start(t *testing.T, name string) *rpc.Client {
	t.Helper()
	commands, in := io.Pipe()
	out, answers := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- agent.Run(name, commands, answers) }()
	client := rpc.NewClient(conn{out, in})
	t.Cleanup(func() {
		assert.NoError(t, in.Close())
		assert.NoError(t, <-ended, "an agent ends when its input does")
		assert.NoError(t, answers.Close())
		_ = client.Close()
	})
	return client
}

func TestAgentTimesInProcess(t *testing.T) {
	var cell measure.Cell
	require.NoError(t, start(t, contender.Floor).Call("Agent.InProcess", agent.Task{Workload: "W3", Lane: workload.Sessions, Tools: 5}, &cell))
	assert.Positive(t, cell.Requests)
	assert.Zero(t, cell.Wrong)
}

func TestAgentSaysWhatItCannotDo(t *testing.T) {
	assert.Error(t, start(t, contender.Floor).Call("Agent.InProcess", agent.Task{Workload: "W0"}, &measure.Cell{}))
	assert.Error(t, agent.Run("nobody", nil, nil))
}

// Over loopback all clients get right answers, and every stream each announcement.
func TestAgentServes(t *testing.T) {
	for _, name := range []string{contender.Floor, contender.Parley} {
		for _, lane := range []workload.Lane{workload.Sessions, workload.PerRequest} {
			t.Run(name+"/"+string(lane), func(t *testing.T) {
				client := start(t, name)
				task := agent.Task{Lane: lane}
				var address string
				require.NoError(t, client.Call("Agent.Serve", task, &address))
				w, err := workload.Find("W1")
				require.NoError(t, err)
				res, err := measure.Load{
					Address: address, Workload: w, Lane: lane, Features: task.Features(), Connections: 3, For: 50 * time.Millisecond,
					CPU: func() (time.Duration, error) {
						var u measure.Usage
						err := client.Call("Agent.Usage", false, &u)
						return u.CPU, err
					},
				}.Run()
				require.NoError(t, err)
				assert.Positive(t, res.Requests)
				assert.Zero(t, res.Wrong)

				streams, err := measure.OpenStreams(address, lane, 4)
				require.NoError(t, err)
				defer streams.Close()
				told, err := streams.Fanout(3, func() error { return client.Call("Agent.Change", 1, &struct{}{}) })
				require.NoError(t, err)
				assert.Zero(t, told.Missed)
				assert.Positive(t, told.Median)
			})
		}
	}
}
