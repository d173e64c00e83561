package report

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestInsert(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.md")
	require.NoError(t, os.WriteFile(file, []byte("one\n<!-- mcpbench: a -->\nold a\n<!-- /mcpbench -->\ntwo\n<!-- mcpbench: b -->\nold b\n<!-- /mcpbench -->\n"), 0o600))
	require.NoError(t, Insert(file, "b", "new b\n"))
	require.NoError(t, Insert(file, "a", "new a\n"))
	got, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, "one\n<!-- mcpbench: a -->\n\nnew a\n\n<!-- /mcpbench -->\ntwo\n<!-- mcpbench: b -->\n\nnew b\n\n<!-- /mcpbench -->\n", string(got))
	assert.ErrorContains(t, Insert(file, "c", ""), "has no part")
}
