package auth

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/go-json-experiment/json"
)

// Where clients look for the metadata of a resource, and for those of an authorization server.
const (
	// WellKnown is the path of a resource's metadata (RFC 9728 section 3). That of the resource follows it: see MetadataPath.
	WellKnown = "/.well-known/oauth-protected-resource"
	// WellKnownIssuer is the path of an authorization server's metadata (RFC 8414 section 3).
	WellKnownIssuer = "/.well-known/oauth-authorization-server"
)

// document is the metadata of the resource (RFC 9728 section 2).
func (r *Resource) document() ([]byte, error) {
	return json.Marshal(struct {
		Resource             string   `json:"resource"`
		AuthorizationServers []string `json:"authorization_servers"`
		Scopes               []string `json:"scopes_supported,omitempty"`
		Methods              []string `json:"bearer_methods_supported"`
		Name                 string   `json:"resource_name,omitempty"`
		Documentation        string   `json:"resource_documentation,omitempty"`
	}{r.id.String(), r.options.AuthorizationServers, r.options.ScopesSupported, []string{"header"}, r.options.Name, r.options.Documentation},
		json.Deterministic(true))
}

// MetadataPath is where clients look for the metadata first: WellKnown with the path of the resource behind it
// (2025-11-25 basic/authorization#protected-resource-metadata-discovery-requirements). Where only one resource is on a host,
// serve them at WellKnown too, for clients that look there alone.
func (r *Resource) MetadataPath() string { return WellKnown + r.id.EscapedPath() }

// MetadataURL is the URL of the metadata, which every challenge names.
func (r *Resource) MetadataURL() string { return origin(r.id) + r.MetadataPath() }

func origin(u *url.URL) string { return u.Scheme + "://" + u.Host }

// Metadata serves the metadata of the resource, to everybody, web pages of any origin included (RFC 9728 section 3).
func (r *Resource) Metadata() http.Handler {
	return public(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(r.metadata) // a client that is gone needs no answer
	})
}

// IssuerMetadata leads to the metadata of the first of Options.AuthorizationServers. Serve it at WellKnownIssuer for clients
// older than the metadata of resources, which look there, at the root of the server's host (2025-03-26
// basic/authorization#authorization-base-url).
func (r *Resource) IssuerMetadata() http.Handler {
	issuer, _ := parseIdentifier(r.options.AuthorizationServers[0]) // New has looked at it
	target := origin(issuer) + WellKnownIssuer + strings.TrimSuffix(issuer.EscapedPath(), "/")
	return public(func(w http.ResponseWriter, req *http.Request) {
		http.Redirect(w, req, target, http.StatusTemporaryRedirect)
	})
}

// public lets everybody read what GET returns.
func public(get http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Access-Control-Allow-Origin", "*")
		switch r.Method {
		case http.MethodGet, http.MethodHead:
			h.Set("Cache-Control", "max-age=3600")
			get(w, r)
		case http.MethodOptions:
			h.Set("Access-Control-Allow-Methods", "GET")
			h.Set("Access-Control-Allow-Headers", "*")
			h.Set("Access-Control-Max-Age", "7200")
			w.WriteHeader(http.StatusNoContent)
		default:
			h.Set("Allow", "GET, HEAD, OPTIONS")
			w.WriteHeader(http.StatusMethodNotAllowed)
		}
	})
}
