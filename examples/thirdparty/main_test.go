package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/examples/internal/tryout"
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/revisions"
)

// A stage is the app and the other service, with all that passes between them, the MCP client and the browsers.
type stage struct {
	t             *testing.T
	app, provider *httptest.Server
	toClient      *tape // answers to the MCP client
	fromClient    *tape // its requests
	toProvider    *tape // all requests
}

// A tape keeps what has passed.
type tape struct {
	mu   sync.Mutex
	text strings.Builder
}

func (t *tape) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.Write(p)
}

func (t *tape) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.String()
}

// request writes a request down, and leaves it as it was.
func (t *tape) request(r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	_ = r.Clone(r.Context()).Write(t)
	r.Body = io.NopCloser(bytes.NewReader(body))
}

type taped struct {
	http.ResponseWriter
	tape *tape
}

func (w taped) Write(p []byte) (int, error) {
	_, _ = w.tape.Write(p)
	return w.ResponseWriter.Write(p)
}

func (w taped) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func newStage(t *testing.T) *stage {
	s := &stage{t: t, toClient: &tape{}, fromClient: &tape{}, toProvider: &tape{}}
	var app, provider http.Handler
	s.app = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/mcp" {
			s.fromClient.request(r)
			w = taped{w, s.toClient}
		}
		app.ServeHTTP(w, r)
	}))
	s.provider = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.toProvider.request(r)
		provider.ServeHTTP(w, r)
	}))
	t.Cleanup(s.app.Close)
	t.Cleanup(s.provider.Close)
	provider = newProvider(s.app.URL + "/callback")
	_, h, err := newApp(s.app.URL, s.provider.URL)
	require.NoError(t, err)
	app = h
	return s
}

// call calls the tool for a user, and returns the answer and the link to which the user is sent.
func (s *stage) call(user string, f *protocol.Features) (body, link string) {
	s.t.Helper()
	c := &tryout.Client{URL: s.app.URL + "/mcp", Features: f, Header: http.Header{"Authorization": {"Bearer " + user + "-token"}}}
	c.Visit = func(_, url string) string {
		link = url
		return `{"action":"accept"}`
	}
	body, err := c.CallTool("files", "{}")
	require.NoError(s.t, err)
	return body, link
}

// A browser goes where it is sent only when it is told to.
type browser struct {
	t      *testing.T
	client http.Client
}

func (s *stage) newBrowser() *browser {
	jar, err := cookiejar.New(nil)
	require.NoError(s.t, err)
	return &browser{s.t, http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// open opens a page, and returns its status, its text, and where it sends the browser.
func (b *browser) open(page string) (status int, text, next string) {
	b.t.Helper()
	response, err := b.client.Get(page)
	return b.read(response, err)
}

func (b *browser) read(response *http.Response, err error) (int, string, string) {
	b.t.Helper()
	require.NoError(b.t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(b.t, err)
	next := ""
	if to, err := response.Location(); err == nil {
		next = to.String()
	}
	return response.StatusCode, string(body), next
}

// logIn logs in at the page to which the link leads, and returns where that sends the user.
func (b *browser) logIn(user, link string) string {
	b.t.Helper()
	_, _, page := b.open(link)
	require.Contains(b.t, page, "/login?next=")
	response, err := b.client.PostForm(page, url.Values{"user": {user}, "password": {user + "-password"}})
	status, _, next := b.read(response, err)
	require.Equal(b.t, http.StatusSeeOther, status)
	require.Equal(b.t, link, next)
	return next
}

// visiting runs a test at each revision that can send a user to a URL.
func visiting(t *testing.T, test func(t *testing.T, s *stage, f *protocol.Features)) {
	for _, codec := range revisions.All() {
		if f := codec.Features(); f.Revision == "2025-11-25" || f.Revision == "2026-07-28" {
			t.Run(string(f.Revision), func(t *testing.T) { test(t, newStage(t), f) })
		}
	}
}

// Ada connects her account: she authorizes the server at the service, in her browser. What is issued there stays between the
// two, and what her MCP client has to show stays here.
//
// Proves: elicitation.user-authorizes-server
// Proves: elicitation.third-party-not-through-client
// Proves: elicitation.credentials-not-transmitted
// Proves: elicitation.no-client-credentials-upstream
func TestAnAccountIsConnected(t *testing.T) {
	visiting(t, func(t *testing.T, s *stage, f *protocol.Features) {
		body, link := s.call("ada", f)
		assert.Contains(t, body, "not connected yet")
		assert.NotContains(t, link, s.provider.URL, "the user comes by a page that knows who was asked")

		ada := s.newBrowser()
		_, _, authorize := ada.open(ada.logIn("ada", link))
		assert.True(t, strings.HasPrefix(authorize, s.provider.URL+"/authorize?"), authorize)
		assert.Contains(t, authorize, "client_id="+clientID)
		_, _, callback := ada.open(authorize)
		status, text, _ := ada.open(callback)
		require.Equal(t, http.StatusOK, status, text)
		body, again := s.call("ada", f)
		assert.Contains(t, body, "a.txt b.txt")
		assert.Empty(t, again, "once is enough")
		status, _, _ = ada.open(callback)
		assert.Equal(t, http.StatusForbidden, status, "a code is taken once")

		issued := s.toProvider.String()
		require.Contains(t, issued, "secret-", "the server shows what was issued to it, or this test looks for nothing")
		require.Contains(t, issued, "code-")
		for _, tape := range []*tape{s.toClient, s.fromClient} {
			require.NotEmpty(t, tape.String())
			for _, secret := range []string{"secret-", "code-", "code_verifier", url.QueryEscape(clientSecret), "ada-password"} {
				assert.NotContains(t, tape.String(), secret)
			}
		}
		require.Contains(t, s.fromClient.String(), "ada-token")
		assert.NotContains(t, issued, "ada-token")
	})
}

// Ada sends her link to Bob, who could open it with an account of his own. He is told no at each page, and she is no
// further.
//
// Proves: elicitation.url-opener-verified
// Proves: elicitation.url-not-preauthenticated
// Proves: elicitation.same-user-completes
func TestALinkIsForOneUser(t *testing.T) {
	visiting(t, func(t *testing.T, s *stage, f *protocol.Features) {
		_, link := s.call("ada", f)
		bob, ada, nobody := s.newBrowser(), s.newBrowser(), s.newBrowser()
		status, text, next := nobody.open(link)
		assert.Equal(t, http.StatusFound, status)
		assert.True(t, strings.HasPrefix(next, s.app.URL+"/login?"), "the link alone opens nothing: %s %s", next, text)

		status, _, next = bob.open(bob.logIn("bob", link))
		assert.Equal(t, http.StatusForbidden, status)
		assert.Empty(t, next)
		for _, changed := range []string{link + "&user=bob", link + "&elicitation=x", strings.Replace(link, "elicitation=", "elicitation=A", 1), s.app.URL + "/connect"} {
			status, _, _ = bob.open(changed)
			assert.Equal(t, http.StatusForbidden, status, changed)
		}
		assert.Empty(t, s.toProvider.String(), "the service has heard of nobody")

		_, _, authorize := ada.open(ada.logIn("ada", link))
		for range 2 { // she passes on the link of the service, which cannot know
			_, _, callback := bob.open(authorize)
			require.Contains(t, callback, "code=")
			status, _, _ = bob.open(callback)
			assert.Equal(t, http.StatusForbidden, status)
		}
		for _, user := range []string{"ada", "bob"} {
			body, _ := s.call(user, f)
			assert.Contains(t, body, "not connected yet", user)
		}
	})
}

// Who calls is what the token says, whatever else the client says, and is never found out by sending a user elsewhere.
//
// Proves: elicitation.no-self-authorization
// Proves: elicitation.user-from-credentials
// Proves: elicitation.no-client-provided-identity
func TestWhoCallsIsWhatTheTokenSays(t *testing.T) {
	visiting(t, func(t *testing.T, s *stage, f *protocol.Features) {
		c := &tryout.Client{URL: s.app.URL + "/mcp", Features: f, Visit: func(_, url string) string {
			assert.Fail(t, "sent to "+url)
			return ""
		}}
		body, err := c.CallTool("files", "{}")
		require.NoError(t, err)
		assert.Contains(t, body, "a token, please")

		c.Header = http.Header{"Authorization": {"Bearer ada-token"}, "X-User": {"bob"}, "From": {"bob"}, "Cookie": {"user=bob"}}
		link := ""
		c.Visit = func(_, url string) string {
			link = url
			return `{"action":"accept","content":{"user":"bob"},"_meta":{"user":"bob"}}`
		}
		_, err = c.CallTool("files", "{}")
		require.NoError(t, err)
		bob, ada := s.newBrowser(), s.newBrowser()
		status, _, _ := bob.open(bob.logIn("bob", link))
		assert.Equal(t, http.StatusForbidden, status)
		status, _, _ = ada.open(ada.logIn("ada", link))
		assert.Equal(t, http.StatusFound, status)
	})
}

// The login leads back to pages of the app alone.
func TestLogin(t *testing.T) {
	s := newStage(t)
	b := s.newBrowser()
	post := func(next, password string) int {
		response, err := b.client.PostForm(s.app.URL+"/login?next="+url.QueryEscape(next), url.Values{"user": {"ada"}, "password": {password}})
		status, _, _ := b.read(response, err)
		return status
	}
	assert.Equal(t, http.StatusUnauthorized, post("/connect?elicitation=x", "bob-password"))
	assert.Equal(t, http.StatusSeeOther, post("/connect?elicitation=x", "ada-password"))
	assert.Equal(t, http.StatusBadRequest, post("https://example.com/", "ada-password"))
	assert.Equal(t, http.StatusBadRequest, post("//example.com/connect?", "ada-password"))
	status, form, _ := b.open(s.app.URL + "/login?user=ada&password=ada-password")
	assert.Equal(t, http.StatusUnauthorized, status)
	assert.Contains(t, form, "<form")
}

// Clients of other revisions, and those that cannot send a user elsewhere, are told so.
func TestClientsThatCannotSendAUser(t *testing.T) {
	s := newStage(t)
	for _, codec := range revisions.All() {
		c := &tryout.Client{URL: s.app.URL + "/mcp", Features: codec.Features(), Header: http.Header{"Authorization": {"Bearer ada-token"}}}
		body, err := c.CallTool("files", "{}")
		require.NoError(t, err)
		assert.Contains(t, body, "capability", codec.Features().Revision)
	}
}
