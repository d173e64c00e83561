package gosdk

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/conformance/referee/launch"
)

// The server under test is `parley serve`, started here: one process for everything over HTTP, one per session over stdio.
// INTEROP_URL and INTEROP_STDIO name another server instead; INTEROP_PROGRAM saves building ours.

// Pages are short, so that every list has to be paged through.
var flags = []string{"--page-size", "3"}

var target struct {
	url   string
	stdio []string
	ours  bool // this module's server: its lists come in short pages
}

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (int, error) {
	ctx, cancel := launch.Signals()
	defer cancel()
	target.url, target.stdio = os.Getenv("INTEROP_URL"), strings.Fields(os.Getenv("INTEROP_STDIO"))
	if target.url != "" && target.stdio != nil {
		return m.Run(), nil
	}
	program := os.Getenv("INTEROP_PROGRAM")
	if program == "" {
		out, err := os.MkdirTemp("", "interop-")
		if err != nil {
			return 0, err
		}
		defer func() { _ = os.RemoveAll(out) }()
		if program, err = launch.Build(ctx, filepath.Join("..", ".."), "./cmd/parley", out); err != nil {
			return 0, err
		}
	}
	server, err := launch.Start(ctx, program, append([]string{"serve", "--http", "127.0.0.1:0"}, flags...)...)
	if err != nil {
		return 0, err
	}
	defer server.Stop()
	target.url, target.ours = server.URL, true
	target.stdio = append([]string{program, "serve", "--stdio"}, flags...)
	code := m.Run()
	return code, server.Died()
}

// transports are the two ways to reach the server.
var transports = map[string]func(t *testing.T) mcp.Transport{
	"http": func(t *testing.T) mcp.Transport {
		client := &http.Client{Transport: http.DefaultTransport.(*http.Transport).Clone()}
		t.Cleanup(client.CloseIdleConnections)
		return &mcp.StreamableClientTransport{Endpoint: target.url, HTTPClient: client}
	},
	"stdio": func(*testing.T) mcp.Transport {
		return &mcp.CommandTransport{Command: exec.Command(target.stdio[0], target.stdio[1:]...)}
	},
}

// row is a line of the table that `go run ./interop` prints.
type row struct {
	Client    string   `json:"client"`
	Transport string   `json:"transport"`
	Revision  string   `json:"revision"`
	Did       []string `json:"did"`
}

// report adds the row to the file that INTEROP_REPORT names, if any.
func report(t *testing.T, r row) {
	path := os.Getenv("INTEROP_REPORT")
	if path == "" || t.Failed() {
		return
	}
	line, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.Write(append(line, '\n')); err != nil {
		t.Fatal(err)
	}
}
