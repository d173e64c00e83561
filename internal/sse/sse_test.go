// Event streams come in every shape that the HTML standard allows, and in some that it forbids. The reader takes the first
// and survives the second; what the writer writes, the reader reads.
package sse_test

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/internal/sse"
)

func readAll(t testing.TB, r io.Reader, limit int) ([]sse.Event, error) {
	t.Helper()
	in := sse.NewReader(r, limit)
	var out []sse.Event
	for {
		e, err := in.Next()
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return out, err
		}
		out = append(out, e)
	}
}

func TestReader(t *testing.T) {
	message := func(data string) sse.Event { return sse.Event{Data: []byte(data), HasData: true} }
	tests := map[string]struct {
		stream string
		want   []sse.Event
	}{
		"LF":                    {"data: a\n\ndata: b\n\n", []sse.Event{message("a"), message("b")}},
		"CRLF":                  {"data: a\r\n\r\ndata: b\r\n\r\n", []sse.Event{message("a"), message("b")}},
		"CR":                    {"data: a\r\rdata: b\r\r", []sse.Event{message("a"), message("b")}},
		"mixed ends":            {"data: a\r\n\ndata: b\r\r\n", []sse.Event{message("a"), message("b")}},
		"several data lines":    {"data: {\ndata: }\n\n", []sse.Event{message("{\n}")}},
		"no blank after colon":  {"data:a\n\n", []sse.Event{message("a")}},
		"one blank is dropped":  {"data:  a\n\n", []sse.Event{message(" a")}},
		"field without a colon": {"data\n\n", []sse.Event{{HasData: true}}},
		"comments":              {": hello\n\n:\ndata: a\n: more\n\n", []sse.Event{message("a")}},
		"unknown fields":        {"foo: 1\n\nfoo: 2\ndata: a\n\n", []sse.Event{message("a")}},
		"byte order mark":       {"\xEF\xBB\xBFdata: a\n\n", []sse.Event{message("a")}},
		"foreign event":         {"event: ping\ndata: a\n\n", []sse.Event{{Name: "ping", Data: []byte("a"), HasData: true}}},
		"priming event":         {"id: 7\ndata:\n\n", []sse.Event{{ID: "7", HasID: true, HasData: true}}},
		"id with NUL":           {"id: a\x00b\ndata: a\n\n", []sse.Event{message("a")}},
		"retry":                 {"retry: 1500\n\n", []sse.Event{{Retry: 1500 * time.Millisecond, HasRetry: true}}},
		"retry that is none":    {"retry: 1s\n\nretry: +5\n\nretry:\n\ndata: a\n\n", []sse.Event{message("a")}},
		"cut off":               {"data: a\n\ndata: b\n", []sse.Event{message("a")}},
		"UTF-8":                 {"data: grüße 🎉\n\n", []sse.Event{message("grüße 🎉")}},
		"empty":                 {"", nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := readAll(t, strings.NewReader(test.stream), 1000)
			require.NoError(t, err)
			assert.Equal(t, test.want, got)
			// The same, byte by byte: line ends and UTF-8 sequences are cut everywhere.
			got, err = readAll(t, iotest.OneByteReader(strings.NewReader(test.stream)), 1000)
			require.NoError(t, err)
			assert.Equal(t, test.want, got)
		})
	}
}

func TestReaderDeliversAtOnce(t *testing.T) {
	// A stream that ends its lines in CR must not wait for the byte behind the blank line.
	in, out := io.Pipe()
	go func() { _, _ = out.Write([]byte("data: a\r\r")) }()
	e, err := sse.NewReader(in, 100).Next()
	require.NoError(t, err)
	assert.Equal(t, "a", string(e.Data))
}

func TestReaderBound(t *testing.T) {
	for name, stream := range map[string]string{
		"one long line":    "data: " + strings.Repeat("x", 200) + "\n\n",
		"many short lines": strings.Repeat("data: x\n", 50) + "\n",
		"no end":           strings.Repeat("x", 1000),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readAll(t, strings.NewReader(stream), 100)
			assert.ErrorIs(t, err, sse.ErrTooLong)
		})
	}
	got, err := readAll(t, strings.NewReader(strings.Repeat("data: x\n\n:\n\n", 500)), 100)
	require.NoError(t, err, "the bound is that of one event, not of the stream")
	assert.Len(t, got, 500)
}

func TestWriter(t *testing.T) {
	var b []byte
	b = sse.AppendPriming(b, "0")
	b = sse.AppendMessage(b, "1", []byte(`{"a":1}`))
	b = sse.AppendKeepAlive(b)
	b = sse.AppendRetry(b, 250*time.Millisecond)
	b = sse.AppendMessage(b, "", []byte("{\r\n}\n"))
	assert.Equal(t, "id: 0\ndata: \n\nid: 1\nevent: message\ndata: {\"a\":1}\n\n:\n\nretry: 250\n\n"+
		"event: message\ndata: {\ndata: }\ndata: \n\n", string(b))
	got, err := readAll(t, bytes.NewReader(b), 1000)
	require.NoError(t, err)
	require.Len(t, got, 4)
	assert.False(t, got[0].Message())
	assert.True(t, got[1].Message())
	assert.Equal(t, "{\n}\n", string(got[3].Data))
}

func TestWriterAllocatesNothing(t *testing.T) {
	buf := make([]byte, 0, 1024)
	message := []byte(`{"jsonrpc":"2.0","id":1,"result":{}}`)
	assert.Zero(t, testing.AllocsPerRun(100, func() { buf = sse.AppendMessage(buf[:0], "12", message) }))
}

func FuzzReader(f *testing.F) {
	f.Add([]byte("id: 1\r\nevent: message\r\ndata: {}\r\n\r\n"), 3)
	f.Add([]byte("\xEF\xBB\xBF: c\rdata\r\rretry: 5\n\n"), 1)
	f.Fuzz(func(t *testing.T, stream []byte, chunk int) {
		whole, err := readAll(t, bytes.NewReader(stream), 1<<20)
		require.NoError(t, err)
		cut, err := readAll(t, &chunks{stream, max(1, chunk%17)}, 1<<20)
		require.NoError(t, err)
		assert.Equal(t, whole, cut, "how the bytes are cut must not matter")
	})
}

func FuzzRoundTrip(f *testing.F) {
	f.Add("1", []byte("{\n}"))
	f.Fuzz(func(t *testing.T, id string, message []byte) {
		if strings.ContainsAny(id, "\r\n\x00") {
			t.Skip("an id must not hold these")
		}
		got, err := readAll(t, bytes.NewReader(sse.AppendMessage(nil, id, message)), 1<<24)
		require.NoError(t, err)
		require.Len(t, got, 1)
		want := bytes.ReplaceAll(bytes.ReplaceAll(message, []byte("\r\n"), []byte("\n")), []byte("\r"), []byte("\n"))
		assert.Equal(t, string(want), string(got[0].Data))
		assert.Equal(t, strings.TrimPrefix(" "+id, " "), got[0].ID)
	})
}

type chunks struct {
	rest []byte
	size int
}

func (c *chunks) Read(p []byte) (int, error) {
	if len(c.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, c.rest[:min(c.size, len(c.rest))])
	c.rest = c.rest[n:]
	return n, nil
}

func BenchmarkAppendMessage(b *testing.B) {
	message := []byte(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"abc","progress":50,"total":100,"message":"half of it"}}`)
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		dst = sse.AppendMessage(dst[:0], "s1-17", message)
	}
}
