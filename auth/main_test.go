package auth_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/parley-mcp/parley/auth"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	endpoint = "https://mcp.example.com/team/mcp"
	issuer   = "https://login.example.com"
	metadata = `resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/team/mcp"`
)

// tokens is a verifier that looks tokens up, as a table of sessions would.
type tokens map[string]*auth.Token

func (all tokens) Verify(_ context.Context, token string) (*auth.Token, error) {
	switch t, ok := all[token]; {
	case token == "down":
		return nil, errors.New("the issuer does not answer about " + token)
	case !ok:
		return nil, fmt.Errorf("%w: %s is not in the table", auth.ErrInvalidToken, token)
	default:
		return t, nil
	}
}

// good returns a token for the endpoint, changed by each change.
func good(changes ...func(*auth.Token)) *auth.Token {
	t := &auth.Token{Subject: "alice", Issuer: issuer, ClientID: "app", Audience: []string{endpoint},
		Scopes: []string{"mcp"}, Expires: time.Now().Add(time.Hour)}
	for _, change := range changes {
		change(t)
	}
	return t
}

func options() auth.Options {
	return auth.Options{Resource: endpoint, AuthorizationServers: []string{issuer}, Scopes: []string{"mcp"}}
}

// A desk is a protected handler with what it has seen.
type desk struct {
	*auth.Resource
	handler http.Handler
	seen    []*http.Request
	log     bytes.Buffer
}

func open(t *testing.T, all tokens, o auth.Options) *desk {
	t.Helper()
	d := &desk{}
	o.Logger = slog.New(slog.NewTextHandler(&d.log, nil))
	var err error
	d.Resource, err = auth.New(all, o)
	require.NoError(t, err)
	d.handler = d.Protect(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { d.seen = append(d.seen, r) }))
	return d
}

// ask sends a request with Authorization headers.
func (d *desk) ask(method, target string, authorization ...string) *http.Response {
	r := httptest.NewRequest(method, target, nil)
	r.Header["Authorization"] = authorization
	return d.send(r)
}

func (d *desk) send(r *http.Request) *http.Response {
	w := httptest.NewRecorder()
	d.handler.ServeHTTP(w, r)
	return w.Result()
}
