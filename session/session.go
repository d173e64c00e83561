// Package session remembers handshakes: which client opened, at which revision, with which capabilities, and for whom.
//
// Sessions are optional. There are three stores: LRU keeps sessions in this process, Sealed keeps nothing and puts the
// session into its id, and None has no sessions, so that handshake clients are served statelessly. What a session has open in this
// process (streams, running calls) is the transport's, which a store tells when a session ends.
package session

import (
	"context"
	"errors"

	"github.com/parley-mcp/parley/protocol"
)

// A State is what a handshake left behind. It is immutable: to change one, Save a changed copy.
type State struct {
	// Revision is what was negotiated.
	Revision     protocol.Revision
	Client       protocol.Implementation
	Capabilities protocol.ClientCapabilities
	// Principal names who opened the session; "" is everybody. For anyone else the session does not exist.
	Principal string
	// LogLevel is the least level of the log messages that the client wants; zero if it has not said.
	LogLevel protocol.LogLevel
}

var (
	// ErrNotFound: no session has that id, or it has ended, or it is somebody else's. A client is told 404.
	ErrNotFound = errors.New("session not found")
	// ErrNotSupported: the store cannot do that. A client that sends DELETE is told 405.
	ErrNotSupported = errors.New("the session store cannot do that")
)

// A Store keeps sessions. Its methods may be called from many goroutines, and may take a while where the store is
// networked: they respect their context. Errors other than the two above mean that the store failed (503).
type Store interface {
	// Open keeps a session and returns its id: visible ASCII, at least 128 bits that nobody can guess. What a client says
	// about itself may be shortened.
	Open(ctx context.Context, s *State) (id string, err error)
	// Get returns a session of principal, and counts as use: it puts off the end of an idle session.
	Get(ctx context.Context, id, principal string) (*State, error)
	// Save replaces a session's state, keeping its id, or fails with ErrNotSupported.
	Save(ctx context.Context, id string, s *State) error
	// Delete ends a session of principal, or fails with ErrNotSupported.
	Delete(ctx context.Context, id, principal string) error
	// Remembers reports whether Save and Delete are supported.
	Remembers() bool
	// Watch names who is asked and told about sessions. It is called once, before any other method. A store that remembers
	// nothing tells nobody.
	Watch(w Watcher)
	// Close frees what the store holds in this process. Sessions that live nowhere else end.
	Close() error
}

// A Watcher has things open that belong to sessions.
type Watcher interface {
	// Busy reports whether the session has something open, so that it is not idle.
	Busy(id string) bool
	// Ended says that the session is over: deleted, expired or evicted. What it has open must go.
	Ended(id string)
}
