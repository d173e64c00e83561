package conformance

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/conformance/report"
)

// TestAKeyOfMetaFailsItsCheckAlone: whatever a server writes into every answer is told once, by the check that it is about.
func TestAKeyOfMetaFailsItsCheckAlone(t *testing.T) {
	for key, name := range map[string]string{"-a": "always/meta-name", "1a/a": "always/meta-label", "a..b/a": "always/meta-prefix",
		"dev.mcp/a": "always/meta-owner"} {
		h := newHonest()
		target := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			rec := httptest.NewRecorder()
			h.ServeHTTP(rec, r)
			for name, values := range rec.Header() {
				w.Header()[name] = values
			}
			w.WriteHeader(rec.Code)
			_, _ = w.Write(bytes.Replace(rec.Body.Bytes(), []byte(`"result":{"tools"`), []byte(`"result":{"_meta":{"`+key+`":1},"tools"`), 1))
		}))
		o := quick
		o.Revisions, o.Names = []string{h.handshake}, []string{"tools/list"}
		r, err := Run(t.Context(), target, o)
		require.NoError(t, err)
		for _, res := range r.Results {
			want := report.Pass
			if res.Transcript == name {
				want = report.Fail
				assert.Contains(t, res.Reason, key)
			}
			assert.Equal(t, want, res.Verdict, "%s: %s", key, res.Transcript)
		}
	}
}

// TestAMethodOfNobody: a method that no server of the revision sends fails the check for its kind.
func TestAMethodOfNobody(t *testing.T) {
	for message, name := range map[string]string{
		`{"jsonrpc":"2.0","method":"notifications/of/nobody"}`: "always/server-notifications",
		`{"jsonrpc":"2.0","id":"x","method":"of/nobody"}`:      "always/server-requests",
	} {
		h := newHonest()
		target := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			rec := httptest.NewRecorder()
			h.ServeHTTP(rec, r)
			body := rec.Body.Bytes()
			for name, values := range rec.Header() {
				w.Header()[name] = values
			}
			if bytes.Contains(body, []byte(`"result":{"tools"`)) {
				w.Header().Set("Content-Type", "text/event-stream")
				body = []byte("data: " + message + "\n\ndata: " + string(body) + "\n\n")
			}
			w.WriteHeader(rec.Code)
			_, _ = w.Write(body)
		}))
		o := quick
		o.Revisions, o.Names = []string{h.handshake}, []string{"tools/list"}
		r, err := Run(t.Context(), target, o)
		require.NoError(t, err)
		for _, res := range r.Results {
			if res.Area == alwaysArea {
				assert.Equal(t, res.Transcript == name, res.Verdict == report.Fail, "%s: %s %s", message, res.Transcript, res.Reason)
			}
		}
	}
}
