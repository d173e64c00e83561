// The mock on the command line: a client that is run, a client that runs it, and what its exit code says.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/conformance"
	"github.com/parley-mcp/parley/conformance/report"
)

// clientVariable makes this program a client under test, well behaved or not.
const clientVariable = "PARLEY_TEST_CLIENT"

func TestMain(m *testing.M) {
	if behaviour := os.Getenv(clientVariable); behaviour != "" {
		if os.Getenv("PARLEY_TEST_MOCK") != "" {
			main()
			return
		}
		if err := pretendClient(behaviour); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// pretendClient lists the tools at the revision without a handshake, and that is all it can do.
func pretendClient(behaviour string) error {
	var task struct {
		URL      string
		Revision string
		Command  []string
	}
	if err := json.Unmarshal([]byte(os.Getenv(conformance.TaskVariable)), &task); err != nil {
		return err
	}
	page := func(id int, params string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list","params":{%s"_meta":{"io.modelcontextprotocol/protocolVersion":%q,`+
			`"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`, id, params, task.Revision)
	}
	second := 2
	if behaviour == "wrong" {
		second = 1
	}
	if behaviour == "unable" {
		os.Exit(conformance.ExitUnable)
	}
	bodies := []string{page(1, ""), page(second, `"cursor":"",`)}
	if behaviour == "lazy" {
		bodies = bodies[:1]
	}
	if task.Command != nil {
		mock := exec.Command(task.Command[0], task.Command[1:]...)
		mock.Env = append(os.Environ(), "PARLEY_TEST_MOCK=1")
		mock.Stdin, mock.Stderr = strings.NewReader(strings.Join(bodies, "\n")), os.Stderr
		return mock.Run()
	}
	for _, body := range bodies {
		r, err := http.NewRequest(http.MethodPost, task.URL, strings.NewReader(body))
		if err != nil {
			return err
		}
		for name, value := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
			"MCP-Protocol-Version": task.Revision, "Mcp-Method": "tools/list"} {
			r.Header.Set(name, value)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			return err
		}
		_ = resp.Body.Close()
	}
	return nil
}

func runMock(t *testing.T, behaviour string, args ...string) (string, int) {
	t.Helper()
	t.Setenv(clientVariable, behaviour)
	self, err := os.Executable()
	require.NoError(t, err)
	return execute(t, newMockCommand(), append(args, "--", self, "{url}")...)
}

func TestMockRunsAClient(t *testing.T) {
	out, code := runMock(t, "right", "client/empty-cursor")
	assert.Equal(t, 0, code, out)
	assert.Contains(t, out, "requirements of clients:")
	assert.NotContains(t, out, "\n  failed")
}

func TestMockIsRunByAClient(t *testing.T) {
	out, code := runMock(t, "right", "client/empty-cursor", "--stdio")
	assert.Equal(t, 0, code, out)
	assert.Contains(t, out, "2026-07-28 over stdio")
}

func TestMockSaysWhatIsWrong(t *testing.T) {
	file := write(t, "report.json", "")
	out, code := runMock(t, "lazy", "client/empty-cursor", "--json", file)
	assert.Equal(t, 1, code)
	assert.Contains(t, out, "failed       pagination.empty-cursor-valid\n")
	assert.Contains(t, out, "https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination#")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	r, err := report.Read(text)
	require.NoError(t, err)
	assert.Equal(t, report.Fail, r.Results[0].Verdict)
	assert.Equal(t, "the client did not send it", r.Results[0].Steps[2].Problem)

	out, code = runMock(t, "wrong", "client/empty-cursor")
	assert.Equal(t, 0, code, "an id may be used again once it was answered: %s", out)
}

func TestMockLeavesOutWhatAClientCannotDo(t *testing.T) {
	out, code := runMock(t, "unable", "client/empty-cursor")
	assert.Equal(t, 0, code, out)
	assert.Contains(t, out, "1 not applicable")
}

func TestMockPlaysOneTranscript(t *testing.T) {
	cmd := newMockCommand()
	cmd.SetIn(strings.NewReader(""))
	out, code := execute(t, cmd, "client/opening", "--stdio", "--revision", "2025-11-25")
	assert.Equal(t, 1, code, out)
	out, code = execute(t, newMockCommand(), "--list", "client/ask*", "-v")
	assert.Equal(t, 0, code)
	assert.Contains(t, out, "client/ask-and-retry")
	assert.Contains(t, out, `the client is to do: {"calls":`)
}

func TestMockUsage(t *testing.T) {
	for name, args := range map[string][]string{
		"no transcript":      {},
		"unknown":            {"client/no-such"},
		"unknown pattern":    {"client/no-such", "--", "true"},
		"no command":         {"client/opening", "--"},
		"unknown revision":   {"client/opening", "--revision", "1999-01-01"},
		"does not hold":      {"client/opening", "--revision", "2026-07-28"},
		"a file and command": {"--file", "a.txtar", "--", "true"},
		"two transcripts":    {"client/opening", "client/ping"},
		"verdict":            {"client/opening", "--fail-on", "nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			out, code := execute(t, newMockCommand(), args...)
			assert.Equal(t, exitUsage, code, out)
		})
	}
}
