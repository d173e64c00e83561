package conformance

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/parley-mcp/parley/conformance/drive"
	"github.com/parley-mcp/parley/conformance/match"
	"github.com/parley-mcp/parley/conformance/playback"
	"github.com/parley-mcp/parley/conformance/report"
	"github.com/parley-mcp/parley/conformance/revision"
	"github.com/parley-mcp/parley/conformance/transcript"
	"github.com/parley-mcp/parley/conformance/transcripts"
)

// TaskVariable is the environment variable in which a client under test finds what it is to do, as one JSON object: the
// transcript's name, revision, transport, url or command (the arguments of a server over stdio), calls and answers.
const TaskVariable = "PARLEY_TASK"

// ExitUnable is the exit code with which a client under test says that it cannot do what it is asked to do: the transcript is
// then not applicable.
const ExitUnable = 77

// A ClientRun is a program around a client, and what to judge of it. The zero values of all but Command choose everything.
type ClientRun struct {
	// Command is the program with its arguments, in which {url} stands for the URL of the mock.
	Command []string
	// Transport is "http", the default, or "stdio".
	Transport string
	// Mock is the command line that plays a transcript over stdio: to it are added the transcript's name, --stdio, --revision, and
	// --json with a file for the report. It is needed over stdio.
	Mock []string
	// Revisions are those to play; Run is a pattern of the transcripts' names.
	Revisions []string
	Run       string
	// Timeout bounds each conversation; 30 s if it is 0.
	Timeout time.Duration
	// Progress, if not nil, hears of each conversation that is over.
	Progress func(done, total int, r report.Result)
}

// ClientTranscripts returns the transcripts that judge clients whose name or area fits a pattern, or all if it is empty.
func ClientTranscripts(pattern string) ([]*transcript.Transcript, error) {
	all, err := transcripts.Clients()
	if err != nil || pattern == "" {
		return all, err
	}
	if _, err := path.Match(pattern, ""); err != nil {
		return nil, fmt.Errorf("pattern %q: %w", pattern, err)
	}
	o := Options{Run: pattern}
	out := slices.DeleteFunc(slices.Clone(all), func(t *transcript.Transcript) bool { return !o.names(t) })
	if len(out) == 0 {
		return nil, fmt.Errorf("no transcript that judges clients has a name like %s", pattern)
	}
	return out, nil
}

// RunClient runs a client under test once for each transcript that judges clients, at each of its revisions, and returns what
// the mock has found. The error is of the run and not of the client. If ctx ends early the report says so.
func RunClient(ctx context.Context, run ClientRun) (*report.Report, error) {
	if run.Transport == "" {
		run.Transport = transportHTTP
	}
	if run.Timeout == 0 {
		run.Timeout = 30 * time.Second
	}
	all, err := ClientTranscripts(run.Run)
	if err != nil {
		return nil, err
	}
	visits := run.visits(all)
	if len(visits) == 0 {
		return nil, fmt.Errorf("no transcript holds over %s at %s", run.Transport, strings.Join(run.Revisions, ", "))
	}
	started := time.Now()
	out := &report.Report{Format: report.Format, Tool: Version(), Started: started.UTC(),
		Target: report.Target{Name: strings.Join(run.Command, " "), Revisions: map[string][]string{}}}
	var results []report.Result
	for i, v := range visits {
		if ctx.Err() != nil {
			out.Interrupted = true
			break
		}
		found, err := v.visit(ctx)
		if err != nil {
			return nil, err
		}
		if run.Progress != nil && len(found) > 0 {
			run.Progress(i+1, len(visits), found[0])
		}
		results = append(results, found...)
		if !slices.Contains(out.Target.Revisions[run.Transport], v.facts.Version) {
			out.Target.Revisions[run.Transport] = append(out.Target.Revisions[run.Transport], v.facts.Version)
		}
	}
	out.Results = MergeClientResults(results)
	out.ElapsedMs = time.Since(started).Milliseconds()
	return out, nil
}

// A clientVisit is one conversation of a run.
type clientVisit struct {
	run   ClientRun
	t     *transcript.Transcript
	facts revision.Facts
}

func (run ClientRun) visits(all []*transcript.Transcript) []clientVisit {
	var out []clientVisit
	for _, facts := range revision.All() {
		if len(run.Revisions) > 0 && !slices.Contains(run.Revisions, facts.Version) {
			continue
		}
		for _, t := range all {
			if transcript.Holds(t.Revisions, facts.Version) && transcript.Holds(t.Transports, run.Transport) {
				out = append(out, clientVisit{run, t, facts})
			}
		}
	}
	return out
}

func (v clientVisit) visit(ctx context.Context) ([]report.Result, error) {
	began := time.Now()
	find := v.overHTTP
	if v.run.Transport == transportStdio {
		find = v.overStdio
	}
	results, err := find(ctx)
	if err == nil && len(results) > 0 {
		results[0].ElapsedMs = time.Since(began).Milliseconds()
	}
	return results, err
}

// task is what the client finds in its environment.
func (v clientVisit) task(name string, value *match.Value) string {
	out := match.Object(
		match.Member{Name: "transcript", Value: match.String(v.t.Name)},
		match.Member{Name: "revision", Value: match.String(v.facts.Version)},
		match.Member{Name: "transport", Value: match.String(v.run.Transport)},
		match.Member{Name: name, Value: value})
	for _, m := range v.t.Client.JSON().Members {
		out.Set(m.Name, m.Value)
	}
	return TaskVariable + "=" + out.String()
}

// overHTTP runs the client against a mock that listens.
func (v clientVisit) overHTTP(ctx context.Context) ([]report.Result, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	url := "http://" + listener.Addr().String() + "/mcp"
	mock := playback.New(v.t, v.facts, playback.Lie{})
	var open sync.WaitGroup
	web := &http.Server{ReadHeaderTimeout: v.run.Timeout, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		open.Add(1)
		defer open.Done()
		mock.ServeHTTP(w, r)
	})}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = web.Serve(listener)
	}()
	printed, ended := v.program(ctx, v.task("url", match.String(url)), url)
	_ = web.Close()
	<-served
	open.Wait()
	results, err := ClientResults(nil, mock, v.t, v.facts, transportHTTP)
	if err != nil {
		return nil, err
	}
	return withEnd(results, printed, ended), nil
}

// overStdio runs the client, which starts the mock.
func (v clientVisit) overStdio(ctx context.Context) ([]report.Result, error) {
	dir, err := os.MkdirTemp("", "parley-mock-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	file := filepath.Join(dir, "report.json")
	args := &match.Value{Kind: '['}
	for _, word := range slices.Concat(v.run.Mock, []string{v.t.Name, "--stdio", "--revision", v.facts.Version, "--json", file}) {
		args.Items = append(args.Items, match.String(word))
	}
	printed, ended := v.program(ctx, v.task("command", args), "")
	text, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) { // the client has not started the mock, or has killed it before it could say anything
		results, err := ClientResults(nil, playback.New(v.t, v.facts, playback.Lie{}), v.t, v.facts, transportStdio)
		if err != nil {
			return nil, err
		}
		return withEnd(results, printed, ended), nil
	}
	if err != nil {
		return nil, err
	}
	found, err := report.Read(text)
	if err != nil {
		return nil, err
	}
	return withEnd(found.Results, printed, ended), nil
}

// program runs the client's program; ended is why it did not end by itself, if it did not.
func (v clientVisit) program(ctx context.Context, task, url string) (printed string, ended error) {
	ctx, cancel := context.WithTimeout(ctx, v.run.Timeout)
	defer cancel()
	args := slices.Clone(v.run.Command)
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "{url}", url)
	}
	printed, err := drive.RunProgram(ctx, args, []string{task})
	if errors.Is(err, context.DeadlineExceeded) {
		return printed, fmt.Errorf("the client did not end within %s", v.run.Timeout)
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == ExitUnable {
		return printed, errUnable
	}
	if err != nil {
		printed = joinLines(printed, err.Error())
	}
	return printed, nil
}

var errUnable = fmt.Errorf("the client says that it cannot do this, by exit code %d", ExitUnable)

// withEnd adds what the client printed to the first step that is not in order, and that it did not end if it did not. What it
// makes of the end of a conversation, and so its exit code, is its own affair.
func withEnd(results []report.Result, printed string, ended error) []report.Result {
	r := &results[0]
	if errors.Is(ended, errUnable) {
		for i := range r.Steps {
			if r.Steps[i].Sent == "" {
				r.Steps[i].Verdict, r.Steps[i].Problem = report.NotApplicable, ""
			}
		}
		r.Verdict, r.Reason = report.NotApplicable, errUnable.Error()
		return results
	}
	if ended != nil {
		r.Steps = append(r.Steps, report.Step{Label: "the client ends", Line: 1, Kind: ">", Verdict: report.Fail, Problem: ended.Error()})
		r.Verdict = report.Worst(r.Verdict, report.Fail)
		if r.Reason == "" {
			r.Reason = ended.Error()
		}
	}
	for i := range r.Steps {
		if v := r.Steps[i].Verdict; v != report.Pass && v != report.NotApplicable {
			if printed != "" {
				r.Steps[i].Received = "the client printed:\n" + printed
			}
			break
		}
	}
	return results
}
