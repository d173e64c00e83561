package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A file of expected failures is only as good as its reasons, so a line without one is refused; so is anything that could
// be a slip, because a slip would excuse nothing or the wrong thing.

func TestParseExpected(t *testing.T) {
	got, err := parseExpected("# heading\n\nping  # not built yet\n\ttools-list#why # not\r\n")
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"ping": "not built yet", "tools-list": "why # not"}, got)
}

func TestParseExpectedRefuses(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"no reason":     {"# heading\nping\n", "line 2: ping has no reason"},
		"empty reason":  {"ping #  \n", "line 1: ping has no reason"},
		"two scenarios": {"ping tools-list # why", `line 1: "ping tools-list" is not one scenario`},
		"listed twice":  {"ping # why\nping # why", "line 2: ping is listed twice"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parseExpected(c.text)
			assert.ErrorContains(t, err, c.want)
		})
	}
}

func TestReadExpectedWantsTheFile(t *testing.T) {
	_, err := readExpected(filepath.Join(t.TempDir(), "2025-11-25.txt"))
	assert.ErrorContains(t, err, "create it, empty if no scenario is expected to fail")
}

// The project's own lists can be read, and the newest revision is run first.
func TestOwnExpectedFiles(t *testing.T) {
	all, err := readAllExpected("expected", nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"}, newestFirst(all))
	one, err := readAllExpected("expected", []string{"2025-11-25"})
	require.NoError(t, err)
	assert.Len(t, one, 1)
}

// The lock file works with any registry: it pins by hash and names no host.
func TestLockFileNamesNoRegistry(t *testing.T) {
	lock, err := os.ReadFile("package-lock.json")
	require.NoError(t, err)
	assert.Contains(t, string(lock), `"integrity": "sha512-`)
	assert.NotContains(t, string(lock), `"resolved"`)
}

func FuzzParseExpected(f *testing.F) {
	f.Add("# heading\nping  # why\n")
	f.Add("ping\r\n#")
	f.Fuzz(func(t *testing.T, text string) {
		expected, err := parseExpected(text)
		if err != nil {
			return
		}
		for scenario, reason := range expected {
			assert.NotEmpty(t, scenario)
			assert.NotEmpty(t, reason)
		}
	})
}
