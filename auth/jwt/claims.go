package jwt

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/golang-jwt/jwt/v5"
)

// claims are what the payload of a token says (RFC 9068 section 2.2). It implements jwt.Claims.
type claims struct {
	issuer, subject, client string
	audience, scopes        []string
	expires, from, issued   time.Time
	raw                     []byte
}

// UnmarshalJSON reads a payload strictly: the spelling of names counts, and none may be there twice.
func (c *claims) UnmarshalJSON(payload []byte) error {
	var wire struct {
		Issuer   string         `json:"iss"`
		Subject  string         `json:"sub"`
		Client   string         `json:"client_id"`
		Audience jsontext.Value `json:"aud"`
		Scope    string         `json:"scope"`
		Scopes   jsontext.Value `json:"scp"` // as some issuers have it
		Expires  *float64       `json:"exp"`
		From     *float64       `json:"nbf"`
		Issued   *float64       `json:"iat"`
	}
	if err := json.Unmarshal(payload, &wire); err != nil {
		return err
	}
	c.raw = slices.Clone(payload)
	c.issuer, c.subject, c.client = wire.Issuer, wire.Subject, wire.Client
	var errs [5]error
	c.audience, errs[0] = list(wire.Audience)
	c.scopes, errs[1] = list(wire.Scopes)
	c.expires, errs[2] = date(wire.Expires)
	c.from, errs[3] = date(wire.From)
	c.issued, errs[4] = date(wire.Issued)
	var scopes []string
	for _, s := range append(c.scopes, wire.Scope) {
		scopes = append(scopes, strings.Fields(s)...)
	}
	c.scopes = scopes
	return errors.Join(errs[:]...)
}

// list reads a string, or an array of them.
func list(raw jsontext.Value) ([]string, error) {
	if raw == nil {
		return nil, nil
	}
	if raw.Kind() == '"' {
		var one string
		err := json.Unmarshal(raw, &one)
		return []string{one}, err
	}
	var many []string
	err := json.Unmarshal(raw, &many)
	return many, err
}

// date reads a NumericDate.
func date(seconds *float64) (time.Time, error) {
	if seconds == nil {
		return time.Time{}, nil
	}
	const most = 1 << 40 // some 35,000 years
	if !(*seconds > 0 && *seconds < most) {
		return time.Time{}, fmt.Errorf("%v is no date", *seconds)
	}
	whole, part := math.Modf(*seconds)
	return time.Unix(int64(whole), int64(part*1e9)), nil
}

// What jwt.Validator asks for.

func (c *claims) GetExpirationTime() (*jwt.NumericDate, error) { return clock(c.expires), nil }
func (c *claims) GetIssuedAt() (*jwt.NumericDate, error)       { return clock(c.issued), nil }
func (c *claims) GetNotBefore() (*jwt.NumericDate, error)      { return clock(c.from), nil }
func (c *claims) GetIssuer() (string, error)                   { return c.issuer, nil }
func (c *claims) GetSubject() (string, error)                  { return c.subject, nil }
func (c *claims) GetAudience() (jwt.ClaimStrings, error)       { return c.audience, nil }
