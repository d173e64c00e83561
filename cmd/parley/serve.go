package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gorilla/mux"
	"github.com/spf13/cobra"

	"github.com/parley-mcp/parley/auth"
	"github.com/parley-mcp/parley/conformance/fixture"
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/session"
	"github.com/parley-mcp/parley/transport/stdio"
	"github.com/parley-mcp/parley/transport/streamable"
)

// serveFlags are the flags of parley serve.
type serveFlags struct {
	http, endpoint, sessions, logLevel string
	stdio, optional, auth              bool
	revisions, hosts, origins          []string
	pageSize                           int
}

func newServeCommand() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the reference server, over HTTP or stdio",
		Long: `Run the reference server: every kind of tool, resource and prompt, at every revision.

Over HTTP it answers at /mcp, and its health at /healthz. It says on stderr where it listens.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return serve(cmd.Context(), &f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.http, "http", "127.0.0.1:8080", "address to listen on; port 0 picks one")
	flags.BoolVar(&f.stdio, "stdio", false, "serve standard input and output instead")
	flags.StringSliceVar(&f.revisions, "revisions", nil, "revisions to serve (default all)")
	flags.StringVar(&f.sessions, "sessions", "lru", "what remembers handshakes: lru, sealed or none")
	flags.BoolVar(&f.optional, "sessions-optional", false, "serve handshake requests without a session too")
	flags.IntVar(&f.pageSize, "page-size", 0, "entries on a page of a list (default 1000)")
	flags.StringVar(&f.endpoint, "endpoint", "", "the endpoint's URL as clients use it (default that of the address)")
	flags.StringSliceVar(&f.hosts, "allow-host", nil, "further names under which a loopback address is reached")
	flags.StringSliceVar(&f.origins, "allow-origin", nil, "origins of web pages that may call; turns CORS on")
	flags.BoolVar(&f.auth, "auth", false, "ask for a bearer token, and say on stderr which are known")
	flags.StringVar(&f.logLevel, "log", "warn", "least level of the log on stderr: debug, info, warn or error")
	cmd.MarkFlagsMutuallyExclusive("stdio", "http")
	cmd.MarkFlagsMutuallyExclusive("stdio", "auth") // over stdio, credentials come from the environment
	return cmd
}

func serve(ctx context.Context, f *serveFlags) error {
	var level slog.Level
	if err := level.UnmarshalText([]byte(f.logLevel)); err != nil {
		return &codedError{exitUsage, fmt.Errorf("--log: %w", err)}
	}
	logger := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level}))
	if f.stdio {
		s, err := newFixture(f, logger, "")
		if err != nil {
			return err
		}
		return errors.Join(stdio.Run(ctx, s), s.Close())
	}
	listener, err := net.Listen("tcp", f.http)
	if err != nil {
		return err
	}
	url := f.endpoint
	if url == "" {
		url = "http://" + listener.Addr().String() + "/mcp"
	}
	guard, err := newGuard(f, logger, url)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	s, err := newFixture(f, logger, url)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	fmt.Fprintf(os.Stderr, "listening on http://%s/mcp\n", listener.Addr())
	if guard != nil {
		fmt.Fprintln(os.Stderr, howToTest(url, guard))
	}
	return errors.Join(serveHTTP(ctx, f, s, guard, listener), s.Close())
}

// newGuard returns what asks for tokens, or nil if nothing does.
func newGuard(f *serveFlags, logger *slog.Logger, url string) (*fixture.Guard, error) {
	if !f.auth {
		return nil, nil
	}
	g, err := fixture.NewGuard(url, logger)
	if err != nil {
		return nil, &codedError{exitUsage, fmt.Errorf("--endpoint: %w", err)}
	}
	return g, nil
}

// howToTest is the command that tests a guarded server with all its tokens.
func howToTest(url string, g *fixture.Guard) string {
	line := "parley test --http " + url + " --bearer " + g.Good
	for _, kind := range slices.Sorted(maps.Keys(g.Bad)) {
		line += " --token " + kind + "=" + g.Bad[kind]
	}
	return line
}

func newFixture(f *serveFlags, logger *slog.Logger, endpoint string) (*server.Server, error) {
	store, err := newStore(f.sessions)
	if err != nil {
		return nil, &codedError{exitUsage, err}
	}
	o := fixture.Options{
		Endpoint:         endpoint,
		Sessions:         store,
		SessionsOptional: f.optional,
		PageSize:         f.pageSize,
		Logger:           logger,
	}
	if f.auth {
		o.Principal, o.Allow = auth.Principal, auth.Allow
	}
	for _, r := range f.revisions {
		o.Revisions = append(o.Revisions, protocol.Revision(strings.TrimSpace(r)))
	}
	s, err := fixture.New(o)
	if err != nil {
		return nil, &codedError{exitUsage, err}
	}
	return s, nil
}

// newStore returns the store of that name; nil is the server's own.
func newStore(name string) (session.Store, error) {
	switch name {
	case "lru":
		return nil, nil
	case "none":
		return session.None, nil
	case "sealed":
		key := make([]byte, 32) // of this process: sessions end with it
		_, _ = rand.Read(key)
		return session.NewSealed(session.SealedOptions{Keys: [][]byte{key}})
	}
	return nil, fmt.Errorf("--sessions: %q is none of lru, sealed and none", name)
}

func serveHTTP(ctx context.Context, f *serveFlags, s *server.Server, guard *fixture.Guard, listener net.Listener) error {
	h, err := streamable.New(s, streamable.Options{AllowedHosts: f.hosts, AllowedOrigins: f.origins, CORS: len(f.origins) > 0})
	if err != nil {
		return &codedError{exitUsage, errors.Join(err, listener.Close())}
	}
	router := mux.NewRouter()
	if guard == nil {
		router.Handle("/mcp", h)
	} else {
		router.Handle("/mcp", guard.Protect(h))
		for path, metadata := range guard.Routes() {
			router.Handle(path, metadata)
		}
	}
	router.HandleFunc("/healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	return serveUntil(ctx, listener, router, func(web *http.Server) error {
		grace, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_ = h.Shutdown(grace) // what still runs then is cut off
		return web.Shutdown(grace)
	})
}
