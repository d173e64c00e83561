package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/revisions"
	"github.com/parley-mcp/parley/session"
)

// Options configure a Server. Only Info is required.
type Options struct {
	// Info says what the server is. Name and Version are required.
	Info protocol.Implementation
	// Instructions tell a model how to use the server.
	Instructions string
	// InstructionsFor returns them for one client, in place of Instructions.
	InstructionsFor func(ctx context.Context, c *Call) string
	// Revisions are those that are served; all that Parley knows if empty.
	Revisions []protocol.Revision
	// Sessions remembers handshakes. Nil is a session.LRU of its own with its defaults; session.None serves handshake
	// clients without sessions.
	Sessions session.Store
	// SessionsOptional serves handshake requests that name no session too.
	SessionsOptional bool
	// Principal names who sends a request, such as the subject and issuer of a token that a middleware has checked; never
	// the token, which is refreshed. header is nil on stdio. Nil, or "", is everybody. A session belongs to its principal.
	Principal func(ctx context.Context, header http.Header) string
	// Allow returns nil if who sends a request has all of scopes, those of the tool that is called; auth.Allow is one. Its
	// error refuses the request; one with a protocol.Error.Challenge tells the client what to ask for. It is required for
	// tools with Scopes, and not asked for others.
	Allow func(ctx context.Context, scopes []string) error
	// Visible restricts what a principal sees in lists, and can use. Nil functions restrict nothing.
	Visible Visible
	// PageSize is how many entries a page of a list has at most; 1000 if zero.
	PageSize int
	// Cache says how long clients may keep lists and the discovery. The zero value is: not at all.
	Cache CacheHints
	// Extensions and Experimental are further capabilities to declare, by name, each with its settings, an object.
	Extensions, Experimental map[string][]byte
	// Quiet: the server never announces that its lists or resources have changed, and declares so. It does not announce how
	// tasks stand either.
	Quiet bool
	// StateKeys seal what travels through the client while it answers questions: 32 random bytes each, the same on all
	// replicas. The first seals, each opens what it has sealed. Nil is a key of this process alone.
	StateKeys [][]byte
	// StateTTL is how long a client may take to answer; 15 minutes if zero.
	StateTTL time.Duration
	// MaxRounds is how often one request may be answered with questions; 20 if zero.
	MaxRounds int
	// Limits bound what a client may ask for and is told in a time. The zero value bounds it; see there.
	Limits Limits
	// Tasks bound the calls that go on after they are answered: see Tool.TaskSupport and Call.Task.
	Tasks TaskOptions
	// Middleware wraps the handling of each request; the first is outermost.
	Middleware []Middleware
	// LogLevel is the least level of the log messages that a session gets whose client has not set one; info if zero.
	LogLevel protocol.LogLevel
	// Logger gets what the server has to say; slog.Default if nil. Nothing of a request's content is logged.
	Logger *slog.Logger
}

// Visible says what a principal may see and use. An entry that is not visible does not exist for that principal.
type Visible struct {
	Tool             func(principal string, t *protocol.Tool) bool
	Resource         func(principal string, r *protocol.Resource) bool
	ResourceTemplate func(principal string, t *protocol.ResourceTemplate) bool
	Prompt           func(principal string, p *protocol.Prompt) bool
}

// CacheHints are hints for each list and the discovery (2026-07-28 server/utilities/caching). A list that Visible
// restricts is never public, whatever its hint.
type CacheHints struct {
	Tools, Resources, ResourceTemplates, Prompts, Discovery protocol.CacheHint
}

// A Handler handles one request. The error of a tool is a result of its own (CallToolResult.IsError), not an error here.
type Handler func(ctx context.Context, c *Call) (protocol.Result, error)

// A Middleware wraps a Handler. It may change a result, but nothing that the result points to: the entries of a list, for
// one, are shared by all clients. With middleware, lists are encoded anew for each request. It sees a call become a task, and not
// what the task ends with.
type Middleware func(next Handler) Handler

const (
	defaultPageSize  = 1000
	defaultMaxRounds = 20
	defaultStateTTL  = 15 * time.Minute
)

// check completes o, or says which option is wrong or contradicts which.
func (o *Options) check() ([]protocol.Codec, error) {
	switch {
	case o.Info.Name == "" || o.Info.Version == "":
		return nil, errors.New("server: Options.Info needs a Name and a Version")
	case o.Instructions != "" && o.InstructionsFor != nil:
		return nil, errors.New("server: Options.Instructions and Options.InstructionsFor exclude each other")
	case o.SessionsOptional && o.Sessions == session.None:
		return nil, errors.New("server: Options.SessionsOptional needs sessions, and Options.Sessions is session.None")
	case slices.ContainsFunc(o.Middleware, func(m Middleware) bool { return m == nil }):
		return nil, errors.New("server: Options.Middleware has a nil element")
	case o.LogLevel > protocol.LogEmergency:
		return nil, errors.New("server: Options.LogLevel is none of the levels")
	case o.PageSize < 0 || o.MaxRounds < 0 || o.StateTTL < 0:
		return nil, errors.New("server: Options.PageSize, MaxRounds or StateTTL is negative")
	}
	for _, h := range []protocol.CacheHint{o.Cache.Tools, o.Cache.Resources, o.Cache.ResourceTemplates, o.Cache.Prompts, o.Cache.Discovery} {
		if h.TTLMs < 0 {
			return nil, errors.New("server: Options.Cache has a negative TTLMs")
		}
	}
	if err := o.Tasks.complete(); err != nil {
		return nil, err
	}
	if o.Extensions[protocol.TaskExtension] != nil {
		return nil, fmt.Errorf("server: Options.Extensions has %q, which is declared when a tool can run as a task", protocol.TaskExtension)
	}
	for _, settings := range []map[string][]byte{o.Extensions, o.Experimental} {
		for name, raw := range settings {
			if !isObject(raw) {
				return nil, fmt.Errorf("server: the settings of %q in Options.Extensions or Options.Experimental are no JSON object", name)
			}
		}
	}
	if err := o.Limits.check(); err != nil {
		return nil, err
	}
	if o.PageSize == 0 {
		o.PageSize = defaultPageSize
	}
	if o.MaxRounds == 0 {
		o.MaxRounds = defaultMaxRounds
	}
	if o.StateTTL == 0 {
		o.StateTTL = defaultStateTTL
	}
	if o.LogLevel == 0 {
		o.LogLevel = protocol.LogInfo
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	return choose(o.Revisions)
}

// changesResults reports whether results pass through somebody who may change them.
func (o *Options) changesResults() bool { return len(o.Middleware) > 0 }

// choose returns the codecs of the revisions named, newest first.
func choose(names []protocol.Revision) ([]protocol.Codec, error) {
	var chosen []protocol.Codec
	for _, c := range revisions.All() {
		if r := c.Features().Revision; len(names) == 0 || slices.Contains(names, r) {
			chosen = append(chosen, c)
		}
	}
	for i, n := range names {
		if _, ok := revisions.Lookup(n); !ok {
			return nil, fmt.Errorf("server: Options.Revisions: there is no revision %q, only %v", n, revisions.Names(revisions.All()))
		}
		if slices.Contains(names[:i], n) {
			return nil, fmt.Errorf("server: Options.Revisions has %q twice", n)
		}
	}
	return chosen, nil
}
