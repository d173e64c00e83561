package measure

import (
	"bytes"
	"net"
	"syscall"
	"time"

	"github.com/parley-mcp/parley/bench/workload"
)

// A SlowReader is a stream that nobody reads, on a connection that holds little.
type SlowReader struct{ conn net.Conn }

// OpenSlowReader opens the i-th stream at the server of an address.
func OpenSlowReader(address string, lane workload.Lane, i int) (*SlowReader, error) {
	opener := NewRemote(address)
	defer opener.Close()
	conn, err := openStream(address, opener, lane, i, func(_, _ string, raw syscall.RawConn) error {
		var failed error
		err := raw.Control(func(fd uintptr) { failed = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 2048) })
		if err == nil {
			err = failed
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return &SlowReader{conn}, nil
}

// Wake reads what has come, until nothing more comes, and returns how many announcements that was. It closes the stream.
func (s *SlowReader) Wake() (announcements int, err error) {
	defer s.conn.Close()
	var all []byte
	chunk := make([]byte, 4096)
	for {
		if err := s.conn.SetReadDeadline(time.Now().Add(time.Second)); err != nil {
			return 0, err
		}
		n, err := s.conn.Read(chunk)
		all = append(all, chunk[:n]...)
		if err != nil { // the deadline, or the server has given up
			return bytes.Count(all, changed), nil
		}
	}
}
