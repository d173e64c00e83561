// Command referee lets the official MCP conformance suite judge a server, as an opinion that nobody here wrote.
//
//	go run ./conformance/referee                                 # this module's own `parley serve`
//	go run ./conformance/referee -url http://127.0.0.1:8080/mcp  # a server that runs already
//
// The suite is pinned in package.json. Each file expected/<revision>.txt asks for one run of it, at that revision, and lists
// the scenarios that are known to fail there, each with its reason. All runs go to one server process. The exit code is 0
// if exactly the listed scenarios failed, whether the suite scores them or not. It needs npm and, where npm has no Node for
// the platform, a Node of version 22.19 or newer.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/parley-mcp/parley/conformance/referee/launch"
)

// options are the command's flags.
type options struct {
	url       string   // empty: build and start `parley serve`
	revisions []string // empty: every file in expected
	results   string   // empty: a temporary folder
}

func main() {
	var o options
	var revisions string
	flag.StringVar(&o.url, "url", "", "judge the server at this `URL` instead of this module's own")
	flag.StringVar(&revisions, "revisions", "", "run only these, a comma-separated `list` (default all)")
	flag.StringVar(&o.results, "results", "", "keep the suite's result files in this `folder`")
	flag.Parse()
	if revisions != "" {
		o.revisions = strings.Split(revisions, ",")
	}
	ctx, stop := launch.Signals()
	err := referee(ctx, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "referee:", err)
		os.Exit(1)
	}
}

// errUnexpected is the verdict that fails the command.
var errUnexpected = errors.New("the results differ from the expected-failures files")

func referee(ctx context.Context, o options) error {
	root, err := launch.Root()
	if err != nil {
		return err
	}
	home := filepath.Join(root, "conformance", "referee")
	expected, err := readAllExpected(filepath.Join(home, "expected"), o.revisions)
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "referee-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp) }()
	if o.results == "" {
		o.results = temp
	}
	s, err := install(ctx, home)
	if err != nil {
		return err
	}
	died := func() error { return nil }
	if o.url == "" {
		program, err := launch.Build(ctx, root, "./cmd/parley", temp)
		if err != nil {
			return err
		}
		server, err := launch.Start(ctx, program, "serve", "--http", "127.0.0.1:0")
		if err != nil {
			return err
		}
		defer server.Stop()
		o.url, died = server.URL, server.Died
	}
	runs, err := runAll(ctx, s, o, expected)
	return errors.Join(err, conclude(runs, expected), died())
}

// install makes the pinned suite ready to run.
func install(ctx context.Context, home string) (suite, error) {
	if err := launch.Install(ctx, home, os.Stderr); err != nil {
		return suite{}, err
	}
	node, err := launch.Node(ctx, home)
	return suite{node, filepath.Join(home, "node_modules", "@modelcontextprotocol", "conformance")}, err
}

// readAllExpected reads the files of expected failures in a folder, by revision: those asked for, or all.
func readAllExpected(folder string, revisions []string) (map[string]map[string]string, error) {
	if len(revisions) == 0 {
		files, err := filepath.Glob(filepath.Join(folder, "*.txt"))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			revisions = append(revisions, strings.TrimSuffix(filepath.Base(file), ".txt"))
		}
	}
	all := map[string]map[string]string{}
	for _, revision := range revisions {
		expected, err := readExpected(filepath.Join(folder, revision+".txt"))
		if err != nil {
			return nil, err
		}
		all[revision] = expected
	}
	return all, nil
}

// runAll runs the suite at each revision, the newest first, and stops at the first run that cannot be made.
func runAll(ctx context.Context, s suite, o options, expected map[string]map[string]string) ([]*run, error) {
	var runs []*run
	for _, revision := range newestFirst(expected) {
		fmt.Fprintf(os.Stderr, "referee: %s against %s\n", revision, o.url)
		r, err := s.run(ctx, o.url, revision, filepath.Join(o.results, revision))
		if err != nil {
			return runs, fmt.Errorf("run the suite at %s: %w", revision, err)
		}
		runs = append(runs, r)
	}
	return runs, nil
}

func newestFirst(expected map[string]map[string]string) []string {
	var revisions []string
	for revision := range expected {
		revisions = append(revisions, revision)
	}
	slices.Sort(revisions)
	slices.Reverse(revisions)
	return revisions
}

// conclude prints the report of the runs, if any, and returns the verdict.
func conclude(runs []*run, expected map[string]map[string]string) error {
	if len(runs) == 0 {
		return nil
	}
	surprises := map[string][]surprise{}
	for _, r := range runs {
		if found := judge(r.outcomes, expected[r.revision]); len(found) > 0 {
			surprises[r.revision] = found
		}
	}
	report(os.Stdout, runs, surprises)
	if len(surprises) > 0 {
		return errUnexpected
	}
	return nil
}
