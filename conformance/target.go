package conformance

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/parley-mcp/parley/conformance/drive"
	"github.com/parley-mcp/parley/conformance/transcript"
)

// The transports, as reports name them.
const (
	transportHTTP  = "http"
	transportStdio = "stdio"
)

// A Target is the server to test. It has a URL, a command, or both, which are then tested as one server.
type Target struct {
	// Name stands in the report; empty for the URL and the command line, secrets hidden.
	Name string
	// URL is the endpoint over HTTP; empty if there is none.
	URL string
	// Header is sent with every request, such as Authorization. Its values appear in no report.
	Header http.Header
	// Tokens are bearer tokens that are not good, by what is wrong with them: one of transcript.Tokens. The good one stands in
	// Header. They appear in no report.
	Tokens map[string]string
	// Command is the program that speaks over its standard streams, with its arguments; empty if there is none.
	Command []string
	// Env is added to the environment of the command.
	Env []string
}

// server is a target made ready.
type server struct {
	name     string
	endpoint *url.URL
	header   []drive.Field
	tokens   map[string]string
	command  []string
	env      []string
	// dial replaces connect in the harness's own tests.
	dial func(transport string) (drive.Conn, error)
}

func newServer(t Target) (*server, error) {
	s := &server{name: t.Name, tokens: t.Tokens, command: t.Command, env: t.Env}
	for kind := range t.Tokens {
		if !slices.Contains(transcript.Tokens, kind) {
			return nil, fmt.Errorf("there is no kind of token %q: write one of %v", kind, transcript.Tokens)
		}
	}
	var names []string
	if t.URL != "" {
		var err error
		if s.endpoint, err = drive.ParseEndpoint(t.URL); err != nil {
			return nil, err
		}
		names = append(names, drive.HideURL(s.endpoint))
	}
	if len(t.Command) > 0 {
		names = append(names, drive.HideArgs(t.Command))
	}
	if len(names) == 0 {
		return nil, errors.New("the target has neither a URL nor a command")
	}
	if s.name == "" {
		s.name = strings.Join(names, " and ")
	}
	for _, name := range slices.Sorted(maps.Keys(t.Header)) {
		for _, value := range t.Header[name] {
			s.header = append(s.header, drive.Field{Name: name, Value: value})
		}
	}
	return s, nil
}

func (s *server) transports() []string {
	var out []string
	if s.endpoint != nil {
		out = append(out, transportHTTP)
	}
	if len(s.command) > 0 {
		out = append(out, transportStdio)
	}
	return out
}

func (s *server) connect(_ context.Context, transport string) (drive.Conn, error) {
	switch {
	case s.dial != nil:
		return s.dial(transport)
	case transport == transportHTTP:
		return drive.NewHTTP(s.endpoint), nil
	}
	return drive.StartProcess(s.command, s.env)
}
