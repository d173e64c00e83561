// A Sealed keeps nothing, so everything that can go wrong is in an id that comes back: another replica's, an expired one,
// somebody else's, one that was touched. All that do not open are the same to the client: no such session.
package session_test

import (
	"bytes"
	"crypto/rand"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/session"
	"github.com/parley-mcp/parley/session/sessiontest"
)

func newKey() []byte {
	key := make([]byte, 32)
	rand.Read(key)
	return key
}

func newSealed(t testing.TB, o session.SealedOptions) *session.Sealed {
	t.Helper()
	if o.Keys == nil {
		o.Keys = [][]byte{newKey()}
	}
	s, err := session.NewSealed(o)
	require.NoError(t, err)
	return s
}

func stores(t *testing.T) map[string]session.Store {
	l, _ := newLRU(t, session.LRUOptions{})
	return map[string]session.Store{"LRU": l, "Sealed": newSealed(t, session.SealedOptions{})}
}

func TestSealedIsAStore(t *testing.T) {
	sessiontest.Run(t, func(t *testing.T) session.Store { return newSealed(t, session.SealedOptions{}) })
}

func TestSealedOptions(t *testing.T) {
	key := newKey()
	for want, o := range map[string]session.SealedOptions{
		"at least one key":        {},
		"key 0: it has 31 bytes":  {Keys: [][]byte{key[:31]}},
		"key 1: it has 0 bytes":   {Keys: [][]byte{key, nil}},
		"key 1: an earlier key":   {Keys: [][]byte{key, bytes.Clone(key)}},
		"SealedOptions.Lifetime ": {Keys: [][]byte{key}, Lifetime: -1},
	} {
		_, err := session.NewSealed(o)
		assert.ErrorContains(t, err, want)
	}
}

// S-18: any replica with the keys serves a session that another one opened, while keys rotate too.
func TestS18ReplicasShareSessions(t *testing.T) {
	older, newer := newKey(), newKey()
	want := sessiontest.State("alice")
	found := func(s *session.Sealed, id string) bool {
		got, err := s.Get(ctx, id, "alice")
		if err != nil {
			assert.Equal(t, session.ErrNotFound, err)
			return false
		}
		return assert.Equal(t, want, got)
	}
	before := newSealed(t, session.SealedOptions{Keys: [][]byte{older}})
	learns := newSealed(t, session.SealedOptions{Keys: [][]byte{older, newer}})
	turns := newSealed(t, session.SealedOptions{Keys: [][]byte{newer, older}})
	after := newSealed(t, session.SealedOptions{Keys: [][]byte{newer}})

	a, err := before.Open(ctx, want)
	require.NoError(t, err)
	b, err := turns.Open(ctx, want)
	require.NoError(t, err)
	assert.True(t, found(before, a) && found(learns, a) && found(turns, a))
	assert.True(t, found(learns, b) && found(turns, b) && found(after, b))
	assert.False(t, found(after, a), "its key was taken out")
	assert.False(t, found(before, b), "its key has not been added")
}

// S-07: a session is over when its lifetime is, however often it is used.
func TestS07SealedSessionsExpire(t *testing.T) {
	for name, c := range map[string]struct{ option, want time.Duration }{
		"default": {0, 24 * time.Hour}, "set": {time.Minute, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newSealed(t, session.SealedOptions{Lifetime: c.option})
				id := open(t, s, "")
				assert.True(t, alive(s, id))
				time.Sleep(c.want - time.Millisecond)
				assert.True(t, alive(s, id))
				time.Sleep(time.Millisecond)
				assert.False(t, alive(s, id))
			})
		})
	}
}

// Every character of an id matters, and so does where it stands.
func TestSealedTampering(t *testing.T) {
	s := newSealed(t, session.SealedOptions{})
	id := open(t, s, "")
	for i := range id {
		for _, c := range []byte("A_z\n.") {
			if id[i] == c {
				continue
			}
			changed := id[:i] + string(c) + id[i+1:]
			assert.False(t, alive(s, changed), changed)
		}
		assert.False(t, alive(s, id[:i]), "cut at %d", i)
		assert.False(t, alive(s, id[:i]+"\n"+id[i:]), "line break at %d", i)
	}
	require.True(t, alive(s, id))
}

// A client that says too much about itself gets a session all the same, without what is least useful.
func TestProfilesAreBounded(t *testing.T) {
	long := strings.Repeat("ü", 10_000)
	full := sessiontest.State("alice")
	for name, c := range map[string]struct{ set, want func(*session.State) }{
		"icons": {
			func(s *session.State) { s.Client.Icons[0].Src = "data:image/png;base64," + long },
			func(s *session.State) { s.Client.Icons = nil },
		},
		"description": {
			func(s *session.State) { s.Client.Description = long },
			func(s *session.State) { s.Client.Icons, s.Client.Description = nil, "" },
		},
		"name, version and title": {
			func(s *session.State) { s.Client.Name, s.Client.Version, s.Client.Title = "a"+long, long, long },
			func(s *session.State) {
				s.Client = protocol.Implementation{
					Name: "a" + long[:2*63], Version: long[:2*64], Title: long[:2*64], // at most 128 bytes, no half characters
				}
			},
		},
		"experimental": {
			func(s *session.State) { s.Capabilities.Experimental["z"] = []byte(`"` + long + `"`) },
			func(s *session.State) {
				s.Client.Icons, s.Client.Description, s.Client.WebsiteURL = nil, "", ""
				s.Capabilities.Experimental = nil
			},
		},
		"extensions": {
			func(s *session.State) { s.Capabilities.Extensions["z"] = []byte(`"` + long + `"`) },
			func(s *session.State) {
				s.Client.Icons, s.Client.Description, s.Client.WebsiteURL = nil, "", ""
				s.Capabilities.Experimental, s.Capabilities.Extensions = nil, nil
			},
		},
	} {
		for store, s := range stores(t) {
			t.Run(name+"/"+store, func(t *testing.T) {
				state, want := sessiontest.State("alice"), sessiontest.State("alice")
				c.set(state)
				c.want(want)
				id, err := s.Open(ctx, state)
				require.NoError(t, err)
				assert.LessOrEqual(t, len(id), 1500)
				got, err := s.Get(ctx, id, "alice")
				require.NoError(t, err)
				assert.Equal(t, want, got)
			})
		}
	}
	assert.Equal(t, full, sessiontest.State("alice"))
}

// FuzzSealedGet: whatever comes as an id, the answer is a session that was opened or none.
func FuzzSealedGet(f *testing.F) {
	key := bytes.Repeat([]byte{7}, 32)
	s := newSealed(f, session.SealedOptions{Keys: [][]byte{key}})
	good, err := s.Open(ctx, sessiontest.State("alice"))
	require.NoError(f, err)
	f.Add(good)
	f.Add(good[1:])
	f.Add("")
	f.Add(strings.Repeat("A", 44))
	f.Fuzz(func(t *testing.T, id string) {
		if got, err := s.Get(ctx, id, "alice"); err == nil {
			assert.Equal(t, sessiontest.State("alice"), got)
		} else {
			assert.Equal(t, session.ErrNotFound, err)
		}
		_, err := s.Get(ctx, id, "bob")
		assert.Equal(t, session.ErrNotFound, err)
	})
}
