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

	"github.com/parley-mcp/parley/conformance/playback"
	"github.com/parley-mcp/parley/conformance/revision"
	"github.com/parley-mcp/parley/conformance/transcript"
	"github.com/parley-mcp/parley/conformance/transcripts"
)

func newMockCommand() *cobra.Command {
	var address, version, file string
	var overStdio bool
	cmd := &cobra.Command{
		Use:   "mock TRANSCRIPT",
		Short: "Play a transcript as the server, and judge the client",
		Long: `Play a transcript as the server, to a client under test, and judge what it sends.

The transcript is named as parley test --list names it, or is a file. The mock ends when the conversation is over, when
standard input ends, or when it is interrupted. Exit codes: 0, 1 if the client did something else than the transcript says,
2 for wrong usage.`,
		Example: "  parley mock tools/call-text --http 127.0.0.1:9000\n  parley mock --file ask.txtar --stdio",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := findTranscript(args, file)
			if err != nil {
				return &codedError{exitUsage, err}
			}
			facts, err := chooseRevision(t, version)
			if err != nil {
				return &codedError{exitUsage, err}
			}
			server := playback.New(t, facts, playback.Lie{})
			if overStdio {
				err = mockLines(cmd.Context(), server, cmd.InOrStdin(), cmd.OutOrStdout())
			} else {
				err = mockHTTP(cmd.Context(), server, address)
			}
			return errors.Join(err, tellFindings(server.Findings()))
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&address, "http", "127.0.0.1:8080", "address to listen on; port 0 picks one")
	flags.BoolVar(&overStdio, "stdio", false, "serve standard input and output instead")
	flags.StringVar(&version, "revision", "", "revision to play (default the newest of the transcript)")
	flags.StringVar(&file, "file", "", "file that holds the transcript")
	cmd.MarkFlagsMutuallyExclusive("stdio", "http")
	return cmd
}

// findTranscript returns the transcript of a file, or the built-in one of a name.
func findTranscript(args []string, file string) (*transcript.Transcript, error) {
	if (len(args) == 1) == (file != "") {
		return nil, errors.New("name one transcript, or a file with --file")
	}
	if file != "" {
		source, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		return transcript.Parse(file, source)
	}
	all, err := transcripts.All()
	if err != nil {
		return nil, err
	}
	for _, t := range all {
		if t.Name == args[0] {
			return t, nil
		}
	}
	return nil, fmt.Errorf("there is no transcript %s: parley test --list names them", args[0])
}

func chooseRevision(t *transcript.Transcript, version string) (revision.Facts, error) {
	for _, facts := range revision.All() {
		if transcript.Holds(t.Revisions, facts.Version) && (version == "" || version == facts.Version) {
			return facts, nil
		}
	}
	return revision.Facts{}, fmt.Errorf("%s does not hold at %s: it holds at %v", t.Name, version, t.Revisions)
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

// farewell is how long a client may still send once the conversation is over: what it sends then is too much.
const farewell = 300 * time.Millisecond

func mockHTTP(ctx context.Context, s *playback.Server, address string) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "listening on http://%s/\n", listener.Addr())
	over, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		defer cancel()
		select {
		case <-over.Done():
			return
		case <-s.Over():
		}
		select {
		case <-over.Done():
		case <-time.After(farewell):
		}
	}()
	return serveUntil(over, listener, s, (*http.Server).Close)
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
