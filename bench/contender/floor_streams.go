package contender

import (
	"fmt"
	"net/http"
)

// stream keeps a stream of events open; id is that of the subscription, nil after a handshake.
func (s *floor) stream(w http.ResponseWriter, r *http.Request, id []byte) {
	messages := make(chan []byte, 16)
	s.mu.Lock()
	s.streams[messages] = id
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.streams, messages)
	}()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusOK)
	if id != nil {
		_, _ = w.Write(floorEvent("subscriptions/acknowledged", id, `,"notifications":{"toolsListChanged":true}`))
	}
	flusher := http.NewResponseController(w)
	_ = flusher.Flush()
	for {
		select {
		case m := <-messages:
			_, _ = w.Write(m) // a client that is gone ends the request's context
			_ = flusher.Flush()
		case <-r.Context().Done():
			return
		}
	}
}

func floorEvent(method string, id []byte, more string) []byte {
	if id == nil {
		return fmt.Appendf(nil, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/%s\"}\n\n", method)
	}
	return fmt.Appendf(nil, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/%s\",\"params\":{\"_meta\":{%q:%s}%s}}\n\n",
		method, "io.modelcontextprotocol/subscriptionId", id, more)
}

// ToolsChanged encodes the lists anew, as a change would, and sends each stream its message.
func (s *floor) ToolsChanged() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.encodeLists()
	same := floorEvent("tools/list_changed", nil, "")
	for messages, id := range s.streams {
		m := same
		if id != nil {
			m = floorEvent("tools/list_changed", id, "")
		}
		select {
		case messages <- m:
		default: // a reader this slow loses messages
		}
	}
}
