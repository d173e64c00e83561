package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The suite is played here by this test program: it notes how it was called, and leaves results as the suite does.

func TestMain(m *testing.M) {
	if os.Getenv("REFEREE_PLAYS_SUITE") == "" {
		os.Exit(m.Run())
	}
	folder := os.Args[len(os.Args)-1]
	for i, arg := range os.Args {
		if arg == "-o" {
			folder = filepath.Join(os.Args[i+1], "server-ping-2026-11-30T14-53-15-198Z")
		}
	}
	_ = os.Mkdir(folder, 0o755)
	_ = os.WriteFile(filepath.Join(folder, "checks.json"), []byte(`[{"id":"ping","status":"SUCCESS"}]`), 0o644)
	fmt.Println("called with " + strings.Join(os.Args[1:], " "))
	fmt.Println("=== Running scenario: ping ===")
	os.Exit(1)
}

// installed is a suite whose folder has requirements for one revision.
func installed(t *testing.T) suite {
	t.Setenv("REFEREE_PLAYS_SUITE", "1")
	folder := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(folder, "requirements"), 0o755))
	text := "server: [ping]\nnot_scored:\n  - scenario: auth/dpop\n    leg: client\n    reason: extension\n"
	require.NoError(t, os.WriteFile(filepath.Join(folder, "requirements", "2025-11-25.yaml"), []byte(text), 0o644))
	return suite{node: os.Args[0], folder: folder}
}

func TestRunAsksForRequirementsWhereThereAreAny(t *testing.T) {
	s := installed(t)
	for revision, want := range map[string]string{
		"2025-11-25": "--requirements 2025-11-25",
		"2025-06-18": "--suite all --spec-version 2025-06-18",
	} {
		results := filepath.Join(t.TempDir(), revision)
		r, err := s.run(t.Context(), "http://127.0.0.1:1/mcp", revision, results)
		require.NoError(t, err)
		assert.Equal(t, &run{revision, []outcome{{scenario: "ping", scored: true, judged: 1}}}, r)
		text, err := os.ReadFile(filepath.Join(results, "output.txt"))
		require.NoError(t, err)
		assert.Contains(t, string(text), "server --url http://127.0.0.1:1/mcp -o "+results+" "+want+"\n")
	}
}

func TestRunThatIsInterrupted(t *testing.T) {
	s := installed(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.run(ctx, "http://127.0.0.1:1/mcp", "2025-11-25", filepath.Join(t.TempDir(), "r"))
	assert.ErrorIs(t, err, context.Canceled)
}

func TestRunWithoutNode(t *testing.T) {
	s := installed(t)
	s.node = filepath.Join(t.TempDir(), "node")
	_, err := s.run(t.Context(), "http://127.0.0.1:1/mcp", "2025-11-25", filepath.Join(t.TempDir(), "r"))
	assert.ErrorIs(t, err, os.ErrNotExist)
}
