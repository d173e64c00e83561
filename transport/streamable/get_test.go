package streamable_test

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"

	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/transport/streamable"
)

// A witness is a client that makes something happen as soon as it sees that its stream is open.
type witness struct {
	*recorder
	seen func()
}

func (w *witness) Flush() {
	if w.seen != nil {
		seen := w.seen
		w.seen = nil
		seen()
	}
}

// What changes when a client has seen that its stream is open reaches it (2025-11-25
// basic/transports#listening-for-messages-from-the-server).
func TestChangeWhenTheStreamOpens(t *testing.T) {
	loud := func(o *server.Options) { o.Quiet = false }
	bubble(t, handshakes, streamable.Options{}, loud, func(t *testing.T, s *local, l lane) {
		w := &witness{newRecorder(), s.Server.ToolsChanged}
		done := make(chan struct{})
		go func() {
			defer close(done)
			s.serve(w, requestOf("GET", "", append(l.lines("", ""), "Accept: text/event-stream")...))
		}()
		synctest.Wait()
		assert.Nil(t, w.seen, "the stream has opened")
		assert.Contains(t, w.String(), "notifications/tools/list_changed")
		assert.Equal(t, 204, s.do(requestOf("DELETE", "", l.lines("", "")...)).status)
		<-done
	})
}
