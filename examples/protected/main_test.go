package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/auth"
	"github.com/parley-mcp/parley/auth/jwt"
	"github.com/parley-mcp/parley/examples/internal/tryout"
	"github.com/parley-mcp/parley/protocol/revisions"
)

// An issuer stands for the authorization server: it publishes a key, and signs tokens with it.
type issuer struct {
	key ed25519.PrivateKey
	web *httptest.Server
}

var encode = base64.RawURLEncoding.EncodeToString

func newIssuer(t *testing.T) *issuer {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	i := &issuer{key: private}
	i.web = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"1","x":%q}]}`, encode(public))
	}))
	t.Cleanup(i.web.Close)
	return i
}

// token signs a token for an audience (RFC 9068).
func (i *issuer) token(audience, scope string) http.Header {
	text := encode([]byte(`{"alg":"EdDSA","typ":"at+jwt","kid":"1"}`)) + "." + encode(fmt.Appendf(nil,
		`{"iss":%q,"sub":"ada","client_id":"app","aud":%q,"scope":%q,"exp":%d}`, i.web.URL, audience, scope, time.Now().Add(time.Hour).Unix()))
	return http.Header{"Authorization": {"Bearer " + text + "." + encode(ed25519.Sign(i.key, []byte(text)))}}
}

// start serves the program for the tokens of an issuer.
func start(t *testing.T, i *issuer) (endpoint string) {
	t.Helper()
	verifier, err := jwt.New(jwt.Options{Issuer: i.web.URL, KeysURL: i.web.URL + "/keys"})
	require.NoError(t, err)
	web := httptest.NewUnstartedServer(nil)
	endpoint = "http://" + web.Listener.Addr().String() + "/mcp"
	web.Config.Handler, err = newRouter(endpoint, i.web.URL, verifier)
	require.NoError(t, err)
	web.Start()
	t.Cleanup(web.Close)
	return endpoint
}

func TestGreetsThoseWithAToken(t *testing.T) {
	i := newIssuer(t)
	endpoint := start(t, i)
	for _, codec := range revisions.All() {
		t.Run(string(codec.Features().Revision), func(t *testing.T) {
			call := func(tool, audience, scope string) string {
				c := &tryout.Client{URL: endpoint, Features: codec.Features(), Header: i.token(audience, scope)}
				arguments := map[string]string{"greet": `{}`, "note": `{"text":"x"}`}[tool]
				body, err := c.CallTool(tool, arguments)
				require.NoError(t, err)
				return body
			}
			assert.Contains(t, call("greet", endpoint, "greet"), `"Hello, ada!"`)
			assert.Contains(t, call("note", endpoint, "greet notes:write"), `"Noted."`)
			assert.Contains(t, call("note", endpoint, "admin"), `"Noted."`, "it includes the others")
			assert.Contains(t, call("note", endpoint, "greet"), `notes:write`, "what is missing is named")
			assert.NotContains(t, call("note", endpoint, "greet"), `Noted`)
			assert.Contains(t, call("greet", endpoint+"/other", "greet"), `invalid_token`)
			assert.Contains(t, call("greet", endpoint, "other"), `insufficient_scope`)
		})
	}
}

var resourceMetadata = regexp.MustCompile(`resource_metadata="([^"]+)"`)

// A client without a token finds its way to the issuer: from the refusal to the metadata.
func TestLeadsToTheIssuer(t *testing.T) {
	i := newIssuer(t)
	endpoint := start(t, i)
	refusal, err := http.Post(endpoint, "application/json", nil)
	require.NoError(t, err)
	require.NoError(t, refusal.Body.Close())
	assert.Equal(t, http.StatusUnauthorized, refusal.StatusCode)
	link := resourceMetadata.FindStringSubmatch(refusal.Header.Get("WWW-Authenticate"))
	require.NotNil(t, link)
	for _, url := range []string{link[1], endpoint[:len(endpoint)-len("/mcp")] + auth.WellKnown} {
		a, err := http.Get(url)
		require.NoError(t, err)
		var document struct {
			Resource string   `json:"resource"`
			Servers  []string `json:"authorization_servers"`
		}
		require.NoError(t, json.UnmarshalRead(a.Body, &document))
		require.NoError(t, a.Body.Close())
		assert.Equal(t, endpoint, document.Resource)
		assert.Equal(t, []string{i.web.URL}, document.Servers)
	}
}
