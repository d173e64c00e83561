package streamable_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/transport/internal/rpc"
	"github.com/parley-mcp/parley/transport/streamable"
)

// Calls that end before their time: cancelled by a notification, by a client that goes away, with their session, or with
// the server.

func TestCancel(t *testing.T) { // P-02, J-11
	e := serve(t, streamable.Options{}, nil)
	each(t, handshakes, func(t *testing.T, revision string) {
		l, other := e.open(revision), e.open(revision)
		cancel := func(l lane, id string) {
			t.Helper()
			assert.Equal(t, 202, e.exchange(l.notify("notifications/cancelled", `"requestId":`+id+`,"reason":"enough"`)).status)
		}
		for _, c := range []struct{ id, not string }{
			{"0", `"0"`}, {"9", `"9"`}, {`"9"`, "9"}, {`""`, "0"}, {`"a"`, `"A"`}, {"9007199254740993", "9007199254740992"}, {`"\u0061"`, `"b"`},
		} {
			running := e.start(l.tool(c.id, "slow", "", ""))
			receive(t, e.Entered, "the call runs")
			cancel(l, c.not)
			cancel(other, c.id)
			cancel(lane{revision: modern}, c.id)
			e.works(l)
			assert.Empty(t, e.Ended, "none of those was meant")
			cancel(l, c.id)
			assert.ErrorIs(t, receive(t, e.Ended, "the call is cancelled"), rpc.ErrCancelled)
			a := receive(t, running.answer, "the exchange ends")
			assert.Equal(t, http.StatusNoContent, a.status)
			assert.Empty(t, a.body)
			cancel(l, c.id) // too late, and harmless
			e.works(l)
		}
	})
}

func TestNothingAfterCancellation(t *testing.T) {
	e := serve(t, streamable.Options{}, nil)
	each(t, handshakes, func(t *testing.T, revision string) {
		l := e.open(revision)
		running := e.start(l.tool("1", "stubborn", "", `"progressToken":1`))
		receive(t, e.Entered, "the call runs")
		e.exchange(l.notify("notifications/cancelled", `"requestId":1`))
		e.Release()
		assert.ErrorIs(t, receive(t, e.Sent, "the tool speaks on"), rpc.ErrCancelled)
		a := receive(t, running.answer, "the exchange ends")
		messages := a.messages(t)
		require.Len(t, messages, 1, "what was said before")
		assert.Contains(t, string(messages[0].Params), "first")
		assert.Equal(t, 200, e.exchange(l.tool("1", "echo", "", "")).status, "the id is free again")
	})
}

func TestInitializeCannotBeCancelled(t *testing.T) { // P-04
	e := serve(t, streamable.Options{}, nil)
	each(t, handshakes, func(t *testing.T, revision string) {
		l := e.open(revision) // with id 1
		assert.Equal(t, 202, e.exchange(l.notify("notifications/cancelled", `"requestId":1,"reason":"initialize timed out"`)).status)
		e.works(l)
	})
}

func TestDuplicateIDs(t *testing.T) { // S-20
	e := serve(t, streamable.Options{}, nil)
	each(t, handshakes, func(t *testing.T, revision string) {
		l, other := e.open(revision), e.open(revision)
		running := e.start(l.tool("5", "slow", "", ""))
		receive(t, e.Entered, "the call runs")
		a := e.exchange(l.call("5", "ping", "", ""))
		assert.Equal(t, -32600, a.last(t).code())
		assert.Equal(t, "5", string(a.last(t).ID))
		assert.Zero(t, e.exchange(l.call(`"5"`, "ping", "", "")).last(t).code(), "a string is another id")
		assert.Zero(t, e.exchange(other.call("5", "ping", "", "")).last(t).code(), "so is that of another session")
		e.Release()
		assert.Contains(t, receive(t, running.answer, "the first is answered").body, "released")
		receive(t, e.Ended, "it has ended")
		assert.Zero(t, e.exchange(l.call("5", "ping", "", "")).last(t).code())
	})
	t.Run(modern, func(t *testing.T) { // each exchange is by itself
		l := e.open(modern)
		one, two := e.start(l.tool("5", "slow", "", "")), e.start(l.tool("5", "slow", "", ""))
		for range 2 {
			receive(t, e.Entered, "both run")
		}
		for range 2 {
			e.Release()
			receive(t, e.Ended, "both end")
		}
		assert.Contains(t, receive(t, one.answer, "the first is answered").body, "released")
		assert.Contains(t, receive(t, two.answer, "the second is answered").body, "released")
	})
}

// Proves: cancellation.http-close-is-cancel
// Proves: cancellation.server-stops-soon
// Proves: transport.http.disconnect-not-cancel
func TestClientThatGoesAway(t *testing.T) { // H-28, P-04
	e := serve(t, streamable.Options{}, nil)
	each(t, all, func(t *testing.T, revision string) {
		l := e.open(revision)
		leave := func(id, tool string) {
			c := e.dial()
			_, err := io.WriteString(c, l.tool(id, tool, "", `"progressToken":1`))
			require.NoError(t, err)
			receive(t, e.Entered, "the call runs")
			require.NoError(t, c.Close())
			receive(t, e.gone, "the server sees that the client is gone")
		}
		leave("3", "slow")
		if revision == modern {
			assert.ErrorIs(t, receive(t, e.Ended, "the call is cancelled"), context.Canceled)
		} else {
			e.works(l)
			require.Empty(t, e.Ended, "the call runs on")
			e.Release()
			assert.NoError(t, receive(t, e.Ended, "the call comes to its end"))
		}
		leave("4", "stubborn") // which writes to a stream that is closed
		e.Release()
		err := receive(t, e.Sent, "the tool speaks on")
		if revision == modern {
			assert.ErrorIs(t, err, context.Canceled)
		}
		e.works(l)
	})
}

func TestBodyThatEndsEarly(t *testing.T) {
	e := serve(t, streamable.Options{}, nil)
	each(t, all, func(t *testing.T, revision string) {
		l := e.open(revision)
		full := l.tool("3", "write_row", "", "")
		c := e.dial()
		_, err := io.WriteString(c, full[:len(full)-1])
		require.NoError(t, err)
		require.NoError(t, c.Close())
		e.works(l)
	})
	e.shutdown()
	assert.Zero(t, e.Rows.Load())
}

func TestSlowBody(t *testing.T) {
	e := serve(t, streamable.Options{ReadTimeout: 50 * time.Millisecond}, nil)
	each(t, all, func(t *testing.T, revision string) {
		l := e.open(revision)
		full := l.tool("3", "write_row", "", "")
		a := e.exchange(full[:len(full)-1])
		assert.Equal(t, http.StatusRequestTimeout, a.status)
		assert.True(t, a.closes)
		e.works(l)
	})
	assert.Zero(t, e.Rows.Load())
}

func TestSlowReader(t *testing.T) {
	e := serve(t, streamable.Options{WriteTimeout: 100 * time.Millisecond}, nil)
	each(t, all, func(t *testing.T, revision string) {
		l := e.open(revision)
		_, err := io.WriteString(e.dial(), l.tool("3", "flood", "", `"progressToken":1`))
		require.NoError(t, err)
		receive(t, e.Entered, "the call runs")
		e.works(l)
		assert.Error(t, receive(t, e.Sent, "the stream is closed"))
		// A body that is larger than all buffers, and that nobody reads.
		_, err = io.WriteString(e.dial(), l.tool("3", "big", `"kib":32768`, ""))
		require.NoError(t, err)
		e.works(l)
	})
	e.shutdown()
}

func TestDelete(t *testing.T) { // S-08
	e := serve(t, streamable.Options{}, nil)
	each(t, handshakes, func(t *testing.T, revision string) {
		l, other := e.open(revision), e.open(revision)
		var calls []*call
		for i := range 3 {
			calls = append(calls, e.start(l.tool(fmt.Sprint(i), "slow", "", "")))
			receive(t, e.Entered, "the call runs")
		}
		kept := e.start(other.tool("1", "slow", "", ""))
		receive(t, e.Entered, "the call runs")
		assert.Equal(t, 400, e.exchange(requestOf("DELETE", "")).status, "which?")
		end := requestOf("DELETE", "", l.lines("", "")...)
		a := e.exchange(end)
		assert.Equal(t, http.StatusNoContent, a.status)
		for _, c := range calls {
			assert.ErrorIs(t, receive(t, e.Ended, "the call is cancelled"), rpc.ErrSessionEnded)
			assert.Empty(t, receive(t, c.answer, "its exchange ends").body)
		}
		assert.Equal(t, 404, e.exchange(end).status)
		assert.Equal(t, 404, e.exchange(l.call("1", "ping", "", "")).status)
		assert.Equal(t, 404, e.exchange(l.notify("notifications/initialized", "")).status)
		e.Release()
		assert.Contains(t, receive(t, kept.answer, "the other session lives").body, "released")
		receive(t, e.Ended, "it has ended")
	})
}

func TestDeleteEndsABatch(t *testing.T) {
	e := serve(t, streamable.Options{}, nil)
	l := e.open(march)
	slow, _ := l.body("1", "tools/call", `"name":"slow","arguments":{}`, "")
	write, _ := l.body("2", "tools/call", `"name":"write_row","arguments":{}`, "")
	running := e.start(l.send("[" + slow + "," + write + "]"))
	receive(t, e.Entered, "the call runs")
	assert.Equal(t, 204, e.exchange(requestOf("DELETE", "", l.lines("", "")...)).status)
	assert.ErrorIs(t, receive(t, e.Ended, "the call is cancelled"), rpc.ErrSessionEnded)
	assert.Empty(t, receive(t, running.answer, "the exchange ends").body)
	assert.Zero(t, e.Rows.Load(), "what was still to come is not run")
}

func TestDeleteRaces(t *testing.T) { // S-09
	e := serve(t, streamable.Options{}, nil)
	each(t, handshakes, func(t *testing.T, revision string) {
		for range 20 {
			l := e.open(revision)
			var statuses [3]int
			var wait sync.WaitGroup
			begin := make(chan struct{})
			for i := range statuses {
				wait.Go(func() {
					<-begin
					statuses[i] = e.exchange(requestOf("DELETE", "", l.lines("", "")...)).status
				})
			}
			for range 3 {
				wait.Go(func() {
					<-begin
					a := e.exchange(l.tool(`"x"`, "steps", "", `"progressToken":1`))
					assert.Contains(t, []int{200, 204, 404}, a.status)
				})
			}
			close(begin)
			wait.Wait()
			won := 0
			for _, s := range statuses {
				if s == 204 {
					won++
				} else {
					assert.Equal(t, 404, s)
				}
			}
			assert.Equal(t, 1, won)
		}
	})
}

func TestCancelRaces(t *testing.T) { // a cancellation may come at any moment, and finds an exchange that ends whole
	e := serve(t, streamable.Options{}, nil)
	each(t, handshakes, func(t *testing.T, revision string) {
		l := e.open(revision)
		var wait sync.WaitGroup
		for i := range 50 {
			id := fmt.Sprint(i)
			wait.Go(func() {
				a := e.exchange(l.tool(id, "steps", "", `"progressToken":`+id))
				messages := a.messages(t)
				for n, m := range messages {
					if len(m.ID) > 0 {
						assert.Equal(t, len(messages)-1, n, "the response is last")
						continue
					}
					assert.Contains(t, string(m.Params), fmt.Sprintf(`"progress":%d`, n+1), "in order")
				}
			})
			wait.Go(func() { e.exchange(l.notify("notifications/cancelled", `"requestId":`+id)) })
		}
		wait.Wait()
		e.works(l)
	})
}

func TestMessagesInOrder(t *testing.T) {
	e := serve(t, streamable.Options{}, nil)
	each(t, all, func(t *testing.T, revision string) {
		l := e.open(revision)
		var wait sync.WaitGroup
		for w := range 8 {
			wait.Go(func() {
				c := e.dial()
				r := newReader(c)
				for i := range 20 {
					id := fmt.Sprint(w*100 + i)
					if _, err := io.WriteString(c, l.tool(id, "steps", "", `"progressToken":`+id)); !assert.NoError(t, err) {
						return
					}
					messages := e.read(r, "POST").messages(t)
					if !assert.Len(t, messages, 4) {
						return
					}
					for n, m := range messages[:3] {
						assert.Contains(t, strings.ReplaceAll(string(m.Params), " ", ""), fmt.Sprintf(`"progressToken":%s,"progress":%d`, id, n+1))
					}
					assert.Equal(t, id, string(messages[3].ID))
				}
			})
		}
		wait.Wait()
	})
}
