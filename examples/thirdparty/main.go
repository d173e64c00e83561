// Command thirdparty has a tool that needs the user's account at another service. The user connects it in the browser: what
// is typed and issued there passes neither through the MCP client nor to it.
//
// A link can be sent to somebody else, so each page asks who opens it, and whether that is who was asked to
// (2025-11-25 client/elicitation#phishing).
package main

import (
	"context"
	"errors"
	"log"
	"net/http"

	"golang.org/x/oauth2"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/transport/streamable"
)

// An app is the MCP server with its pages.
type app struct {
	base     string // where both are reached
	server   *server.Server
	accounts accounts
	provider oauth2.Config
	filesURL string // the other service's
	client   *http.Client
}

// newApp returns the app, which is reached at base, and the service at provider.
func newApp(base, provider string) (*app, http.Handler, error) {
	s, err := server.New(server.Options{
		Info:      protocol.Implementation{Name: "thirdparty", Version: "1.0.0"},
		Principal: func(ctx context.Context, _ http.Header) string { return userOf(ctx) },
	})
	if err != nil {
		return nil, nil, err
	}
	a := &app{base: base, server: s, filesURL: provider + "/files", client: http.DefaultClient, provider: oauth2.Config{
		ClientID: clientID, ClientSecret: clientSecret, RedirectURL: base + "/callback",
		Endpoint: oauth2.Endpoint{AuthURL: provider + "/authorize", TokenURL: provider + "/token", AuthStyle: oauth2.AuthStyleInHeader},
	}}
	if err := server.AddTool(s, server.Tool{Name: "files", Description: "Lists the user's files at the other service."}, a.files); err != nil {
		return nil, nil, err
	}
	h, err := streamable.New(s, streamable.Options{})
	if err != nil {
		return nil, nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", withToken(h))
	mux.HandleFunc("GET /connect", withLogin(a.connect))
	mux.HandleFunc("GET /callback", withLogin(a.callback))
	mux.HandleFunc("/login", login)
	return a, mux, nil
}

// files lists the files of the account that the user has connected, and asks to connect one if there is none.
func (a *app) files(ctx context.Context, c *server.Call, _ struct{}) (string, error) {
	token := a.accounts.token(c.Principal())
	if token == nil {
		err := c.Visit(ctx, "connect", "Please connect your account, to list your files.", func(id string) string {
			return a.base + "/connect?elicitation=" + id
		})
		if err != nil {
			return "", err
		}
		if token = a.accounts.token(c.Principal()); token == nil { // to agree is not to have been there
			return "", errors.New("the account is not connected yet: call again when the user has connected it")
		}
	}
	return a.list(ctx, token)
}

func main() {
	const base, provider = "http://127.0.0.1:8080", "http://127.0.0.1:8081"
	_, h, err := newApp(base, provider)
	if err != nil {
		log.Fatal(err)
	}
	go func() { log.Fatal(http.ListenAndServe("127.0.0.1:8081", newProvider(base+"/callback"))) }()
	log.Fatal(http.ListenAndServe("127.0.0.1:8080", h))
}
