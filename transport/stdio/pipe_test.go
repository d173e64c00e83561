package stdio_test

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/transport/internal/transporttest"
	"github.com/parley-mcp/parley/transport/stdio"
)

const (
	march  = "2025-03-26"
	june   = "2025-06-18"
	nov    = "2025-11-25"
	modern = "2026-07-28"

	// patience is how long a test waits for what must come.
	patience = 20 * time.Second

	modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
)

var (
	handshakes = []string{march, june, nov}
	all        = []string{march, june, nov, modern}
)

func each(t *testing.T, revisions []string, test func(t *testing.T, revision string)) {
	for _, r := range revisions {
		t.Run(r, func(t *testing.T) { test(t, r) })
	}
}

// A message is one line of the server.
type message struct {
	Version string         `json:"jsonrpc"`
	ID      jsontext.Value `json:"id"`
	Method  string         `json:"method"`
	Params  jsontext.Value `json:"params"`
	Result  jsontext.Value `json:"result"`
	Error   *struct {
		Code    int            `json:"code"`
		Message string         `json:"message"`
		Data    jsontext.Value `json:"data"`
	} `json:"error"`
}

func (m message) code() int {
	if m.Error == nil {
		return 0
	}
	return m.Error.Code
}

// readLines reads lines strictly: each is one message, or a batch, which comes out as the messages in it.
func readLines(t testing.TB, text string) []message {
	t.Helper()
	require.True(t, text == "" || strings.HasSuffix(text, "\n"), "the last line is whole")
	var out []message
	for line := range strings.Lines(text) {
		one := []jsontext.Value{jsontext.Value(line)}
		if strings.HasPrefix(line, "[") {
			require.NoError(t, json.Unmarshal([]byte(line), &one))
		}
		for _, raw := range one {
			var m message
			require.NoError(t, json.Unmarshal(raw, &m, json.RejectUnknownMembers(true)), line)
			require.Equal(t, "2.0", m.Version)
			require.NotEqual(t, "null", string(m.ID))
			out = append(out, m)
		}
	}
	return out
}

// talk sends lines, ends the input, and returns all that was answered.
func talk(t testing.TB, f *transporttest.Fixture, o stdio.Options, lines ...string) []message {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, stdio.Serve(t.Context(), f.Server, strings.NewReader(strings.Join(lines, "\n")+"\n"), &out, o))
	return readLines(t, out.String())
}

// response returns the only response with an id, which is "" for none.
func response(t testing.TB, messages []message, id string) message {
	t.Helper()
	var found []message
	for _, m := range messages {
		if m.Method == "" && string(m.ID) == id {
			found = append(found, m)
		}
	}
	require.Len(t, found, 1, "responses to %s", id)
	return found[0]
}

func initialize(revision string) string {
	return `{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"` + revision +
		`","capabilities":{},"clientInfo":{"name":"probe","version":"0"}}}`
}

// opening are the lines with which a client of a revision begins.
func opening(revision string) []string {
	if revision == modern {
		return nil
	}
	return []string{initialize(revision), `{"jsonrpc":"2.0","method":"notifications/initialized"}`}
}

// request returns the line of a request in the form of a revision. params are the members of an object.
func request(revision, id, method, params string) string {
	if revision == modern {
		params = join(params, modernMeta)
	}
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":{` + params + `}}`
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "," + b
}

func tool(revision, id, name, arguments string) string {
	return request(revision, id, "tools/call", `"name":"`+name+`","arguments":{`+arguments+`}`)
}

// progressing is a call that wants to know of progress.
func progressing(revision, id, name, token string) string {
	if revision != modern {
		return request(revision, id, "tools/call", `"name":"`+name+`","arguments":{},"_meta":{"progressToken":`+token+`}`)
	}
	return strings.Replace(tool(modern, id, name, ""), `"_meta":{`, `"_meta":{"progressToken":`+token+`,`, 1)
}

// A peer is the client of a server that runs.
type peer struct {
	*transporttest.Fixture
	t      testing.TB
	in     *io.PipeWriter
	cancel context.CancelFunc
	lines  chan string
	ended  chan error
}

func connect(t testing.TB, f *transporttest.Fixture, o stdio.Options, lines ...string) *peer {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	p := &peer{Fixture: f, t: t, in: toServer, cancel: cancel, lines: make(chan string, 1000), ended: make(chan error, 1)}
	go func() {
		p.ended <- stdio.Serve(ctx, f.Server, in, out, o)
		_ = out.Close()
	}()
	go func() {
		defer close(p.lines)
		buf, rest := make([]byte, 1<<20), []byte(nil)
		for {
			n, err := fromServer.Read(buf)
			rest = append(rest, buf[:n]...)
			for i := bytes.IndexByte(rest, '\n'); i >= 0; i = bytes.IndexByte(rest, '\n') {
				p.lines <- string(rest[:i+1])
				rest = slices.Clone(rest[i+1:])
			}
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		cancel()
		_ = toServer.Close()
		_ = in.Close()
		_ = fromServer.Close()
	})
	for _, l := range lines {
		p.send(l)
	}
	return p
}

func (p *peer) send(line string) {
	p.t.Helper()
	_, err := io.WriteString(p.in, line+"\n")
	require.NoError(p.t, err)
}

// next returns the next message.
func (p *peer) next() message {
	p.t.Helper()
	m := readLines(p.t, receive(p.t, p.lines, "a line"))
	require.Len(p.t, m, 1)
	return m[0]
}

// rest returns what comes until the server ends.
func (p *peer) rest() []message {
	p.t.Helper()
	var text strings.Builder
	for {
		line := receive(p.t, p.lines, "the end of the output")
		if line == "" {
			return readLines(p.t, text.String())
		}
		text.WriteString(line)
	}
}

func receive[T any](t testing.TB, c <-chan T, what string) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(patience):
		t.Fatal("this did not happen: " + what)
	}
	panic("unreachable")
}
