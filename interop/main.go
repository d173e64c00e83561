// Command interop lets clients that other people wrote use this module's server, each at each revision that it speaks, over
// HTTP and over stdio, with every kind of feature that a server offers. The SDKs' clients answer what the server asks, and
// hear what it announces.
//
//	go run ./interop                # all of them
//	go run ./interop -only gosdk    # one suite: gosdk, client, sdk or inspector
//
// The clients are the official Go SDK's (folder gosdk, a module of its own) and the TypeScript SDK's two generations and the
// Inspector's command line (folder typescript, pinned in package.json). It prints a table of what each client did. The exit
// code is 0 if all of it worked. It needs npm and, where npm has no Node for the platform, a Node of version 22.19 or newer.
//
// -url and -stdio, both, name another server: to see whether a client or the server is wrong.
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

// suites are the names that -only takes: a test of the folder typescript each, except gosdk.
var suites = []string{"gosdk", "client", "sdk", "inspector"}

// options are the command's flags.
type options struct {
	only  string // empty: all suites
	url   string // empty: this module's server
	stdio string
}

func main() {
	var o options
	flag.StringVar(&o.only, "only", "", "run one `suite`: "+strings.Join(suites, ", "))
	flag.StringVar(&o.url, "url", "", "use the server at this `URL` instead of this module's own")
	flag.StringVar(&o.stdio, "stdio", "", "use the server that this `command` starts instead of this module's own")
	flag.Parse()
	ctx, stop := launch.Signals()
	err := interop(ctx, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "interop:", err)
		os.Exit(1)
	}
}

func interop(ctx context.Context, o options) error {
	chosen, err := o.suites()
	if err != nil {
		return err
	}
	root, err := launch.Root()
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "interop-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp) }()
	report := filepath.Join(temp, "report.jsonl")
	env := append(os.Environ(), "INTEROP_REPORT="+report, "INTEROP_URL="+o.url, "INTEROP_STDIO="+o.stdio)
	if o.url == "" {
		program, err := launch.Build(ctx, root, "./cmd/parley", temp)
		if err != nil {
			return err
		}
		env = append(env, "INTEROP_PROGRAM="+program)
	}
	var failed []error
	for _, suite := range chosen {
		if err := runSuite(ctx, filepath.Join(root, "interop"), suite, env); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", suite, err))
		}
	}
	rows, err := readRows(report)
	if err != nil {
		return errors.Join(append(failed, err)...)
	}
	printTable(os.Stdout, rows)
	return errors.Join(failed...)
}

// suites are the chosen ones, or an error that says what can be chosen.
func (o options) suites() ([]string, error) {
	if (o.url == "") != (o.stdio == "") {
		return nil, errors.New("-url and -stdio go together: one server, reached in two ways")
	}
	if o.only == "" {
		return suites, nil
	}
	if !slices.Contains(suites, o.only) {
		return nil, fmt.Errorf("-only %s: the suites are %s", o.only, strings.Join(suites, ", "))
	}
	return []string{o.only}, nil
}

// runSuite runs one suite; what it prints goes to stderr, since stdout is for the table.
func runSuite(ctx context.Context, home, suite string, env []string) error {
	fmt.Fprintln(os.Stderr, "interop:", suite)
	dir := filepath.Join(home, "typescript")
	command := []string{"go", "test", "-count=1", "./..."}
	if suite == "gosdk" {
		dir = filepath.Join(home, "gosdk")
	} else {
		if err := launch.Install(ctx, dir, os.Stderr); err != nil {
			return err
		}
		node, err := launch.Node(ctx, dir)
		if err != nil {
			return err
		}
		command = []string{node, "--test", suite + ".test.mjs"}
	}
	cmd := launch.Command(ctx, command[0], command[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, env, os.Stderr, os.Stderr
	return cmd.Run()
}
