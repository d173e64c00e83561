package revisions_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/revisions"
)

func benchEach(b *testing.B, f func(b *testing.B, c protocol.Codec)) {
	for _, c := range revisions.All() {
		b.Run(string(c.Features().Revision), func(b *testing.B) {
			b.ReportAllocs()
			f(b, c)
		})
	}
}

var call = []byte(`{"name":"greet","arguments":{"name":"Ada","times":3},"_meta":` + string(callMeta) + `}`)

var callMeta = []byte(`{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
	`"io.modelcontextprotocol/clientInfo":{"name":"client","version":"1.0.0"},` +
	`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{},"sampling":{"tools":{}}},"progressToken":7}`)

func BenchmarkDecodeCall(b *testing.B) {
	benchEach(b, func(b *testing.B, c protocol.Codec) {
		for b.Loop() {
			_, err := c.DecodeRequest(protocol.MethodToolsCall, call)
			require.NoError(b, err)
		}
	})
}

func BenchmarkDecodeMeta(b *testing.B) {
	benchEach(b, func(b *testing.B, c protocol.Codec) {
		for b.Loop() {
			_, err := c.DecodeMeta(callMeta)
			require.NoError(b, err)
		}
	})
}

func benchEncode(b *testing.B, v protocol.Outgoing) {
	benchEach(b, func(b *testing.B, c protocol.Codec) {
		var buf []byte
		for b.Loop() {
			var err error
			buf, err = c.Append(buf[:0], v)
			require.NoError(b, err)
		}
		b.SetBytes(int64(len(buf)))
	})
}

var server = &protocol.Implementation{Name: "server", Version: "1.0.0", Title: "A server"}

func BenchmarkEncodeResult(b *testing.B) {
	benchEncode(b, &protocol.CallToolResult{
		ResultBase: protocol.ResultBase{Server: server},
		Content:    []protocol.Content{&protocol.TextContent{Text: `{"greeting":"Hello, Ada!"}`}},
		Structured: []byte(`{"greeting":"Hello, Ada!"}`),
	})
}

func fiftyOneTools() *protocol.ListToolsResult {
	r := &protocol.ListToolsResult{ResultBase: protocol.ResultBase{Server: server}}
	yes := true
	for i := range 51 {
		r.Tools = append(r.Tools, &protocol.Tool{
			Name: fmt.Sprintf("tool_%d", i), Title: "A tool", Description: "Does one thing, and says what it has done.",
			InputSchema: []byte(`{"type":"object","properties":{"name":{"type":"string","description":"Whose it is."},` +
				`"times":{"type":"integer","minimum":1}},"required":["name"],"additionalProperties":false}`),
			OutputSchema: []byte(`{"type":"object","properties":{"greeting":{"type":"string"}},"required":["greeting"]}`),
			Annotations:  &protocol.ToolAnnotations{ReadOnlyHint: &yes},
		})
	}
	return r
}

func BenchmarkEncodeList(b *testing.B) { benchEncode(b, fiftyOneTools()) }

// The hot path allocates what the caller gets, and no more.
func TestAllocations(t *testing.T) {
	if raceEnabled() {
		t.Skip("the race detector makes pools forget")
	}
	each(t, func(t *testing.T, c protocol.Codec) {
		most := func(name string, n float64, f func()) {
			got := testing.AllocsPerRun(200, f)
			if got > n {
				t.Errorf("%s allocates %v times, at most %v are needed", name, got, n)
			}
		}
		most("decoding a call", 2, func() { // the params and the tool's name
			if _, err := c.DecodeRequest(protocol.MethodToolsCall, call); err != nil {
				t.Error(err)
			}
		})
		result := &protocol.CallToolResult{ResultBase: protocol.ResultBase{Server: server}, Structured: []byte(`{"a":1}`),
			Content: []protocol.Content{&protocol.TextContent{Text: "a"}}}
		buf := make([]byte, 0, 4096)
		for name, v := range map[string]protocol.Outgoing{"encoding a result": result, "encoding a list": fiftyOneTools()} {
			buf, _ = c.Append(buf[:0], v)
			most(name, 0, func() {
				if _, err := c.Append(buf[:0], v); err != nil {
					t.Error(err)
				}
			})
		}
	})
}
