package streamable

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// A guard keeps out web pages that have no business here (2025-11-25 basic/transports#security-warning). A page shows
// itself by its Origin, and one that has had its own name rebound to this machine by its Host.
type guard struct {
	origins  []string
	allowed  func(string) bool
	hosts    []string
	anyHost  bool
	nullPage bool
}

func newGuard(o *Options) (*guard, error) {
	g := &guard{allowed: o.OriginAllowed, anyHost: slices.Contains(o.AllowedHosts, "*")}
	for _, s := range o.AllowedOrigins {
		if s == "null" {
			g.nullPage = true
			continue
		}
		parsed, err := parseOrigin(s)
		if err != nil {
			return nil, fmt.Errorf("streamable: Options.AllowedOrigins: %q: %w", s, err)
		}
		g.origins = append(g.origins, parsed.String())
	}
	for _, s := range o.AllowedHosts {
		g.hosts = append(g.hosts, strings.ToLower(s))
	}
	return g, nil
}

var (
	errHost   = errors.New("the Host is none of this server's names: see streamable.Options.AllowedHosts")
	errOrigin = errors.New("the Origin is not allowed: see streamable.Options.AllowedOrigins")
)

// check returns why a request is refused, or nil.
func (g *guard) check(r *http.Request) error {
	if !g.anyHost && onLoopback(r) && !isLoopback(hostname(r.Host)) && !g.knows(r.Host) {
		return errHost
	}
	switch origins := r.Header["Origin"]; len(origins) {
	case 0:
		return nil
	case 1:
		return g.checkOrigin(origins[0], r)
	}
	return errOrigin
}

func (g *guard) checkOrigin(origin string, r *http.Request) error {
	if origin == "null" {
		if g.nullPage {
			return nil
		}
		return errOrigin
	}
	o, err := parseOrigin(origin)
	if err != nil {
		return errOrigin
	}
	switch {
	case isLoopback(o.Hostname()),
		slices.Contains(g.origins, o.String()),
		g.isSelf(o, r),
		g.allowed != nil && g.allowed(origin):
		return nil
	}
	return errOrigin
}

// isSelf reports whether the page comes from the server's own host, in a way that DNS rebinding cannot fake: by a
// certificate, by an address instead of a name, or by a name that the operator lists.
func (g *guard) isSelf(o *url.URL, r *http.Request) bool {
	if !strings.EqualFold(o.Host, r.Host) && !(o.Scheme == "https" && strings.EqualFold(o.Host+":443", r.Host)) {
		return false
	}
	_, err := netip.ParseAddr(strings.Trim(o.Hostname(), "[]"))
	return o.Scheme == "https" || err == nil || g.knows(r.Host)
}

// knows reports whether the operator lists the host, with its port or for any port.
func (g *guard) knows(host string) bool {
	host = strings.ToLower(host)
	return slices.Contains(g.hosts, host) || slices.Contains(g.hosts, hostname(host))
}

// parseOrigin reads scheme://host[:port] and nothing more (RFC 6454 section 6.2), in lower case.
func parseOrigin(s string) (*url.URL, error) {
	u, err := url.Parse(strings.ToLower(s))
	if err != nil {
		return nil, err
	}
	if u.Scheme == "" || u.Host == "" || u.User != nil || u.Path != "" || u.RawQuery != "" || u.Fragment != "" || u.ForceQuery {
		return nil, errors.New("an origin is scheme://host[:port]")
	}
	if port := u.Port(); u.Scheme == "https" && port == "443" || u.Scheme == "http" && port == "80" {
		u.Host = strings.TrimSuffix(u.Host, ":"+port) // browsers leave it out
	}
	return u, nil
}

// onLoopback reports whether the connection was made to a loopback address.
func onLoopback(r *http.Request) bool {
	addr, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return false
	}
	switch a := addr.(type) {
	case *net.TCPAddr:
		return a.IP.IsLoopback()
	case *net.UnixAddr:
		return false
	}
	return isLoopback(hostname(addr.String()))
}

func hostname(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		return host
	}
	return strings.Trim(hostport, "[]")
}

// isLoopback reports whether host is a spelling of this machine: localhost, also with a final dot, or a loopback address.
func isLoopback(host string) bool {
	if strings.EqualFold(strings.TrimSuffix(host, "."), "localhost") {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.Unmap().IsLoopback()
}
