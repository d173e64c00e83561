package conformance

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/conformance/match"
	"github.com/parley-mcp/parley/conformance/report"
)

func TestKeysOfMeta(t *testing.T) {
	for key, want := range map[string][]*check{
		"":                                   nil,
		"a":                                  nil,
		"progressToken":                      nil,
		"com.example/":                       nil,
		"com.example/a_b.c-d":                nil,
		"io.modelcontextprotocol/serverInfo": nil,
		"com.example.mcp/a":                  nil,
		"dev.mcp/a":                          {checkMetaOwner},
		"com.modelcontextprotocol.x/a":       {checkMetaOwner, checkMetaOwned},
		"mcp.dev/a":                          {checkMetaOwned},
		"tools.mcp.com/a":                    {checkMetaOwner, checkMetaOwned},
		"x-1/a":                              nil,
		"/a":                                 {checkMetaPrefix},
		"com..example/a":                     {checkMetaPrefix},
		".com/a":                             {checkMetaPrefix},
		"1com/a":                             {checkMetaLabel},
		"com-/a":                             {checkMetaLabel},
		"com.ex_ample/a":                     {checkMetaLabel},
		"com.exämple/a":                      {checkMetaLabel},
		"-a":                                 {checkMetaName},
		"a-":                                 {checkMetaName},
		"com.example/_a":                     {checkMetaName},
		"com.example/é":                      {checkMetaName},
		".1/-":                               {checkMetaPrefix, checkMetaLabel, checkMetaName},
	} {
		found := keyProblems(key)
		assert.Len(t, found, len(want), "%q: %v", key, found)
		for _, c := range want {
			assert.Contains(t, found[c], key)
		}
	}
}

func TestKeysOfMetaAreFoundWhereTheProtocolHasThem(t *testing.T) {
	v, err := match.Parse([]byte(`{"jsonrpc": "2.0", "id": 1, "result": {"_meta": {"a": {"_meta": {"inside": 1}}},
		"content": [{"type": "text", "text": "", "_meta": {"b": 1}}],
		"structuredContent": {"_meta": {"of the author": 1}}}}`))
	require.NoError(t, err)
	var keys []string
	for _, m := range metaMembers(v, nil) {
		keys = append(keys, m.Name)
	}
	assert.Equal(t, []string{"a", "b"}, keys)
	assert.Empty(t, metaMembers(nil, nil))
}

func TestTracesInMeta(t *testing.T) {
	for member, want := range map[string]bool{
		`"traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"`:          true,
		`"traceparent": "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-of-later"`: true,
		`"traceparent": "00-4BF92F3577B34DA6A3CE929D0E0E4736-00F067AA0BA902B7-01"`:          false,
		`"traceparent": "mine"`: false, `"traceparent": 1`: false, `"traceparent": null`: false,
		`"tracestate": "a=1,b@c=2"`: true, `"tracestate": " a=1 ,, b=2"`: true, `"tracestate": ""`: true, `"tracestate": "a"`: false, `"tracestate": {}`: false,
		`"baggage": "user=ada;private,x=%20"`: true, `"baggage": "x = y"`: true, `"baggage": ""`: false, `"baggage": "a bag"`: false, `"baggage": []`: false,
		`"com.example/traceparent": 1`: true, `"trace": 1`: true,
	} {
		v, err := match.Parse([]byte(`{` + member + `}`))
		require.NoError(t, err)
		assert.Equal(t, want, isTrace(v.Members[0]), member)
	}
}

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
