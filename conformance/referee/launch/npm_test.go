package launch

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// npm runs only when the lock file is not the one from which the packages were installed. PATH is empty here: a run of npm
// shows as an error.

func TestInstallOnlyWhenTheLockChanged(t *testing.T) {
	t.Setenv("PATH", "")
	dir := t.TempDir()
	lock := filepath.Join(dir, "package-lock.json")
	assert.ErrorContains(t, Install(t.Context(), dir, os.Stderr), "read the lock file")

	require.NoError(t, os.WriteFile(lock, []byte(`{}`), 0o644))
	assert.ErrorContains(t, Install(t.Context(), dir, os.Stderr), "npm must be installed")

	require.NoError(t, os.Mkdir(filepath.Join(dir, "node_modules"), 0o755))
	mark := filepath.Join(dir, "node_modules", stamp)
	const sum = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a" // of {}
	require.NoError(t, os.WriteFile(mark, []byte(sum), 0o644))
	assert.NoError(t, Install(t.Context(), dir, os.Stderr))

	require.NoError(t, os.WriteFile(lock, []byte(`{ }`), 0o644))
	assert.ErrorContains(t, Install(t.Context(), dir, os.Stderr), "npm must be installed")
}
