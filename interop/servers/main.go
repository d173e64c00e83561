// Command servers tests servers that other people wrote, over HTTP and over stdio, with the harness of this module. The
// versions are pinned: in the modules gosdk and mcpgo, and in package.json.
//
//	go run ./interop/servers                 # all of them
//	go run ./interop/servers -only mcp-go    # one of them, or several, with commas between
//	go run ./interop/servers -write          # all of them, and what was found goes into docs/interop.md
//
// What is known to fail stands in conformance/known, one file for each server, with the clause and what happens. Any other
// failure fails the run, and so does a known failure that passes. It prints a table of what each server did at each revision.
// It needs npm and, where npm has no Node for the platform, a Node of version 22.19 or newer.
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
	"time"

	"github.com/parley-mcp/parley/conformance"
	"github.com/parley-mcp/parley/conformance/referee/launch"
)

// options are the command's flags.
type options struct {
	only        string // empty: all servers
	write       bool
	reports     string // a folder for the reports; empty: they are not kept
	stepTimeout time.Duration
	parallel    int
}

func main() {
	var o options
	flag.StringVar(&o.only, "only", "", "test these `servers`, with commas between, named as their files in conformance/known")
	flag.BoolVar(&o.write, "write", false, "write docs/interop.md")
	flag.StringVar(&o.reports, "reports", "", "keep each server's report, as JSON, in this `folder`")
	flag.DurationVar(&o.stepTimeout, "step-timeout", 10*time.Second, "how long to wait for one message")
	flag.IntVar(&o.parallel, "parallel", 8, "conversations at a time: most of the time goes into waiting for answers that do not come")
	flag.Parse()
	ctx, stop := launch.Signals()
	err := run(ctx, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "servers:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	if o.only != "" && o.write {
		return errors.New("-write needs the results of all servers: leave out -only")
	}
	root, err := launch.Root()
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "servers-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp) }()
	all, err := prepare(ctx, root, temp)
	if err != nil {
		return err
	}
	chosen, err := choose(all, o.only)
	if err != nil {
		return err
	}
	found, err := testAll(ctx, filepath.Join(root, "conformance", "known"), chosen, o)
	printTable(os.Stdout, found)
	if err == nil && o.write {
		err = writePage(root, filepath.Join("docs", "interop.md"), found)
	}
	return err
}

// choose returns the servers with the names of a list; an empty one names all.
func choose(all []target, list string) ([]target, error) {
	if list == "" {
		return all, nil
	}
	var chosen []target
	for name := range strings.SplitSeq(list, ",") {
		i := slices.IndexFunc(all, func(t target) bool { return t.name == name })
		if i < 0 {
			return nil, fmt.Errorf("-only %s: the servers are %s", name, strings.Join(names(all), ", "))
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}

// testAll tests one server after the other. The error names each that did not do what was expected of it.
func testAll(ctx context.Context, known string, chosen []target, o options) ([]outcome, error) {
	var found []outcome
	var failed []error
	for _, t := range chosen {
		began := time.Now()
		one, err := test(ctx, t, filepath.Join(known, t.name+".txt"), o)
		if ctx.Err() != nil {
			return found, context.Cause(ctx)
		}
		if err != nil {
			return found, fmt.Errorf("%s: %w", t.name, err)
		}
		if err := one.keep(o.reports); err != nil {
			return found, err
		}
		found = append(found, one)
		fmt.Fprintf(os.Stderr, "%s: %d results in %d s\n", t.name, len(one.report.Results), int(time.Since(began).Seconds()))
		failed = append(failed, one.surprises()...)
	}
	return found, errors.Join(failed...)
}

func names(all []target) []string {
	var out []string
	for _, t := range all {
		out = append(out, t.name)
	}
	return out
}

// readKnown reads the file of failures that are known of a server. Without a file there is none.
func readKnown(file string) ([]conformance.Known, error) {
	source, err := os.Open(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = source.Close() }()
	return conformance.ParseKnown(file, source)
}
