// What a protected endpoint lets in, and what it answers to the rest: RFC 6750 section 3, RFC 9728 section 5, and 2025-11-25
// basic/authorization#token-handling. Where a case is about one kind of token, all else of it is good.
package auth_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/auth"
)

func TestProtect(t *testing.T) {
	all := tokens{
		"good":     good(),
		"expired":  good(func(t *auth.Token) { t.Expires = time.Now().Add(-time.Second) }),
		"timeless": good(func(t *auth.Token) { t.Expires = time.Time{} }),
		"other": good(func(t *auth.Token) {
			t.Audience = []string{"https://mcp.example.com", "https://other.example.com/team/mcp"}
		}),
		"open":     good(func(t *auth.Token) { t.Audience = nil }),
		"several":  good(func(t *auth.Token) { t.Audience = []string{"https://other.example.com", endpoint} }),
		"capitals": good(func(t *auth.Token) { t.Audience = []string{"HTTPS://MCP.Example.COM/team/mcp"} }),
		"path":     good(func(t *auth.Token) { t.Audience = []string{"https://mcp.example.com/TEAM/mcp"} }),
		"stranger": good(func(t *auth.Token) { t.Issuer = "https://login.example.org" }),
		"unnamed":  good(func(t *auth.Token) { t.Issuer = "" }),
		"slash":    good(func(t *auth.Token) { t.Issuer = issuer + "/" }),
		"nobody":   good(func(t *auth.Token) { t.Subject, t.ClientID = "", "" }),
		"narrow":   good(func(t *auth.Token) { t.Scopes = []string{"other"} }),
		"nothing":  nil,
	}
	const bare = "Bearer " + metadata + `, scope="mcp"`
	invalid := func(why string) string {
		return "Bearer " + metadata + `, error="invalid_token", error_description="` + why + `", scope="mcp"`
	}
	malformed := func(why string) string {
		return "Bearer " + metadata + `, error="invalid_request", error_description="` + why + `"`
	}
	const (
		shape = "the Authorization header must be: Bearer, a blank, and a token of letters, digits and -._~+/="
		query = "a token in the URL is not accepted: send it in the Authorization header"
	)
	d := open(t, all, options())
	for _, c := range []struct {
		name          string
		target        string
		authorization []string
		status        int
		challenge     string
	}{
		{"good", "/", []string{"Bearer good"}, 200, ""},
		{"the scheme in other letters", "/", []string{"bEARER  good"}, 200, ""},
		{"for several resources", "/", []string{"Bearer several"}, 200, ""},
		{"scheme and host in capitals", "/", []string{"Bearer capitals"}, 200, ""},
		{"of an issuer that is not known", "/", []string{"Bearer unnamed"}, 200, ""},
		{"nothing", "/", nil, 401, bare},
		{"another scheme", "/", []string{"Basic YTpi"}, 401, bare},
		{"unknown", "/", []string{"Bearer who"}, 401, invalid("the token is not valid")},
		{"expired", "/", []string{"Bearer expired"}, 401, invalid("the token has expired")},
		{"without an end", "/", []string{"Bearer timeless"}, 401, invalid("the token has expired")},
		{"for others", "/", []string{"Bearer other"}, 401, invalid("the token is for another resource")},
		{"for nobody", "/", []string{"Bearer open"}, 401, invalid("the token is for another resource")},
		{"for another path", "/", []string{"Bearer path"}, 401, invalid("the token is for another resource")},
		{"of another issuer", "/", []string{"Bearer stranger"}, 401, invalid("the token is of another issuer")},
		{"of nobody", "/", []string{"Bearer nobody"}, 401, invalid("the token names nobody")},
		{"too long", "/", []string{"Bearer " + strings.Repeat("a", 8<<10+1)}, 401, invalid("the token is too long")},
		{"too narrow", "/", []string{"Bearer narrow"}, 403, "Bearer " + metadata +
			`, error="insufficient_scope", error_description="the token does not allow this", scope="mcp"`},
		{"empty", "/", []string{"Bearer "}, 400, malformed(shape)},
		{"only a scheme", "/", []string{"Bearer"}, 400, malformed(shape)},
		{"two words", "/", []string{"Bearer good good"}, 400, malformed(shape)},
		{"two in one", "/", []string{"Bearer good, Bearer good"}, 400, malformed(shape)},
		{"twice", "/", []string{"Bearer good", "Bearer good"}, 400, malformed("the Authorization header must be there once")},
		{"in the query", "/?access_token=good", nil, 400, malformed(query)},
		{"in the query too", "/?a=b&access%5Ftoken=good", []string{"Bearer good"}, 400, malformed(query)},
		{"something else in the query", "/?token=good", []string{"Bearer good"}, 200, ""},
		{"nobody can tell", "/", []string{"Bearer down"}, 503, ""},
		{"a verifier that says nothing", "/", []string{"Bearer nothing"}, 503, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d.seen = nil
			a := d.ask("POST", c.target, c.authorization...)
			assert.Equal(t, c.status, a.StatusCode)
			assert.Equal(t, c.challenge, a.Header.Get("WWW-Authenticate"))
			assert.Len(t, d.seen, map[bool]int{true: 1}[c.status == 200])
			if c.challenge != "" {
				assert.Equal(t, "*", a.Header.Get("Access-Control-Allow-Origin"), "a page must be able to read it")
				assert.Equal(t, "WWW-Authenticate", a.Header.Get("Access-Control-Expose-Headers"))
			}
		})
	}
	assert.NotContains(t, d.log.String(), "who is", "the verifier's error holds the token")
	assert.NotContains(t, d.log.String(), "about down")
	assert.Contains(t, d.log.String(), "login.example.org", "an operator sees what differs")
}

// Every method is checked, and those of sessions no less; what browsers ask beforehand brings no token.
//
// Proves: security.requests-verified
// Proves: transport.http.authentication
func TestEveryRequest(t *testing.T) {
	d := open(t, tokens{"good": good()}, options())
	for _, method := range []string{"POST", "GET", "DELETE", "HEAD", "PUT", "OPTIONS"} {
		r := httptest.NewRequest(method, "/", nil)
		r.Header.Set("Mcp-Session-Id", "one-that-is-open")
		assert.Equal(t, 401, d.send(r).StatusCode, method)
	}
	assert.Empty(t, d.seen)
	preflight := httptest.NewRequest("OPTIONS", "/", nil)
	preflight.Header.Set("Origin", "https://page.example.com")
	preflight.Header.Set("Access-Control-Request-Method", "POST")
	preflight.Header.Set("Authorization", "Bearer good")
	assert.Equal(t, 200, d.send(preflight).StatusCode)
	require.Len(t, d.seen, 1)
	assert.Empty(t, d.seen[0].Header.Get("Authorization"))
	assert.Nil(t, auth.FromContext(d.seen[0].Context()), "it has not been looked at")
}

// The token goes no further: a handler that copies all headers to a server behind it passes no token on.
//
// Proves: authorization.no-token-passthrough
func TestTokenGoesNoFurther(t *testing.T) {
	var upstream http.Header
	behind := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { upstream = r.Header }))
	defer behind.Close()
	d := open(t, tokens{"good": good()}, options())
	proxy := d.Protect(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		again, err := http.NewRequestWithContext(r.Context(), r.Method, behind.URL, nil)
		assert.NoError(t, err)
		again.Header = r.Header
		a, err := behind.Client().Do(again)
		assert.NoError(t, err)
		assert.NoError(t, a.Body.Close())
	}))
	r := httptest.NewRequest("POST", "/", nil)
	r.Header.Set("Authorization", "Bearer good")
	r.Header.Set("X-Kept", "yes")
	proxy.ServeHTTP(httptest.NewRecorder(), r)
	assert.Equal(t, "yes", upstream.Get("X-Kept"))
	assert.NotContains(t, upstream, "Authorization")
	assert.Equal(t, "Bearer good", r.Header.Get("Authorization"), "what is outside keeps its request")
}

// A request is refused before its body is read, and nobody behind hears of it.
//
// Proves: authorization.no-data-to-unauthorized
func TestRefusedUnread(t *testing.T) {
	d := open(t, tokens{}, options())
	body := &countingReader{}
	a := d.send(httptest.NewRequest("POST", "/", body))
	assert.Equal(t, 401, a.StatusCode)
	assert.Equal(t, "close", a.Header.Get("Connection"), "or net/http would wait for the body")
	assert.Zero(t, body.read)
	assert.Empty(t, d.seen)
}

type countingReader struct{ read int }

func (r *countingReader) Read(b []byte) (int, error) {
	r.read += len(b)
	return 0, io.EOF
}

func TestWhoSends(t *testing.T) {
	all := tokens{"first": good(), "second": good(func(t *auth.Token) { t.Expires = t.Expires.Add(time.Hour) }),
		"client":  good(func(t *auth.Token) { t.Subject = "" }),
		"twin":    good(func(t *auth.Token) { t.Subject = "app" }),
		"unnamed": good(func(t *auth.Token) { t.Issuer = "" })}
	d := open(t, all, options())
	principal := func(token string) string {
		d.seen = nil
		require.Equal(t, 200, d.ask("POST", "/", "Bearer "+token).StatusCode)
		assert.Same(t, all[token], auth.FromContext(d.seen[0].Context()))
		return auth.Principal(d.seen[0].Context(), d.seen[0].Header)
	}
	assert.Equal(t, "https://login.example.com sub alice", principal("first"))
	assert.Equal(t, principal("first"), principal("second"), "a refreshed token is still the same person's")
	assert.NotEqual(t, principal("client"), principal("twin"), "a client is not the person of the same name")
	assert.NotEqual(t, principal("first"), principal("unnamed"))
	assert.Empty(t, auth.Principal(t.Context(), nil), "a request that was not protected is nobody's")
}

func TestFurtherNamesAndALimit(t *testing.T) {
	o := options()
	o.Audiences, o.MaxToken = []string{"api://tools"}, 5
	d := open(t, tokens{
		"named":  good(func(t *auth.Token) { t.Audience = []string{"api://tools"} }),
		"other":  good(func(t *auth.Token) { t.Audience = []string{"api://Tools"} }),
		"longer": good(),
	}, o)
	for token, status := range map[string]int{"named": 200, "other": 401, "longer": 401} {
		assert.Equal(t, status, d.ask("POST", "/", "Bearer "+token).StatusCode, token)
	}
}

// A verifier that never comes back is given up.
func TestSlowVerifier(t *testing.T) {
	o := options()
	o.VerifyTimeout = time.Millisecond
	r, err := auth.New(auth.VerifierFunc(func(ctx context.Context, _ string) (*auth.Token, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}), o)
	require.NoError(t, err)
	w := httptest.NewRecorder()
	request := httptest.NewRequest("POST", "/", nil)
	request.Header.Set("Authorization", "Bearer good")
	r.Protect(http.NotFoundHandler()).ServeHTTP(w, request)
	assert.Equal(t, 503, w.Code)
	assert.Equal(t, "5", w.Header().Get("Retry-After"))
}

func TestWrongOptions(t *testing.T) {
	_, err := auth.New(nil, options())
	assert.ErrorContains(t, err, "verifier")
	for want, change := range map[string]func(*auth.Options){
		`Resource: "mcp.example.com"`:   func(o *auth.Options) { o.Resource = "mcp.example.com" },
		`must be https`:                 func(o *auth.Options) { o.Resource = "http://mcp.example.com/mcp" },
		`a fragment`:                    func(o *auth.Options) { o.Resource = endpoint + "#x" },
		`a query`:                       func(o *auth.Options) { o.Resource = endpoint + "?x" },
		`a user`:                        func(o *auth.Options) { o.Resource = "https://me@mcp.example.com" },
		`Resource: parse`:               func(o *auth.Options) { o.Resource = "https://[" },
		`AuthorizationServers is empty`: func(o *auth.Options) { o.AuthorizationServers = nil },
		`AuthorizationServers: "login"`: func(o *auth.Options) { o.AuthorizationServers = []string{"login"} },
		`Audiences has an empty`:        func(o *auth.Options) { o.Audiences = []string{""} },
		`is negative`:                   func(o *auth.Options) { o.MaxToken = -1 },
		`"a b" is no scope`:             func(o *auth.Options) { o.Scopes = []string{"a b"} },
		`"a\"" is no scope`:             func(o *auth.Options) { o.Implies = map[string][]string{"all": {`a"`}} },
		`"" is no scope`:                func(o *auth.Options) { o.ScopesSupported = []string{""} },
	} {
		o := options()
		change(&o)
		_, err := auth.New(tokens{}, o)
		assert.ErrorContains(t, err, want)
	}
}
