// An LRU is what stands between a server and clients that open sessions and never say good-bye. These tests pin when a
// session ends, that its Watcher hears of it once, and that nothing else ends with it. Time is synthetic: nobody sleeps.
package session_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/session"
	"github.com/parley-mcp/parley/session/sessiontest"
)

var ctx = context.Background()

func newLRU(t testing.TB, o session.LRUOptions) (*session.LRU, *watcher) {
	t.Helper()
	l, err := session.NewLRU(o)
	require.NoError(t, err)
	w := &watcher{busy: map[string]bool{}, ended: map[string]int{}}
	w.onEnded = func(id string) {
		_, err := l.Get(ctx, id, "")
		assert.ErrorIs(t, err, session.ErrNotFound, "a session that has ended is still there")
	}
	l.Watch(w)
	t.Cleanup(func() { assert.NoError(t, l.Close()) })
	return l, w
}

// A watcher counts what it is told, and calls back into the store.
type watcher struct {
	mu      sync.Mutex
	busy    map[string]bool
	ended   map[string]int
	onEnded func(id string)
	onBusy  func(id string)
}

func (w *watcher) Busy(id string) bool {
	if w.onBusy != nil {
		w.onBusy(id)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.busy[id]
}

func (w *watcher) setBusy(id string, busy bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.busy[id] = busy
}

func (w *watcher) Ended(id string) {
	w.onEnded(id)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended[id]++
}

func (w *watcher) told(t *testing.T, ids ...string) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	want := map[string]int{}
	for _, id := range ids {
		want[id] = 1
	}
	assert.Equal(t, want, w.ended)
}

func open(t testing.TB, s session.Store, principal string) string {
	t.Helper()
	id, err := s.Open(ctx, &session.State{Revision: "2025-11-25", Principal: principal})
	require.NoError(t, err)
	return id
}

func alive(s session.Store, id string) bool {
	_, err := s.Get(ctx, id, "")
	return err == nil
}

func TestLRUIsAStore(t *testing.T) {
	sessiontest.Run(t, func(t *testing.T) session.Store {
		l, _ := newLRU(t, session.LRUOptions{})
		return l
	})
}

func TestLRUOptions(t *testing.T) {
	_, err := session.NewLRU(session.LRUOptions{MaxSessions: -1})
	assert.ErrorContains(t, err, "MaxSessions is -1")
	_, err = session.NewLRU(session.LRUOptions{IdleTimeout: -time.Second})
	assert.ErrorContains(t, err, "IdleTimeout is -1s")
}

// The bound is exact, whichever shards the ids fall into, and what was used last stays.
func TestLRUBound(t *testing.T) {
	for _, bound := range []int{1, 2, 3, 100} {
		t.Run(fmt.Sprint(bound), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l, w := newLRU(t, session.LRUOptions{MaxSessions: bound})
				var ids []string
				for range bound {
					ids = append(ids, open(t, l, ""))
					time.Sleep(time.Millisecond)
				}
				w.told(t)
				require.True(t, alive(l, ids[0]), "the bound is reached, not passed")
				time.Sleep(time.Millisecond)

				// The next ones end the ones that were used least recently; ids[0] has just been.
				order := slices.Concat(ids[1:], ids[:1])
				for i, victim := range order {
					ids = append(ids, open(t, l, ""))
					time.Sleep(time.Millisecond)
					w.told(t, order[:i+1]...)
					assert.False(t, alive(l, victim))
					assert.Equal(t, bound, l.Len())
				}
				for _, id := range ids[bound:] {
					assert.True(t, alive(l, id))
				}
			})
		})
	}
}

// The bound spares a session that has something open, as long as an idle one is found soon; it is a bound all the same.
func TestLRUBoundSparesBusySessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, w := newLRU(t, session.LRUOptions{MaxSessions: 2})
		busy := open(t, l, "")
		w.setBusy(busy, true)
		time.Sleep(time.Second)
		idle := open(t, l, "")
		time.Sleep(time.Second)
		other := open(t, l, "")
		w.told(t, idle)

		w.setBusy(other, true)
		time.Sleep(time.Second)
		third := open(t, l, "")
		assert.Equal(t, 2, l.Len())
		assert.True(t, alive(l, third))
		assert.NotEqual(t, alive(l, busy), alive(l, other), "one of the busy ones had to go")
	})
}

// S-07: sessions that nobody ends do, without any traffic, and when the last one has gone nothing runs any more.
func TestS07IdleSessionsExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const idle = 10 * time.Minute
		l, w := newLRU(t, session.LRUOptions{IdleTimeout: idle})
		a := open(t, l, "")
		time.Sleep(4 * time.Minute)
		b := open(t, l, "")
		time.Sleep(4 * time.Minute)
		require.True(t, alive(l, a), "use puts off the end")

		time.Sleep(6*time.Minute - time.Nanosecond)
		synctest.Wait()
		w.told(t)
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		w.told(t, b)

		time.Sleep(4*time.Minute - time.Nanosecond)
		synctest.Wait()
		w.told(t, b)
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		w.told(t, a, b)
		assert.Zero(t, l.Len())

		// The timer is set anew for whoever comes after a time without any session.
		time.Sleep(time.Hour)
		c := open(t, l, "")
		time.Sleep(idle)
		synctest.Wait()
		w.told(t, a, b, c)
	})
}

// S-07: the default is half an hour.
func TestS07DefaultIdleTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, w := newLRU(t, session.LRUOptions{})
		id := open(t, l, "")
		time.Sleep(30*time.Minute - time.Nanosecond)
		synctest.Wait()
		w.told(t)
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		w.told(t, id)
	})
}

// S-07: a session with an open stream or a running call is not idle, however long nothing is heard of it.
func TestS07BusySessionsDoNotExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, w := newLRU(t, session.LRUOptions{IdleTimeout: time.Minute})
		busy, idle := open(t, l, ""), open(t, l, "")
		w.setBusy(busy, true)
		time.Sleep(time.Hour + 30*time.Second)
		synctest.Wait()
		w.told(t, idle)

		// When it is no longer busy, its idle time begins: at the latest when the store last looked.
		w.setBusy(busy, false)
		time.Sleep(29 * time.Second)
		synctest.Wait()
		w.told(t, idle)
		time.Sleep(31 * time.Second)
		synctest.Wait()
		w.told(t, idle, busy)
	})
}

// S-07: a request that comes while the store is about to end the session saves it.
func TestS07UseAtTheLastMoment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, w := newLRU(t, session.LRUOptions{IdleTimeout: time.Minute})
		var asked atomic.Int32
		w.onBusy = func(id string) {
			if asked.Add(1) == 1 {
				assert.True(t, alive(l, id))
			}
		}
		id := open(t, l, "")
		time.Sleep(2*time.Minute - time.Nanosecond)
		synctest.Wait()
		w.told(t)
		assert.EqualValues(t, 1, asked.Load())
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		w.told(t, id)
	})
}

// S-07: sessions that end at nearly the same time end together, at most a thousandth of the idle time late.
func TestS07ExpiryIsPunctual(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const idle, n = 1000 * time.Second, 500
		l, w := newLRU(t, session.LRUOptions{IdleTimeout: idle})
		var mu sync.Mutex
		due, late, instants := map[string]time.Time{}, map[string]time.Duration{}, map[time.Time]bool{}
		w.onEnded = func(id string) {
			mu.Lock()
			defer mu.Unlock()
			late[id] = time.Since(due[id])
			instants[time.Now()] = true
		}
		for range n {
			id := open(t, l, "")
			mu.Lock()
			due[id] = time.Now().Add(idle)
			mu.Unlock()
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(2 * idle)
		synctest.Wait()
		require.Len(t, late, n)
		for _, d := range late {
			assert.GreaterOrEqual(t, d, time.Duration(0))
			assert.LessOrEqual(t, d, idle/1000)
		}
		assert.Less(t, len(instants), 10, "they were opened within five thousandths")
	})
}

// S-07: when sessions have gone, so has their memory.
func TestS07MemoryReturns(t *testing.T) {
	l, err := session.NewLRU(session.LRUOptions{})
	require.NoError(t, err)
	base := heap()
	ids := make([]string, 50_000)
	for i := range ids {
		ids[i] = open(t, l, fmt.Sprint("user", i))
	}
	full := heap() - base
	for i, id := range ids {
		require.NoError(t, l.Delete(ctx, id, fmt.Sprint("user", i)))
	}
	ids = nil
	left := heap() - base
	assert.Less(t, left, full/20, "bytes left of %d", full)
	runtime.KeepAlive(l)
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// S-08: after Delete the id names nothing, and whatever was open was told to go.
func TestS08DeleteEndsEverything(t *testing.T) {
	l, w := newLRU(t, session.LRUOptions{})
	id := open(t, l, "")
	w.setBusy(id, true)
	require.NoError(t, l.Delete(ctx, id, ""), "that something is open does not save it")
	w.told(t, id)
	assert.ErrorIs(t, l.Delete(ctx, id, ""), session.ErrNotFound)
	assert.ErrorIs(t, l.Save(ctx, id, &session.State{}), session.ErrNotFound)
	_, err := l.Get(ctx, id, "")
	assert.ErrorIs(t, err, session.ErrNotFound)
	w.told(t, id)
	assert.Zero(t, l.Len())
}

// S-09: whoever ends a session, and however many do at once, it ends once.
func TestS09ManyEndings(t *testing.T) {
	const bound, openers, n = 50, 4, 400
	l, err := session.NewLRU(session.LRUOptions{MaxSessions: bound, IdleTimeout: 100 * time.Microsecond})
	require.NoError(t, err)
	ended := make(chan string, 2*openers*n)
	l.Watch(&watcher{ended: map[string]int{}, onEnded: func(id string) { ended <- id }})
	opened := make(chan string, openers*n)
	var wg sync.WaitGroup
	for range openers {
		wg.Go(func() {
			for i := range n {
				id, err := l.Open(ctx, &session.State{})
				assert.NoError(t, err)
				opened <- id
				assert.LessOrEqual(t, l.Len(), bound)
				for range i % 3 { // Two Deletes, one, or none: then the bound or the timer ends it.
					wg.Go(func() { _ = l.Delete(ctx, id, "") })
				}
				_ = l.Save(ctx, id, &session.State{LogLevel: protocol.LogInfo})
			}
		})
	}
	wg.Wait()
	wg.Go(func() { assert.NoError(t, l.Close()) })
	wg.Go(func() { assert.NoError(t, l.Close()) })
	wg.Wait()
	assert.Zero(t, l.Len())

	over := map[string]bool{}
	for range openers * n {
		over[<-ended] = true // The timer's goroutine may still be telling about the last ones.
	}
	assert.Empty(t, ended)
	for range openers * n {
		assert.True(t, over[<-opened])
	}
}

// S-12: somebody else can neither use a session nor keep it alive.
//
// Proves: security.guide.session-bound-to-user
func TestS12OtherPrincipal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, w := newLRU(t, session.LRUOptions{IdleTimeout: time.Minute, MaxSessions: 2})
		id := open(t, l, "alice")
		time.Sleep(time.Second)
		neighbour := open(t, l, "alice")
		time.Sleep(time.Second)
		for _, other := range []string{"bob", "", "alice\x00"} {
			_, err := l.Get(ctx, id, other)
			assert.ErrorIs(t, err, session.ErrNotFound)
			assert.ErrorIs(t, l.Delete(ctx, id, other), session.ErrNotFound)
			assert.ErrorIs(t, l.Save(ctx, id, &session.State{Principal: other}), session.ErrNotFound)
		}
		// It is still the oldest, so the bound ends it ...
		open(t, l, "bob")
		w.told(t, id)
		// ... and bob's attempts do not put off the end of the neighbour.
		time.Sleep(30 * time.Second)
		_, err := l.Get(ctx, neighbour, "bob")
		assert.ErrorIs(t, err, session.ErrNotFound)
		time.Sleep(29 * time.Second)
		synctest.Wait()
		w.told(t, id, neighbour)
	})
}

// S-13: a session belongs to a name. The store never sees the token that proved it, so a new token changes nothing.
func TestS13SurvivesTokenRefresh(t *testing.T) {
	for name, s := range stores(t) {
		t.Run(name, func(t *testing.T) {
			principal := func(token string) string {
				return map[string]string{"old": "alice", "new": "alice", "bobs": "bob"}[token]
			}
			id := open(t, s, principal("old"))
			_, err := s.Get(ctx, id, principal("new"))
			assert.NoError(t, err)
			_, err = s.Get(ctx, id, principal("bobs"))
			assert.ErrorIs(t, err, session.ErrNotFound)
		})
	}
}

// S-02 and S-14: an id that is unknown, misshapen or huge names no session, which is 404, and costs nothing.
func TestS02UnknownAndS14MalformedIDs(t *testing.T) {
	for name, s := range stores(t) {
		t.Run(name, func(t *testing.T) {
			huge := string(make([]byte, 1<<20))
			for _, id := range []string{"", "gone-0002", "s-1é", " s-1", "s-1 ", "s\t1", "s-1\r\n", "\x00", "\x7f", huge} {
				_, err := s.Get(ctx, id, "")
				assert.Equal(t, session.ErrNotFound, err, "%.20q", id)
			}
			for _, id := range []string{"s-1é", " s-1", huge} {
				assert.Zero(t, testing.AllocsPerRun(10, func() { _, _ = s.Get(ctx, id, "") }), "%.20q", id)
			}
		})
	}
}

func TestLRUCloseEndsAllSessions(t *testing.T) {
	l, w := newLRU(t, session.LRUOptions{})
	a, b := open(t, l, ""), open(t, l, "")
	require.NoError(t, l.Close())
	w.told(t, a, b)
	_, err := l.Open(ctx, &session.State{})
	require.ErrorContains(t, err, "closed")
	assert.NotErrorIs(t, err, session.ErrNotFound)
	require.NoError(t, l.Close())
	w.told(t, a, b)
}

// What the store keeps is its own: neither the caller's later changes nor the message it came in are part of it.
func TestLRUKeepsCopies(t *testing.T) {
	l, _ := newLRU(t, session.LRUOptions{})
	s := sessiontest.State("alice")
	id, err := l.Open(ctx, s)
	require.NoError(t, err)
	s.Principal = "bob"
	s.Client.Icons[0].Src = "changed"
	copy(s.Capabilities.Experimental["x"], "changed")
	s.Capabilities.Extensions["new"] = jsontext.Value(`{}`)
	s.Capabilities.Sampling.Context = true
	got, err := l.Get(ctx, id, "alice")
	require.NoError(t, err)
	assert.Equal(t, sessiontest.State("alice"), got)
}

// Sessions of one client build share what they can, and those of different ones nothing.
func TestLRUSharesProfiles(t *testing.T) {
	l, _ := newLRU(t, session.LRUOptions{})
	get := func(principal, client string) *session.State {
		s := sessiontest.State(principal)
		s.Client.Name = client
		id, err := l.Open(ctx, s)
		require.NoError(t, err)
		got, err := l.Get(ctx, id, principal)
		require.NoError(t, err)
		require.Equal(t, s, got)
		return got
	}
	first := get("alice", "x")
	assert.Same(t, first.Capabilities.Roots, get("alice", "x").Capabilities.Roots)
	assert.Same(t, first.Capabilities.Roots, get("bob", "x").Capabilities.Roots)
	assert.NotSame(t, first.Capabilities.Roots, get("alice", "y").Capabilities.Roots)
	for i := range 2000 { // More builds than are remembered.
		get("alice", fmt.Sprint("client", i))
	}
	assert.NotSame(t, first.Capabilities.Roots, get("alice", "x").Capabilities.Roots)
}
