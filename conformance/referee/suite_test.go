package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The suite leaves a folder for each scenario. Which scenarios it meant to run is known from its output alone, and one that
// broke off leaves no result file: that must not read as a pass.

const output = `Running requirements 2026-07-28 (3 scenarios) against http://127.0.0.1:1/mcp


=== Running scenario: tools-list ===
Running client scenario 'tools-list' against server: http://127.0.0.1:1/mcp

=== Running scenario: tools-list-changed ===

=== Running scenario: tasks-lifecycle ===
Failed to run scenario tasks-lifecycle: Error
`

func results(t *testing.T, files map[string]string) string {
	dir := t.TempDir()
	for scenario, text := range files {
		folder := filepath.Join(dir, "server-"+scenario+"-2026-11-30T14-53-15-198Z")
		require.NoError(t, os.Mkdir(folder, 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(folder, "checks.json"), []byte(text), 0o644))
	}
	return dir
}

func requires(scored []string, notScored ...string) *requirements {
	r := &requirements{Server: scored}
	for _, name := range notScored {
		r.NotScored = append(r.NotScored, struct {
			Scenario string `yaml:"scenario"`
			Leg      string `yaml:"leg"`
		}{name, "server"})
	}
	return r
}

func TestCollect(t *testing.T) {
	dir := results(t, map[string]string{
		"tools-list":         `[{"id":"a","status":"SUCCESS"},{"id":"b","status":"WARNING","description":"Names are short"},{"id":"c","status":"INFO"}]`,
		"tools-list-changed": `[{"id":"d","status":"FAILURE","description":"It says so","errorMessage":"it did not"},{"id":"e","status":"SKIPPED"}]`,
	})
	list := requires([]string{"tools-list", "tools-list-changed"}, "tasks-lifecycle")
	got, err := collect([]byte(output), dir, list)
	require.NoError(t, err)
	assert.Equal(t, []outcome{
		{scenario: "tools-list", scored: true, judged: 1, warnings: []string{"b: Names are short"}},
		{scenario: "tools-list-changed", scored: true, judged: 1, failures: []string{"d: it did not"}},
		{scenario: "tasks-lifecycle", failures: []string{"the suite could not finish the scenario: see output.txt in its results"}},
	}, got)
}

func TestCollectWithoutRequirementsScoresAll(t *testing.T) {
	got, err := collect([]byte("=== Running scenario: ping ===\n"), results(t, map[string]string{"ping": `[]`}), nil)
	require.NoError(t, err)
	require.Len(t, got, 1)
	assert.True(t, got[0].scored)
	assert.True(t, got[0].idle())
}

func TestCollectRefuses(t *testing.T) {
	empty := results(t, nil)
	_, err := collect([]byte("cannot connect"), empty, nil)
	assert.ErrorContains(t, err, "the suite ran no scenario")
	_, err = collect([]byte(output), empty, requires([]string{"ping"}))
	assert.ErrorContains(t, err, "did not run ping, which its own requirements name")
	_, err = collect([]byte(output), empty, requires(nil, "tasks-wire-fields"))
	assert.ErrorContains(t, err, "did not run tasks-wire-fields")
	_, err = collect([]byte(output), results(t, map[string]string{"tools-list": `{`}), nil)
	assert.ErrorContains(t, err, "checks.json")
}

func TestFreshFolderRefusesOldResults(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	require.NoError(t, freshFolder(dir))
	assert.ErrorContains(t, freshFolder(dir), "results go to a new folder")
}
