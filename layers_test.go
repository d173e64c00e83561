package parley_test

import (
	"io/fs"
	"os"
	"regexp"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/internal/treecheck"
)

// The architecture as a test. The tables on this page say which room may import which, what a
// server that imports the framework carries with it, and where a revision may be called by its
// date. Whoever adds a package adds its row; whoever wants an import that a row forbids moves the
// code, or changes the row in a change that says why.

// Sets of rooms and modules that several rows name.
var (
	public = []string{"protocol", "protocol/revisions", "negotiate", "session/...", "server/...",
		"transport/...", "auth/...", "conformance/..."}
	framework = []string{"protocol/...", "negotiate/...", "session/...", "server/...", "transport/...",
		"auth/...", "internal/..."}
	json = "github.com/go-json-experiment/json"
)

// rules are the import directions. The first row that fits a package decides.
var rules = treecheck.Rules{
	// Reads JSON that has already been validated; knows nothing of anybody.
	AllMay: []string{"internal/rawjson"},

	TestUses: []string{json, "github.com/stretchr/testify", "go.uber.org/goleak", "golang.org/x/tools/txtar",
		"github.com/santhosh-tekuri/jsonschema/v6", "go.yaml.in/yaml/v4"},

	Rooms: []treecheck.Room{
		{Path: ".", Tests: []string{"internal/treecheck"}},

		// Below the framework.
		{Path: "internal/rawjson", Uses: []string{json}},
		{Path: "internal/jsonrpc", Uses: []string{json}},
		{Path: "internal/sse"},
		{Path: "internal/mirror", Uses: []string{json}, May: []string{"protocol"}},
		{Path: "internal/seal"},
		{Path: "internal/treecheck"},

		// Vocabulary: a hub, and spokes that never import one another, not even in tests.
		{Path: "protocol", Uses: []string{json},
			May: []string{"internal/jsonrpc"}},
		{Path: "protocol/internal/*", Uses: []string{json},
			May: []string{"protocol", "protocol/internal/...", "internal/jsonrpc"}},
		{Path: "protocol/????-??-??", Uses: []string{json},
			May: []string{"protocol", "protocol/internal/...", "internal/jsonrpc"}},
		{Path: "protocol/revisions", Uses: []string{json},
			May:   []string{"protocol", "protocol/????-??-??"},
			Tests: []string{"protocol/internal/...", "internal/jsonrpc"}},

		// Lifecycle and what remembers it.
		{Path: "negotiate",
			May: []string{"protocol"}, Tests: []string{"protocol/revisions"}},
		{Path: "session/redis", Uses: []string{json, "github.com/redis/go-redis/v9"},
			May: []string{"protocol", "session", "internal/seal"}, Tests: []string{"session/..."}},
		{Path: "session/...", Uses: []string{json, "github.com/hashicorp/golang-lru/v2", "github.com/matoous/go-nanoid/v2"},
			May: []string{"protocol", "session/...", "!session/redis", "internal/seal"}, Tests: framework},

		// What an author writes against, and what carries it.
		{Path: "server/...", Uses: []string{json, "github.com/google/jsonschema-go",
			"github.com/santhosh-tekuri/jsonschema/v6", "golang.org/x/text", "github.com/yosida95/uritemplate/v3",
			"golang.org/x/time", "github.com/hashicorp/golang-lru/v2"},
			May: []string{"protocol", "protocol/revisions", "session", "server/...",
				"internal/jsonrpc", "internal/mirror", "internal/seal"},
			Tests: framework},
		{Path: "transport/...", Uses: []string{json},
			May: []string{"protocol", "protocol/revisions", "negotiate", "session/...", "!session/redis", "server",
				"transport/...", "internal/jsonrpc", "internal/sse", "internal/mirror"},
			Tests: framework},
		{Path: "auth/jwt", Uses: []string{json, "github.com/golang-jwt/jwt/v5", "github.com/MicahParks/jwkset"},
			May: []string{"auth"}},
		{Path: "auth", Uses: []string{json},
			May: []string{"protocol"}, Tests: framework},

		// The harness shares no code with what it judges, or a wrong codec would agree with itself.
		{Path: "conformance/fixture/...", Uses: []string{json},
			May: public, Tests: framework},
		{Path: "conformance/...", Uses: []string{json, "go.yaml.in/yaml/v4", "golang.org/x/tools/txtar",
			"github.com/santhosh-tekuri/jsonschema/v6", "github.com/yosida95/uritemplate/v3", "golang.org/x/term"},
			May: []string{"conformance/...", "!conformance/fixture/...", "internal/sse"}},

		// Programs. Nothing imports them.
		{Path: "interop/...", Uses: []string{json},
			May: []string{"interop/...", "conformance/...", "!conformance/fixture/..."}},
		{Path: "cmd/...", Uses: []string{json, "github.com/spf13/cobra", "github.com/gorilla/mux",
			"github.com/schollz/progressbar/v3", "github.com/mattn/go-shellwords"},
			May:   append([]string{"cmd/..."}, public...),
			Tests: framework},
		{Path: "examples/...", Uses: []string{json, "github.com/gorilla/mux", "golang.org/x/oauth2"},
			May: append([]string{"examples/..."}, public...)},
	},
}

// A server that imports the framework carries these modules of others, and no more.
var (
	carriers = []string{"protocol/...", "negotiate/...", "session", "server/...", "transport/...", "auth"}
	carried  = []string{json, "github.com/hashicorp/golang-lru/v2", "github.com/matoous/go-nanoid/v2",
		"github.com/google/jsonschema-go", "github.com/yosida95/uritemplate/v3",
		"golang.org/x/time", "github.com/santhosh-tekuri/jsonschema/v6", "golang.org/x/text"} // the latter comes with the former
)

// The dates of the revisions, with an older one that is not served, and where code may say them.
var (
	dates     = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}
	dateRooms = []string{"protocol/????-??-??/...", "protocol/revisions", "session/sessiontest", "conformance/revision", "bench/..."}
)

// What no file may say, and folders that hold nothing of ours.
var (
	foreign   = []string{".git", "node_modules", "bin", "results", "screenshots"}
	textRules = []treecheck.TextRule{
		{Forbid: regexp.MustCompile("(^|[\\s\"'`(=])/(?:home|root|Users|work)/"),
			Why: "a path that exists on one machine alone"},
		{Forbid: regexp.MustCompile(`\.\./shared\b`), Except: []string{"*_test.go"},
			Why: "a folder that is no part of the project, outside a test that can do without it"},
		{Forbid: regexp.MustCompile(`\b(?:TO[D]O|FIX[M]E)\b`),
			Why: "do it, or write down in docs/decisions why not"},
	}
)

func tree(t *testing.T) *treecheck.Tree {
	t.Helper()
	tree, err := treecheck.Load(os.DirFS("."))
	require.NoError(t, err)
	require.Greater(t, len(tree.Packages), 5, "the tree was not found")
	return tree
}

func none(t *testing.T, findings []string) {
	t.Helper()
	for _, f := range findings {
		t.Error(f)
	}
}

func TestImportsGoOneWay(t *testing.T) {
	none(t, tree(t).Imports(rules))
}

func TestFrameworkCarriesLittle(t *testing.T) {
	none(t, tree(t).Reach(carriers, carried))
}

// encoding/json matches members whatever their case and takes the last of two alike, so it decodes
// nothing here; its types are what a validator or an author may hand over.
func TestJSONIsReadStrictly(t *testing.T) {
	none(t, tree(t).Only("encoding/json", "Number", "RawMessage", "Marshaler", "Unmarshaler"))
}

func TestEverythingIsDocumented(t *testing.T) {
	none(t, tree(t).Docs())
}

func TestRevisionsAreNamedInTheirRooms(t *testing.T) {
	none(t, tree(t).Dates(dates, dateRooms))
}

func TestRevisionFoldersReadAlike(t *testing.T) {
	none(t, tree(t).SameFiles("protocol/????-??-??"))
}

func TestDatesAreComplete(t *testing.T) {
	folders, err := fs.Glob(os.DirFS("protocol"), "????-??-??")
	require.NoError(t, err)
	assert.Subset(t, dates, folders, "a revision has a folder and is missing from the list on this page")
}

func TestTextsSpeakOfTheProjectAlone(t *testing.T) {
	found, err := treecheck.Texts(os.DirFS("."), foreign, textRules)
	require.NoError(t, err)
	none(t, found)
}

// TestTheTableForbids shows that the table above, not only the code that reads it, refuses each
// import that would undo the design, whether or not the room exists yet.
func TestTheTableForbids(t *testing.T) {
	const module = "github.com/parley-mcp/parley/"
	for _, c := range []struct{ from, to string }{
		{"protocol/hub.go", module + "protocol/2025-06-18"},
		{"protocol/2025-03-26/tools.go", module + "protocol/2025-06-18"},
		{"protocol/2025-03-26/tools_test.go", module + "protocol/2025-06-18"},
		{"protocol/2025-03-26/tools.go", module + "protocol/revisions"},
		{"protocol/2025-03-26/tools.go", module + "server"},
		{"protocol/hub.go", module + "internal/sse"},
		{"negotiate/select.go", module + "protocol/revisions"},
		{"negotiate/select.go", module + "session"},
		{"session/store.go", module + "server"},
		{"session/store.go", module + "session/redis"},
		{"session/store.go", "github.com/redis/go-redis/v9"},
		{"server/tools.go", module + "transport/streamable"},
		{"server/tools.go", module + "negotiate"},
		{"server/tools.go", module + "protocol/2026-07-28"},
		{"server/tools.go", module + "internal/sse"},
		{"server/tools.go", "go.opentelemetry.io/otel"},
		{"transport/streamable/handler.go", module + "auth"},
		{"transport/streamable/handler.go", module + "conformance"},
		{"transport/streamable/handler.go", module + "session/redis"},
		{"transport/streamable/handler.go", "github.com/gorilla/mux"},
		{"transport/stdio/stdio.go", module + "cmd/parley"},
		{"auth/bearer.go", module + "server"},
		{"auth/bearer.go", "github.com/golang-jwt/jwt/v5"},
		{"auth/jwt/verifier.go", module + "protocol"},
		{"conformance/run.go", module + "protocol"},
		{"conformance/run.go", module + "internal/jsonrpc"},
		{"conformance/run.go", module + "conformance/fixture"},
		{"conformance/run_test.go", module + "server"},
		{"conformance/match/match.go", module + "transport/streamable"},
		{"conformance/match/match.go", module + "auth"},
		{"conformance/referee/main.go", module + "interop"},
		{"conformance/fixture/tools.go", module + "internal/jsonrpc"},
		{"conformance/fixture/tools.go", module + "protocol/2025-11-25"},
		{"conformance/report/html.go", "github.com/chromedp/chromedp"},
		{"cmd/parley/main.go", module + "examples/greeter"},
		{"cmd/parley/main.go", module + "protocol/2026-07-28"},
		{"examples/greeter/main.go", module + "internal/jsonrpc"},
		{"examples/greeter/main.go", module + "cmd/parley"},
		{"internal/rawjson/raw.go", module + "protocol"},
		{"internal/jsonrpc/parse.go", module + "protocol"},
		{"attic/attic.go", "fmt"},
	} {
		made, err := treecheck.Load(fstest.MapFS{
			"go.mod": {Data: []byte("module github.com/parley-mcp/parley\n")},
			c.from:   {Data: []byte("package p\n\nimport _ \"" + c.to + "\"\n")},
		})
		require.NoError(t, err)
		assert.Len(t, made.Imports(rules), 1, "%s may import %s", c.from, c.to)
	}
}

// TestTheTextRulesForbid does the same for what no file may say.
func TestTheTextRulesForbid(t *testing.T) {
	for name, text := range map[string]string{
		"docs/a.md": "see /ho" + "me/me/notes",
		"b.go":      "// in `/ro" + "ot/parley`",
		"c/c.go":    `const dir = "../sha` + `red/spec"`,
		"d.sh":      "# TO" + "DO: later",
	} {
		found, err := treecheck.Texts(fstest.MapFS{name: {Data: []byte(text)}}, foreign, textRules)
		require.NoError(t, err)
		assert.Len(t, found, 1, text)
	}
	found, err := treecheck.Texts(fstest.MapFS{
		"a.md":          {Data: []byte("roots: file:///home/user/project; GET /rooted/x; ./work/x")},
		"p/q/r_test.go": {Data: []byte(`os.DirFS("../sha` + `red/spec")`)},
	}, foreign, textRules)
	require.NoError(t, err)
	assert.Empty(t, found)
}
