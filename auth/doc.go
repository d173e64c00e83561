// Package auth makes an HTTP handler a protected resource of OAuth 2.1, as the protocol asks of a server with authorization
// (2025-11-25 and 2026-07-28 basic/authorization): it lets in requests with a good bearer token, tells others where to get
// one, and serves the metadata that leads them there.
//
//	resource, err := auth.New(verifier, auth.Options{
//		Resource:             "https://mcp.example.com/mcp",
//		AuthorizationServers: []string{"https://login.example.com"},
//		Scopes:               []string{"mcp"},
//	})
//	s, err := server.New(server.Options{Principal: auth.Principal, Allow: auth.Allow, ...})
//	h, err := streamable.New(s, streamable.Options{})
//	http.Handle("/mcp", resource.Protect(h))
//	http.Handle(resource.MetadataPath(), resource.Metadata())
//
// Every request is checked by itself, with a session or without. A [Verifier] says what a token is; package
// [github.com/parley-mcp/parley/auth/jwt] has one for signed tokens. Whether a token is for this resource, has not expired and
// reaches far enough is checked here, so that no verifier can forget it.
//
// The token goes no further than the verifier: not to the handler, nor into a log, and so not to anybody behind the server
// (2025-11-25 basic/authorization#access-token-privilege-restriction).
//
// What is not served gets, with WWW-Authenticate (RFC 6750 section 3, RFC 9728 section 5.1):
//
//	401                                no token
//	401, error="invalid_token"         a token that is unknown, expired, of another issuer, or for another resource
//	400, error="invalid_request"       Authorization twice, a bearer token that is none, a token in the query
//	403, error="insufficient_scope"    a good token without the scopes that the request needs
//	503                                the verifier failed: the token may be good
package auth
