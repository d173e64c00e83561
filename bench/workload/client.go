package workload

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// A Response is an HTTP answer.
type Response struct {
	Status      int
	ContentType string
	Session     string // Mcp-Session-Id
	Body        []byte
}

// A Client sends one Call at a time.
type Client interface {
	Do(c *Call) (Response, error)
}

// Open does what comes before the first request in a lane, and returns the session's id, if there is one.
func Open(client Client, lane Lane) (session string, err error) {
	if lane != Sessions {
		return "", nil
	}
	c := newCall(lane, "", initialize(lane))
	c.Next()
	r, err := client.Do(c)
	if err != nil {
		return "", err
	}
	if r.Status != http.StatusOK || r.Session == "" {
		return "", fmt.Errorf("initialize: status %d, session %q: %.200s", r.Status, r.Session, r.Body)
	}
	said, err := client.Do(newCall(lane, r.Session, message{method: "notifications/initialized", notify: true}))
	if err != nil {
		return "", err
	}
	if said.Status != http.StatusAccepted {
		return "", fmt.Errorf("notifications/initialized: status %d: %.200s", said.Status, said.Body)
	}
	return r.Session, nil
}

// answer returns the one JSON-RPC message of a response, which is a body of JSON or of events.
func (r Response) answer() ([]byte, error) {
	if r.Status != http.StatusOK {
		return nil, fmt.Errorf("status %d: %.300s", r.Status, r.Body)
	}
	switch {
	case strings.HasPrefix(r.ContentType, "application/json"):
		return r.Body, nil
	case strings.HasPrefix(r.ContentType, "text/event-stream"):
		return onlyEvent(strings.ReplaceAll(string(r.Body), "\r\n", "\n"))
	}
	return nil, fmt.Errorf("content type %q", r.ContentType)
}

func onlyEvent(stream string) ([]byte, error) {
	var found []byte
	for event := range strings.SplitSeq(stream, "\n\n") {
		var data strings.Builder
		for line := range strings.SplitSeq(event, "\n") {
			if value, ok := strings.CutPrefix(line, "data:"); ok {
				data.WriteString(strings.TrimPrefix(value, " "))
			}
		}
		switch {
		case data.Len() == 0: // a comment, or the event that tells where to resume
		case found != nil:
			return nil, errors.New("more than one message on the stream")
		default:
			found = []byte(data.String())
		}
	}
	if found == nil {
		return nil, errors.New("no message on the stream")
	}
	return found, nil
}
