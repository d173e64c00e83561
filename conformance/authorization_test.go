// A run with a token finds out whether the server refuses who has none, and where its metadata are; what comes from there is
// no message of the protocol.
package conformance

import (
	"net/http"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/conformance/report"
)

// A guarded server lets in who brings the one good token.
type guarded struct {
	*honest
	challenge string // {self} is its own origin
	metadata  string // the path at which its metadata are
}

func (g *guarded) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	self := "http://" + r.Host
	switch {
	case r.URL.Path == g.metadata:
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"resource":"` + self + `/mcp","authorization_servers":["https://as.example"]}`))
	case r.URL.Path != "/mcp":
		w.WriteHeader(http.StatusNotFound)
	case r.Header.Get("Authorization") != "Bearer good-token-text":
		w.Header().Set("WWW-Authenticate", strings.ReplaceAll(g.challenge, "{self}", self))
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = w.Write([]byte(`{"error":"invalid_token"}`))
	default:
		g.honest.ServeHTTP(w, r)
	}
}

// verdicts runs all that is about authorization, and returns what each came to at the newest revision.
func verdicts(t *testing.T, h http.Handler, change func(*Target)) map[string]report.Result {
	t.Helper()
	target := serve(t, h)
	target.Header = http.Header{"Authorization": {"Bearer good-token-text"}}
	if change != nil {
		change(&target)
	}
	o := quick
	o.Run, o.Revisions = "authorization", []string{newHonest().stateless}
	r, err := Run(t.Context(), target, o)
	require.NoError(t, err)
	all, err := json.Marshal(r)
	require.NoError(t, err)
	for _, secret := range []string{"good-token-text", "old-token-text"} {
		assert.NotContains(t, string(all), secret)
	}
	out := map[string]report.Result{}
	for _, res := range r.Results {
		out[res.Transcript] = res
	}
	return out
}

func TestGuardIsFound(t *testing.T) {
	for name, g := range map[string]*guarded{
		"named by the challenge":     {challenge: `Bearer resource_metadata="{self}/elsewhere", scope="a"`, metadata: "/elsewhere"},
		"by a path alone":            {challenge: `Bearer resource_metadata="/elsewhere"`, metadata: "/elsewhere"},
		"A-05: spelled otherwise":    {challenge: `Basic realm="x", bearer error=invalid_token, Resource_Metadata={self}/elsewhere`, metadata: "/elsewhere"},
		"behind the well-known path": {challenge: `Bearer`, metadata: "/.well-known/oauth-protected-resource/mcp"},
		"at the root":                {challenge: ``, metadata: "/.well-known/oauth-protected-resource"},
	} {
		t.Run(name, func(t *testing.T) {
			g.honest = newHonest()
			got := verdicts(t, g, func(target *Target) { target.Tokens = map[string]string{"expired": "old-token-text"} })
			assert.Equal(t, report.Pass, got["authorization/metadata"].Verdict, got["authorization/metadata"].Reason)
			assert.Equal(t, report.Pass, got["authorization/a-02-resource-is-the-url"].Verdict, got["authorization/a-02-resource-is-the-url"].Reason)
			assert.Equal(t, report.Pass, got["authorization/token-in-query"].Verdict)
			assert.NotEqual(t, report.NotApplicable, got["authorization/expired-token"].Verdict)
			assert.Contains(t, got["authorization/token-for-another-server"].Reason, "--token elsewhere=")
			assert.NotContains(t, []report.Verdict{report.Fail}, got["always/json-rpc"].Verdict, "a refusal is no message")
		})
	}
}

func TestGuardIsNotFound(t *testing.T) {
	open := verdicts(t, newHonest(), nil)
	assert.Equal(t, report.NotApplicable, open["authorization/no-token"].Verdict, "it lets in everybody")
	assert.Contains(t, open["authorization/no-token"].Reason, "was not seen to refuse")

	bare := verdicts(t, newHonest(), func(target *Target) { target.Header = nil })
	assert.Equal(t, report.NotApplicable, bare["authorization/no-token"].Verdict)

	away := verdicts(t, &guarded{honest: newHonest(), challenge: `Bearer resource_metadata="https://mcp.example/m"`}, nil)
	assert.Equal(t, report.Pass, away["authorization/no-token"].Verdict)
	assert.Contains(t, away["authorization/metadata"].Reason, "on its own host")

	none := verdicts(t, &guarded{honest: newHonest(), challenge: `Bearer`}, nil)
	assert.Equal(t, report.Fail, none["authorization/metadata"].Verdict, "it has none at all")
}

func TestUnknownKindOfToken(t *testing.T) {
	_, err := Run(t.Context(), Target{URL: "http://127.0.0.1:1/mcp", Tokens: map[string]string{"old": "x"}}, quick)
	assert.ErrorContains(t, err, `no kind of token "old"`)
}
