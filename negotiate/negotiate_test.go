package negotiate_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/negotiate"
	"github.com/parley-mcp/parley/protocol"
)

// The table of the rules, cell by cell: what a message claims, what the operator serves, how it is then served. The
// revisions are those of the specification, so that a row can be compared with its page; their facts are stand-ins.

var (
	modern = &protocol.Features{Revision: "2026-07-28", Lifecycle: protocol.PerRequest, VersionHeader: protocol.Yes}
	nov    = &protocol.Features{Revision: "2025-11-25", Lifecycle: protocol.Handshake, VersionHeader: protocol.Yes}
	june   = &protocol.Features{Revision: "2025-06-18", Lifecycle: protocol.Handshake, VersionHeader: protocol.Yes}
	march  = &protocol.Features{Revision: "2025-03-26", Lifecycle: protocol.Handshake, VersionHeader: protocol.No}

	all           = []*protocol.Features{modern, nov, june, march}
	handshakeOnly = []*protocol.Features{nov, june, march}
	modernOnly    = []*protocol.Features{modern}
	middle        = []*protocol.Features{nov, june}

	errGone = errors.New("gone")
)

const (
	required = false
	optional = true

	hs = protocol.Handshake
	pr = protocol.PerRequest
)

// found is a session, or why there is none.
type found struct {
	revision protocol.Revision
	err      error
}

func (f found) Negotiated() (protocol.Revision, error) { return f.revision, f.err }

func TestSelect(t *testing.T) {
	meta := func(v string) *string { return &v }
	session := func(r protocol.Revision) negotiate.Session { return found{revision: r} }
	dead := found{err: errGone}
	header := func(v ...string) []string { return v }

	for _, c := range []struct {
		name        string
		served      []*protocol.Features
		sessionless bool
		claims      negotiate.Claims
		lifecycle   protocol.Lifecycle
		revision    protocol.Revision
		kind        protocol.ErrorKind
		err         error
	}{
		// _meta names the version.
		{name: "meta and equal header", served: all, claims: negotiate.Claims{HTTP: true, Method: "tools/list", Meta: meta("2026-07-28"), Header: header("2026-07-28")}, lifecycle: pr, revision: "2026-07-28"},
		{name: "M-08 blanks around the header", served: all, claims: negotiate.Claims{HTTP: true, Method: "tools/list", Meta: meta("2026-07-28"), Header: header(" 2026-07-28\t")}, lifecycle: pr, revision: "2026-07-28"},
		{name: "meta over stdio", served: all, claims: negotiate.Claims{Method: "tools/list", Meta: meta("2026-07-28")}, lifecycle: pr, revision: "2026-07-28"},
		{name: "S-16 meta beside a session", served: all, claims: negotiate.Claims{HTTP: true, Method: "tools/list", Meta: meta("2026-07-28"), Header: header("2026-07-28"), Session: dead}, lifecycle: pr, revision: "2026-07-28"},
		{name: "initialize with meta", served: all, claims: negotiate.Claims{HTTP: true, Method: "initialize", Meta: meta("2026-07-28"), Header: header("2026-07-28"), Requested: "2025-11-25"}, lifecycle: pr, revision: "2026-07-28"},
		{name: "OP-22 meta after initialize on one pipe", served: all, claims: negotiate.Claims{Method: "tools/list", Meta: meta("2026-07-28"), Session: session("2025-11-25")}, lifecycle: pr, revision: "2026-07-28"},
		{name: "M-03 header missing", served: all, claims: negotiate.Claims{HTTP: true, Method: "tools/list", Meta: meta("2026-07-28")}, lifecycle: pr, kind: protocol.KindHeaderMismatch},
		{name: "header differs", served: all, claims: negotiate.Claims{HTTP: true, Method: "tools/list", Meta: meta("2026-07-28"), Header: header("2025-11-25")}, lifecycle: pr, kind: protocol.KindHeaderMismatch},
		{name: "M-13 header twice", served: all, claims: negotiate.Claims{HTTP: true, Method: "tools/list", Meta: meta("2026-07-28"), Header: header("2026-07-28", "2025-11-25")}, lifecycle: pr, kind: protocol.KindHeaderMismatch},
		{name: "OP-18 a mismatch wins over an unknown version", served: all, claims: negotiate.Claims{HTTP: true, Method: "tools/list", Meta: meta("v999.0.0"), Header: header("2026-07-28")}, lifecycle: pr, kind: protocol.KindHeaderMismatch},
		{name: "M-06 unknown version", served: all, claims: negotiate.Claims{HTTP: true, Method: "tools/list", Meta: meta("v999.0.0"), Header: header("v999.0.0")}, lifecycle: pr, kind: protocol.KindUnsupportedVersion},
		{name: "unknown version over stdio", served: all, claims: negotiate.Claims{Method: "tools/list", Meta: meta("v999.0.0")}, lifecycle: pr, kind: protocol.KindUnsupportedVersion},
		{name: "OP-23 a handshake revision in meta", served: all, claims: negotiate.Claims{HTTP: true, Method: "tools/list", Meta: meta("2025-11-25"), Header: header("2025-11-25")}, lifecycle: pr, kind: protocol.KindUnsupportedVersion},
		{name: "a greater string is no later revision", served: all, claims: negotiate.Claims{Method: "tools/list", Meta: meta("zzz")}, lifecycle: pr, kind: protocol.KindUnsupportedVersion},
		{name: "V-14 E-07 meta where only handshakes are served", served: handshakeOnly, claims: negotiate.Claims{HTTP: true, Method: "server/discover", Meta: meta("2026-07-28"), Header: header("2026-07-28")}, lifecycle: hs, kind: protocol.KindUnsupportedVersion},

		// initialize.
		{name: "V-02 the version asked for", served: all, claims: negotiate.Claims{HTTP: true, Method: "initialize", Requested: "2025-03-26"}, lifecycle: hs, revision: "2025-03-26"},
		{name: "V-01 an unknown version", served: all, claims: negotiate.Claims{HTTP: true, Method: "initialize", Requested: "2099-01-01"}, lifecycle: hs, revision: "2025-11-25"},
		{name: "V-01 an older version", served: all, claims: negotiate.Claims{HTTP: true, Method: "initialize", Requested: "2024-11-05"}, lifecycle: hs, revision: "2025-11-25"},
		{name: "a version without handshake", served: all, claims: negotiate.Claims{HTTP: true, Method: "initialize", Requested: "2026-07-28"}, lifecycle: hs, revision: "2025-11-25"},
		{name: "V-05 V-10 the header does not count", served: all, claims: negotiate.Claims{HTTP: true, Method: "initialize", Requested: "2025-06-18", Header: header("2026-07-28")}, lifecycle: hs, revision: "2025-06-18"},
		{name: "initialize beside a session", served: all, claims: negotiate.Claims{HTTP: true, Method: "initialize", Requested: "2025-06-18", Session: dead}, lifecycle: hs, revision: "2025-06-18"},
		{name: "V-14 the operator's list", served: middle, claims: negotiate.Claims{HTTP: true, Method: "initialize", Requested: "2025-03-26"}, lifecycle: hs, revision: "2025-11-25"},
		{name: "E-01 no handshake served", served: modernOnly, claims: negotiate.Claims{HTTP: true, Method: "initialize", Requested: "2025-11-25"}, lifecycle: pr, kind: protocol.KindUnsupportedVersion},

		// The header promises what the body lacks.
		{name: "OP-19 M-04 header without meta", served: all, sessionless: optional, claims: negotiate.Claims{HTTP: true, Method: "tools/list", Header: header("2026-07-28")}, lifecycle: pr, kind: protocol.KindInvalidParams},
		{name: "E-15 the same with a session", served: all, claims: negotiate.Claims{HTTP: true, Method: "tools/list", Header: header("2026-07-28"), Session: session("2025-11-25")}, lifecycle: pr, kind: protocol.KindInvalidParams},
		{name: "OP-38 M-19 a notification", served: all, claims: negotiate.Claims{HTTP: true, Method: "notifications/cancelled", Notification: true, Header: header("2026-07-28")}, lifecycle: pr, revision: "2026-07-28"},
		{name: "E-17 a response", served: all, claims: negotiate.Claims{HTTP: true, Response: true, Header: header("2026-07-28"), Session: session("2025-11-25")}, lifecycle: pr, kind: protocol.KindInvalidRequest},
		{name: "the same where it is not served", served: middle, sessionless: optional, claims: negotiate.Claims{HTTP: true, Method: "tools/list", Header: header("2026-07-28")}, lifecycle: hs, kind: protocol.KindUnsupportedVersion},

		// A session.
		{name: "its revision", served: all, claims: negotiate.Claims{HTTP: true, Method: "tools/list", Header: header("2025-06-18"), Session: session("2025-06-18")}, lifecycle: hs, revision: "2025-06-18"},
		{name: "OP-35 V-07 V-09 without a header", served: all, claims: negotiate.Claims{HTTP: true, Method: "tools/list", Session: session("2025-11-25")}, lifecycle: hs, revision: "2025-11-25"},
		{name: "OP-34 another header that is served", served: all, claims: negotiate.Claims{HTTP: true, Method: "tools/list", Header: header("2025-06-18"), Session: session("2025-11-25")}, lifecycle: hs, revision: "2025-11-25"},
		{name: "V-08 a header that is not", served: all, claims: negotiate.Claims{HTTP: true, Method: "ping", Header: header("not-a-version"), Session: session("2025-11-25")}, lifecycle: hs, kind: protocol.KindUnsupportedVersion},
		{name: "before the header existed it is ignored", served: all, claims: negotiate.Claims{HTTP: true, Method: "ping", Header: header("not-a-version"), Session: session("2025-03-26")}, lifecycle: hs, revision: "2025-03-26"},
		{name: "OP-30 a dead one", served: all, claims: negotiate.Claims{HTTP: true, Method: "ping", Header: header("2025-11-25"), Session: dead}, lifecycle: hs, err: errGone},
		{name: "negotiated before the list changed", served: middle, claims: negotiate.Claims{HTTP: true, Method: "ping", Session: session("2025-03-26")}, lifecycle: hs, kind: protocol.KindUnsupportedVersion},
		{name: "a response", served: all, claims: negotiate.Claims{HTTP: true, Response: true, Session: session("2025-11-25")}, lifecycle: hs, revision: "2025-11-25"},
		{name: "GET or DELETE", served: all, claims: negotiate.Claims{HTTP: true, Session: session("2025-11-25")}, lifecycle: hs, revision: "2025-11-25"},

		// A header alone.
		{name: "header, sessions optional", served: all, sessionless: optional, claims: negotiate.Claims{HTTP: true, Method: "tools/list", Header: header("2025-06-18")}, lifecycle: hs, revision: "2025-06-18"},
		{name: "header, sessions required", served: all, sessionless: required, claims: negotiate.Claims{HTTP: true, Method: "tools/list", Header: header("2025-06-18")}, lifecycle: hs, err: negotiate.ErrSessionRequired},
		{name: "unknown header", served: all, sessionless: optional, claims: negotiate.Claims{HTTP: true, Method: "tools/list", Header: header("not-a-version")}, lifecycle: hs, kind: protocol.KindUnsupportedVersion},
		{name: "unknown header, no handshake served", served: modernOnly, claims: negotiate.Claims{HTTP: true, Method: "tools/list", Header: header("2025-11-25")}, lifecycle: pr, kind: protocol.KindUnsupportedVersion},
		{name: "two headers", served: all, sessionless: optional, claims: negotiate.Claims{HTTP: true, Method: "tools/list", Header: header("2025-06-18", "2025-11-25")}, lifecycle: hs, kind: protocol.KindUnsupportedVersion},

		// Nothing at all.
		{name: "V-09 nothing, sessions optional", served: all, sessionless: optional, claims: negotiate.Claims{HTTP: true, Method: "tools/list"}, lifecycle: hs, revision: "2025-03-26"},
		{name: "nothing, sessions required", served: all, sessionless: required, claims: negotiate.Claims{HTTP: true, Method: "tools/list"}, lifecycle: hs, err: negotiate.ErrSessionRequired},
		{name: "nothing, that revision not served", served: middle, sessionless: optional, claims: negotiate.Claims{HTTP: true, Method: "tools/list"}, lifecycle: hs, kind: protocol.KindInvalidRequest},
		{name: "OP-19 nothing, no handshake served", served: modernOnly, claims: negotiate.Claims{HTTP: true, Method: "tools/list"}, lifecycle: pr, kind: protocol.KindHeaderMismatch},
		{name: "nothing over stdio, no handshake served", served: modernOnly, claims: negotiate.Claims{Method: "tools/list"}, lifecycle: pr, kind: protocol.KindInvalidParams},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := negotiate.NewPolicy(c.served, c.sessionless).Select(c.claims)
			assert.Equal(t, c.lifecycle, d.Lifecycle)
			assert.Equal(t, c.revision, d.Revision)
			switch {
			case c.err != nil:
				assert.ErrorIs(t, err, c.err)
			case c.kind != 0:
				var e *protocol.Error
				require.ErrorAs(t, err, &e)
				assert.Equal(t, c.kind, e.Kind, e.Message)
				if e.Kind == protocol.KindUnsupportedVersion {
					assert.Len(t, e.Supported, len(c.served))
				}
			default:
				assert.NoError(t, err)
			}
		})
	}
}

func BenchmarkSelect(b *testing.B) {
	p, v := negotiate.NewPolicy(all, required), "2026-07-28"
	c := negotiate.Claims{HTTP: true, Method: "tools/call", Meta: &v, Header: []string{v}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.Select(c); err != nil {
			b.Fatal(err)
		}
	}
}
