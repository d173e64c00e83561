package stdio_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/transport/internal/transporttest"
	"github.com/parley-mcp/parley/transport/stdio"
)

// One line is one message, whatever the line holds. The ids in the names are those of defect classes that others have
// shipped: D of framing, J of JSON-RPC, P of cancellation and progress, S and E of sessions and eras.

func TestLines(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, c := range []struct {
		name, line string
		code       int
		id         string // of the answer; "-" for no answer
	}{
		{name: "J-02 a request method without id", line: `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"write_row","arguments":{}}}`, id: "-"},
		{name: "J-03 an unknown notification", line: `{"jsonrpc":"2.0","method":"notifications/x-unknown","params":{}}`, id: "-"},
		{name: "J-03 one that means nothing here", line: `{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`, id: "-"},
		{name: "J-03 a cancellation of nothing", line: `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}`, id: "-"},
		{name: "J-03 a cancellation that is none", line: `{"jsonrpc":"2.0","method":"notifications/cancelled","params":7}`, id: "-"},
		{name: "H-29 an answer to nothing", line: `{"jsonrpc":"2.0","id":"ka-1","error":{"code":-32601,"message":"method not found"}}`, id: "-"},
		{name: "J-05 an error has the id", line: `{"jsonrpc":"2.0","id":"req-77","method":"no/such/method","params":META}`, code: -32601, id: `"req-77"`},
		{name: "J-07 a string id", line: `{"jsonrpc":"2.0","id":"0042","method":"tools/list","params":META}`, id: `"0042"`},
		{name: "J-07 a number id", line: `{"jsonrpc":"2.0","id":42,"method":"tools/list","params":META}`, id: "42"},
		{name: "J-08 a large id", line: `{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/list","params":META}`, id: "9007199254740993"},
		{name: "J-08 a negative id", line: `{"jsonrpc":"2.0","id":-1,"method":"tools/list","params":META}`, id: "-1"},
		{name: "J-10 a fractional id", line: `{"jsonrpc":"2.0","id":1.5,"method":"tools/list","params":META}`, code: -32600},
		{name: "J-10 id null", line: `{"jsonrpc":"2.0","id":null,"method":"tools/list","params":META}`, code: -32600},
		{name: "J-11 id 0", line: `{"jsonrpc":"2.0","id":0,"method":"tools/list","params":META}`, id: "0"},
		{name: "J-13 invalid UTF-8", line: "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xFF\xFE\"}", code: -32700},
		{name: "J-13 a lone surrogate", line: `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"text":"\ud800"},MORE}}`, id: "2"},
		{name: "J-16 params array", line: `{"jsonrpc":"2.0","id":3,"method":"tools/list","params":[]}`, code: -32602, id: "3"},
		{name: "J-16 no params", line: `{"jsonrpc":"2.0","id":3,"method":"tools/list"}`, id: "3"},
		{name: "J-17 method empty", line: `{"jsonrpc":"2.0","id":1,"method":"","params":META}`, code: -32601, id: "1"},
		{name: "J-17 method number", line: `{"jsonrpc":"2.0","id":2,"method":7}`, code: -32600, id: "2"},
		{name: "J-17 nothing", line: `{"jsonrpc":"2.0","id":3}`, code: -32600, id: "3"},
		{name: "J-17 no version", line: `{"id":4,"method":"ping"}`, code: -32600, id: "4"},
		{name: "J-19 deep nesting", line: `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":` + deep(100_000) + `}}`, code: -32700},
		{name: "J-19 a huge id", line: `{"jsonrpc":"2.0","id":"` + strings.Repeat("x", 1<<20) + `","method":"no/such"}`, code: -32600},
		{name: "J-21 an unknown tool", line: `{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"no_such","arguments":{},MORE}}`, code: -32602, id: "4"},
		{name: "J-22 cut off", line: `{"jsonrpc":"2.0","id":1,"method":`, code: -32700},
		{name: "a member twice", line: `{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`, code: -32600},
		{name: "two messages", line: `{"jsonrpc":"2.0","method":"a"}{"jsonrpc":"2.0","method":"b"}`, code: -32700},
		{name: "no message", line: `{"hello":1}`, code: -32600},
		{name: "a scalar", line: `7`, code: -32600},
		{name: "an empty batch", line: `[]`, code: -32600},
		{name: "too long a batch", line: "[" + strings.Repeat("1,", 200) + "1]", code: -32600},
		{name: "D-01 a header", line: "Content-Length: 150\r", code: -32700},
		{name: "text", line: "hello", code: -32700},
		{name: "D-02 a panic", line: `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"panics","arguments":{},MORE}}`, code: -32603, id: "5"},
		{name: "D-02 a result that no codec can write", line: `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"nothing","arguments":{},MORE}}`, code: -32603, id: "5"},
		{name: "M-39 a word of some language", line: `{"jsonrpc":"2.0","id":1,"method":"constructor","params":META}`, code: -32601, id: "1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			each(t, all, func(t *testing.T, revision string) {
				meta := `"_meta":{}`
				if revision == modern {
					meta = modernMeta
				}
				code := c.code
				if revision == modern && c.name[:4] == "J-16" {
					code = -32600 // nothing says that it is of that revision, and nobody has sent initialize
				}
				line := strings.NewReplacer("MORE", meta, "META", "{"+meta+"}").Replace(c.line)
				f := transporttest.New(t, nil)
				got := talk(t, f, stdio.Options{}, append(opening(revision), line, request(revision, `"after"`, "tools/list", ""))...)
				assert.Zero(t, response(t, got, `"after"`).code(), "the next line is served")
				if c.id == "-" {
					assert.Len(t, got, len(opening(revision))/2+1)
					assert.Zero(t, f.Rows.Load())
					return
				}
				m := response(t, got, c.id)
				assert.Equal(t, code, m.code())
				if m.Error != nil {
					assert.Less(t, len(m.Error.Message), 1000)
					assert.NotContains(t, m.Error.Message, transporttest.Secret)
				}
			})
		})
	}
}

func TestEnds(t *testing.T) { // D-07, and every kind of line end
	for name, text := range map[string]string{
		"LF":              "A\nB\n",
		"CRLF":            "A\r\nB\r\n",
		"blank lines":     "\n\nA\n\r\n  \t\n\n B \n\n",
		"no end at last":  "A\nB",
		"CRLF and no end": "A\r\nB",
	} {
		each(t, handshakes, func(t *testing.T, revision string) {
			f := transporttest.New(t, nil)
			in := strings.NewReplacer("A", initialize(revision), "B", request(revision, "2", "ping", "")).Replace(text)
			var out bytes.Buffer
			require.NoError(t, stdio.Serve(t.Context(), f.Server, strings.NewReader(in), &out, stdio.Options{}), name)
			got := readLines(t, out.String())
			require.Len(t, got, 2, name)
			assert.Contains(t, string(got[0].Result), revision)
			assert.Equal(t, "2", string(got[1].ID))
			assert.NotContains(t, out.String(), "\r")
		})
	}
	f := transporttest.New(t, nil)
	var out bytes.Buffer
	assert.NoError(t, stdio.Serve(t.Context(), f.Server, strings.NewReader(""), &out, stdio.Options{}))
	assert.Empty(t, out.String())
}

func TestContentLengthFraming(t *testing.T) { // D-01
	f := transporttest.New(t, nil)
	var out bytes.Buffer
	body := initialize(nov)
	in := fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
	require.NoError(t, stdio.Serve(t.Context(), f.Server, strings.NewReader(in), &out, stdio.Options{}))
	got := readLines(t, out.String())
	require.Len(t, got, 2)
	assert.Equal(t, -32700, got[0].code())
	assert.NotContains(t, out.String(), "Content-Length")
}

func TestLongLines(t *testing.T) { // D-03
	const limit = 200 << 10
	each(t, all, func(t *testing.T, revision string) {
		f := transporttest.New(t, nil)
		pad := func(id string, n int) string {
			line := tool(revision, id, "echo", `"text":"x"`)
			return strings.Replace(line, `"x"`, `"`+strings.Repeat("x", n-len(line)+1)+`"`, 1)
		}
		lines := append(opening(revision), pad("1", limit), pad("2", limit)+"\r", pad("3", limit+1), pad("4", limit+1)+"\r", pad("5", 2*limit), tool(revision, "6", "echo", ""))
		got := talk(t, f, stdio.Options{MaxLine: limit}, lines...)
		for _, id := range []string{"1", "2", "6"} {
			assert.Zero(t, response(t, got, id).code())
		}
		refused := 0
		for _, m := range got {
			if m.ID == nil {
				assert.Equal(t, -32600, m.code())
				refused++
			}
		}
		assert.Equal(t, 3, refused)
	})
}

func TestWholeLines(t *testing.T) { // D-06
	each(t, all, func(t *testing.T, revision string) {
		f := transporttest.New(t, nil)
		lines := opening(revision)
		for i := range 50 {
			lines = append(lines, tool(revision, fmt.Sprint(i), "echo", fmt.Sprintf(`"text":"%d:%s"`, i, strings.Repeat("y", 70<<10))))
			lines = append(lines, progressing(revision, fmt.Sprint(i+100), "steps", fmt.Sprint(i)))
		}
		in, out := io.Pipe()
		text := make(chan string)
		go func() {
			b, _ := io.ReadAll(in)
			text <- string(b)
		}()
		require.NoError(t, stdio.Serve(t.Context(), f.Server, strings.NewReader(strings.Join(lines, "\n")), chunked{out}, stdio.Options{}))
		require.NoError(t, out.Close())
		got := readLines(t, <-text)
		progress := map[string]int{}
		for _, m := range got {
			if m.Method != "" {
				progress[string(m.Params)]++
			}
		}
		assert.Len(t, progress, 150, "each progress once")
		for i := range 50 {
			assert.Contains(t, string(response(t, got, fmt.Sprint(i)).Result), fmt.Sprintf(`"%d:yyy`, i))
			assert.Zero(t, response(t, got, fmt.Sprint(i+100)).code())
		}
	})
}

// chunked writes in pieces, so that two writers would mix.
type chunked struct{ w io.Writer }

func (c chunked) Write(b []byte) (n int, err error) {
	for len(b) > 0 && err == nil {
		k, e := c.w.Write(b[:min(len(b), 5000)])
		n, b, err = n+k, b[k:], e
	}
	return n, err
}

func TestRun(t *testing.T) { // D-02, D-07, D-08
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), asServer+"=1")
	var log bytes.Buffer
	cmd.Stderr = &log
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	deadline := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
	defer deadline.Stop()
	r := bufio.NewReader(out)
	for _, line := range []string{initialize(nov), tool(nov, "3", "run_child", ""), request(nov, "4", "ping", "")} {
		_, err := io.WriteString(in, line+"\n")
		require.NoError(t, err)
		answer, err := r.ReadString('\n')
		require.NoError(t, err, "each is answered before the next is sent")
		m := readLines(t, answer)
		assert.Zero(t, m[0].code())
		assert.NotContains(t, string(m[0].Result), "isError")
	}
	require.NoError(t, in.Close())
	rest, err := io.ReadAll(r)
	require.NoError(t, err)
	assert.Empty(t, rest)
	require.NoError(t, cmd.Wait(), "it ends with status 0")
	assert.Contains(t, log.String(), "a line of a tool")
	assert.Contains(t, log.String(), "a line of a child")
}
