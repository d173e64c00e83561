package conformance

import (
	"context"
	"net/http"
	"slices"

	"github.com/parley-mcp/parley/conformance/drive"
	"github.com/parley-mcp/parley/conformance/transcript"
)

// isAsked reports whether a transcript waits for a request of the server.
func isAsked(t *transcript.Transcript) bool {
	return slices.ContainsFunc(t.Steps, func(s *transcript.Step) bool {
		return s.Kind == transcript.Expect && s.Pattern != nil && s.Pattern.Has("method") && s.Pattern.Has("id")
	})
}

// cannotAsk says why a server cannot ask its client anything; empty if it can. Over HTTP the client's answer comes with a
// request of its own, which only a session tells from that of another client.
func (v *inventory) cannotAsk(transport string, handshake bool) string {
	if transport == transportHTTP && handshake && !v.sessions {
		return "the server opens no sessions over HTTP, so that it cannot ask its client"
	}
	return ""
}

// listen opens the stream on which a server may ask, if it does not do so on the answer to a call (2025-11-25
// basic/transports#listening-for-messages-from-the-server). A server that offers none refuses, and nothing is made of that.
func (p *player) listen(ctx context.Context) {
	ownStream := slices.ContainsFunc(p.t.Steps, func(s *transcript.Step) bool { return s.Kind == transcript.SendHTTP })
	if !p.http || p.session.id == "" || ownStream || !isAsked(p.t) {
		return
	}
	header, err := p.header(p.obliged(http.MethodGet, nil), nil)
	if err != nil {
		return
	}
	p.always.opening = true
	defer func() { p.always.opening = false }()
	ctx, cancel := context.WithTimeout(ctx, p.patience())
	defer cancel()
	x, err := p.conn.Send(ctx, drive.Request{Label: "the driver listens", Method: http.MethodGet, Header: header})
	for err == nil && !p.box.ended[x] && (!p.box.headed[x] || x.Status() != http.StatusOK) {
		err = p.box.pull(ctx)
	}
	if x != nil && x.Status() != http.StatusOK {
		p.drop(x)
	}
}
