// Package negotiate decides once, at the edge, which revision and lifecycle serve a message. It is a pure function of the
// message's claims, so that the whole of it can be read, and tested, as a table.
package negotiate

import (
	"errors"
	"strings"

	"github.com/parley-mcp/parley/protocol"
)

// Claims are what a message says about itself.
type Claims struct {
	// Method is the message's method; empty for a response, and for an HTTP request without a body.
	Method string
	// Response is true for a message that answers a request of the server, Notification for one that wants no answer.
	Response, Notification bool
	// HTTP is true if there could be headers. Without, those rules are left out.
	HTTP bool
	// Header are the values of the MCP-Protocol-Version fields, one for each field.
	Header []string
	// Meta is the protocol version in the request's _meta; nil if there is none.
	Meta *string
	// Requested is the version that an initialize request asks for.
	Requested string
	// Session is the session that the message names; nil if it names none. It is asked at most once, and its error becomes
	// Select's.
	Session Session
}

// A Session tells at which revision it was opened.
type Session interface {
	Negotiated() (protocol.Revision, error)
}

// A Decision says how a message is served. With an error it says in whose words the error is put.
type Decision struct {
	Lifecycle protocol.Lifecycle
	// Revision is empty if there is an error.
	Revision protocol.Revision
}

// ErrSessionRequired means that the message names no session, and the server serves none without (HTTP status 400).
var ErrSessionRequired = errors.New("no session: send initialize first, and its Mcp-Session-Id with each request after that")

// A Policy is what an operator serves.
type Policy struct {
	names              []protocol.Revision
	newest             map[protocol.Lifecycle]protocol.Revision
	byName             map[protocol.Revision]*protocol.Features
	headerless         protocol.Revision
	sessionless        bool
	servesPerRequest   bool
	servesAnyHandshake bool
}

// NewPolicy returns the policy that serves the given revisions, newest first, at least one. sessionless says whether
// handshake requests are served that name no session.
func NewPolicy(served []*protocol.Features, sessionless bool) *Policy {
	p := &Policy{
		newest:      map[protocol.Lifecycle]protocol.Revision{},
		byName:      map[protocol.Revision]*protocol.Features{},
		sessionless: sessionless,
	}
	for _, f := range served {
		p.names = append(p.names, f.Revision)
		p.byName[f.Revision] = f
		if p.newest[f.Lifecycle] == "" {
			p.newest[f.Lifecycle] = f.Revision
		}
		if f.Lifecycle == protocol.Handshake && !f.VersionHeader.Holds() {
			p.headerless = f.Revision
		}
	}
	p.servesPerRequest = p.newest[protocol.PerRequest] != ""
	p.servesAnyHandshake = p.newest[protocol.Handshake] != ""
	return p
}

// Served returns the revisions served, newest first. It must not be changed.
func (p *Policy) Served() []protocol.Revision { return p.names }

// Select applies the first rule that fits. Its error is ErrSessionRequired, that of Claims.Session, or a *protocol.Error
// (HTTP status 400).
func (p *Policy) Select(c Claims) (Decision, error) {
	header := strings.Join(trimmed(c.Header), ", ") // several fields name no revision
	switch {
	case c.Meta != nil:
		return p.perRequest(*c.Meta, header, c.HTTP)
	case c.Method == protocol.MethodInitialize:
		return p.initialize(c.Requested)
	case header != "" && p.lifecycle(header) == protocol.PerRequest:
		return headerOnly(header, c)
	case c.Session != nil:
		return p.session(c.Session, header)
	case header != "":
		return p.named(header)
	default:
		return p.anonymous(c.HTTP)
	}
}

// perRequest: the request carries its own version (2026-07-28 basic/transports/streamable-http#protocol-version-header).
// A header that differs wins over a version that is not served.
func (p *Policy) perRequest(meta, header string, http bool) (Decision, error) {
	d := Decision{Lifecycle: protocol.PerRequest}
	switch {
	case !p.servesPerRequest:
		return Decision{Lifecycle: protocol.Handshake}, p.unsupported(meta)
	case http && header == "":
		return d, protocol.HeaderMismatch("MCP-Protocol-Version is missing, params._meta says %q", meta)
	case http && header != meta:
		return d, protocol.HeaderMismatch("MCP-Protocol-Version is %q, params._meta says %q", header, meta)
	case p.lifecycle(meta) != protocol.PerRequest:
		return d, p.unsupported(meta)
	}
	d.Revision = protocol.Revision(meta)
	return d, nil
}

// initialize: the version in the body counts, whatever the header says; one that is not served is answered with another
// (2025-11-25 basic/lifecycle#version-negotiation). A server without any handshake revision names those it has
// (2026-07-28 basic/versioning#backward-compatibility-with-initialization-based-versions).
func (p *Policy) initialize(requested string) (Decision, error) {
	switch {
	case !p.servesAnyHandshake:
		return Decision{Lifecycle: protocol.PerRequest}, p.unsupported(requested)
	case p.lifecycle(requested) == protocol.Handshake:
		return Decision{Lifecycle: protocol.Handshake, Revision: protocol.Revision(requested)}, nil
	}
	return Decision{Lifecycle: protocol.Handshake, Revision: p.newest[protocol.Handshake]}, nil
}

// headerOnly: the header names a revision whose requests have _meta, and here is none. A notification needs none
// (2026-07-28 basic/transports/streamable-http#sending-messages), a response does not exist there.
func headerOnly(header string, c Claims) (Decision, error) {
	d := Decision{Lifecycle: protocol.PerRequest}
	switch {
	case c.Response:
		return d, protocol.InvalidRequest("a client of this revision sends no responses")
	case !c.Notification:
		return d, malformed()
	}
	d.Revision = protocol.Revision(header)
	return d, nil
}

// malformed: a request without its own version and capabilities (2026-07-28 basic#_meta).
func malformed() error {
	return protocol.InvalidParams("params._meta must hold %s and %s", protocol.MetaProtocolVersion, protocol.MetaClientCapabilities)
}

// session: the negotiated revision holds. The header must be one that is served, where the revision has the header at
// all; it need not be equal (2025-11-25 basic/transports#protocol-version-header).
func (p *Policy) session(named Session, header string) (Decision, error) {
	d := Decision{Lifecycle: protocol.Handshake}
	revision, err := named.Negotiated()
	if err != nil {
		return d, err
	}
	f := p.byName[revision]
	switch {
	case f == nil: // negotiated before the operator's list changed
		return d, p.unsupported(string(revision))
	case header != "" && f.VersionHeader.Holds() && p.lifecycle(header) == 0:
		return d, p.unsupported(header)
	}
	d.Revision = revision
	return d, nil
}

// named: a handshake revision by its header, without a session.
func (p *Policy) named(header string) (Decision, error) {
	d := Decision{Lifecycle: protocol.Handshake}
	switch {
	case p.lifecycle(header) == 0:
		if !p.servesAnyHandshake {
			d.Lifecycle = protocol.PerRequest
		}
		return d, p.unsupported(header)
	case !p.sessionless:
		return d, ErrSessionRequired
	}
	d.Revision = protocol.Revision(header)
	return d, nil
}

// anonymous: neither header nor session nor _meta. That is how a client of a revision before the header looks
// (2025-06-18 basic/transports#protocol-version-header).
func (p *Policy) anonymous(http bool) (Decision, error) {
	d := Decision{Lifecycle: protocol.Handshake}
	switch {
	case !p.servesAnyHandshake && http:
		return Decision{Lifecycle: protocol.PerRequest}, protocol.HeaderMismatch("MCP-Protocol-Version is missing")
	case !p.servesAnyHandshake:
		return Decision{Lifecycle: protocol.PerRequest}, malformed()
	case !p.sessionless:
		return d, ErrSessionRequired
	case p.headerless == "":
		return d, protocol.InvalidRequest("MCP-Protocol-Version is missing; served are %s", joined(p.names))
	}
	d.Revision = p.headerless
	return d, nil
}

// lifecycle returns the lifecycle of a served revision, or 0.
func (p *Policy) lifecycle(name string) protocol.Lifecycle {
	if f := p.byName[protocol.Revision(name)]; f != nil {
		return f.Lifecycle
	}
	return 0
}

func (p *Policy) unsupported(requested string) error {
	const most = 64 // the client's text, which is sent back
	if len(requested) > most {
		requested = requested[:most]
	}
	e := protocol.UnsupportedVersion(requested, p.names)
	e.Message += "; served are " + joined(p.names)
	return e
}

func joined(names []protocol.Revision) string {
	s := make([]string, len(names))
	for i, n := range names {
		s[i] = string(n)
	}
	return strings.Join(s, ", ")
}

func trimmed(values []string) []string {
	if len(values) == 1 && values[0] == strings.Trim(values[0], " \t") {
		return values
	}
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = strings.Trim(v, " \t")
	}
	return out
}
