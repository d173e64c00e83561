package server

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/parley-mcp/parley/protocol"
)

// A catalog is a list of entries in the order in which they were added. Readers take a snapshot and never wait.
type catalog[E entry[T], T any] struct {
	mu       sync.Mutex // of writers
	pageSize int
	copies   bool // each page is a copy, which its reader may change
	current  atomic.Pointer[snapshot[E, T]]
	everUsed atomic.Bool
}

// An entry is what the server keeps of an item, which is what lists show.
type entry[T any] interface {
	key() string
	item() T
}

type snapshot[E entry[T], T any] struct {
	entries []E
	items   []T
	index   map[string]int
	// pages keeps the answers that start at multiples of the page size, for lists that nothing restricts.
	pages []kept
}

func (l *catalog[E, T]) init(o *Options) {
	l.pageSize, l.copies = o.PageSize, o.changesResults()
	l.set(nil)
}

func (l *catalog[E, T]) set(entries []E) {
	s := &snapshot[E, T]{entries: entries, items: make([]T, len(entries)), index: make(map[string]int, len(entries))}
	for i, e := range entries {
		s.index[e.key()], s.items[i] = i, e.item()
	}
	s.pages = make([]kept, len(entries)/l.pageSize+1)
	l.current.Store(s)
}

// used reports whether the catalog has, or ever had, an entry.
func (l *catalog[E, T]) used() bool { return l.everUsed.Load() }

func (l *catalog[E, T]) get(name string) (E, bool) {
	s := l.current.Load()
	i, ok := s.index[name]
	if !ok {
		var none E
		return none, false
	}
	return s.entries[i], true
}

func (l *catalog[E, T]) all() []E { return l.current.Load().entries }

func (l *catalog[E, T]) add(e E) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.current.Load()
	if _, taken := s.index[e.key()]; taken {
		return fmt.Errorf("%q exists already: remove it first", e.key())
	}
	l.everUsed.Store(true)
	l.set(append(slices.Clone(s.entries), e))
	return nil
}

// remove reports whether there was such an entry.
func (l *catalog[E, T]) remove(name string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.current.Load()
	i, ok := s.index[name]
	if ok {
		l.set(slices.Delete(slices.Clone(s.entries), i, i+1))
	}
	return ok
}

// A page is a part of a catalog. kept is nil unless the page is the same for everybody; with answer nothing else is set.
type page[T any] struct {
	items  []T
	next   *string
	kept   *kept
	answer protocol.Result
}

// page returns the page behind a cursor, nil for the first. visible, which may be nil, leaves out what principal may not see.
func (l *catalog[E, T]) page(cursor *string, principal string, visible func(string, T) bool) (page[T], error) {
	s := l.current.Load()
	start := 0
	if cursor != nil {
		var err error
		if start, err = s.after(*cursor); err != nil {
			return page[T]{}, err
		}
	}
	if visible == nil {
		var same *kept
		if !l.copies && start%l.pageSize == 0 {
			same = &s.pages[start/l.pageSize]
			if answer := same.load(); answer != nil {
				return page[T]{answer: answer}, nil
			}
		}
		end := start + min(l.pageSize, len(s.entries)-start)
		p := page[T]{items: s.items[start:end:end], kept: same}
		if l.copies {
			p.items = slices.Clone(p.items)
		}
		if end < len(s.entries) {
			p.next = s.cursor(end - 1)
		}
		return p, nil
	}
	var p page[T]
	last := 0
	for i, item := range s.items[start:] {
		if !visible(principal, item) {
			continue
		}
		if len(p.items) == l.pageSize {
			p.next = s.cursor(last)
			break
		}
		p.items, last = append(p.items, item), start+i
	}
	return p, nil
}

// A cursor says behind which entry a page begins: by name, so that it survives changes and works on any replica, and by
// position in case that entry is gone. It is Base64 of a version, the position and the name.
const cursorVersion = 1

func (s *snapshot[E, T]) cursor(i int) *string {
	b := binary.AppendUvarint([]byte{cursorVersion}, uint64(i))
	c := base64.RawURLEncoding.EncodeToString(append(b, s.entries[i].key()...))
	return &c
}

// after returns the position behind the cursor.
func (s *snapshot[E, T]) after(cursor string) (int, error) {
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(b) < 2 || b[0] != cursorVersion {
		return 0, errCursor
	}
	i, n := binary.Uvarint(b[1:])
	if n <= 0 {
		return 0, errCursor
	}
	if at, ok := s.index[string(b[1+n:])]; ok {
		return at + 1, nil
	}
	return int(min(i, uint64(len(s.entries)))), nil
}

var errCursor = protocol.InvalidParams("params.cursor is none of this server's: list again from the start")
