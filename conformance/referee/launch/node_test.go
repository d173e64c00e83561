package launch

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Which Node runs the packages is decided by what is installed beside them; the one in PATH is only taken if new enough.

func TestNodePrefersThePinned(t *testing.T) {
	dir := t.TempDir()
	for _, platform := range []string{"linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64", "win-x64"} {
		bin := filepath.Join(dir, "node_modules", "node-"+platform, "bin")
		require.NoError(t, os.MkdirAll(bin, 0o755))
		for _, name := range []string{"node", "node.exe"} {
			require.NoError(t, os.WriteFile(filepath.Join(bin, name), nil, 0o755))
		}
	}
	path, err := Node(t.Context(), dir)
	require.NoError(t, err)
	assert.Contains(t, path, filepath.Join(dir, "node_modules"))
}

func TestNodeWithoutAny(t *testing.T) {
	t.Setenv("PATH", "")
	_, err := Node(t.Context(), t.TempDir())
	assert.ErrorContains(t, err, "install Node 22.19 or newer")
}

func TestNodeFits(t *testing.T) {
	for version, want := range map[string]bool{
		"v22.19.0\n": true, "v22.18.9": false, "v24.0.0": true, "v20.20.2": false, "v9.99.0": false, "": false, "node": false, "vx.19.0": false,
	} {
		assert.Equal(t, want, nodeFits(version), version)
	}
}

func TestNodePlatform(t *testing.T) {
	assert.Equal(t, "linux-x64", nodePlatform("linux", "amd64"))
	assert.Equal(t, "linux-arm64", nodePlatform("linux", "arm64"))
	assert.Equal(t, "win-x64", nodePlatform("windows", "amd64"))
}
