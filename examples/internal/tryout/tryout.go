// Package tryout is the little of a client that the tests of the examples need: it opens as its revision demands, and
// calls a tool.
package tryout

import (
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/parley-mcp/parley/protocol"
)

// A Client calls the tools of the server at URL.
type Client struct {
	URL      string
	Features *protocol.Features
	// Header goes with each request.
	Header http.Header

	session string
}

// CallTool calls a tool and returns the body of the answer, whatever it is. arguments are a JSON object.
func (c *Client) CallTool(tool, arguments string) (string, error) {
	if c.Features.Lifecycle == protocol.Handshake && c.session == "" {
		if err := c.Open(); err != nil {
			return "", err
		}
	}
	return c.post(call(c.Features, tool, arguments), http.Header{
		"Mcp-Protocol-Version": {string(c.Features.Revision)}, "Mcp-Method": {protocol.MethodToolsCall}, "Mcp-Name": {tool},
	})
}

// Open opens a session, at a revision that has a handshake.
func (c *Client) Open() error {
	_, err := c.post(initialize(c.Features), nil)
	return err
}

func (c *Client) post(message string, header http.Header) (string, error) {
	r, err := http.NewRequest(http.MethodPost, c.URL, strings.NewReader(message))
	if err != nil {
		return "", err
	}
	for _, h := range []http.Header{c.Header, header} {
		for name, values := range h {
			r.Header[name] = values
		}
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if c.session != "" {
		r.Header.Set("Mcp-Session-Id", c.session)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	if id := response.Header.Get("Mcp-Session-Id"); id != "" {
		c.session = id
	}
	body, err := io.ReadAll(response.Body)
	return string(body), err
}

// Lines are what a client writes on a pipe to call a tool.
func Lines(f *protocol.Features, tool, arguments string) string {
	lines := call(f, tool, arguments) + "\n"
	if f.Lifecycle == protocol.Handshake {
		lines = initialize(f) + "\n" + lines
	}
	return lines
}

func initialize(f *protocol.Features) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},`+
		`"clientInfo":{"name":"tryout","version":"1"}}}`, f.Revision)
}

func call(f *protocol.Features, tool, arguments string) string {
	meta := `"progressToken":"p"`
	if f.Lifecycle == protocol.PerRequest {
		meta += fmt.Sprintf(`,%q:%q,%q:{}`, protocol.MetaProtocolVersion, f.Revision, protocol.MetaClientCapabilities)
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":{%s}}}`, tool, arguments, meta)
}
