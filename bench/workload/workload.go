package workload

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
)

// A Workload is one kind of request.
type Workload struct {
	ID, Title string
	// Lanes are those that have such a request.
	Lanes []Lane
	// Opens: each request opens a session, where the lane has them.
	Opens   bool
	message func(lane Lane, f *Features) message
	check   func(lane Lane, f *Features, r *result) error
}

// All returns the requests that are timed. What else is measured, W7 to W9, is no single request.
func All() []Workload {
	handshake := []Lane{Stateless, Sessions}
	return []Workload{
		echo("W1", "tools/call, 32 B", 32),
		echo("W2", "tools/call, 16 KiB", 16<<10),
		{ID: "W3", Title: "tools/list, 51 tools", Lanes: Lanes(), message: fixed("tools/list"), check: checkTools},
		{ID: "W4", Title: "initialize / server/discover", Lanes: Lanes(), Opens: true, message: hello, check: checkHello},
		{ID: "W5", Title: "ping", Lanes: handshake, message: fixed("ping"), check: checkPing},
		{ID: "W6", Title: "resources/read, 4 KiB", Lanes: Lanes(), message: read, check: checkRead},
	}
}

// Find returns the workload with an id, or with the id "large" the call of the tool Large.
func Find(id string) (Workload, error) {
	all := append(All(), large())
	i := slices.IndexFunc(all, func(w Workload) bool { return w.ID == id })
	if i < 0 {
		return Workload{}, fmt.Errorf("no workload %q", id)
	}
	return all[i], nil
}

func fixed(method string) func(Lane, *Features) message {
	return func(Lane, *Features) message { return message{method: method} }
}

func echo(id, title string, size int) Workload {
	text := Text(size, "m:")
	return Workload{
		ID: id, Title: title, Lanes: Lanes(),
		message: func(Lane, *Features) message {
			arguments, err := json.Marshal(EchoArguments{text})
			if err != nil {
				panic(err) // a string
			}
			return message{method: "tools/call", params: `"name":"echo","arguments":` + string(arguments), name: Echo}
		},
		check: func(_ Lane, _ *Features, r *result) error { return checkText(r, text) },
	}
}

func large() Workload {
	return Workload{
		ID: "large", Title: "a large result", Lanes: Lanes(),
		message: func(Lane, *Features) message {
			return message{method: "tools/call", params: `"name":"large"`, name: Large}
		},
		check: func(_ Lane, f *Features, r *result) error { return checkText(r, LargeText(f.Large)) },
	}
}

func hello(lane Lane, _ *Features) message {
	if lane == PerRequest {
		return message{method: "server/discover"}
	}
	return initialize(lane)
}

// wanted is the resource that is read.
func wanted(f *Features) Resource { return f.Resources[7] }

func read(_ Lane, f *Features) message {
	uri := wanted(f).URI
	return message{method: "resources/read", params: fmt.Sprintf(`"uri":%q`, uri), name: uri}
}

// Call returns the request. session is the id of an open session, "" if the lane has none.
func (w Workload) Call(lane Lane, session string, f *Features) *Call {
	return newCall(lane, session, w.message(lane, f))
}

// Prepare opens a session if the lane has them, builds the request, and sends it three times. With verify it checks the
// answers. It returns the request and the last answer; all right answers are as long as that.
func (w Workload) Prepare(client Client, lane Lane, f *Features, verify bool) (*Call, Response, error) {
	var session string
	var err error
	if verify {
		if session, err = Open(client, lane); err != nil {
			return nil, Response{}, err
		}
	}
	c := w.Call(lane, session, f)
	var r Response
	for range 3 {
		c.Next()
		if r, err = client.Do(c); err != nil {
			return nil, Response{}, err
		}
		if verify {
			if err := w.Verify(lane, f, c, r); err != nil {
				return nil, Response{}, fmt.Errorf("%s, %s: %w", w.ID, lane, err)
			}
		}
	}
	return c, r, nil
}
