// Package jwt verifies access tokens that are signed: JSON Web Tokens after the profile of RFC 9068. It is an auth.Verifier.
//
//	verifier, err := jwt.New(jwt.Options{
//		Issuer:  "https://login.example.com",
//		KeysURL: "https://login.example.com/.well-known/jwks.json",
//	})
//
// A token must be signed by one of the issuer's public keys, with one of the algorithms that are listed: never none, and never
// a shared secret. Its type must say that it is an access token, so that no ID token is taken for one. Whether it is for this
// resource is the question of auth.Resource.
package jwt

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/parley-mcp/parley/auth"
)

// A Verifier verifies the tokens of one issuer. Create it with New.
type Verifier struct {
	options Options
	keys    *keys
	parser  *jwt.Parser
}

// New returns a verifier. It fetches nothing yet. The error says which option is wrong.
func New(o Options) (*Verifier, error) {
	v := &Verifier{}
	var err error
	if v.keys, err = o.check(); err != nil {
		return nil, err
	}
	v.options = o
	v.parser = jwt.NewParser(jwt.WithValidMethods(o.Algorithms), jwt.WithIssuer(o.Issuer), jwt.WithLeeway(o.Leeway),
		jwt.WithExpirationRequired(), jwt.WithStrictDecoding())
	return v, nil
}

// Verify implements auth.Verifier. Token.Expires is the end of the token with Options.Leeway added.
func (v *Verifier) Verify(ctx context.Context, token string) (*auth.Token, error) {
	var unavailable error
	find := func(t *jwt.Token) (any, error) {
		if err := v.checkHead(t); err != nil {
			return nil, err
		}
		kid, _ := t.Header["kid"].(string)
		set, err := v.keys.find(ctx, kid, t.Method.Alg())
		if err != nil && !errors.Is(err, errNoKey) {
			unavailable = err
		}
		return set, err
	}
	c := &claims{}
	_, err := v.parser.ParseWithClaims(token, c, find)
	switch {
	case unavailable != nil:
		return nil, unavailable
	case err != nil:
		return nil, fmt.Errorf("%w: %w", auth.ErrInvalidToken, err)
	}
	return &auth.Token{
		Subject:  c.subject,
		ClientID: c.client,
		Issuer:   c.issuer,
		Audience: c.audience,
		Scopes:   c.scopes,
		Expires:  c.expires.Add(v.options.Leeway),
		Claims:   c.raw,
	}, nil
}

// checkHead looks at what can be told before a key is looked for, so that nobody makes the verifier fetch keys for nothing.
func (v *Verifier) checkHead(t *jwt.Token) error {
	if _, ok := t.Header["crit"]; ok { // RFC 7515 section 4.1.11: none of the extensions is known
		return errors.New("the header has crit")
	}
	kind, _ := t.Header["typ"].(string)
	kind = strings.TrimPrefix(strings.ToLower(kind), "application/")
	if !slices.ContainsFunc(v.options.Types, func(s string) bool { return strings.ToLower(s) == kind }) {
		return fmt.Errorf("the type is %.100q, and not one of %q", kind, v.options.Types)
	}
	if c := t.Claims.(*claims); c.issuer != v.options.Issuer {
		return fmt.Errorf("the issuer is %.500q, and not %q", c.issuer, v.options.Issuer)
	}
	return nil
}

// clock is when a NumericDate is, or nil.
func clock(t time.Time) *jwt.NumericDate {
	if t.IsZero() {
		return nil
	}
	return jwt.NewNumericDate(t)
}
