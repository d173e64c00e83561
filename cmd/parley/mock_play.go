package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/parley-mcp/parley/conformance"
	"github.com/parley-mcp/parley/conformance/playback"
	"github.com/parley-mcp/parley/conformance/report"
)

// playOne plays one transcript to a client that somebody else starts.
func (f *mockFlags) playOne(cmd *cobra.Command, failOn report.FailOn) error {
	t, err := f.findTranscript()
	if err != nil {
		return &codedError{exitUsage, err}
	}
	facts, err := f.chooseRevision(t)
	if err != nil {
		return &codedError{exitUsage, err}
	}
	mock := playback.New(t, facts, playback.Lie{})
	began := time.Now()
	r := &report.Report{Format: report.Format, Tool: conformance.Version(), Started: began.UTC(), Target: report.Target{
		Name: "the client", Revisions: map[string][]string{}}}
	transport, stdout := "http", cmd.OutOrStdout()
	if t.Client != nil && !f.overStdio {
		fmt.Fprintf(os.Stderr, "the client is to do: %s\n", t.Client.JSON())
	}
	if f.overStdio {
		transport = "stdio"
		err = mockLines(cmd.Context(), mock, cmd.InOrStdin(), stdout)
		if stdout = os.Stderr; f.json != "" { // standard output is the client's
			stdout = io.Discard
		}
	} else {
		err = f.mockHTTP(cmd.Context(), mock)
	}
	if t.Client == nil {
		return errors.Join(err, tellFindings(mock.Findings()))
	}
	if err != nil {
		return err
	}
	r.Target.Revisions[transport] = []string{facts.Version}
	if r.Results, err = conformance.ClientResults(nil, mock, t, facts, transport); err != nil {
		return err
	}
	r.ElapsedMs = time.Since(began).Milliseconds()
	return f.finish(stdout, r, failOn, clientReport)
}

func mockLines(ctx context.Context, s *playback.Server, in io.Reader, out io.Writer) error {
	ended := make(chan error, 1)
	go func() { ended <- s.ServeLines(in, out) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return nil
	}
}

func (f *mockFlags) mockHTTP(ctx context.Context, s *playback.Server) error {
	listener, err := net.Listen("tcp", f.address)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "listening on http://%s/\n", listener.Addr())
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	return serveUntil(f.waits(ctx, s.Over()), listener, s, (*http.Server).Close)
}

func tellFindings(findings []playback.Finding) error {
	for _, f := range findings {
		fmt.Fprintf(os.Stderr, "step %q: %s\n", f.Step, f.Problem)
	}
	if len(findings) > 0 {
		return &codedError{1, fmt.Errorf("the client departs from the transcript in %d places", len(findings))}
	}
	fmt.Fprintln(os.Stderr, "the client did what the transcript says")
	return nil
}
