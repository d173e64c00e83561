package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/parley-mcp/parley/conformance"
	"github.com/parley-mcp/parley/conformance/report"
	"github.com/parley-mcp/parley/conformance/revision"
	"github.com/parley-mcp/parley/conformance/transcript"
	"github.com/parley-mcp/parley/conformance/transcripts"
)

// mockFlags are the flags of parley mock.
type mockFlags struct {
	outputFlags
	address, file   string
	revisions       []string
	overStdio, list bool
	timeout, quiet  time.Duration
	pattern         string
	command         []string
}

func newMockCommand() *cobra.Command {
	var f mockFlags
	cmd := &cobra.Command{
		Use:   "mock [TRANSCRIPT] [-- COMMAND...]",
		Short: "Play the server, and judge a client",
		Long: `Play the server to a client under test, and judge what the client sends.

With a command, the client is run once for each transcript that judges clients, or for those that a pattern names, at each
revision. {url} in the command stands for the URL of the mock; the environment variable ` + conformance.TaskVariable + ` holds, as one JSON
object, what the client is to do: transcript, revision, transport, url (or command, with --stdio: the arguments of a server
that the client starts), calls (requests to make, one after the other) and answers (what to answer when asked).

Without a command, the mock plays one transcript, named as --list names it or read from a file, and waits for the client. It
ends when the conversation is over, when standard input ends, or when it is interrupted. A transcript that judges servers can
be played, too: the client must then do what it says to the letter.

Exit codes: 0, 1 if the client breaks a requirement or does not do what it was to do, 2 for wrong usage.`,
		Example: `  parley mock -- node client.mjs {url}
  parley mock 'client/ask*' --stdio -- ./client
  parley mock client/opening --http 127.0.0.1:9000
  parley mock --list`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.address, "http", "127.0.0.1:8080", "address to listen on, without a command; port 0 picks one")
	flags.BoolVar(&f.overStdio, "stdio", false, "speak over standard input and output; with a command: let the client start the mock")
	flags.StringSliceVar(&f.revisions, "revision", nil, "revisions to play (default all; without a command the newest of the transcript)")
	flags.StringVar(&f.file, "file", "", "file that holds the transcript")
	flags.BoolVar(&f.list, "list", false, "list the transcripts that judge clients, and play none")
	flags.DurationVar(&f.timeout, "timeout", 30*time.Second, "how long a conversation with a command may take")
	flags.DurationVar(&f.quiet, "quiet", 300*time.Millisecond, "how long a client may still send when the conversation is over")
	f.register(cmd)
	cmd.MarkFlagsMutuallyExclusive("stdio", "http")
	return cmd
}

func (f *mockFlags) run(cmd *cobra.Command, args []string) error {
	if dash := cmd.ArgsLenAtDash(); dash >= 0 {
		args, f.command = args[:dash], args[dash:]
		if len(f.command) == 0 {
			return &codedError{exitUsage, errors.New("write the command of the client behind --")}
		}
	}
	if len(args) > 1 {
		return &codedError{exitUsage, errors.New("name one transcript or one pattern, and the command behind --")}
	}
	if len(args) == 1 {
		f.pattern = args[0]
	}
	failOn, err := report.ParseFailOn(f.failOn)
	if err != nil {
		return &codedError{exitUsage, fmt.Errorf("--fail-on: %w", err)}
	}
	for _, version := range f.revisions {
		if _, ok := revision.Lookup(version); !ok {
			return &codedError{exitUsage, fmt.Errorf("--revision %s: write some of %s", version, strings.Join(revision.Versions(), ", "))}
		}
	}
	switch {
	case f.list:
		return f.listClients(cmd)
	case f.command != nil:
		return f.runCommand(cmd, failOn)
	}
	return f.playOne(cmd, failOn)
}

// listClients lists what judges clients.
func (f *mockFlags) listClients(cmd *cobra.Command) error {
	all, err := conformance.ClientTranscripts(f.pattern)
	if err != nil {
		return &codedError{exitUsage, err}
	}
	out := cmd.OutOrStdout()
	for _, t := range all {
		fmt.Fprintf(out, "%-36s %s · %s\n    %s\n", t.Name, strings.Join(t.Revisions, " "), strings.Join(t.Transports, " "), t.Summary())
		if f.verbose {
			fmt.Fprintf(out, "    the client is to do: %s\n", t.Client.JSON())
			for _, s := range t.Steps {
				if len(s.IDs) > 0 {
					fmt.Fprintf(out, "    %s: %s\n", s.Label, strings.Join(s.IDs, " "))
				}
			}
		}
	}
	fmt.Fprintf(out, "%d transcripts, and beside each %d checks of everything that the client sends\n", len(all), len(conformance.ClientChecks()))
	return nil
}

// runCommand runs a client against every transcript that is chosen.
func (f *mockFlags) runCommand(cmd *cobra.Command, failOn report.FailOn) error {
	if f.file != "" {
		return &codedError{exitUsage, errors.New("--file plays without a command: start the client yourself")}
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	progress := newProgress(os.Stderr)
	run := conformance.ClientRun{Command: f.command, Revisions: f.revisions, Run: f.pattern, Timeout: f.timeout, Progress: progress.tell,
		Mock: []string{self, "mock", "--fail-on", "never"}}
	if f.overStdio {
		run.Transport = "stdio"
	}
	r, err := conformance.RunClient(cmd.Context(), run)
	progress.end()
	if err != nil {
		return &codedError{exitUsage, err}
	}
	return f.finish(cmd.OutOrStdout(), r, failOn, clientReport)
}

// findTranscript returns the transcript of a file, or the built-in one of a name.
func (f *mockFlags) findTranscript() (*transcript.Transcript, error) {
	if (f.pattern != "") == (f.file != "") {
		return nil, errors.New("name one transcript, or a file with --file, or a command behind --")
	}
	if f.file != "" {
		source, err := os.ReadFile(f.file)
		if err != nil {
			return nil, err
		}
		return transcript.Parse(f.file, source)
	}
	for _, list := range []func() ([]*transcript.Transcript, error){transcripts.Clients, transcripts.All} {
		all, err := list()
		if err != nil {
			return nil, err
		}
		for _, t := range all {
			if t.Name == f.pattern {
				return t, nil
			}
		}
	}
	return nil, fmt.Errorf("there is no transcript %s: parley mock --list and parley test --list name them", f.pattern)
}

func (f *mockFlags) chooseRevision(t *transcript.Transcript) (revision.Facts, error) {
	for _, facts := range revision.All() {
		if transcript.Holds(t.Revisions, facts.Version) && (len(f.revisions) == 0 || transcript.Holds(f.revisions, facts.Version)) {
			return facts, nil
		}
	}
	return revision.Facts{}, fmt.Errorf("%s does not hold at %s: it holds at %s", t.Name, strings.Join(f.revisions, ", "), strings.Join(t.Revisions, ", "))
}

// waits ends ctx once the conversation is over and the client has had some time to send more.
func (f *mockFlags) waits(ctx context.Context, over <-chan struct{}) context.Context {
	ended, cancel := context.WithCancel(ctx)
	go func() {
		defer cancel()
		select {
		case <-ended.Done():
			return
		case <-over:
		}
		select {
		case <-ended.Done():
		case <-time.After(f.quiet):
		}
	}()
	return ended
}
