// Command protected greets those who bring a token of an authorization server, and takes notes of those whose token allows it.
// Clients that bring none, or one that allows too little, are told where to get what they need.
package main

import (
	"cmp"
	"context"
	"errors"
	"log"
	"net/http"
	"os"

	"github.com/gorilla/mux"

	"github.com/parley-mcp/parley/auth"
	"github.com/parley-mcp/parley/auth/jwt"
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/transport/streamable"
)

func newServer() (*server.Server, error) {
	s, err := server.New(server.Options{
		Info: protocol.Implementation{Name: "protected", Version: "1.0.0"},
		// Who sends a request, and what the token allows, was found out by what protects the endpoint.
		Principal: auth.Principal,
		Allow:     auth.Allow,
	})
	if err != nil {
		return nil, err
	}
	return s, errors.Join(
		server.AddTool(s, server.Tool{Name: "greet", Description: "Greets whoever calls."},
			func(ctx context.Context, _ *server.Call, _ struct{}) (string, error) {
				return "Hello, " + auth.FromContext(ctx).Subject + "!", nil
			}),
		server.AddTool(s, server.Tool{Name: "note", Description: "Takes a note.", Scopes: []string{"notes:write"}},
			func(context.Context, *server.Call, note) (string, error) { return "Noted.", nil }),
	)
}

type note struct {
	Text string `json:"text" jsonschema:"what to remember"`
}

// newRouter serves the endpoint at a URL to those who bring a token of the issuer.
func newRouter(endpoint, issuer string, verifier auth.Verifier) (*mux.Router, error) {
	s, err := newServer()
	if err != nil {
		return nil, err
	}
	h, err := streamable.New(s, streamable.Options{})
	if err != nil {
		return nil, err
	}
	resource, err := auth.New(verifier, auth.Options{
		Resource:             endpoint,
		AuthorizationServers: []string{issuer},
		Scopes:               []string{"greet"},
		Implies:              map[string][]string{"admin": {"greet", "notes:write"}},
	})
	if err != nil {
		return nil, err
	}
	router := mux.NewRouter()
	router.Handle("/mcp", resource.Protect(h))
	router.Handle(resource.MetadataPath(), resource.Metadata())
	router.Handle(auth.WellKnown, resource.Metadata())
	router.Handle(auth.WellKnownIssuer, resource.IssuerMetadata())
	return router, nil
}

func main() {
	issuer := cmp.Or(os.Getenv("ISSUER"), "https://login.example.com")
	verifier, err := jwt.New(jwt.Options{Issuer: issuer, KeysURL: cmp.Or(os.Getenv("KEYS_URL"), issuer+"/.well-known/jwks.json")})
	if err != nil {
		log.Fatal(err)
	}
	router, err := newRouter("http://127.0.0.1:8080/mcp", issuer, verifier)
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:8080", router))
}
