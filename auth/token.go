package auth

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// A Token is what a verifier found out about an access token. It is not the token itself, and holds nothing by which one could
// be made.
type Token struct {
	// Subject is who the token speaks for, and ClientID the client that it was issued to. One of them is required; a token
	// of a client that acts for itself may have no subject of its own.
	Subject, ClientID string
	// Issuer is the authorization server that issued the token; "" if the verifier does not know. If it is known, it must be
	// one of Options.AuthorizationServers.
	Issuer string
	// Audience names the resources that the token is for (RFC 8707, RFC 9068 section 3). One of them must be this one.
	Audience []string
	// Scopes are those that the token was granted.
	Scopes []string
	// Expires is when the token ends. The zero value has ended: a verifier that is told no time chooses one, such as that
	// at which it will ask again, and one that allows for clocks that differ adds to it.
	Expires time.Time
	// Claims are what else the token says, a JSON object; nil if the verifier does not tell.
	Claims []byte
}

// ErrInvalidToken is what a Verifier returns, wrapped with the reason, for a token that is not good.
var ErrInvalidToken = errors.New("auth: invalid token")

// A Verifier finds out what a token is: by its signature, by asking the authorization server (RFC 7662), or by looking it up.
type Verifier interface {
	// Verify returns what token is. An error that wraps ErrInvalidToken refuses the token, which is answered with 401; any
	// other says that the verifier could not tell, which is answered with 503 and logged. ctx ends with the request, or
	// after Options.VerifyTimeout. The token must not be kept, logged or sent on, except to who issued it.
	Verify(ctx context.Context, token string) (*Token, error)
}

// A VerifierFunc is a function as a Verifier.
type VerifierFunc func(ctx context.Context, token string) (*Token, error)

// Verify implements Verifier.
func (f VerifierFunc) Verify(ctx context.Context, token string) (*Token, error) { return f(ctx, token) }

// A grant is what Protect has found out, for what runs behind it.
type grant struct {
	resource *Resource
	token    *Token
}

type grantKey struct{}

func grantOf(ctx context.Context) *grant {
	g, _ := ctx.Value(grantKey{}).(*grant)
	return g
}

// FromContext returns the token of the request that ctx belongs to, or nil if it did not come through Protect. It must not be
// changed.
func FromContext(ctx context.Context) *Token {
	if g := grantOf(ctx); g != nil {
		return g.token
	}
	return nil
}

// Principal names who sends a request, for server.Options.Principal: by issuer and subject, which stay the same when the token
// is refreshed, or by issuer and client if there is no subject. It is "" if the request did not come through Protect.
func Principal(ctx context.Context, _ http.Header) string {
	t := FromContext(ctx)
	switch {
	case t == nil:
		return ""
	case t.Subject != "":
		return t.Issuer + " sub " + t.Subject // an issuer is a URL, and has no blank
	}
	return t.Issuer + " client " + t.ClientID
}
