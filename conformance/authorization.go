package conformance

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/parley-mcp/parley/conformance/drive"
	"github.com/parley-mcp/parley/conformance/match"
	"github.com/parley-mcp/parley/conformance/transcript"
)

// wellKnown is where a resource has its metadata, with its own path behind it (RFC 9728 section 3).
const wellKnown = "/.well-known/oauth-protected-resource"

// findGuard finds out whether the server refuses a request for having no token, and where it has its metadata. A server that
// was given no token has shown already that it needs none.
func (p *player) findGuard(ctx context.Context) {
	if !p.http || bearerOf(p.server.header) == "" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, p.patience())
	defer cancel()
	x := p.outside(ctx, http.MethodPost, "", p.opening())
	if x == nil || x.Status() != http.StatusUnauthorized {
		return
	}
	p.inventory.protected = true
	p.inventory.metadata = p.findMetadata(ctx, x.Header())
}

// opening is what a client of the revision sends first.
func (p *player) opening() *match.Value {
	if p.facts.Handshake {
		return p.facts.Initialize(match.Number(openID), nil)
	}
	return request(openID, "server/discover", match.Object(match.Member{Name: "_meta", Value: p.facts.Meta(match.Meta{})}))
}

// outside sends a request without the run's token, in no session, and returns its exchange when the head of the answer is there.
func (p *player) outside(ctx context.Context, method, path string, message *match.Value) *drive.Exchange {
	r := drive.Request{Label: "without a token", Method: method, Path: path}
	var err error
	if r.Header, err = p.header(p.obliged(method, message), []transcript.Header{{Name: "Authorization"}}); err != nil {
		return nil
	}
	if message != nil {
		r.Body = message.Append(nil)
	}
	x, err := p.conn.Send(ctx, r)
	if err != nil {
		return nil
	}
	for !p.box.ended[x] {
		if p.box.pull(ctx) != nil {
			return nil
		}
	}
	p.drop(x)
	return x
}

var resourceMetadata = regexp.MustCompile(`(?i)resource_metadata[ \t]*=[ \t]*(?:"([^"]*)"|([^\s,"]+))`)

// findMetadata returns the path of the server's metadata: that which the challenge names, or else one where clients look (2025-11-25
// basic/authorization#protected-resource-metadata-discovery-requirements). It is empty if they are on another host.
func (p *player) findMetadata(ctx context.Context, refusal http.Header) string {
	if m := resourceMetadata.FindStringSubmatch(strings.Join(refusal.Values("WWW-Authenticate"), ", ")); m != nil {
		u, err := p.server.endpoint.Parse(m[1] + m[2])
		if err != nil || !sameHost(u, p.server.endpoint) {
			return ""
		}
		return u.RequestURI()
	}
	if x := p.outside(ctx, http.MethodGet, p.defaultMetadata(), nil); x == nil || x.Status() != http.StatusOK {
		if x = p.outside(ctx, http.MethodGet, wellKnown, nil); x != nil && x.Status() == http.StatusOK {
			return wellKnown
		}
	}
	return p.defaultMetadata()
}

func (p *player) defaultMetadata() string {
	return wellKnown + strings.TrimSuffix(p.server.endpoint.EscapedPath(), "/")
}

func sameHost(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Host, b.Host)
}

// bearerOf returns the bearer token of headers, or "".
func bearerOf(header []drive.Field) string {
	for _, f := range header {
		scheme, token, _ := strings.Cut(f.Value, " ")
		if strings.EqualFold(f.Name, "Authorization") && strings.EqualFold(scheme, "Bearer") {
			return token
		}
	}
	return ""
}

// predefine gives the names that every transcript knows their values; those that the run has none for stay unknown.
func (p *player) predefine() {
	set := func(name, value string) {
		if value != "" {
			p.env.Set(name, match.String(value))
		}
	}
	set("token", bearerOf(p.server.header))
	for kind, token := range p.server.tokens {
		set(transcript.TokenName(kind), token)
	}
	if p.server.endpoint == nil {
		return
	}
	u := *p.server.endpoint
	set("endpoint-path", u.EscapedPath())
	if u.RawQuery = ""; u.Path == "/" {
		u.Path = ""
	}
	set("endpoint", u.String())
	if p.inventory.metadata != "" {
		set("metadata-path", p.inventory.metadata)
	} else {
		set("metadata-path", p.defaultMetadata())
	}
}

// aside reports whether what came over HTTP is no message of the protocol, though it is JSON: the answer of another path, or why
// somebody is not let in (RFC 6750 section 3 leaves the body open).
func (p *player) aside(it *item) bool {
	x := it.exchange
	if p.server.endpoint == nil {
		return false
	}
	if path, _, _ := strings.Cut(x.Request.Path, "?"); path != "" && path != p.server.endpoint.EscapedPath() {
		return true
	}
	challenged := x.Status() == http.StatusUnauthorized || x.Header().Get("WWW-Authenticate") != ""
	return challenged && it.value.Get("jsonrpc") == nil
}
