package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The pages in the tree are those that the command would write, and the counts are printed.
func TestMatrixCheck(t *testing.T) {
	out, code := execute(t, newMatrixCommand(), "--root", "../..", "--check")
	assert.Equal(t, 0, code, out)
	assert.Regexp(t, `(?m)^2025-06-18  641 requirements: \d+ proven \(\d+ by transcript, \d+ by test\), \d+ open, \d+ not observable, \d+ gaps$`, out)
	assert.Regexp(t, `(?m)^ +MUSTs of servers on the wire: 213: \d+ proven, \d+ open, \d+ gaps$`, out)
	assert.NotContains(t, out, "without a reason")
}

func TestMatrixOutsideOfACheckout(t *testing.T) {
	out, code := execute(t, newMatrixCommand(), "--root", t.TempDir())
	assert.Equal(t, 1, code)
	assert.Contains(t, out, "is not the root of a Go module")
}

func TestMatrixWrites(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "go.mod"), []byte("module example.com/m\n"), 0o600))
	out, code := execute(t, newMatrixCommand(), "--root", root, "--check")
	assert.Equal(t, 1, code)
	assert.Contains(t, out, "run parley matrix --write")
	page := filepath.Join(root, "m.html")
	out, code = execute(t, newMatrixCommand(), "--root", root, "--write", "--html", page)
	require.Equal(t, 0, code, out)
	for _, name := range []string{"SPEC_MATRIX.md", "docs/matrix/2025-03-26.md", "m.html"} {
		_, err := os.Stat(filepath.Join(root, name))
		assert.NoError(t, err)
	}
	out, code = execute(t, newMatrixCommand(), "--root", root, "--check")
	assert.Equal(t, 0, code, out)
}

func TestTestByAFrozenSet(t *testing.T) {
	out, code := execute(t, newTestCommand(), "--http", reference(t), "--run", "ping", "--requirements", "2025-11-25@1")
	assert.Equal(t, 0, code, out)
	assert.Regexp(t, `judged by the requirements 2025-11-25@1 alone: [1-9]\d* of 334 were tested`, out)
	assert.NotContains(t, out, "2025-06-18")
	out, code = execute(t, newTestCommand(), "--requirements", "2025-11-25@99")
	assert.Equal(t, exitUsage, code)
	assert.Contains(t, out, "there are 2025-03-26@1")
}
