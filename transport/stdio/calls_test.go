package stdio_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/transport/internal/rpc"
	"github.com/parley-mcp/parley/transport/internal/transporttest"
	"github.com/parley-mcp/parley/transport/stdio"
)

// Calls that run beside each other: cancelled, repeated, too many, and what they say.

func TestCancel(t *testing.T) { // P-02, J-11
	each(t, all, func(t *testing.T, revision string) {
		p := connect(t, transporttest.New(t, nil), stdio.Options{}, opening(revision)...)
		if revision != modern {
			p.next()
		}
		for _, c := range []struct{ id, not string }{{"0", `"0"`}, {"9", `"9"`}, {`"9"`, "9"}, {`""`, "0"}, {`"\u0061"`, `"b"`}} {
			p.send(tool(revision, c.id, "slow", ""))
			receive(t, p.Entered, "the call runs")
			p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + c.not + `}}`)
			p.send(request(revision, `"x"`, "tools/list", ""))
			assert.Equal(t, `"x"`, string(p.next().ID))
			assert.Empty(t, p.Ended)
			p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + c.id + `,"reason":"enough"}}`)
			assert.ErrorIs(t, receive(t, p.Ended, "the call is cancelled"), rpc.ErrCancelled)
		}
		// A tool that ignores it is not heard any more.
		p.send(progressing(revision, "7", "stubborn", "1"))
		receive(t, p.Entered, "the call runs")
		assert.Contains(t, string(p.next().Params), "first")
		p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
		p.send(request(revision, `"x"`, "tools/list", "")) // the line before it has been read
		assert.Equal(t, `"x"`, string(p.next().ID))
		p.Release()
		assert.ErrorIs(t, receive(t, p.Sent, "the tool speaks on"), rpc.ErrCancelled)
		require.NoError(t, p.in.Close())
		assert.Empty(t, p.rest(), "nothing after a cancellation")
		assert.NoError(t, receive(t, p.ended, "the server ends"))
	})
}

func TestInitializeCannotBeCancelled(t *testing.T) { // P-04
	each(t, handshakes, func(t *testing.T, revision string) {
		got := talk(t, transporttest.New(t, nil), stdio.Options{}, initialize(revision), `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"init"}}`, request(revision, "2", "ping", ""))
		assert.Contains(t, string(response(t, got, `"init"`).Result), revision)
		assert.Zero(t, response(t, got, "2").code())
	})
}

func TestDuplicateIDs(t *testing.T) { // S-20
	each(t, all, func(t *testing.T, revision string) {
		p := connect(t, transporttest.New(t, nil), stdio.Options{}, opening(revision)...)
		if revision != modern {
			p.next()
		}
		p.send(tool(revision, "5", "slow", ""))
		receive(t, p.Entered, "the call runs")
		p.send(request(revision, "5", "tools/list", ""))
		assert.Equal(t, -32600, p.next().code())
		p.send(request(revision, `"5"`, "tools/list", ""))
		assert.Zero(t, p.next().code(), "a string is another id")
		p.Release()
		m := p.next()
		assert.Equal(t, "5", string(m.ID))
		assert.Contains(t, string(m.Result), "released")
		p.send(request(revision, "5", "tools/list", ""))
		assert.Zero(t, p.next().code(), "the id is free again")
	})
}

func TestProgressAndLogs(t *testing.T) { // P-05, P-06, P-11
	each(t, all, func(t *testing.T, revision string) {
		f := transporttest.New(t, nil)
		for _, token := range []string{"0", `""`, `"0"`} {
			got := talk(t, f, stdio.Options{}, append(opening(revision), progressing(revision, "3", "steps", token))...)
			if revision != modern {
				got = got[1:]
			}
			require.Len(t, got, 4)
			for i, m := range got[:3] {
				assert.JSONEq(t, fmt.Sprintf(`{"progressToken":%s,"progress":%d,"total":3}`, token, i+1), string(m.Params))
			}
			assert.Equal(t, "3", string(got[3].ID))
		}
		got := talk(t, f, stdio.Options{}, append(opening(revision), tool(revision, "3", "steps", ""), tool(revision, "4", "noisy", ""))...)
		logs := 0
		for _, m := range got {
			if m.Method == "notifications/message" {
				logs++
			} else {
				assert.Empty(t, m.Method)
			}
		}
		if revision == modern {
			assert.Zero(t, logs, "none without opt-in")
			return
		}
		assert.Equal(t, 2, logs)
		got = talk(t, f, stdio.Options{}, append(opening(revision), request(revision, "1", "logging/setLevel", `"level":"error"`), tool(revision, "4", "noisy", ""))...)
		assert.Len(t, got, 4, "initialize, setLevel, one log, the result: in force at once")
	})
}

func TestTooManyCalls(t *testing.T) {
	each(t, all, func(t *testing.T, revision string) {
		p := connect(t, transporttest.New(t, nil), stdio.Options{MaxCalls: 2}, opening(revision)...)
		if revision != modern {
			p.next()
		}
		for i := range 2 {
			p.send(tool(revision, fmt.Sprint(i), "slow", ""))
			receive(t, p.Entered, "the call runs")
		}
		p.send(tool(revision, "2", "slow", ""))
		m := p.next()
		assert.Equal(t, "2", string(m.ID))
		assert.Equal(t, -32603, m.code())
		p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}}`)
		assert.Error(t, receive(t, p.Ended, "it can still be cancelled"))
		p.Release()
		assert.Equal(t, "1", string(p.next().ID))
	})
}
