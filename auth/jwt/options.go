package jwt

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"time"
)

// Options configure a Verifier. Issuer is required, and one of KeysURL and Keys.
type Options struct {
	// Issuer is the authorization server, exactly as its tokens and its metadata name it.
	Issuer string
	// KeysURL is where it publishes its keys: jwks_uri of its metadata; https, or http on this machine.
	KeysURL string
	// Keys are its keys themselves, a JSON Web Key Set, in place of KeysURL. They never change.
	Keys []byte

	// Algorithms are those that tokens may be signed with, of RS256, PS256, ES256, their longer kin, and EdDSA; all of them if
	// nil.
	Algorithms []string
	// Types are what the header typ may be; at+jwt, which marks access tokens (RFC 9068 section 2.1), if nil. For an issuer
	// that does not mark them write JWT: make sure then that nothing else that it signs has this resource as its audience.
	Types []string
	// Leeway is by how much clocks may differ; none if zero.
	Leeway time.Duration

	// Client fetches the keys; one that follows no redirects if nil.
	Client *http.Client
	// MaxAge is how long keys are used before they are fetched again; 1 h if zero. While the issuer cannot be reached, the
	// old ones stay in use.
	MaxAge time.Duration
	// MinRefresh is the least time between two fetches, however many tokens name keys that are not there; 1 min if zero. After one
	// that failed it is 5 s at most.
	MinRefresh time.Duration
	// FetchTimeout is how long a fetch may take; 5 s if zero.
	FetchTimeout time.Duration
}

// algorithms are those by which a holder of public keys can tell who has signed.
var algorithms = []string{"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"}

// check completes o and returns the keys, or says which option is wrong.
func (o *Options) check() (*keys, error) {
	switch {
	case o.Issuer == "":
		return nil, errors.New("jwt: Options.Issuer is empty")
	case (o.KeysURL == "") == (o.Keys == nil):
		return nil, errors.New("jwt: Options needs one of KeysURL and Keys")
	case o.Leeway < 0 || o.MaxAge < 0 || o.MinRefresh < 0 || o.FetchTimeout < 0:
		return nil, errors.New("jwt: Options has a negative duration")
	}
	if o.Algorithms == nil {
		o.Algorithms = algorithms
	}
	for _, name := range o.Algorithms {
		if !slices.Contains(algorithms, name) {
			return nil, fmt.Errorf("jwt: Options.Algorithms: %q is none of %q", name, algorithms)
		}
	}
	if o.Types == nil {
		o.Types = []string{"at+jwt"}
	}
	o.completeTimes()
	if o.Keys != nil {
		return givenKeys(o.Keys)
	}
	if err := checkURL(o.KeysURL); err != nil {
		return nil, fmt.Errorf("jwt: Options.KeysURL: %w", err)
	}
	if o.Client == nil {
		o.Client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	}
	return newKeys(o), nil
}

func (o *Options) completeTimes() {
	for _, t := range []struct {
		option *time.Duration
		value  time.Duration
	}{{&o.MaxAge, time.Hour}, {&o.MinRefresh, time.Minute}, {&o.FetchTimeout, 5 * time.Second}} {
		if *t.option == 0 {
			*t.option = t.value
		}
	}
}

func checkURL(s string) error {
	u, err := url.Parse(s)
	if err != nil {
		return err
	}
	local := u.Hostname() == "localhost" || net.ParseIP(u.Hostname()).IsLoopback()
	if u.Host == "" || u.Scheme != "https" && !(u.Scheme == "http" && local) {
		return fmt.Errorf("%q must be an https URL, or http on this machine", s)
	}
	return nil
}
