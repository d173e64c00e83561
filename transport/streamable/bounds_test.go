package streamable

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/session"
)

// What is kept for a session is bounded while it lives, and gone when it is over, whatever comes late.

func TestLogIsBounded(t *testing.T) {
	log := newMemoryLog(1000)
	for i := range 100_000 {
		log.Append("s", fmt.Sprint(i), 0, []byte("0123456789"))
	}
	s := log.session("s", false)
	assert.LessOrEqual(t, s.size, 1000)
	assert.LessOrEqual(t, len(s.events), 100)
	assert.LessOrEqual(t, len(s.next), 4*max(100, maxStreams), "nor do the names of old streams pile up")
	_, ok := log.After("s", "99999", 0)
	assert.True(t, ok)
	_, ok = log.After("s", "0", 0)
	assert.False(t, ok)
}

func TestNothingIsKeptOfADeadSession(t *testing.T) {
	store, err := session.NewLRU(session.LRUOptions{})
	require.NoError(t, err)
	defer func() { _ = store.Close() }()
	srv, err := server.New(server.Options{Info: protocol.Implementation{Name: "x", Version: "1"}, Sessions: store})
	require.NoError(t, err)
	h, err := New(srv, Options{})
	require.NoError(t, err)
	id, err := store.Open(t.Context(), &session.State{})
	require.NoError(t, err)
	q := &request{w: httptest.NewRecorder(), r: httptest.NewRequest(http.MethodPost, "/", nil), sessionID: id}

	before := h.open.get(q)
	stream := before.newStream(h)
	stream.attach(newConn(q), true)
	require.NoError(t, stream.send([]byte("{}")))
	assert.Same(t, before, h.open.get(q))
	assert.Len(t, h.open.all, 1)
	require.NoError(t, store.Delete(t.Context(), id, ""))

	assert.Error(t, stream.send([]byte("{}")), "a stream that was open")
	late := before.newStream(h) // by a call that runs on
	late.attach(newConn(q), true)
	_ = late.send([]byte("{}"))
	late.end()
	after := h.open.get(q) // by a request that found the session before it ended
	after.newStream(h).end()
	_, err = after.subscription(srv)
	assert.Error(t, err)
	assert.Empty(t, h.open.all)
	assert.Empty(t, h.options.EventLog.(*memoryLog).all)
}
