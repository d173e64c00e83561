package server

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"sync/atomic"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/parley-mcp/parley/internal/rawjson"
	"github.com/parley-mcp/parley/internal/seal"
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/session"
)

// A Server holds what an author offers, and answers requests in neutral types. Create it with New.
type Server struct {
	options  Options
	codecs   []protocol.Codec
	sessions session.Store
	// ownSessions: New made the store, so that Close closes it.
	ownSessions bool
	handler     Handler
	// ring seals request states.
	ring *seal.Ring

	tools     catalog[*tool, *protocol.Tool]
	resources catalog[*resource, *protocol.Resource]
	templates catalog[*template, *protocol.ResourceTemplate]
	prompts   catalog[*prompt, *protocol.Prompt]
	completes completers
	announcer announcer
	tasks     tasks

	// toolCalls and completions bound how often a client may ask for them.
	toolCalls, completions *throttle

	// pong answers pings.
	pong kept
	// openings are the shared answers to server/discover and initialize; dropped when what they say may have changed.
	openings atomic.Pointer[openings]
}

// New returns a server that offers nothing yet. The error says which option is wrong.
func New(o Options) (*Server, error) {
	codecs, err := o.check()
	if err != nil {
		return nil, err
	}
	s := &Server{options: o, codecs: codecs, sessions: o.Sessions}
	if s.sessions == nil {
		if s.sessions, err = session.NewLRU(session.LRUOptions{}); err != nil {
			return nil, err
		}
		s.ownSessions = true
	}
	if s.ring, err = newRing(o.StateKeys); err != nil {
		return nil, fmt.Errorf("server: Options.StateKeys: %w", err)
	}
	s.handler = s.dispatch
	for i := len(o.Middleware) - 1; i >= 0; i-- {
		s.handler = o.Middleware[i](s.handler)
	}
	s.toolCalls, s.completions = newThrottle(s.options.Limits.Tools), newThrottle(s.options.Limits.Completions)
	s.tools.init(&s.options)
	s.resources.init(&s.options)
	s.templates.init(&s.options)
	s.prompts.init(&s.options)
	s.tasks.init(o.Tasks, &s.announcer)
	s.announcer.tasks = &s.tasks
	s.changed()
	return s, nil
}

// newRing returns the ring of the keys, or of one of this process alone.
func newRing(keys [][]byte) (*seal.Ring, error) {
	if len(keys) == 0 {
		own := make([]byte, seal.KeySize)
		_, _ = rand.Read(own) // never fails
		keys = [][]byte{own}
	}
	return seal.NewRing(keys...)
}

// Close ends all tasks, waits some seconds for their handlers to return, and frees what New made. The transports that serve
// s must be shut down before.
func (s *Server) Close() error {
	err := s.tasks.close()
	if s.ownSessions {
		err = errors.Join(err, s.sessions.Close())
	}
	return err
}

// Codecs returns the vocabularies of the revisions served, newest first. It must not be changed. It is for transports, as
// are Sessions, SessionsOptional and PrincipalOf.
func (s *Server) Codecs() []protocol.Codec { return s.codecs }

// Sessions returns the store; it is never nil.
func (s *Server) Sessions() session.Store { return s.sessions }

// SessionsOptional reports whether handshake requests are served that name no session.
func (s *Server) SessionsOptional() bool {
	return s.options.SessionsOptional || s.sessions == session.None
}

// Logger returns where the server's own messages go.
func (s *Server) Logger() *slog.Logger { return s.options.Logger }

// PrincipalOf names who sends a request.
func (s *Server) PrincipalOf(ctx context.Context, header http.Header) string {
	if s.options.Principal == nil {
		return ""
	}
	return s.options.Principal(ctx, header)
}

// ToolsChanged tells clients that what they see in the list of tools may have changed. Adding and removing does so by
// itself; this is for changes of what Options.Visible lets through. It never blocks.
func (s *Server) ToolsChanged() { s.announcer.changed(toolsList) }

// PromptsChanged is ToolsChanged for prompts.
func (s *Server) PromptsChanged() { s.announcer.changed(promptsList) }

// ResourcesChanged is ToolsChanged for resources and their templates.
func (s *Server) ResourcesChanged() { s.announcer.changed(resourcesList) }

// capabilities returns what to declare to the client of a call. setLevel says whether it can set its log level.
func (s *Server) capabilities(c *Call, setLevel bool) protocol.ServerCapabilities {
	announces, somebody := s.announces(c), c.isSomebody()
	d := protocol.ServerCapabilities{
		Logging:      setLevel,
		Completions:  s.completes.used(),
		Extensions:   rawSettings(s.options.Extensions),
		Experimental: rawSettings(s.options.Experimental),
	}
	if s.tools.used() {
		d.Tools = &protocol.ListCapability{ListChanged: announces}
	}
	if s.tasks.offered.Load() {
		d.Tasks = &protocol.TasksCapability{List: somebody}
	}
	if s.prompts.used() {
		d.Prompts = &protocol.ListCapability{ListChanged: announces}
	}
	if s.resources.used() || s.templates.used() {
		d.Resources = &protocol.ResourcesCapability{Subscribe: announces, ListChanged: announces}
	}
	return d
}

func rawSettings(m map[string][]byte) map[string]jsontext.Value {
	if m == nil {
		return nil
	}
	out := make(map[string]jsontext.Value, len(m))
	for name := range maps.Keys(m) {
		out[name] = m[name]
	}
	return out
}

func isObject(raw []byte) bool {
	return jsontext.Value(raw).IsValid() && rawjson.Kind(raw) == '{'
}

// Quiet reports whether the server announces nothing. It is for transports.
func (s *Server) Quiet() bool { return s.options.Quiet }
