package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The suites write what they did, line by line, as they go; the table is made from that and nothing else.

func TestTable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.jsonl")
	require.NoError(t, os.WriteFile(path, []byte(`{"client":"b","transport":"http","revision":"2025-06-18","did":["tools 4 in 2","ping"],"note":"server restricted to it"}
{"client":"b","transport":"both","revision":"2026-07-28","did":[],"note":"the client does not speak it"}
{"client":"a","transport":"stdio","revision":"2025-11-25","did":["tools 4 in 2"]}
`), 0o644))
	rows, err := readRows(path)
	require.NoError(t, err)
	var out strings.Builder
	printTable(&out, rows)
	assert.Equal(t, `client  revision    transport  did
a       2025-11-25  stdio      tools 4 in 2
b       2026-07-28  both       – (the client does not speak it)
b       2025-06-18  http       tools 4 in 2, ping (server restricted to it)

2 combinations of client, revision and transport
`, out.String())
}

func TestReadRowsRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.jsonl")
	_, err := readRows(path)
	assert.ErrorContains(t, err, "no client did anything")
	require.NoError(t, os.WriteFile(path, []byte(`{"client":`), 0o644))
	_, err = readRows(path)
	assert.ErrorContains(t, err, "read the report")
}

func TestSuitesThatCanBeChosen(t *testing.T) {
	all, err := options{}.suites()
	require.NoError(t, err)
	assert.Equal(t, suites, all)
	one, err := options{only: "sdk"}.suites()
	require.NoError(t, err)
	assert.Equal(t, []string{"sdk"}, one)
	_, err = options{only: "python"}.suites()
	assert.ErrorContains(t, err, "the suites are gosdk, client, sdk, inspector")
	_, err = options{url: "http://127.0.0.1:1/mcp"}.suites()
	assert.ErrorContains(t, err, "-url and -stdio go together")
}

// Each suite of the folder typescript has its file, and the lock file works with any registry.
func TestTypeScriptFolder(t *testing.T) {
	for _, suite := range suites[1:] {
		assert.FileExists(t, filepath.Join("typescript", suite+".test.mjs"))
	}
	lock, err := os.ReadFile(filepath.Join("typescript", "package-lock.json"))
	require.NoError(t, err)
	assert.Contains(t, string(lock), `"integrity": "sha512-`)
	assert.NotContains(t, string(lock), `"resolved"`)
}
