// Package sessiontest tests that a session.Store keeps what the interface promises. It is for whoever writes one, and asks
// nothing of how long sessions live.
package sessiontest

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/session"
)

// State returns a session of principal with something in every field.
func State(principal string) *session.State {
	return &session.State{
		Revision: "a-revision",
		Client: protocol.Implementation{
			Name: "probe", Version: "1.0", Title: "Probe", Description: "Looks at servers.", WebsiteURL: "https://example.com/",
			Icons: []protocol.Icon{{Src: "https://example.com/i.png", MIMEType: "image/png", Sizes: []string{"48x48", "any"}, Theme: "dark"}},
		},
		Capabilities: protocol.ClientCapabilities{
			Roots:        &protocol.RootsCapability{ListChanged: true},
			Sampling:     &protocol.SamplingCapability{Tools: true},
			Elicitation:  &protocol.ElicitationCapability{Form: true},
			Extensions:   map[string]jsontext.Value{"com.example/b": jsontext.Value(`{"deep":[1e400]}`), "com.example/a": jsontext.Value(`{}`)},
			Experimental: map[string]jsontext.Value{"x": jsontext.Value(`{"y":9007199254740993}`)},
		},
		Principal: principal,
		LogLevel:  protocol.LogWarning,
	}
}

// Run tests stores that open returns, each in a subtest of its own. open need not call Watch, and closes the store when its
// test ends.
func Run(t *testing.T, open func(t *testing.T) session.Store) {
	for name, test := range map[string]func(*suite){
		"a session is what was opened":        opened,
		"a session is its principal's":        principals,
		"an id is used verbatim":              verbatim,
		"Save replaces the state":             saved,
		"Delete ends the session":             deleted,
		"one of many concurrent Deletes wins": raced,
	} {
		t.Run(name, func(t *testing.T) {
			s := &suite{T: t, Store: open(t), ended: map[string]int{}}
			s.Watch(s)
			test(s)
		})
	}
}

// A suite is a store, a test of it, and the store's Watcher.
type suite struct {
	*testing.T
	session.Store

	mu    sync.Mutex
	ended map[string]int
}

func (s *suite) Busy(string) bool { return false }

// Ended counts, and calls back into the store, as a Watcher may.
func (s *suite) Ended(id string) {
	if _, err := s.Store.Get(context.Background(), id, "alice"); !errors.Is(err, session.ErrNotFound) {
		s.Errorf("Get of a session that has ended: %v", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended[id]++
}

func (s *suite) open(state *session.State) string {
	s.Helper()
	id, err := s.Open(s.Context(), state)
	if err != nil {
		s.Fatalf("Open: %v", err)
	}
	return id
}

func (s *suite) has(id string, want *session.State) {
	s.Helper()
	got, err := s.Get(s.Context(), id, want.Principal)
	if err != nil {
		s.Fatalf("Get: %v", err)
	}
	if !reflect.DeepEqual(got, want) {
		s.Errorf("Get returned\n%+v, not\n%+v", got, want)
	}
}

func (s *suite) fails(what string, err, want error) {
	s.Helper()
	if !errors.Is(err, want) {
		s.Errorf("%s: %v, not %v", what, err, want)
	}
}

func (s *suite) lacks(id, principal string) {
	s.Helper()
	if _, err := s.Get(s.Context(), id, principal); !errors.Is(err, session.ErrNotFound) {
		s.Errorf("Get of %.60q for %q: %v, not %v", id, principal, err, session.ErrNotFound)
	}
}

func opened(s *suite) {
	bare := &session.State{Revision: "another", Client: protocol.Implementation{Name: "bare", Version: "0"}}
	a, b, c := s.open(State("alice")), s.open(State("alice")), s.open(bare)
	if a == b || b == c || a == c {
		s.Errorf("ids are not unique: %q, %q, %q", a, b, c)
	}
	for _, id := range []string{a, b, c} {
		// 128 bits take 20 characters even if each is one of all 94.
		if len(id) < 20 || strings.ContainsFunc(id, func(r rune) bool { return r < 0x21 || r > 0x7E }) {
			s.Errorf("%q is too short, or not visible ASCII", id)
		}
	}
	s.has(a, State("alice"))
	s.has(b, State("alice"))
	s.has(c, bare)
}

func principals(s *suite) {
	id, everybodys := s.open(State("alice")), s.open(State(""))
	for _, other := range []string{"", "bob", "alic", "alice ", "Alice", "\x00alice"} {
		s.lacks(id, other)
	}
	s.lacks(everybodys, "alice")
	s.has(id, State("alice"))
	s.has(everybodys, State(""))
}

func verbatim(s *suite) {
	id := s.open(State("alice"))
	for _, wrong := range []string{
		"", "gone-0002", " " + id, id + " ", id + "\n", id[:8] + "\r\n" + id[8:], "s-1é", "s-1\x00", "s-1\x7f", "\xff\xfe",
		id[:len(id)-1], id + "A", id + "=", swapCase(id), id + ", " + id, strings.Repeat("x", 1<<20),
	} {
		s.lacks(wrong, "alice")
		if s.Remembers() {
			s.fails("Save", s.Save(s.Context(), wrong, State("alice")), session.ErrNotFound)
			s.fails("Delete", s.Delete(s.Context(), wrong, "alice"), session.ErrNotFound)
		}
	}
	s.has(id, State("alice"))
}

func swapCase(id string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r ^ 0x20
		}
		return r
	}, id)
}

func saved(s *suite) {
	id, neighbour := s.open(State("alice")), s.open(State("alice"))
	changed := State("alice")
	changed.LogLevel = protocol.LogDebug
	err := s.Save(s.Context(), id, changed)
	if !s.Remembers() {
		s.fails("Save", err, session.ErrNotSupported)
		s.has(id, State("alice"))
		return
	}
	s.fails("Save", err, nil)
	s.has(id, changed)
	s.has(neighbour, State("alice"))
	s.fails("Save by somebody else", s.Save(s.Context(), id, State("bob")), session.ErrNotFound)
	s.has(id, changed)
}

func deleted(s *suite) {
	id, neighbour := s.open(State("alice")), s.open(State("alice"))
	if !s.Remembers() {
		s.fails("Delete", s.Delete(s.Context(), id, "alice"), session.ErrNotSupported)
		s.has(id, State("alice"))
		return
	}
	s.fails("Delete by somebody else", s.Delete(s.Context(), id, "bob"), session.ErrNotFound)
	s.has(id, State("alice"))
	s.fails("Delete", s.Delete(s.Context(), id, "alice"), nil)
	s.lacks(id, "alice")
	s.fails("second Delete", s.Delete(s.Context(), id, "alice"), session.ErrNotFound)
	s.fails("Save after Delete", s.Save(s.Context(), id, State("alice")), session.ErrNotFound)
	s.lacks(id, "alice")
	s.has(neighbour, State("alice"))
	if !reflect.DeepEqual(s.ended, map[string]int{id: 1}) {
		s.Errorf("the Watcher was told that these ended: %v", s.ended)
	}
}

func raced(s *suite) {
	if !s.Remembers() {
		s.Skip("the store does not support Delete")
	}
	for range 20 {
		id := s.open(State("alice"))
		var begin, done sync.WaitGroup
		begin.Add(1)
		errs := make([]error, 8)
		for i := range errs {
			done.Go(func() {
				begin.Wait()
				errs[i] = s.Delete(s.Context(), id, "alice")
			})
			done.Go(func() {
				begin.Wait()
				if _, err := s.Get(s.Context(), id, "alice"); err != nil {
					s.fails("Get", err, session.ErrNotFound)
				}
			})
		}
		begin.Done()
		done.Wait()
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
			} else {
				s.fails("Delete", err, session.ErrNotFound)
			}
		}
		if won != 1 || s.ended[id] != 1 {
			s.Errorf("%d Deletes succeeded, and the Watcher was told %d times", won, s.ended[id])
		}
	}
}
