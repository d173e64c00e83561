package conformance

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/conformance/report"
	"github.com/parley-mcp/parley/conformance/transcript"
)

// TestRefusalsWithoutAMessage: where a step takes a status for its message, a text beside it is nobody's business. A message
// is still judged, and so is any other status.
func TestRefusalsWithoutAMessage(t *testing.T) {
	const wrong, right = `{"jsonrpc":"2.0","error":{"code":-32000,"message":"no"}}`, `{"jsonrpc":"2.0","error":{"code":-32700,"message":"no"}}`
	for _, c := range []struct {
		name, or, content, body string
		status                  int
		want                    report.Verdict
	}{
		{"a text", "http: @or 4xx\n", "text/plain", "no", 400, report.Pass},
		{"nothing", "http: @or 4xx\n", "", "", 400, report.Pass},
		{"the message", "http: @or 4xx\n", "application/json", right, 400, report.Pass},
		{"the message with another status", "http: @or 4xx\n", "application/json", right, 200, report.Pass},
		{"another message", "http: @or 4xx\n", "application/json", wrong, 400, report.Fail},
		{"a text with another status", "http: @or 4xx\n", "text/plain", "no", 500, report.Fail},
		{"a text that is taken for success", "http: @or 4xx\n", "text/plain", "no", 200, report.Fail},
		{"a text where a message must come", "", "text/plain", "no", 400, report.Fail},
		{"nothing where a message must come", "", "", "", 400, report.Fail},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHonest()
			target := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				if string(body) != "broken" {
					r.Body = io.NopCloser(strings.NewReader(string(body)))
					h.ServeHTTP(w, r)
					return
				}
				if c.content != "" {
					w.Header().Set("Content-Type", c.content)
				}
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
			}))
			o := quick
			o.Transcripts = []*transcript.Transcript{parse(t, "a/b", "Story.\n\nrevisions: "+h.handshake+"\ntransports: http\n-- >raw broken --\nbroken\n"+
				"-- < refused --\n"+c.or+"{\"jsonrpc\": \"2.0\", \"error\": {\"code\": -32700, \"...\": \"\"}, \"...\": \"\"}\n")}
			r, err := Run(t.Context(), target, o)
			require.NoError(t, err)
			assert.Equal(t, c.want, told(r)[0].Verdict, told(r)[0].Reason)
		})
	}
}
