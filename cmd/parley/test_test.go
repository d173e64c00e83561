// The command line of the harness: what flags mean, where reports go, and which exit code a run has.
package main

import (
	"bytes"
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// execute runs a command and returns its output and the exit code.
func execute(t *testing.T, cmd *cobra.Command, args ...string) (string, int) {
	t.Helper()
	var out bytes.Buffer
	cmd.SetArgs(args)
	cmd.SetOut(&out)
	cmd.SetErr(&out)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	err := cmd.ExecuteContext(t.Context())
	if err == nil {
		return out.String(), 0
	}
	return out.String() + err.Error(), exitCode(err)
}

// reference starts the reference server over HTTP.
func reference(t *testing.T) string {
	t.Helper()
	target, stop, err := referenceTarget(context.Background(), &serveFlags{sessions: "lru"})
	require.NoError(t, err)
	t.Cleanup(stop)
	return target.URL
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

func TestTestPasses(t *testing.T) {
	out, code := execute(t, newTestCommand(), "--http", reference(t), "--run", "ping", "--bearer", "my-own-secret")
	assert.Equal(t, 0, code, out)
	assert.Contains(t, out, "passed")
	assert.NotContains(t, out, "my-own-secret")
}

func TestTestWritesReports(t *testing.T) {
	dir := t.TempDir()
	args := []string{"--http", reference(t), "--run", "ping"}
	for _, form := range []string{"json", "junit", "sarif", "markdown", "html"} {
		args = append(args, "--"+form, filepath.Join(dir, form))
	}
	_, code := execute(t, newTestCommand(), args...)
	require.Equal(t, 0, code)
	for form, want := range map[string]string{"json": `"ping/answer"`, "junit": "<testsuites", "sarif": `"2.1.0"`, "markdown": "## Conformance", "html": "<!doctype html>"} {
		text, err := os.ReadFile(filepath.Join(dir, form))
		require.NoError(t, err)
		assert.Contains(t, string(text), want, form)
	}
	out, code := execute(t, newTestCommand(), "--http", reference(t), "--run", "ping", "--json", "-")
	require.Equal(t, 0, code)
	assert.True(t, strings.HasPrefix(out, "{"), "only the report is on standard output")
}

const wrong = `What is pinned here is wrong.

revisions: 2025-11-25
-- > ping --
{"jsonrpc": "2.0", "id": 1, "method": "ping"}
-- < pong --
{"jsonrpc": "2.0", "id": 1, "result": {"pong": true}}
`

func TestTestFailsKnowsAndUpdates(t *testing.T) {
	url, file := reference(t), write(t, "wrong.txtar", wrong)
	out, code := execute(t, newTestCommand(), "--http", url, "--file", file)
	assert.Equal(t, 1, code)
	assert.Contains(t, out, "result.pong")

	name := filepath.Base(filepath.Dir(file)) + "/wrong"
	known := write(t, "known.txt", name+" # the reference server answers as it should\n")
	out, code = execute(t, newTestCommand(), "--http", url, "--file", file, "--known", known)
	assert.Equal(t, 0, code, out)
	out, code = execute(t, newTestCommand(), "--http", url, "--file", file, "--known", write(t, "known.txt", "no/such # gone\n"))
	assert.Equal(t, 1, code, out)

	out, code = execute(t, newTestCommand(), "--http", url, "--file", file, "--update")
	assert.Equal(t, exitUsage, code, out)
	_, code = execute(t, newTestCommand(), "--http", url, "--file", file, "--update", "--revision", "2025-11-25")
	assert.Equal(t, 1, code)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, strings.Replace(wrong, `{"pong": true}`, `{}`, 1), string(text))
	_, code = execute(t, newTestCommand(), "--http", url, "--file", file)
	assert.Equal(t, 0, code)
}

func TestTestUsage(t *testing.T) {
	for name, args := range map[string][]string{
		"argument":         {"http://x"},
		"unknown revision": {"--http", "http://127.0.0.1:1", "--revision", "2025-11-24"},
		"bad header":       {"--http", "http://127.0.0.1:1", "-H", "no colon"},
		"bad verdict":      {"--http", "http://127.0.0.1:1", "--fail-on", "sometimes"},
		"bad pattern":      {"--http", "http://127.0.0.1:1", "--run", "["},
		"nothing to run":   {"--http", "http://127.0.0.1:1", "--run", "no/such"},
		"no such file":     {"--http", "http://127.0.0.1:1", "--file", "no-such.txtar"},
		"no known file":    {"--http", "http://127.0.0.1:1", "--known", "no-such.txt"},
		"not a URL":        {"--http", "127.0.0.1:1"},
		"open quote":       {"--stdio", "server 'x"},
	} {
		t.Run(name, func(t *testing.T) {
			out, code := execute(t, newTestCommand(), args...)
			assert.Equal(t, exitUsage, code, out)
		})
	}
}

func TestTestUnreachable(t *testing.T) {
	out, code := execute(t, newTestCommand(), "--http", "http://127.0.0.1:1/mcp")
	assert.Equal(t, exitUnreachable, code)
	assert.Contains(t, out, "cannot be reached")
	_, code = execute(t, newTestCommand(), "--stdio", "/no/such/program --flag")
	assert.Equal(t, exitUnreachable, code)
	_, code = execute(t, newTestCommand(), "--http-cmd", "/no/such/program")
	assert.Equal(t, exitUnreachable, code)
}

func TestTestList(t *testing.T) {
	out, code := execute(t, newTestCommand(), "--list", "--requirement", "ping.empty-result", "-v")
	assert.Equal(t, 0, code)
	assert.Contains(t, out, "ping/answer")
	assert.Contains(t, out, "pong: ping.empty-result")
	assert.NotContains(t, out, "tools/list")
}

func TestExplain(t *testing.T) {
	out, code := execute(t, newExplainCommand(), "ping.empty-result")
	assert.Equal(t, 0, code)
	assert.Contains(t, out, "ping/answer (")
	out, code = execute(t, newExplainCommand(), "base.jsonrpc-2.0")
	assert.Equal(t, 0, code)
	assert.Contains(t, out, "always/json-rpc: every message")
	_, code = execute(t, newExplainCommand(), "ping.emty-result")
	assert.Equal(t, exitUsage, code)
}

func TestMockOverStdio(t *testing.T) {
	file := write(t, "ping.txtar", strings.Replace(wrong, "is wrong", "is right", 1))
	talk := func(in string) (string, int) {
		cmd := newMockCommand()
		cmd.SetIn(strings.NewReader(in))
		return execute(t, cmd, "--file", file, "--stdio")
	}
	hello := `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}` + "\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	out, code := talk(hello + `{"jsonrpc":"2.0","id":5,"method":"ping"}` + "\n")
	assert.Equal(t, 0, code)
	assert.Contains(t, out, `{"jsonrpc":"2.0","id":5,"result":{"pong":true}}`)
	_, code = talk(hello)
	assert.Equal(t, 1, code, "the client did not ping")
	_, code = execute(t, newMockCommand(), "no/such")
	assert.Equal(t, exitUsage, code)
}

func TestRecord(t *testing.T) {
	url, file := reference(t), filepath.Join(t.TempDir(), "recorded.txtar")
	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := free.Addr().String()
	require.NoError(t, free.Close())

	cmd := newRecordCommand()
	cmd.SetArgs([]string{"--http", url, "--listen", address, "-o", file})
	ctx, interrupt := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- cmd.ExecuteContext(ctx) }()
	require.Eventually(t, func() bool { return listens(ctx, "http://"+address) }, 10*time.Second, 5*time.Millisecond)
	out, code := execute(t, newTestCommand(), "--http", "http://"+address, "--run", "ping", "--revision", "2025-11-25")
	assert.Equal(t, 0, code, out)
	interrupt()
	require.NoError(t, <-ended)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Contains(t, string(text), "revisions: 2025-11-25")
	assert.Contains(t, string(text), "-- > ping --")
}
