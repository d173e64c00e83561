package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/parley-mcp/parley/conformance"
	"github.com/parley-mcp/parley/conformance/drive"
)

// builtinTarget is the reference server: over HTTP in this process, where it asks for a token, and over stdio as a process of its own.
func builtinTarget(ctx context.Context) (conformance.Target, func(), error) {
	return referenceTarget(ctx, &serveFlags{sessions: "lru", auth: true})
}

func referenceTarget(ctx context.Context, f *serveFlags) (conformance.Target, func(), error) {
	self, err := os.Executable()
	if err != nil {
		return conformance.Target{}, func() {}, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return conformance.Target{}, func() {}, err
	}
	address := "http://" + listener.Addr().String() + "/mcp"
	quiet := slog.New(slog.DiscardHandler)
	guard, err := newGuard(f, quiet, address)
	if err != nil {
		return conformance.Target{}, func() {}, errors.Join(err, listener.Close())
	}
	s, err := newFixture(f, quiet, address)
	if err != nil {
		return conformance.Target{}, func() {}, errors.Join(err, listener.Close())
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = serveHTTP(ctx, f, s, guard, listener)
	}()
	stop := func() {
		cancel()
		<-ended
		_ = s.Close()
	}
	t := conformance.Target{Name: "built-in", URL: address, Command: []string{self, "serve", "--stdio", "--log", "error"}}
	if guard != nil {
		t.Header, t.Tokens = http.Header{"Authorization": {"Bearer " + guard.Good}}, guard.Bad
	}
	return t, stop, nil
}

// startTimeout bounds the wait for a server that is started for a run.
const startTimeout = 60 * time.Second

var printedURL = regexp.MustCompile(`https?://[^\s"'<>\]\)]+`)

// startHTTP starts a server and returns its endpoint: the one given, or the first URL that the server prints.
func startHTTP(ctx context.Context, args []string, given string) (string, func(), error) {
	process, err := drive.StartProcess(args, nil)
	if err != nil {
		return "", func() {}, &codedError{exitUnreachable, err}
	}
	printed, done := make(chan string, 1), make(chan struct{})
	stop := func() {
		process.Close()
		close(done)
	}
	go func() { // read on, so that the server never blocks on what it prints
		for {
			select {
			case a := <-process.Arrivals():
				offer(printed, printedURL.FindString(string(a.Data)))
			case <-done:
				return
			}
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for {
		endpoint := given
		select {
		case endpoint = <-printed:
			if given != "" {
				endpoint = given
			}
		case <-time.After(20 * time.Millisecond):
			if given == "" {
				endpoint = printedURL.FindString(process.Stderr())
			}
		case <-ctx.Done():
			stop()
			return "", func() {}, &codedError{exitUnreachable, fmt.Errorf(
				"%s: no endpoint could be reached within %s; print its URL, or name it with --http\n%s", args[0], startTimeout, process.Stderr())}
		}
		if endpoint = strings.TrimRight(endpoint, ".,;"); endpoint != "" && listens(ctx, endpoint) {
			return endpoint, stop, nil
		}
	}
}

func offer(c chan string, s string) {
	if s == "" {
		return
	}
	select {
	case c <- s:
	default:
	}
}

// listens reports whether somebody accepts connections at a URL.
func listens(ctx context.Context, endpoint string) bool {
	u, err := url.Parse(endpoint)
	if err != nil {
		return false
	}
	host := u.Host
	if u.Port() == "" {
		host = net.JoinHostPort(u.Hostname(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
	}
	conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", host)
	if err != nil {
		return false
	}
	return conn.Close() == nil
}
