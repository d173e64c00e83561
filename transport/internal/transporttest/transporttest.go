// Package transporttest is a small server for the tests of the transports: it has a tool for each thing that a transport can
// get wrong.
package transporttest

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
)

// Secret is what the tool panics says before it dies. It may stand in the log, and nowhere else.
const Secret = "the combination is 12345"

// A Fixture is the server and what its tools tell of themselves.
type Fixture struct {
	Server *server.Server
	// Log holds what the server logged.
	Log *Log
	// Entered gets a value from each call of slow and stubborn once it runs.
	Entered chan struct{}
	// Ended gets the cause for which each call of slow has ended, nil if it was released.
	Ended chan error
	// Sent gets the error of the notification that stubborn sends once it is released, and the first error of flood.
	Sent chan error
	// Rows is how often write_row has run.
	Rows atomic.Int64

	release chan struct{}
}

// New returns a server with its tools, a resource, a template and two prompts. with, which may be nil, changes the options.
// The server is closed when the test ends.
func New(tb testing.TB, with func(*server.Options)) *Fixture {
	tb.Helper()
	f := &Fixture{
		Log:     &Log{},
		Entered: make(chan struct{}, 1000),
		Ended:   make(chan error, 1000),
		Sent:    make(chan error, 1000),
		release: make(chan struct{}),
	}
	o := server.Options{
		Info:   protocol.Implementation{Name: "transporttest", Version: "1", Title: "Transport Test"},
		Logger: slog.New(slog.NewTextHandler(f.Log, nil)),
		Quiet:  true, // announcing has tests of its own, as have limits
		Limits: server.Limits{Tools: server.Unlimited, Completions: server.Unlimited, Logs: server.Unlimited, Progress: server.Unlimited},
	}
	if with != nil {
		with(&o)
	}
	s, err := server.New(o)
	f.Server = s
	if err == nil {
		err = errors.Join(f.addTools(), f.addWaiting(), f.addOthers())
	}
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = s.Close() })
	return f
}

// Release lets one call of slow or stubborn come to its end.
func (f *Fixture) Release() { f.release <- struct{}{} }

// Text is an argument.
type Text struct {
	Text string `json:"text,omitempty"`
}

// Size is an argument: a number of KiB.
type Size struct {
	KiB int `json:"kib"`
}

func (f *Fixture) addTools() error {
	s := f.Server
	return errors.Join(
		server.AddTool(s, server.Tool{Name: "echo", Title: "Echo"}, func(_ context.Context, _ *server.Call, in Text) (string, error) {
			return in.Text, nil
		}),
		server.AddTool(s, server.Tool{Name: "noisy"}, func(_ context.Context, c *server.Call, _ struct{}) (string, error) {
			return "said", errors.Join(c.Log(protocol.LogDebug, "noisy", "debug"), c.Log(protocol.LogInfo, "noisy", "info"),
				c.Log(protocol.LogError, "noisy", "error"))
		}),
		server.AddTool(s, server.Tool{Name: "steps"}, func(_ context.Context, c *server.Call, _ struct{}) (string, error) {
			for _, done := range []float64{1, 2, 2, 1, 3} { // two of which do not rise
				if err := c.Progress(server.Progress{Done: done, Total: 3}); err != nil {
					return "", err
				}
			}
			return "done", nil
		}),
		server.AddTool(s, server.Tool{Name: "whoami"}, func(_ context.Context, c *server.Call, _ struct{}) (string, error) {
			return c.Principal(), nil
		}),
		server.AddTool(s, server.Tool{Name: "panics"}, func(context.Context, *server.Call, struct{}) (string, error) {
			panic(Secret)
		}),
		server.AddTool(s, server.Tool{Name: "nothing"}, func(context.Context, *server.Call, struct{}) ([]protocol.Content, error) {
			return []protocol.Content{(*protocol.TextContent)(nil)}, nil // which no codec can write
		}),
		server.AddTool(s, server.Tool{Name: "write_row"}, func(context.Context, *server.Call, struct{}) (string, error) {
			f.Rows.Add(1)
			return "written", nil
		}),
		server.AddTool(s, server.Tool{Name: "list_users"}, func(context.Context, *server.Call, struct{}) ([]string, error) {
			return []string{"ada", "bob"}, nil
		}),
		server.AddTool(s, server.Tool{Name: "link"}, func(context.Context, *server.Call, struct{}) ([]protocol.Content, error) {
			return []protocol.Content{&protocol.ResourceLink{Resource: protocol.Resource{URI: "file:///hello", Name: "hello"}}}, nil
		}),
		server.AddTool(s, server.Tool{Name: "big"}, func(_ context.Context, _ *server.Call, in Size) (string, error) {
			return strings.Repeat("b", in.KiB<<10), nil
		}),
		s.AddRawTool(server.Tool{Name: "query", InputSchema: jsontext.Value(`{"type":"object","properties":{
			"region":{"type":"string","x-mcp-header":"Region"},"n":{"type":"integer","x-mcp-header":"N"}}}`)},
			func(_ context.Context, _ *server.Call, arguments jsontext.Value) (*protocol.CallToolResult, error) {
				return &protocol.CallToolResult{Content: []protocol.Content{&protocol.TextContent{Text: string(arguments)}}}, nil
			}),
	)
}

// addWaiting adds the tools that end when a test wants them to.
func (f *Fixture) addWaiting() error {
	s := f.Server
	return errors.Join(
		server.AddTool(s, server.Tool{Name: "slow"}, func(ctx context.Context, _ *server.Call, _ struct{}) (string, error) {
			f.Entered <- struct{}{}
			select {
			case <-ctx.Done():
				f.Ended <- context.Cause(ctx)
				return "", ctx.Err()
			case <-f.release:
				f.Ended <- nil
				return "released", nil
			}
		}),
		// stubborn ignores that it is cancelled, and speaks on.
		server.AddTool(s, server.Tool{Name: "stubborn"}, func(_ context.Context, c *server.Call, _ struct{}) (string, error) {
			first := c.Progress(server.Progress{Done: 1, Message: "first"})
			f.Entered <- struct{}{}
			<-f.release
			f.Sent <- errors.Join(first, c.Progress(server.Progress{Done: 2, Message: "second"}))
			return "released", nil
		}),
		// flood speaks until nobody listens.
		server.AddTool(s, server.Tool{Name: "flood"}, func(ctx context.Context, c *server.Call, _ struct{}) (string, error) {
			f.Entered <- struct{}{}
			text := strings.Repeat("f", 64<<10)
			for i := 1.0; ; i++ {
				if err := c.Progress(server.Progress{Done: i, Message: text}); err != nil {
					f.Sent <- err
					return "", err
				}
			}
		}),
	)
}

func (f *Fixture) addOthers() error {
	read := func(_ context.Context, _ *server.Call, uri string, _ map[string]string) (*protocol.ReadResourceResult, error) {
		if strings.HasSuffix(uri, "nope") {
			return nil, protocol.ResourceNotFound(uri)
		}
		return &protocol.ReadResourceResult{Contents: []*protocol.ResourceContents{{Text: "hello"}}}, nil
	}
	get := func(context.Context, *server.Call, map[string]string) (*protocol.GetPromptResult, error) {
		return &protocol.GetPromptResult{Messages: []protocol.PromptMessage{
			{Role: protocol.RoleUser, Content: &protocol.TextContent{Text: "hello"}},
		}}, nil
	}
	s := f.Server
	return errors.Join(
		s.AddResource(server.Resource{URI: "file:///hello", Name: "hello"}, read),
		s.AddResourceTemplate(server.ResourceTemplate{URITemplate: "file:///{name}", Name: "any"}, read),
		s.AddPrompt(server.Prompt{Name: "greet"}, get),
		s.AddPrompt(server.Prompt{Name: "größe"}, get),
	)
}

// A Log is a buffer that many can write to.
type Log struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

// Write implements io.Writer.
func (l *Log) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(b)
}

// String returns what was written.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

// ByToken is a server.Options.Principal that trusts tokens such as "alice/7": the name is the principal, and the rest changes
// when the token is refreshed. Other requests are nobody's.
func ByToken(_ context.Context, header http.Header) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(header.Get("Authorization"), "Bearer "), "/")
	return name
}
