package server

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/parley-mcp/parley/protocol"
)

// ErrNotElicited says that an elicitation id was not made for this principal, or not by this server, or has expired.
var ErrNotElicited = errors.New("this user has not been asked for that, or too long ago")

// Visit asks the user to go to a URL, for what must not pass through the client. An answer means that the user agreed, not
// that anything has happened there (2025-11-25 client/elicitation#url-mode-elicitation-requests). For a page that has to know
// whose visit it is, see Call.Visit.
func Visit(key, message, uri string) Question { return visit(key, message, uri, rand.Text()) }

func visit(key, message, uri, id string) Question {
	if u, err := url.Parse(uri); err != nil || u.Scheme == "" {
		return Question{key: key, err: fmt.Errorf("%q is no absolute URL", uri)}
	}
	return Question{
		key:  key,
		ask:  &protocol.ElicitParams{Message: message, URL: uri, ID: id},
		take: func(a protocol.Answer) error { return action(a.(*protocol.ElicitResult)) },
	}
}

// Visit asks the user to go to a page of the author's own; page returns its URL, with the id that it is given, which is
// ElicitationID. See the function Visit for what an answer means, and Ask for the errors.
//
// A link can be sent to somebody else, who would then do for the first user what is meant for his own account. So the page
// must find out who opens it, by a login of its own that does not hang on the URL, and ask Server.CheckElicitation whether it
// is the one who was asked; and so must whatever page ends the visit, before it keeps what it was given
// (2025-11-25 client/elicitation#phishing).
func (c *Call) Visit(ctx context.Context, key, message string, page func(id string) string) error {
	id, err := c.ElicitationID()
	if err != nil {
		return err
	}
	return c.Ask(ctx, visit(key, message, page(id), id))
}

// ElicitationID returns an id for something that the principal of the call is asked to do elsewhere, good for
// Options.StateTTL. It opens nothing, and cannot be made for or turned into one for somebody else: what it was made for is
// sealed into it, so that nothing is kept, and each replica with the same Options.StateKeys can check it.
func (c *Call) ElicitationID() (string, error) {
	e := elicitation{Until: time.Now().Add(c.server.options.StateTTL).Unix()}
	if c.in.Session != nil {
		e.Session = digest(c.in.Session.Name())
	}
	plain, err := json.Marshal(&e)
	if err != nil {
		return "", fmt.Errorf("elicitation id: %w", err)
	}
	return c.server.ring.Seal(plain, elicitationContext(c.in.Principal)), nil
}

// CheckElicitation is nil if the id was made for a call of the principal, else ErrNotElicited. The principal is named as by
// Options.Principal; "" is nobody who could be recognised, and is always refused.
func (s *Server) CheckElicitation(id, principal string) error {
	if principal == "" {
		return ErrNotElicited
	}
	_, err := s.openElicitation(id, principal)
	return err
}

// ElicitationComplete tells the client that was asked, and nobody else, that the principal has done it, if its revision has
// words for that and its session listens (2025-11-25 client/elicitation#completion-notifications-for-url-mode-elicitation).
// It never blocks. The error is ErrNotElicited.
func (s *Server) ElicitationComplete(id, principal string) error {
	e, err := s.openElicitation(id, principal)
	if err == nil && e.Session != (sessionDigest{}) {
		s.announcer.completed(e.Session, id)
	}
	return err
}

// An elicitation is what is sealed into an id. The principal is what it is sealed for.
type elicitation struct {
	// Until is when it expires, in seconds since 1970.
	Until int64 `json:"until"`
	// Session is that of the client that was asked.
	Session sessionDigest `json:"session,omitzero"`
}

// A sessionDigest stands for the name of a session, which may be long, and is a secret.
type sessionDigest [16]byte

func digest(session string) sessionDigest {
	sum := sha256.Sum256([]byte(session))
	return sessionDigest(sum[:])
}

func elicitationContext(principal string) []byte {
	return append([]byte("parley elicitation\x00"), principal...)
}

func (s *Server) openElicitation(id, principal string) (e elicitation, err error) {
	plain, err := s.ring.Open(id, elicitationContext(principal))
	if err == nil {
		err = json.Unmarshal(plain, &e)
	}
	if err != nil || time.Now().Unix() > e.Until {
		return elicitation{}, ErrNotElicited
	}
	return e, nil
}
