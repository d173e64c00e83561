// Package tryout is the little of a client that the tests of the examples need: it opens as its revision demands, calls
// tools, answers what it is asked, and hears of changes.
package tryout

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/parley-mcp/parley/protocol"
)

// A Client calls the tools of the server at URL. It is not for several goroutines.
type Client struct {
	URL string
	// Others are further replicas of the server. Requests take turns, beginning at URL.
	Others   []string
	Features *protocol.Features
	// Header goes with each request.
	Header http.Header
	// Answer answers what the server asks; nil is a client that has declared no such thing. For a form it returns an
	// ElicitResult as JSON.
	Answer func(message string) string
	// Visit answers a question that sends the user to a URL, in the same way; nil is a client that has not declared that.
	Visit func(message, url string) string
	// Asked are the messages of the forms that the server has asked to be filled in, in order.
	Asked []string

	session string
	turns   int
}

// CallTool calls a tool and returns the body of the answer, whatever it is. arguments are a JSON object. Where the server
// asks in its answers, the client makes the call again with what it answers, and returns the last body.
func (c *Client) CallTool(tool, arguments string) (string, error) {
	if err := c.open(); err != nil {
		return "", err
	}
	for retry := ""; ; {
		body, err := c.post(c.call(tool, arguments, retry), protocol.MethodToolsCall, tool)
		if err != nil {
			return "", err
		}
		if retry, err = c.retry(body); err != nil || retry == "" {
			return body, err
		}
	}
}

// open opens a session, once, at a revision that has a handshake.
func (c *Client) open() error {
	if c.Features.Lifecycle != protocol.Handshake || c.session != "" {
		return nil
	}
	return c.Open()
}

// Open opens a session, at a revision that has a handshake.
func (c *Client) Open() error {
	_, err := c.post(initialize(c.Features, c.capabilities()), protocol.MethodInitialize, "")
	if err == nil {
		_, err = c.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, protocol.NotificationInitialized, "")
	}
	return err
}

// ReadResource reads a resource and returns the body of the answer.
func (c *Client) ReadResource(uri string) (string, error) {
	if err := c.open(); err != nil {
		return "", err
	}
	return c.post(c.request(protocol.MethodResourcesRead, fmt.Sprintf(`"uri":%q`, uri)), protocol.MethodResourcesRead, uri)
}

func (c *Client) post(message, method, name string) (string, error) {
	response, err := c.send(http.MethodPost, message, method, name)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	if id := response.Header.Get("Mcp-Session-Id"); id != "" {
		c.session = id
	}
	return c.read(response)
}

// send sends an HTTP request to the replica whose turn it is.
func (c *Client) send(httpMethod, message, method, name string) (*http.Response, error) {
	replicas := append([]string{c.URL}, c.Others...)
	r, err := http.NewRequest(httpMethod, replicas[c.turns%len(replicas)], strings.NewReader(message))
	if err != nil {
		return nil, err
	}
	c.turns++
	for field, values := range c.Header {
		r.Header[field] = values
	}
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Content-Type", "application/json")
	if c.session != "" {
		r.Header.Set("Mcp-Session-Id", c.session)
	}
	if c.Features.VersionHeader.Holds() && method != protocol.MethodInitialize {
		r.Header.Set("Mcp-Protocol-Version", string(c.Features.Revision))
	}
	if c.Features.MirroredHeaders.Holds() {
		r.Header.Set("Mcp-Method", method)
		r.Header.Set("Mcp-Name", name)
	}
	return http.DefaultClient.Do(r)
}

// Lines are what a client writes on a pipe to call a tool.
func Lines(f *protocol.Features, tool, arguments string) string {
	c := Client{Features: f}
	lines := c.call(tool, arguments, "") + "\n"
	if f.Lifecycle == protocol.Handshake {
		lines = initialize(f, c.capabilities()) + "\n" + lines
	}
	return lines
}

func initialize(f *protocol.Features, capabilities string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":%q,"capabilities":%s,`+
		`"clientInfo":{"name":"tryout","version":"1"}}}`, f.Revision, capabilities)
}

// call returns a request to call a tool. retry holds further members, each with a comma before it.
func (c *Client) call(tool, arguments, retry string) string {
	return c.request(protocol.MethodToolsCall, fmt.Sprintf(`"name":%q,"arguments":%s%s`, tool, arguments, retry))
}

// request returns a request whose params have these members.
func (c *Client) request(method, params string) string {
	meta := `"progressToken":"p"`
	if c.Features.Lifecycle == protocol.PerRequest {
		meta += fmt.Sprintf(`,%q:%q,%q:%s`, protocol.MetaProtocolVersion, c.Features.Revision, protocol.MetaClientCapabilities, c.capabilities())
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s,"_meta":{%s}}}`, c.turns+2, method, params, meta)
}

func (c *Client) capabilities() string {
	switch {
	case c.Visit != nil:
		return `{"elicitation":{"form":{},"url":{}}}`
	case c.Answer != nil:
		return `{"elicitation":{}}`
	}
	return "{}"
}
