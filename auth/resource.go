package auth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// A Resource is an endpoint that wants a token. Create it with New.
type Resource struct {
	options  Options
	verifier Verifier
	id       *url.URL
	// implied are all scopes that a scope includes, itself too.
	implied  map[string][]string
	metadata []byte
}

// New returns a resource whose tokens v verifies. The error says which option is wrong.
func New(v Verifier, o Options) (*Resource, error) {
	if v == nil {
		return nil, errors.New("auth: the verifier is nil")
	}
	id, err := o.check()
	if err != nil {
		return nil, err
	}
	r := &Resource{options: o, verifier: v, id: id, implied: closure(o.Implies)}
	r.metadata, err = r.document()
	return r, err
}

// Protect lets requests through to next that bring a good token with Options.Scopes, and refuses others before anything of
// them is read but the head. next finds the token by FromContext, and no Authorization header. The preflight requests of
// browsers, which never bring a token, go through: let next answer them, and do nothing else.
func (r *Resource) Protect(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if isPreflight(req) {
			next.ServeHTTP(w, without(req.Context(), req))
			return
		}
		token, err := r.admit(req)
		if err != nil {
			r.refuse(w, req, err)
			return
		}
		ctx := context.WithValue(req.Context(), grantKey{}, &grant{r, token})
		next.ServeHTTP(w, without(ctx, req))
	})
}

// without returns a request without its token: what is not there can be neither logged nor passed on.
func without(ctx context.Context, req *http.Request) *http.Request {
	req = req.WithContext(ctx)
	req.Header = req.Header.Clone() // the original belongs to those outside
	req.Header.Del("Authorization")
	return req
}

func isPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Origin") != "" && r.Header.Get("Access-Control-Request-Method") != ""
}

// admit returns the token of a request that may go through.
func (r *Resource) admit(req *http.Request) (*Token, error) {
	text, err := bearer(req)
	switch {
	case errors.Is(err, errNone):
		return nil, &refusal{status: http.StatusUnauthorized, scopes: r.options.Scopes}
	case err != nil:
		return nil, &refusal{status: http.StatusBadRequest, code: "invalid_request", why: err.Error()}
	case len(text) > r.options.MaxToken:
		return nil, r.invalid("the token is too long")
	}
	token, err := r.verify(req.Context(), text)
	if err != nil {
		return nil, err
	}
	if lack := r.lacks(token, r.options.Scopes); lack != nil {
		return nil, lack
	}
	return token, nil
}

func (r *Resource) invalid(why string) *refusal {
	return &refusal{status: http.StatusUnauthorized, code: "invalid_token", why: why, scopes: r.options.Scopes}
}

// verify has the verifier look at a token, and looks itself at what holds whatever the token is.
func (r *Resource) verify(ctx context.Context, text string) (*Token, error) {
	ctx, cancel := context.WithTimeout(ctx, r.options.VerifyTimeout)
	defer cancel()
	token, err := r.verifier.Verify(ctx, text)
	if err == nil && token == nil {
		err = errors.New("the verifier returned neither a token nor an error")
	}
	switch {
	case errors.Is(err, ErrInvalidToken):
		r.options.Logger.InfoContext(ctx, "a token was refused", "error", hide(err, text))
		return nil, r.invalid("the token is not valid")
	case err != nil && ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, &refusal{status: http.StatusServiceUnavailable} // the client is gone
	case err != nil:
		r.options.Logger.ErrorContext(ctx, "a token could not be verified", "error", hide(err, text))
		return nil, &refusal{status: http.StatusServiceUnavailable}
	}
	if err := r.check(token); err != nil {
		r.options.Logger.InfoContext(ctx, "a token was refused", "error", hide(err, text))
		return nil, r.invalid(err.public)
	}
	return token, nil
}

// hide returns the text of an error without the token, should it be in there.
func hide(err error, token string) string { return strings.ReplaceAll(err.Error(), token, "***") }

// A mismatch says why a token that was verified is not for here: to the client, and in full to the operator.
type mismatch struct{ public, detail string }

func (m *mismatch) Error() string { return m.detail }

// check looks at what must hold of every token (OAuth 2.1 section 5.2; 2025-11-25
// basic/authorization#token-handling).
func (r *Resource) check(t *Token) *mismatch {
	switch {
	case !time.Now().Before(t.Expires):
		return &mismatch{"the token has expired", fmt.Sprintf("the token has expired at %s", t.Expires)}
	case !slices.ContainsFunc(t.Audience, r.isName):
		return &mismatch{"the token is for another resource", fmt.Sprintf("the token is for %.500q, and not for %q", t.Audience, r.id)}
	case t.Issuer != "" && !slices.Contains(r.options.AuthorizationServers, t.Issuer):
		return &mismatch{"the token is of another issuer", fmt.Sprintf("the token is of the issuer %.500q, and not of one of %q", t.Issuer, r.options.AuthorizationServers)}
	case t.Subject == "" && t.ClientID == "":
		return &mismatch{"the token names nobody", "the token has neither a subject nor a client"}
	}
	return nil
}

// isName reports whether an audience is this resource. Scheme and host may be in capitals (2025-11-25
// basic/authorization#canonical-server-uri).
func (r *Resource) isName(audience string) bool {
	if slices.Contains(r.options.Audiences, audience) {
		return true
	}
	u, err := parseIdentifier(audience)
	return err == nil && u.String() == r.id.String()
}
