package measure

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"net"
	"syscall"
	"time"

	"github.com/parley-mcp/parley/bench/workload"
)

// Streams are open streams of announcements, each on a connection of its own, which is read as bytes: clients must not be
// the bottleneck.
type Streams struct {
	conns  []net.Conn
	opened chan struct{}
	events chan event
}

// An event is an announcement that has come.
type event struct {
	stream int
	at     time.Time
}

// OpenStreams opens n streams, and returns when the server has begun to answer each.
func OpenStreams(address string, lane workload.Lane, n int) (*Streams, error) {
	s := &Streams{opened: make(chan struct{}, n), events: make(chan event, 1<<16)}
	opener := NewRemote(address)
	defer opener.Close()
	for i := range n {
		conn, err := openStream(address, opener, lane, i, nil)
		if err != nil {
			s.Close()
			return nil, err
		}
		s.conns = append(s.conns, conn)
		go s.read(i, conn, lane)
	}
	late := time.After(20 * time.Second)
	for range n {
		select {
		case <-s.opened:
		case <-late:
			s.Close()
			return nil, errors.New("streams were not opened within 20 s")
		}
	}
	return s, nil
}

// openStream opens one stream and does not read it. control, if it is not nil, sets up its socket.
func openStream(address string, opener workload.Client, lane workload.Lane, i int, control func(string, string, syscall.RawConn) error) (net.Conn, error) {
	session, err := workload.Open(opener, lane)
	if err != nil {
		return nil, err
	}
	method, call := workload.Listen(lane, session, i)
	var request bytes.Buffer
	fmt.Fprintf(&request, "%s /mcp HTTP/1.1\r\nHost: %s\r\n", method, address)
	if call.Body != nil {
		fmt.Fprintf(&request, "Content-Length: %d\r\n", len(call.Body))
	}
	if err := call.Header.Write(&request); err != nil {
		return nil, err
	}
	fmt.Fprintf(&request, "\r\n%s", call.Body)
	conn, err := (&net.Dialer{Control: control}).Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	if _, err := conn.Write(request.Bytes()); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return conn, nil
}

var (
	begun        = []byte("HTTP/1.1 200")
	acknowledged = []byte("notifications/subscriptions/acknowledged")
	changed      = []byte("notifications/tools/list_changed")
)

// read reports what comes until the connection is closed.
func (s *Streams) read(i int, conn net.Conn, lane workload.Lane) {
	sign := begun
	if lane == workload.PerRequest {
		sign = acknowledged
	}
	lines := bufio.NewReader(conn)
	for {
		line, err := lines.ReadSlice('\n')
		switch {
		case err != nil:
			return
		case bytes.Contains(line, sign):
			s.opened <- struct{}{}
		case bytes.Contains(line, changed):
			s.events <- event{i, time.Now()}
		}
	}
}

// Close closes the connections.
func (s *Streams) Close() {
	for _, c := range s.conns {
		_ = c.Close()
	}
}
