package main

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
)

// How the service knows the server.
const clientID, clientSecret = "parley-thirdparty", "the server's own secret"

// A provider is the other service: it authorizes as OAuth 2.1 has it, and has files. Whoever is sent there is logged in there, and
// agrees.
type provider struct {
	redirect string
	mu       sync.Mutex
	codes    map[string]string // challenge by code
	tokens   map[string]bool
}

// newProvider returns a service that sends users back to redirect.
func newProvider(redirect string) http.Handler {
	p := &provider{redirect: redirect, codes: map[string]string{}, tokens: map[string]bool{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /authorize", p.authorize)
	mux.HandleFunc("POST /token", p.token)
	mux.HandleFunc("GET /files", p.files)
	return mux
}

func (p *provider) authorize(w http.ResponseWriter, r *http.Request) {
	if r.FormValue("client_id") != clientID || r.FormValue("redirect_uri") != p.redirect || r.FormValue("code_challenge_method") != "S256" {
		http.Error(w, "this client is not known", http.StatusBadRequest)
		return
	}
	code := "code-" + rand.Text()
	p.mu.Lock()
	p.codes[code] = r.FormValue("code_challenge")
	p.mu.Unlock()
	http.Redirect(w, r, p.redirect+"?"+url.Values{"code": {code}, "state": {r.FormValue("state")}}.Encode(), http.StatusFound)
}

func (p *provider) token(w http.ResponseWriter, r *http.Request) {
	id, secret, _ := r.BasicAuth()
	secret, _ = url.QueryUnescape(secret)
	sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	p.mu.Lock()
	defer p.mu.Unlock()
	challenge, ok := p.codes[r.PostFormValue("code")]
	delete(p.codes, r.PostFormValue("code"))
	if !ok || id != clientID || secret != clientSecret || challenge != base64.RawURLEncoding.EncodeToString(sum[:]) {
		http.Error(w, `{"error":"invalid_grant"}`, http.StatusBadRequest)
		return
	}
	token := "secret-" + rand.Text()
	p.tokens[token] = true
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"access_token":%q,"token_type":"Bearer"}`, token)
}

func (p *provider) files(w http.ResponseWriter, r *http.Request) {
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.tokens[token] {
		http.Error(w, "a token, please", http.StatusUnauthorized)
		return
	}
	fmt.Fprint(w, "a.txt b.txt")
}
