package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/mattn/go-shellwords"
	"github.com/spf13/cobra"

	"github.com/parley-mcp/parley/conformance"
	"github.com/parley-mcp/parley/conformance/report"
	"github.com/parley-mcp/parley/conformance/requirements"
	"github.com/parley-mcp/parley/conformance/transcript"
	"github.com/parley-mcp/parley/conformance/transcripts"
)

// exitUnreachable is the code if nobody answers at the target.
const exitUnreachable = 3

// testFlags are the flags of parley test.
type testFlags struct {
	outputFlags
	url, stdio, httpCmd, bearer string
	headers, tokens             []string
	revisions                   []string
	run, requirement, set       string
	files, known                []string
	update, list                bool
	parallel                    int
	stepTimeout, timeout        time.Duration
}

func newTestCommand() *cobra.Command {
	var f testFlags
	cmd := &cobra.Command{
		Use:   "test",
		Short: "Test an MCP server, clause by clause, at every revision it speaks",
		Long: `Test an MCP server, clause by clause, at every revision it speaks.

The target is an endpoint (--http), a command that speaks over its standard streams (--stdio), or a command that prints the
URL at which it listens (--http-cmd). Without a target, the reference server is tested, over HTTP and over stdio.

Exit codes: 0, 1 if the run fails, 2 for wrong usage, 3 if the target cannot be reached.`,
		Example: `  parley test
  parley test --http http://127.0.0.1:8080/mcp --bearer "$TOKEN"
  parley test --stdio 'npx -y @modelcontextprotocol/server-everything' --html report.html
  parley test --http-cmd 'go run ./cmd/server' --known known.txt --fail-on warn`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return &codedError{exitUsage, fmt.Errorf("unexpected %q: name the target with --http or --stdio", args[0])}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return runTest(cmd.Context(), cmd, &f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.url, "http", "", "URL of the endpoint")
	flags.StringVar(&f.stdio, "stdio", "", "command line of a server that speaks over its standard streams")
	flags.StringVar(&f.httpCmd, "http-cmd", "", "command line of a server; its URL is read from its output, unless --http names it")
	flags.StringArrayVarP(&f.headers, "header", "H", nil, "header to send with every HTTP request, such as 'X-Tenant: a'")
	flags.StringVar(&f.bearer, "bearer", "", "token to send as Authorization: Bearer")
	flags.StringArrayVar(&f.tokens, "token", nil, "token that is not good, as kind=TOKEN, the kind one of "+strings.Join(transcript.Tokens, ", "))
	flags.StringSliceVar(&f.revisions, "revision", nil, "revisions to test (default all that are spoken)")
	flags.StringVar(&f.run, "run", "", "transcripts to run: an area, or a pattern such as 'tools/*'")
	flags.StringVar(&f.requirement, "requirement", "", "run what proves this requirement")
	flags.StringVar(&f.set, "requirements", "", "judge by this frozen set alone, one of "+strings.Join(requirements.Sets(), ", "))
	flags.StringArrayVar(&f.files, "file", nil, "run this transcript instead of those that are built in")
	flags.StringArrayVar(&f.known, "known", nil, "file of known failures: lines 'pattern # reason'")
	flags.BoolVar(&f.update, "update", false, "rewrite the steps that fail in the files of --file; needs --revision")
	flags.BoolVar(&f.list, "list", false, "list the transcripts and run none")
	flags.IntVar(&f.parallel, "parallel", 4, "conversations at a time")
	flags.DurationVar(&f.stepTimeout, "step-timeout", 10*time.Second, "how long to wait for one message")
	flags.DurationVar(&f.timeout, "timeout", 0, "how long the run may take (default no limit)")
	f.register(cmd)
	cmd.MarkFlagsMutuallyExclusive("http-cmd", "stdio")
	return cmd
}

func runTest(ctx context.Context, cmd *cobra.Command, f *testFlags) error {
	o, err := f.options()
	if err != nil {
		return &codedError{exitUsage, err}
	}
	failOn, err := report.ParseFailOn(f.failOn)
	if err != nil {
		return &codedError{exitUsage, fmt.Errorf("--fail-on: %w", err)}
	}
	if f.list {
		return listTranscripts(cmd, o, f.verbose)
	}
	if f.update && (len(f.files) == 0 || len(f.revisions) != 1) {
		return &codedError{exitUsage, errors.New("--update needs --file, and --revision with one revision: it rewrites what holds there")}
	}
	target, stop, err := f.target(ctx)
	if err != nil {
		return err
	}
	defer stop()
	progress := newProgress(os.Stderr)
	o.Progress = progress.tell
	if f.update {
		o.Rewrite = func(t *transcript.Transcript, source []byte) error { return f.rewrite(cmd, t, source) }
	}
	r, err := conformance.Run(ctx, target, o)
	progress.end()
	switch {
	case errors.Is(err, conformance.ErrUnreachable):
		return &codedError{exitUnreachable, err}
	case err != nil:
		return &codedError{exitUsage, err}
	}
	return f.finish(cmd.OutOrStdout(), r, failOn, report.Terminal)
}

// options are what the flags say of the run.
func (f *testFlags) options() (conformance.Options, error) {
	o := conformance.Options{Revisions: f.revisions, Run: f.run, Requirement: f.requirement, Parallel: f.parallel,
		StepTimeout: f.stepTimeout, Timeout: f.timeout}
	if f.set != "" {
		set, err := requirements.LoadSet(f.set)
		if err != nil {
			return o, err
		}
		o.Set = &set
	}
	for _, name := range f.known {
		file, err := os.Open(name)
		if err != nil {
			return o, err
		}
		known, err := conformance.ParseKnown(name, file)
		_ = file.Close()
		if err != nil {
			return o, err
		}
		o.Known = append(o.Known, known...)
	}
	if len(f.files) == 0 {
		return o, nil
	}
	return o, f.readFiles(&o)
}

// readFiles puts transcripts from files in the place of those that are built in, which stay as controls.
func (f *testFlags) readFiles(o *conformance.Options) error {
	own := map[string]bool{}
	for _, name := range f.files {
		source, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		t, err := transcript.Parse(name, source)
		if err != nil {
			return err
		}
		if t.Client != nil {
			return fmt.Errorf("%s judges clients: give it to parley mock", name)
		}
		own[t.Name] = true
		o.Transcripts, o.Names = append(o.Transcripts, t), append(o.Names, t.Name)
	}
	builtin, err := transcripts.All()
	if err != nil {
		return err
	}
	for _, t := range builtin {
		if !own[t.Name] {
			o.Transcripts = append(o.Transcripts, t)
		}
	}
	return nil
}

// rewrite puts the new text of a transcript into its file. Built-in transcripts are left alone.
func (f *testFlags) rewrite(cmd *cobra.Command, t *transcript.Transcript, source []byte) error {
	if !slices.Contains(f.files, t.File) {
		return nil
	}
	fmt.Fprintln(cmd.OutOrStdout(), "rewritten:", t.File)
	return os.WriteFile(t.File, source, 0o644)
}

func (f *testFlags) header() (http.Header, error) {
	h := http.Header{}
	for _, line := range f.headers {
		name, value, ok := strings.Cut(line, ":")
		if !ok || strings.TrimSpace(name) == "" {
			return nil, errors.New("-H: write 'Name: value'")
		}
		h.Add(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	if f.bearer != "" {
		h.Set("Authorization", "Bearer "+f.bearer)
	}
	return h, nil
}

// badTokens are those of --token, by kind.
func (f *testFlags) badTokens() (map[string]string, error) {
	out := map[string]string{}
	for _, pair := range f.tokens {
		kind, token, _ := strings.Cut(pair, "=")
		if token == "" || !slices.Contains(transcript.Tokens, kind) {
			return nil, fmt.Errorf("--token: write kind=TOKEN, with one of %s as the kind", strings.Join(transcript.Tokens, ", "))
		}
		out[kind] = token
	}
	return out, nil
}

// target is what the flags name; stop ends what had to be started.
func (f *testFlags) target(ctx context.Context) (t conformance.Target, stop func(), err error) {
	stop = func() {}
	if t.Header, err = f.header(); err != nil {
		return t, stop, &codedError{exitUsage, err}
	}
	if t.Tokens, err = f.badTokens(); err != nil {
		return t, stop, &codedError{exitUsage, err}
	}
	if f.stdio != "" {
		if t.Command, err = shellwords.Parse(f.stdio); err != nil {
			return t, stop, &codedError{exitUsage, fmt.Errorf("--stdio: %w", err)}
		}
	}
	t.URL = f.url
	switch {
	case f.httpCmd != "":
		args, err := shellwords.Parse(f.httpCmd)
		if err != nil {
			return t, stop, &codedError{exitUsage, fmt.Errorf("--http-cmd: %w", err)}
		}
		t.URL, stop, err = startHTTP(ctx, args, f.url)
		return t, stop, err
	case f.url == "" && f.stdio == "":
		return builtinTarget(ctx)
	}
	return t, stop, nil
}

func listTranscripts(cmd *cobra.Command, o conformance.Options, verbose bool) error {
	all, err := o.Chosen()
	if err != nil {
		return &codedError{exitUsage, err}
	}
	out := cmd.OutOrStdout()
	for _, t := range all {
		fmt.Fprintf(out, "%-36s %s · %s\n    %s\n", t.Name, strings.Join(t.Revisions, " "), strings.Join(t.Transports, " "), t.Summary())
		for _, s := range t.Steps {
			if verbose && len(s.IDs) > 0 {
				fmt.Fprintf(out, "    %s: %s\n", s.Label, strings.Join(s.IDs, " "))
			}
		}
	}
	fmt.Fprintf(out, "%d transcripts\n", len(all))
	return nil
}
