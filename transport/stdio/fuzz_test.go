package stdio_test

import (
	"bytes"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/transport/internal/transporttest"
	"github.com/parley-mcp/parley/transport/stdio"
)

// FuzzLines sends any bytes after the opening of any revision. Whatever they are, the pipe lives to their end, each line that
// comes back is one message, and none blames the server.
func FuzzLines(f *testing.F) {
	for which := range byte(4) {
		for _, text := range []string{
			`{"jsonrpc":"2.0","id":1,"method":"ping"}`,
			tool(modern, "1", "echo", `"text":"a"`) + "\r\n\r\n" + progressing(march, `"x"`, "steps", "0"),
			`[{"jsonrpc":"2.0","id":1,"method":"ping"},7,{"jsonrpc":"2.0","method":"x"}]`,
			initialize(june) + "\n" + initialize(nov) + "\n" + request(nov, "3", "logging/setLevel", `"level":"debug"`),
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
			"Content-Length: 3\r\n\r\n{}\n", "\xff\xfe", `{"a":"\ud800"}`, "[[[[", "\n \n\t\r\n", "{",
		} {
			f.Add(which, []byte(text))
		}
	}
	s := transporttest.New(f, nil)
	for _, name := range []string{"slow", "stubborn", "flood", "panics", "nothing"} { // which do that on purpose
		require.True(f, s.Server.RemoveTool(name))
	}
	f.Fuzz(func(t *testing.T, which byte, text []byte) {
		var in, out bytes.Buffer
		for _, line := range opening(all[which%4]) {
			in.WriteString(line + "\n")
		}
		in.Write(text)
		in.WriteString("\n" + request(modern, `"last"`, "tools/list", "") + "\n")
		require.NoError(t, stdio.Serve(t.Context(), s.Server, io.Reader(&in), &out, stdio.Options{MaxLine: 64 << 10, MaxDepth: 32, MaxBatch: 8, Linger: time.Second}))
		got := readLines(t, out.String())
		for _, m := range got {
			assert.Equal(t, m.Method == "", m.Result != nil || m.Error != nil, "a response or a notification")
			assert.NotEqual(t, -32603, m.code(), "%q", text)
		}
		if !bytes.Contains(text, []byte("last")) {
			assert.Zero(t, response(t, got, `"last"`).code(), "the line behind is served")
		}
	})
}
