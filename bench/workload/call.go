package workload

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
)

// A Call is a POST made in advance, whose JSON-RPC id is changed in place before each use.
type Call struct {
	Header http.Header
	Body   []byte
	// ID is the id in Body; it has nine digits, so that all answers are equally long.
	ID   int64
	idAt int // where ID is in Body; 0 in a notification
}

const (
	firstID = 100_000_000
	lastID  = 999_999_999
)

// Next puts the next id into the body.
func (c *Call) Next() { c.Skip(1) }

// Skip puts the id into the body that comes after n more.
func (c *Call) Skip(n int64) {
	c.ID += n
	if c.ID > lastID {
		c.ID = firstID
	}
	if c.idAt > 0 {
		strconv.AppendInt(c.Body[c.idAt:c.idAt], c.ID, 10)
	}
}

const perRequestMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + perRequestRevision + `",` +
	`"io.modelcontextprotocol/clientInfo":{"name":"bench-client","version":"1.0.0"},` +
	`"io.modelcontextprotocol/clientCapabilities":{}}`

// A message is what a Call is made of.
type message struct {
	method string
	params string // members, without braces
	name   string // of the tool, or the resource: what the header mirrors
	notify bool
}

func newCall(lane Lane, session string, m message) *Call {
	c := &Call{ID: firstID}
	var b bytes.Buffer
	b.WriteString(`{"jsonrpc":"2.0",`)
	if !m.notify {
		b.WriteString(`"id":`)
		c.idAt = b.Len()
		fmt.Fprintf(&b, `%d,`, c.ID)
	}
	fmt.Fprintf(&b, `"method":%q`, m.method)
	params := m.params
	if lane == PerRequest {
		if params != "" {
			params += ","
		}
		params += perRequestMeta
	}
	if params != "" {
		fmt.Fprintf(&b, `,"params":{%s}`, params)
	}
	b.WriteString(`}`)
	c.Body = b.Bytes()
	c.Header = header(lane, session, m)
	return c
}

func header(lane Lane, session string, m message) http.Header {
	h := http.Header{
		"Content-Type": {"application/json"},
		"Accept":       {"application/json, text/event-stream"},
		"User-Agent":   {"bench-client"},
	}
	switch {
	case lane == PerRequest:
		h["Mcp-Protocol-Version"] = []string{lane.Revision()}
		h["Mcp-Method"] = []string{m.method}
		if m.name != "" {
			h["Mcp-Name"] = []string{m.name}
		}
	case m.method != "initialize":
		h["Mcp-Protocol-Version"] = []string{lane.Revision()}
		if session != "" {
			h["Mcp-Session-Id"] = []string{session}
		}
	}
	return h
}

func initialize(lane Lane) message {
	return message{method: "initialize", params: `"protocolVersion":"` + lane.Revision() +
		`","capabilities":{},"clientInfo":{"name":"bench-client","version":"1.0.0"}`}
}

// Listen returns the request that opens a stream of announcements: a GET with no body where there are sessions, or
// subscriptions/listen with the i-th id.
func Listen(lane Lane, session string, i int) (method string, c *Call) {
	if lane != PerRequest {
		h := header(lane, session, message{})
		h["Accept"] = []string{"text/event-stream"}
		delete(h, "Content-Type")
		return http.MethodGet, &Call{Header: h}
	}
	c = newCall(lane, "", message{method: "subscriptions/listen", params: `"notifications":{"toolsListChanged":true}`})
	c.Skip(int64(i))
	return http.MethodPost, c
}
