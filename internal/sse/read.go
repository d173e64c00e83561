package sse

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"time"
)

// ErrTooLong is returned when an event is larger than the reader's bound.
var ErrTooLong = errors.New("sse: an event is larger than the bound")

// An Event is one block of fields.
type Event struct {
	// Name is the event field; "" means that there was none, which stands for "message".
	Name string
	// ID is the id field of this event, and HasID says whether there was one.
	ID    string
	HasID bool
	// Data are the data lines, joined by line feeds; HasData is true even if they were empty.
	Data    []byte
	HasData bool
	// Retry is the retry field, and HasRetry says whether there was a valid one.
	Retry    time.Duration
	HasRetry bool
}

// Message reports whether the event is one that a client of MCP reads: of the default name, with data that is not empty.
func (e Event) Message() bool { return len(e.Data) > 0 && (e.Name == "" || e.Name == "message") }

// A Reader reads events from a stream.
type Reader struct {
	in    *bufio.Reader
	limit int
	begun bool
	skip  bool // the last line ended in CR: a line feed now belongs to it
	line  []byte
}

// NewReader returns a Reader whose events hold at most limit bytes; limit must be positive.
func NewReader(r io.Reader, limit int) *Reader {
	return &Reader{in: bufio.NewReader(r), limit: limit}
}

// Next returns the next event that has at least one field; comments and unknown fields alone make no event. Its Data is the
// caller's. An event that the end of the stream cuts off is dropped, as the standard says, and the error is then io.EOF.
func (r *Reader) Next() (Event, error) {
	var e Event
	fields, size := 0, 0
	for {
		line, err := r.readLine(r.limit - size)
		if err != nil {
			return Event{}, err
		}
		size += len(line) + 1
		if len(line) > 0 {
			if e.field(line) {
				fields++
			}
			continue
		}
		if fields > 0 {
			return e, nil
		}
		size = 0
	}
}

// field takes one line into the event and reports whether it was a known field.
func (e *Event) field(line []byte) bool {
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "data":
		if e.HasData {
			e.Data = append(e.Data, '\n')
		}
		e.Data, e.HasData = append(e.Data, value...), true
	case "event":
		e.Name = string(value)
	case "id":
		if bytes.IndexByte(value, 0) >= 0 {
			return false
		}
		e.ID, e.HasID = string(value), true
	case "retry":
		ms, err := strconv.ParseUint(string(value), 10, 31)
		if err != nil || value[0] == '+' {
			return false
		}
		e.Retry, e.HasRetry = time.Duration(ms)*time.Millisecond, true
	default:
		return false
	}
	return true
}

// readLine returns one line without its end, which is LF, CRLF or CR. The line is valid until the next call. A CR is taken
// as an end at once: waiting for a line feed behind it could wait for ever.
func (r *Reader) readLine(limit int) ([]byte, error) {
	r.line = r.line[:0]
	for {
		c, err := r.in.ReadByte()
		if err != nil {
			return nil, err
		}
		if r.skip {
			r.skip = false
			if c == '\n' {
				continue
			}
		}
		if c == '\n' || c == '\r' {
			r.skip = c == '\r'
			return r.dropMark(), nil
		}
		if len(r.line) >= limit {
			return nil, ErrTooLong
		}
		r.line = append(r.line, c)
	}
}

// dropMark removes the byte order mark that may stand at the beginning of the stream.
func (r *Reader) dropMark() []byte {
	line := r.line
	if !r.begun {
		r.begun = true
		line = bytes.TrimPrefix(line, []byte("\xEF\xBB\xBF"))
	}
	return line
}
