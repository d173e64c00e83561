package launch

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRoot(t *testing.T) {
	root, err := Root()
	require.NoError(t, err)
	assert.FileExists(t, filepath.Join(root, "conformance", "referee", "launch", "build.go"))

	t.Chdir(t.TempDir())
	_, err = Root()
	assert.ErrorContains(t, err, "inside a clone of the repository")
	require.NoError(t, os.WriteFile("go.mod", []byte("module other.example\n"), 0o644))
	_, err = Root()
	assert.Error(t, err)
}

func TestBuildShowsWhatTheCompilerSays(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module m.example\n"), 0o644))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "cmd", "hello"), 0o755))
	source := filepath.Join(dir, "cmd", "hello", "main.go")

	require.NoError(t, os.WriteFile(source, []byte("package main\n\nfunc main() { nope() }\n"), 0o644))
	_, err := Build(t.Context(), dir, "./cmd/hello", t.TempDir())
	assert.ErrorContains(t, err, "undefined: nope")

	require.NoError(t, os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o644))
	program, err := Build(t.Context(), dir, "./cmd/hello", t.TempDir())
	require.NoError(t, err)
	assert.FileExists(t, program)
}
