package streamable

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// An EventLog keeps what was sent in sessions, so that a client whose connection broke can take up a stream where it left
// it. Streams are named within their session, and their events numbered from 0.
//
// The interface is fit for a log that several processes share: it knows no connections.
type EventLog interface {
	// Append keeps an event of a stream.
	Append(session, stream string, number int, data []byte)
	// After returns the events of a stream behind the given one, in order. ok is false if there is no such stream, or
	// events of it are no longer kept, so that the client would miss some.
	After(session, stream string, number int) (events [][]byte, ok bool)
	// Forget drops all of a session.
	Forget(session string)
}

// memoryLog is an EventLog with a bound for each session.
type memoryLog struct {
	max int // bytes per session
	mu  sync.Mutex
	all map[string]*sessionLog
}

type sessionLog struct {
	mu     sync.Mutex
	size   int
	events []event        // the oldest first
	next   map[string]int // the number that a stream's next event has
	room   int            // how many streams next may hold before those without events are dropped from it
}

type event struct {
	stream string
	number int
	data   []byte
}

func newMemoryLog(max int) *memoryLog {
	return &memoryLog{max: max, all: map[string]*sessionLog{}}
}

func (l *memoryLog) session(id string, create bool) *sessionLog {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.all[id]
	if s == nil && create {
		s = &sessionLog{next: map[string]int{}, room: 2 * maxStreams}
		l.all[id] = s
	}
	return s
}

func (l *memoryLog) Append(session, stream string, number int, data []byte) {
	s := l.session(session, true)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next[stream] = number + 1
	s.events = append(s.events, event{stream, number, data})
	if len(s.next) > s.room {
		s.dropEmpty()
	}
	s.size += len(data)
	drop := 0
	for s.size > l.max && drop < len(s.events)-1 {
		s.size -= len(s.events[drop].data)
		drop++
	}
	clear(s.events[:drop])
	s.events = s.events[drop:]
}

// dropEmpty forgets the streams of which no event is kept. The lock is held.
func (s *sessionLog) dropEmpty() {
	kept := map[string]int{}
	for _, e := range s.events {
		kept[e.stream] = s.next[e.stream]
	}
	s.next, s.room = kept, 2*max(len(kept), maxStreams)
}

func (l *memoryLog) After(session, stream string, number int) ([][]byte, bool) {
	s := l.session(session, false)
	if s == nil {
		return nil, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	next, known := s.next[stream]
	if !known || number < 0 || number >= next {
		return nil, false
	}
	var list [][]byte
	for _, e := range s.events {
		if e.stream == stream && e.number > number {
			list = append(list, e.data)
		}
	}
	return list, len(list) == next-1-number
}

func (l *memoryLog) Forget(session string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.all, session)
}

// An event's id names its stream and its number in it: it is unique in the session, and says where to resume.
func eventID(stream string, number int) string { return stream + "-" + strconv.Itoa(number) }

func parseEventID(id string) (stream string, number int, err error) {
	stream, digits, ok := strings.Cut(id, "-")
	if number, err = strconv.Atoi(digits); !ok || err != nil || number < 0 || eventID(stream, number) != id {
		return "", 0, fmt.Errorf("Last-Event-ID is none of this server's")
	}
	return stream, number, nil
}
