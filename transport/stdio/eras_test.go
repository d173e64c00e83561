package stdio_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/transport/internal/transporttest"
	"github.com/parley-mcp/parley/transport/stdio"
)

// Which revision serves a line, and which have batches.

// Proves: versioning.dual-era-modern-meta-stateless
// Proves: versioning.dual-era-initialize-legacy
// Proves: versioning.dual-era-legacy-scope
// Proves: lifecycle.version-counter-offer-latest
// Proves: transport.custom-preserve
// Proves: transport.custom-stdio-framing
func TestEras(t *testing.T) {
	f := transporttest.New(t, nil)
	t.Run("both on one pipe", func(t *testing.T) { // OP-22
		got := talk(t, f, stdio.Options{}, tool(modern, "1", "echo", `"text":"a"`), initialize(june), tool(june, "2", "list_users", ""),
			tool(modern, "3", "list_users", ""), request(june, "4", "ping", ""), request(modern, "5", "ping", ""), request(june, "6", "server/discover", ""))
		assert.Contains(t, string(response(t, got, "1").Result), "resultType")
		assert.NotContains(t, string(response(t, got, "2").Result), "resultType")
		assert.Contains(t, string(response(t, got, "3").Result), `"structuredContent":["ada","bob"]`)
		assert.Zero(t, response(t, got, "4").code())
		assert.Equal(t, -32601, response(t, got, "5").code())
		assert.Equal(t, -32601, response(t, got, "6").code(), "M-25")
	})
	t.Run("before initialize", func(t *testing.T) {
		got := talk(t, f, stdio.Options{}, request(nov, "1", "ping", ""), tool(nov, "2", "write_row", ""), request(nov, "3", "logging/setLevel", `"level":"error"`), request(modern, "4", "server/discover", ""))
		assert.Zero(t, response(t, got, "1").code())
		assert.Equal(t, -32600, response(t, got, "2").code())
		assert.Contains(t, response(t, got, "2").Error.Message, "initialize")
		assert.Equal(t, -32600, response(t, got, "3").code())
		assert.Contains(t, string(response(t, got, "4").Result), `"supportedVersions":["2026-07-28","2025-11-25"`)
		assert.Zero(t, f.Rows.Load())
	})
	t.Run("V-01 V-02 the version", func(t *testing.T) {
		for asked, agreed := range map[string]string{march: march, june: june, nov: nov, modern: nov, "2099-01-01": nov, "": nov} {
			assert.Contains(t, string(response(t, talk(t, f, stdio.Options{}, initialize(asked)), `"init"`).Result), `"protocolVersion":"`+agreed+`"`)
		}
	})
	t.Run("M-04 M-06 a version that is not served", func(t *testing.T) {
		line := request(modern, "1", "tools/list", "")
		got := talk(t, f, stdio.Options{}, strings.ReplaceAll(line, modern, "1900-01-01"))
		assert.Equal(t, -32022, response(t, got, "1").code())
		assert.Contains(t, string(response(t, got, "1").Error.Data), `"supported":["2026-07-28"`)
		got = talk(t, f, stdio.Options{}, strings.ReplaceAll(line, `,"io.modelcontextprotocol/clientCapabilities":{}`, ""))
		assert.Equal(t, -32602, response(t, got, "1").code())
		got = talk(t, f, stdio.Options{}, strings.ReplaceAll(line, `"2026-07-28"`, "7"))
		assert.Equal(t, -32602, response(t, got, "1").code())
	})
	t.Run("V-14 E-01 the operator's list", func(t *testing.T) {
		only := func(r ...protocol.Revision) *transporttest.Fixture {
			return transporttest.New(t, func(o *server.Options) { o.Revisions = r })
		}
		got := talk(t, only(modern), stdio.Options{}, initialize(nov), request(nov, "2", "ping", ""), request(modern, "3", "tools/list", ""))
		assert.Equal(t, -32022, response(t, got, `"init"`).code())
		assert.Contains(t, response(t, got, `"init"`).Error.Message, modern)
		assert.Equal(t, -32602, response(t, got, "2").code())
		assert.Zero(t, response(t, got, "3").code())
		got = talk(t, only(june), stdio.Options{}, request(modern, "1", "server/discover", ""), initialize(nov), request(june, "2", "ping", ""))
		assert.Equal(t, -32022, response(t, got, "1").code())
		assert.Contains(t, string(response(t, got, `"init"`).Result), june)
		assert.Zero(t, response(t, got, "2").code())
	})
	t.Run("M-14 nothing is mirrored", func(t *testing.T) {
		got := talk(t, f, stdio.Options{}, tool(modern, "1", "query", `"region":"eu-1","n":42`))
		assert.Contains(t, string(response(t, got, "1").Result), "eu-1")
	})
}

func TestBatches(t *testing.T) {
	ping1, ping2 := request(march, "1", "ping", ""), request(march, "2", "ping", "")
	note := `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	each(t, all, func(t *testing.T, revision string) {
		f := transporttest.New(t, nil)
		write := tool(revision, "3", "write_row", "")
		if revision != march { // H-22
			got := talk(t, f, stdio.Options{}, append(opening(revision), "["+write+"]")...)
			assert.Equal(t, -32600, response(t, got, "").code())
			assert.Zero(t, f.Rows.Load())
			return
		}
		got := talk(t, f, stdio.Options{}, "["+ping1+"]")
		assert.Equal(t, -32600, response(t, got, "").code(), "before initialize")
		for _, c := range []struct {
			line string
			want []string // ids and codes
		}{
			{"[" + ping1 + "]", []string{"1 0"}},
			{"[" + note + "," + ping1 + "," + note + "," + ping2 + "]", []string{"1 0", "2 0"}}, // H-21
			{"[" + note + "," + note + "]", nil},
			{`[1,` + ping1 + `,{}]`, []string{" -32600", "1 0", " -32600"}},
			{`[` + progressing(march, "4", "steps", "9") + `,` + ping1 + `]`, []string{"1 0", "4 0"}},
			{"[" + ping1 + "," + initialize(march) + "]", []string{" -32600"}},
			{"[" + tool(modern, "5", "write_row", "") + "]", []string{" -32600"}},
			{`[{"jsonrpc":"2.0","id":1,"result":{}}]`, nil},
		} {
			var out bytes.Buffer
			in := strings.Join(append(opening(march), c.line), "\n")
			require.NoError(t, stdio.Serve(t.Context(), f.Server, strings.NewReader(in), &out, stdio.Options{}))
			var got []string
			for _, m := range readLines(t, out.String())[1:] {
				if m.Method == "" {
					got = append(got, fmt.Sprint(string(m.ID), " ", m.code()))
				}
			}
			assert.ElementsMatch(t, c.want, got, c.line)
			if len(c.want) > 1 || c.want != nil && strings.HasSuffix(c.want[0], " 0") {
				assert.Contains(t, out.String(), "\n[{", "one array")
			}
		}
		assert.Zero(t, f.Rows.Load())
	})
}
