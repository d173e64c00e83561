package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"

	"golang.org/x/oauth2"
)

// accounts are the tokens of the other service, by the user who has connected his account. They never leave the server but
// for that service. A real one keeps them encrypted, and drops the verifiers of those who do not come back.
type accounts struct {
	mu        sync.Mutex
	tokens    map[string]*oauth2.Token
	verifiers map[string]string // of those who are on their way, by elicitation
}

func (a *accounts) token(user string) *oauth2.Token {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.tokens[user]
}

func (a *accounts) connected(user string, token *oauth2.Token) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.tokens == nil {
		a.tokens = map[string]*oauth2.Token{}
	}
	a.tokens[user] = token
}

// leaves and returns hold a verifier for one way there and back.
func (a *accounts) leaves(elicitation, verifier string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.verifiers == nil {
		a.verifiers = map[string]string{}
	}
	a.verifiers[elicitation] = verifier
}

func (a *accounts) returns(elicitation string) (verifier string, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	verifier, ok = a.verifiers[elicitation]
	delete(a.verifiers, elicitation)
	return verifier, ok
}

// connect sends on the user who was asked, and nobody else. The state of the way there is the elicitation: it is this
// user's, and comes from nobody else.
func (a *app) connect(w http.ResponseWriter, r *http.Request) {
	id := r.FormValue("elicitation")
	if err := a.server.CheckElicitation(id, userOf(r.Context())); err != nil {
		http.Error(w, err.Error(), http.StatusForbidden)
		return
	}
	verifier := oauth2.GenerateVerifier()
	a.accounts.leaves(id, verifier)
	http.Redirect(w, r, a.provider.AuthCodeURL(id, oauth2.S256ChallengeOption(verifier)), http.StatusFound)
}

// callback keeps what the service gives, if it is still the same user who comes back: he may have passed on the URL of the
// service, too.
func (a *app) callback(w http.ResponseWriter, r *http.Request) {
	id, user := r.FormValue("state"), userOf(r.Context())
	if err := a.server.CheckElicitation(id, user); err != nil {
		http.Error(w, err.Error(), http.StatusForbidden)
		return
	}
	verifier, ok := a.accounts.returns(id)
	if !ok {
		http.Error(w, "nobody is expected back", http.StatusForbidden)
		return
	}
	token, err := a.provider.Exchange(r.Context(), r.FormValue("code"), oauth2.VerifierOption(verifier))
	if err != nil {
		http.Error(w, "the account was not connected", http.StatusBadGateway)
		return
	}
	a.accounts.connected(user, token)
	_ = a.server.ElicitationComplete(id, user) // checked above
	fmt.Fprintln(w, "Your account is connected. You can close this window.")
}

// list asks the service with the token that it has issued to the server, never with the one of the MCP client.
func (a *app) list(ctx context.Context, token *oauth2.Token) (string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, a.filesURL, nil)
	if err != nil {
		return "", err
	}
	token.SetAuthHeader(r)
	response, err := a.client.Do(r)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("the service answers %s", response.Status)
	}
	return string(body), err
}
