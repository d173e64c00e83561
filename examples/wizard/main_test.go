package main

import (
	"bufio"
	"crypto/rand"
	"encoding/hex"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/examples/internal/tryout"
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/revisions"
)

// The same wizard is driven three ways: in a session that one process remembers, in one that is sealed into its id, and
// without a session by two processes that take turns. The user is asked the same, gets the same, and what must happen once
// has happened once.

const replicaVariable = "WIZARD_TEST_REPLICA"

// TestMain makes the test program a wizard too, so that there can be several.
func TestMain(m *testing.M) {
	if os.Getenv(replicaVariable) != "" {
		main()
	}
	os.Exit(m.Run())
}

// start starts processes that have a key in common, and returns their URLs.
func start(t *testing.T, processes int, arguments ...string) []string {
	key := make([]byte, 32)
	_, _ = rand.Read(key)
	var urls []string
	for range processes {
		cmd := exec.Command(os.Args[0], append([]string{"-http", "127.0.0.1:0"}, arguments...)...)
		cmd.Env = append(os.Environ(), replicaVariable+"=1", "WIZARD_KEY="+hex.EncodeToString(key))
		log, err := cmd.StderrPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		t.Cleanup(func() {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		})
		line, err := bufio.NewReader(log).ReadString('\n')
		require.NoError(t, err)
		_, url, found := strings.Cut(strings.TrimSpace(line), "listening on ")
		require.True(t, found, line)
		urls = append(urls, url)
	}
	return urls
}

// user answers the wizard.
func user(message string) string {
	switch message {
	case "What is it to be?":
		return `{"action":"accept","content":{"name":"demo","kind":"service"}}`
	case "On which port?":
		return `{"action":"accept","content":{"port":9000}}`
	case `Publish the service "demo", on port 9000, number 1?`:
		return `{"action":"accept","content":{}}`
	}
	return `{"action":"cancel"}`
}

func features(t *testing.T, r protocol.Revision) *protocol.Features {
	codec, ok := revisions.Lookup(r)
	require.True(t, ok)
	return codec.Features()
}

func TestSameWizardEverywhere(t *testing.T) {
	for _, way := range []struct {
		revision  protocol.Revision
		processes int
		arguments []string
	}{
		{"2025-06-18", 1, nil},
		{"2025-11-25", 1, []string{"-sealed"}},
		{"2026-07-28", 2, nil},
	} {
		t.Run(string(way.revision), func(t *testing.T) {
			urls, f := start(t, way.processes, way.arguments...), features(t, way.revision)
			client := &tryout.Client{URL: urls[0], Others: urls[1:], Features: f, Answer: user}
			body, err := client.CallTool("create_project", "{}")
			require.NoError(t, err)
			assert.Contains(t, body, `Published the service \"demo\", on port 9000, number 1.`)
			assert.Equal(t, []string{"What is it to be?", "On which port?", `Publish the service "demo", on port 9000, number 1?`}, client.Asked)

			var counters string
			for _, url := range urls {
				body, err := (&tryout.Client{URL: url, Features: f}).CallTool("created", "{}")
				require.NoError(t, err)
				counters += body
			}
			assert.Equal(t, 1, strings.Count(counters, "created=1"), counters)
			assert.Equal(t, way.processes-1, strings.Count(counters, "created=0"), counters)
		})
	}
}

func TestStateOfAnotherKey(t *testing.T) {
	urls := append(start(t, 1), start(t, 1)...)
	client := &tryout.Client{URL: urls[0], Others: urls[1:], Features: features(t, "2026-07-28"), Answer: user}
	body, err := client.CallTool("create_project", "{}")
	require.NoError(t, err)
	assert.Contains(t, body, "requestState")
	assert.Contains(t, body, "-32602")
}

// TestWithoutQuestions: a revision that has none, and a client that has not declared that it can be asked.
func TestWithoutQuestions(t *testing.T) {
	url := start(t, 1)[0]
	for _, codec := range revisions.All() {
		f := codec.Features()
		client := &tryout.Client{URL: url, Features: f}
		if f.Revision == "2025-03-26" {
			client.Answer = func(string) string { panic("the revision has no questions") }
		}
		body, err := client.CallTool("create_project", "{}")
		require.NoError(t, err)
		assert.Contains(t, body, "call again with name, kind")
		body, err = client.CallTool("create_project", `{"name":"demo","kind":"library","license":"MIT","approved":true}`)
		require.NoError(t, err)
		assert.Contains(t, body, `Published the library \"demo\", under MIT`)
	}
}
