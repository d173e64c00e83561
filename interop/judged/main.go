// Command judged lets the mock judge clients that other people wrote, over HTTP and over stdio: the official Go SDK's and the
// TypeScript SDK's two generations, in the versions that interop/gosdk and interop/typescript pin.
//
//	go run ./interop/judged          # print what each came to
//	go run ./interop/judged -write   # ... and write docs/clients.md
//
// What a client does wrong is shown, and fails nothing: it is no mistake of this module. It needs npm and, where npm has no Node for
// the platform, a Node of version 22.19 or newer.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/parley-mcp/parley/conformance"
	"github.com/parley-mcp/parley/conformance/referee/launch"
	"github.com/parley-mcp/parley/conformance/report"
)

// A client is a program around a client that somebody else wrote.
type client struct {
	name    string
	command []string
}

// judged is what the mock found of a client over one transport.
type judged struct {
	client    client
	transport string
	report    *report.Report
}

func main() {
	write := flag.Bool("write", false, "write docs/clients.md")
	flag.Parse()
	ctx, stop := launch.Signals()
	err := run(ctx, *write)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "judged:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, write bool) error {
	root, err := launch.Root()
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "judged-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp) }()
	mock, err := launch.Build(ctx, root, "./cmd/parley", temp)
	if err != nil {
		return err
	}
	clients, err := prepare(ctx, root, temp)
	if err != nil {
		return err
	}
	var found []judged
	for _, c := range clients {
		for _, transport := range []string{"http", "stdio"} {
			fmt.Fprintf(os.Stderr, "judged: %s over %s\n", c.name, transport)
			r, err := conformance.RunClient(ctx, conformance.ClientRun{Command: c.command, Transport: transport,
				Mock: []string{mock, "mock", "--fail-on", "never"}})
			if err != nil {
				return err
			}
			if r.Interrupted {
				return ctx.Err()
			}
			found = append(found, judged{c, transport, r})
		}
	}
	text := page(found)
	if !write {
		_, err = os.Stdout.WriteString(text)
		return err
	}
	return os.WriteFile(filepath.Join(root, "docs", "clients.md"), []byte(text), 0o644)
}

// prepare builds and installs the clients.
func prepare(ctx context.Context, root, temp string) ([]client, error) {
	gosdk, err := launch.Build(ctx, filepath.Join(root, "interop", "gosdk"), "./task", temp)
	if err != nil {
		return nil, err
	}
	typescript := filepath.Join(root, "interop", "typescript")
	if err := launch.Install(ctx, typescript, os.Stderr); err != nil {
		return nil, err
	}
	node, err := launch.Node(ctx, typescript)
	if err != nil {
		return nil, err
	}
	task := filepath.Join(typescript, "task.mjs")
	return []client{
		{"go-sdk v1.8.0", []string{gosdk}},
		{"@modelcontextprotocol/client 2.4.0", []string{node, task}},
		{"@modelcontextprotocol/sdk 1.32.2", []string{node, task, "sdk"}},
	}, nil
}
