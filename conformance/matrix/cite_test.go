package matrix

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/conformance/requirements"
)

// module writes files below a new folder with a go.mod.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	files["go.mod"] = "module example.com/m\n"
	for name, text := range files {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o600))
	}
	return root
}

func manifest(t *testing.T) *requirements.Manifest {
	t.Helper()
	m, err := requirements.Load()
	require.NoError(t, err)
	return m
}

func TestScanFindsCitations(t *testing.T) {
	root := module(t, map[string]string{
		"a/a_test.go": "package a\n\n// Proves: session.terminated-id-404 2025-11-25 2025-06-18\nfunc TestOne(t *testing.T) {\n" +
			"\t// Proves: ping.empty-result\n}\n",
		"a/a.go":                 "package a\n\n// Proves: nothing.here\nfunc F() {}\n",
		"nested/go.mod":          "module example.com/n\n",
		"nested/n_test.go":       "package n\n\n// Proves: nothing.here\n",
		"testdata/t_test.go":     "package t\n\n// Proves: nothing.here\n",
		".hidden/h_test.go":      "package h\n\n// Proves: nothing.here\n",
		"node_modules/n_test.go": "package n\n\n// Proves: nothing.here\n",
	})
	found, err := Scan(root, manifest(t))
	require.NoError(t, err)
	assert.Equal(t, []Citation{
		{ID: "session.terminated-id-404", Revisions: []string{"2025-06-18", "2025-11-25"}, Function: "TestOne", File: "a/a_test.go", Line: 3},
		{ID: "ping.empty-result", Revisions: []string{"2025-03-26", "2025-06-18", "2025-11-25"}, Function: "TestOne", File: "a/a_test.go", Line: 5},
	}, found)
}

// Each mistake is told with file and line.
func TestScanRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"// Proves: ping.empty-results\nfunc TestA(t *testing.T) {}":           "a_test.go:3: unknown id ping.empty-results: did you mean ping.empty-result?",
		"// Proves: ping.empty-result 2026-07-28\nfunc TestA(t *testing.T) {}": "a_test.go:3: ping.empty-result: it does not hold at 2026-07-28",
		"// Proves: ping.empty-result 2025-06-18 2025-06-18\nfunc TestA() {}":  "or that stands twice",
		"// Proves:\nfunc TestA(t *testing.T) {}":                              `a_test.go:3: write "// Proves: id"`,
		"// Proves: ping.empty-result\nfunc helper(t *testing.T) {}":           "a_test.go:3: a citation stands in a function whose name begins with Test",
		"// Proves: ping.empty-result\n\nfunc TestA(t *testing.T) {}":          "a_test.go:3: a citation stands in",
		"// Proves: ping.empty-result\nfunc TestMain(m *testing.M) {}":         "a_test.go:3: a citation stands in",
		"// Proves: ping.empty-result\nfunc (s suite) TestA(t *testing.T) {}":  "a_test.go:3: a citation stands in",
		"// Proves: ping.empty-result\nfunc TestA( {}":                         "a_test.go:4:",
	} {
		_, err := Scan(module(t, map[string]string{"a_test.go": "package a\n\n" + text + "\n"}), manifest(t))
		assert.ErrorContains(t, err, want, text)
	}
	_, err := Scan(t.TempDir(), manifest(t))
	assert.ErrorContains(t, err, "is not the root of a Go module")
}
