package auth

import (
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Options configure a Resource. Resource and AuthorizationServers are required.
type Options struct {
	// Resource is the URL of the endpoint as clients know it (2025-11-25 basic/authorization#canonical-server-uri), without
	// query and fragment; https, or http on this machine. Tokens name it as their audience, and clients refuse metadata that
	// names another (RFC 9728 section 3.3).
	Resource string
	// AuthorizationServers are the issuers whose tokens are accepted, as their own metadata spell them; at least one.
	AuthorizationServers []string
	// Audiences are further names of this resource in tokens, for issuers that do not use its URL. They are compared
	// character by character.
	Audiences []string

	// Scopes are those that every request needs. Those of single tools are declared with the tool: see Allow.
	Scopes []string
	// ScopesSupported are those that clients may ask for at first; Scopes if nil. Keep them few: clients ask for all of them
	// if they know no better (2026-07-28 basic/authorization#scope-selection-strategy).
	ScopesSupported []string
	// Implies says which scopes a broader one includes; what these imply is included too (2026-07-28
	// basic/authorization#step-up-authorization-flow).
	Implies map[string][]string

	// Name and Documentation describe the resource to people; Documentation is a URL. Both may be empty.
	Name, Documentation string

	// MaxToken is how long a token may be, in bytes; 8 KiB if zero. A longer one is refused without being looked at.
	MaxToken int
	// VerifyTimeout is how long the verifier may take; 10 s if zero.
	VerifyTimeout time.Duration
	// Logger gets why tokens are refused, at level info, and what verifiers fail of; slog.Default if nil. No token is logged.
	Logger *slog.Logger
}

const (
	defaultMaxToken      = 8 << 10
	defaultVerifyTimeout = 10 * time.Second
)

// check completes o, or says which option is wrong.
func (o *Options) check() (*url.URL, error) {
	resource, err := parseIdentifier(o.Resource)
	if err != nil {
		return nil, fmt.Errorf("auth: Options.Resource: %w", err)
	}
	if len(o.AuthorizationServers) == 0 {
		return nil, errors.New("auth: Options.AuthorizationServers is empty: clients must find one there")
	}
	for _, issuer := range o.AuthorizationServers {
		if _, err := parseIdentifier(issuer); err != nil {
			return nil, fmt.Errorf("auth: Options.AuthorizationServers: %w", err)
		}
	}
	if slices.Contains(o.Audiences, "") {
		return nil, errors.New("auth: Options.Audiences has an empty name")
	}
	if o.MaxToken < 0 || o.VerifyTimeout < 0 {
		return nil, errors.New("auth: Options.MaxToken or VerifyTimeout is negative")
	}
	if o.ScopesSupported == nil {
		o.ScopesSupported = o.Scopes
	}
	if err := o.checkScopes(); err != nil {
		return nil, err
	}
	if o.MaxToken == 0 {
		o.MaxToken = defaultMaxToken
	}
	if o.VerifyTimeout == 0 {
		o.VerifyTimeout = defaultVerifyTimeout
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	return resource, nil
}

// offlineAccess asks for a refresh token, which no resource has a use for (2026-07-28 basic/authorization#refresh-tokens).
const offlineAccess = "offline_access"

func (o *Options) checkScopes() error {
	all := slices.Concat(o.Scopes, o.ScopesSupported)
	for broad, narrow := range o.Implies {
		all = append(append(all, broad), narrow...)
	}
	for _, scope := range all {
		if !isScope(scope) {
			return fmt.Errorf("auth: Options: %q is no scope: it has printable ASCII, and no blank, quote or backslash", scope)
		}
	}
	if slices.Contains(o.Scopes, offlineAccess) || slices.Contains(o.ScopesSupported, offlineAccess) {
		return fmt.Errorf("auth: Options: %s is no scope of a resource: clients ask for it by themselves", offlineAccess)
	}
	return nil
}

// isScope applies RFC 6749 section 3.3.
func isScope(s string) bool {
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= 0x7f || c == '"' || c == '\\' {
			return false
		}
	}
	return s != ""
}

// parseIdentifier reads the URL that names a resource or an issuer (RFC 9728 section 1.2, RFC 8414 section 2), scheme and host in
// lower case and without the slash that stands for no path.
func parseIdentifier(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	if err != nil {
		return nil, err
	}
	u.Scheme, u.Host = strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	switch {
	case u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		return nil, fmt.Errorf("%q is no URL in full, such as https://mcp.example.com/mcp", s)
	case u.Scheme == "http" && !isLoopback(u.Hostname()):
		return nil, fmt.Errorf("%q must be https, since it is not on this machine", s)
	case u.User != nil || u.RawQuery != "" || u.ForceQuery || strings.Contains(s, "#"):
		return nil, fmt.Errorf("%q has a user, a query or a fragment, which no identifier has", s)
	}
	if u.Path == "/" {
		u.Path = ""
	}
	return u, nil
}

func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.Unmap().IsLoopback()
}
