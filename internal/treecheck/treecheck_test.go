package treecheck_test

import (
	"regexp"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/internal/treecheck"
)

// Each check is run on small made-up modules: one that keeps the rule, and some that break it in
// each way the rule knows. A check that could not fail would fail here.

// module is a made-up tree of files with a go.mod at its root.
func module(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{"go.mod": {Data: []byte("module example.org/m\n\ngo 1.26\n")}}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

func load(t *testing.T, files map[string]string) *treecheck.Tree {
	t.Helper()
	tree, err := treecheck.Load(module(files))
	require.NoError(t, err)
	return tree
}

func TestLoadSeesWhatTheGoCommandSees(t *testing.T) {
	tree := load(t, map[string]string{
		"a.go":                    "package m",
		"a/a.go":                  "package a",
		"a/a_test.go":             "package a_test",
		"a/gen.go":                "package main",
		"a/testdata/t.go":         "not Go",
		"_draft/d.go":             "not Go",
		".cache/c.go":             "not Go",
		"web/node_modules/x/x.go": "not Go",
		"nested/go.mod":           "module example.org/nested",
		"nested/n.go":             "package nested",
		"nested/deep/d.go":        "package deep",
		"a/readme.md":             "text",
	})
	got := map[string]int{}
	for _, p := range tree.Packages {
		got[p.Dir+" "+p.Name] = len(p.Files)
	}
	assert.Equal(t, map[string]int{". m": 1, "a a": 2, "a main": 1}, got)
	assert.Equal(t, "example.org/m", tree.Module)
}

func TestLoadRefusesWhatItCannotRead(t *testing.T) {
	for name, fsys := range map[string]fstest.MapFS{
		"no go.mod":      {"a.go": {Data: []byte("package a")}},
		"no module line": {"go.mod": {Data: []byte("go 1.26\n")}},
		"broken source":  module(map[string]string{"a.go": "package"}),
	} {
		_, err := treecheck.Load(fsys)
		assert.Error(t, err, name)
	}
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		patterns []string
		dir      string
		want     bool
	}{
		{[]string{"a"}, "a", true},
		{[]string{"a"}, "a/b", false},
		{[]string{"a"}, "ab", false},
		{[]string{"a/*"}, "a/b", true},
		{[]string{"a/*"}, "a", false},
		{[]string{"a/*"}, "a/b/c", false},
		{[]string{"a/..."}, "a", true},
		{[]string{"a/..."}, "a/b/c", true},
		{[]string{"a/..."}, "ab", false},
		{[]string{"a/????-??"}, "a/2024-11", true},
		{[]string{"a/????-??"}, "a/revisions", false},
		{[]string{"a/...", "!a/b/..."}, "a/b/c", false},
		{[]string{"!a/b/...", "a/..."}, "a/b", false},
		{[]string{"a/...", "!a/b/..."}, "a/c", true},
		{nil, "a", false},
	} {
		assert.Equal(t, c.want, treecheck.Match(c.patterns, c.dir), "%v %s", c.patterns, c.dir)
	}
}

func TestImports(t *testing.T) {
	rules := treecheck.Rules{
		Rooms: []treecheck.Room{
			{Path: "hub"},
			{Path: "spoke/*", May: []string{"hub"}, Uses: []string{"example.com/json"}, Tests: []string{"hub/...", "spoke/..."}},
		},
		AllMay:   []string{"raw"},
		TestUses: []string{"example.com/check"},
	}
	for _, c := range []struct {
		name, file, imports string
		want                []string
	}{
		{"along the grain", "spoke/a/a.go", "example.org/m/hub", nil},
		{"the room of all", "hub/h.go", "example.org/m/raw", nil},
		{"standard library", "hub/h.go", "net/http", nil},
		{"a module it uses", "spoke/a/a.go", "example.com/json/v2", nil},
		{"a test's module", "hub/h_test.go", "example.com/check/require", nil},
		{"a test's room", "spoke/a/a_test.go", "example.org/m/spoke/b", nil},
		{"a test of itself", "hub/h_test.go", "example.org/m/hub", nil},

		{"against the grain", "hub/h.go", "example.org/m/spoke/a",
			[]string{"hub/h.go:3: hub must not import example.org/m/spoke/a"}},
		{"sideways", "spoke/a/a.go", "example.org/m/spoke/b",
			[]string{"spoke/a/a.go:3: spoke/a must not import example.org/m/spoke/b"}},
		{"a test against the grain", "hub/h_test.go", "example.org/m/spoke/a",
			[]string{"hub/h_test.go:3: hub must not import example.org/m/spoke/a"}},
		{"another's module", "hub/h.go", "example.com/json",
			[]string{"hub/h.go:3: hub must not import example.com/json"}},
		{"a module of a like name", "spoke/a/a.go", "example.com/jsonx",
			[]string{"spoke/a/a.go:3: spoke/a must not import example.com/jsonx"}},
		{"a test's module in code", "hub/h.go", "example.com/check/require",
			[]string{"hub/h.go:3: hub must not import example.com/check/require"}},
		{"the module's root", "hub/h.go", "example.org/m",
			[]string{"hub/h.go:3: hub must not import example.org/m"}},
		{"no room", "attic/a.go", "net/http",
			[]string{"attic/a.go:1: no room for package attic: add a row to the table"}},
	} {
		tree := load(t, map[string]string{c.file: "package p\n\nimport _ \"" + c.imports + "\"\n"})
		assert.Equal(t, c.want, tree.Imports(rules), c.name)
	}
}

func TestReachFollowsImports(t *testing.T) {
	files := map[string]string{
		"server/s.go":        `package server; import _ "example.org/m/store"`,
		"server/s_test.go":   `package server; import _ "example.com/check"`,
		"store/s.go":         `package store; import (_ "example.com/small"; _ "fmt")`,
		"store/redis/r.go":   `package redis; import (_ "example.com/redis/v9"; _ "example.org/m/store")`,
		"store/memory/m.go":  `package memory; import _ "example.org/m/store"`,
		"elsewhere/else.go":  `package elsewhere; import _ "example.com/heavy"`,
		"store/store_doc.go": "package store",
	}
	small := []string{"example.com/small"}
	assert.Empty(t, load(t, files).Reach([]string{"server"}, small))
	assert.Equal(t, []string{"store/s.go:1: server → store → example.com/small"},
		load(t, files).Reach([]string{"server"}, nil))

	files["store/s.go"] = `package store; import _ "example.org/m/store/redis"`
	assert.Equal(t, []string{"store/redis/r.go:1: server → store → store/redis → example.com/redis/v9"},
		load(t, files).Reach([]string{"server"}, small))
}

func TestOnly(t *testing.T) {
	for _, c := range []struct {
		name, file, src string
		want            []string
	}{
		{"allowed", "a/a.go", `package a; import "encoding/json"; type N = json.Number`, nil},
		{"another package", "a/a.go", `package a; import "example.com/json"; var _ = json.Marshal`, nil},
		{"a test", "a/a_test.go", `package a; import "encoding/json"; var _ = json.Marshal`, nil},

		{"another name", "a/a.go", `package a; import "encoding/json"; var _ = json.Marshal`,
			[]string{"a/a.go:1: encoding/json is here for Number alone, not for Marshal"}},
		{"called otherwise", "a/a.go", `package a; import std "encoding/json"; var _ = std.Marshal`,
			[]string{"a/a.go:1: encoding/json is here for Number alone, not for Marshal"}},
		{"all at once", "a/a.go", `package a; import . "encoding/json"; var _ = Marshal`,
			[]string{"a/a.go:1: encoding/json is here for Number alone, not for all it has"}},
	} {
		assert.Equal(t, c.want, load(t, map[string]string{c.file: c.src}).Only("encoding/json", "Number"), c.name)
	}
}

func TestDocs(t *testing.T) {
	for _, c := range []struct {
		name, src string
		want      []string
	}{
		{"documented", "// Package a is a room.\npackage a\n\n// F does.\nfunc F() {}\n", nil},
		{"a command", "// Command a does.\npackage main\n\nfunc Exported() {}\n", nil},
		{"a method everyone knows", "// Package a is.\npackage a\n\nfunc (T) Error() string { return \"\" }\n", nil},
		{"private", "// Package a is.\npackage a\n\nfunc f() {}\ntype t int\nfunc (t) Read() {}\n", nil},
		{"group", "// Package a is.\npackage a\n\n// Kinds.\nconst (\n\tA = 1\n\tB = 2\n)\n", nil},
		{"line", "// Package a is.\npackage a\n\nvar A = 1 // the first\n", nil},

		{"silent", "package a", []string{`a/a.go:1: package a needs a doc comment that begins "Package a"`}},
		{"other name", "// Package ab is.\npackage a", []string{`a/a.go:2: package a needs a doc comment that begins "Package a"`}},
		{"detached", "// Package a is.\n\npackage a", []string{`a/a.go:3: package a needs a doc comment that begins "Package a"`}},
		{"silent command", "// Runs.\npackage main", []string{`a/a.go:2: package main needs a doc comment that begins "Command"`}},
		{"function", "// Package a is.\npackage a\n\nfunc F() {}\n", []string{"a/a.go:4: F is exported and has no doc comment"}},
		{"type", "// Package a is.\npackage a\n\ntype T int\n", []string{"a/a.go:4: T is exported and has no doc comment"}},
		{"value", "// Package a is.\npackage a\n\nvar A, b = 1, 2\n", []string{"a/a.go:4: A is exported and has no doc comment"}},
		{"no method", "// Package a is.\npackage a\n\nfunc Error() {}\n", []string{"a/a.go:4: Error is exported and has no doc comment"}},
		{"method", "// Package a is.\npackage a\n\nfunc (*T[K, V]) M() {}\n", []string{"a/a.go:4: M is exported and has no doc comment"}},
	} {
		assert.Equal(t, c.want, load(t, map[string]string{"a/a.go": c.src}).Docs(), c.name)
	}
	assert.Empty(t, load(t, map[string]string{"a/a_test.go": "package a\n\nfunc F() {}\n"}).Docs(), "tests alone")
	assert.Empty(t, load(t, map[string]string{
		"a/a.go": "package a", "a/doc.go": "// Package a is.\npackage a"}).Docs(), "documented in another file")
}

func TestDates(t *testing.T) {
	dates := []string{"2024-11-05", "2025-03-26"}
	for _, c := range []struct {
		name, src string
		want      int
	}{
		{"comment", "package a // since 2024-11-05\n", 0},
		{"another date", `package a; var d = "2024-11-06"`, 0},
		{"literal", `package a; var d = "2024-11-05"`, 1},
		{"in a sentence", `package a; var d = "since 2024-11-05, or 2025-03-26"`, 2},
		{"raw literal", "package a; var d = `2024-11-05`", 1},
		{"number", "package a; var d = 2024_11_05", 1},
		{"identifier", "package a; var V20241105 = 1", 1},
		{"identifier, apart", "package a; var v2024_11_05 = 1", 1},
		{"import", `package a; import _ "example.org/m/protocol/2025-03-26"`, 1},
		{"use", `package a; var d = rev20250326.Name`, 1},
	} {
		for _, place := range []struct {
			file string
			want int
		}{
			{"a/a.go", c.want}, {"a/a_test.go", 0}, {"rooms/2024-11-05/a.go", 0},
		} {
			found := load(t, map[string]string{place.file: c.src}).Dates(dates, []string{"rooms/..."})
			assert.Len(t, found, place.want, "%s in %s: %v", c.name, place.file, found)
		}
	}
}

func TestSameFiles(t *testing.T) {
	files := map[string]string{
		"p/2024-11-05/tools.go":      "package a",
		"p/2025-03-26/tools.go":      "package b",
		"p/2025-03-26/extra_test.go": "package b",
		"p/list/list.go":             "package list",
	}
	assert.Empty(t, load(t, files).SameFiles("p/????-??-??"))

	files["p/2025-03-26/batch.go"] = "package b"
	files["p/2024-11-05/old.go"] = "package a"
	assert.Equal(t, []string{
		"p/2024-11-05 has no batch.go, which a folder beside it has",
		"p/2025-03-26 has no old.go, which a folder beside it has",
	}, load(t, files).SameFiles("p/????-??-??"))
}

func TestTexts(t *testing.T) {
	fsys := module(map[string]string{
		"a.md":              "first\nsee there\n",
		"deep/a_test.go":    "see there",
		"b.bin":             "see there\x00",
		"nested/go.mod":     "module n",
		"nested/x.sh":       "# see there",
		"skipped/deep/a.md": "see there",
		"skip.me":           "see there",
	})
	rules := []treecheck.TextRule{
		{Forbid: regexp.MustCompile(`(?i)SEE \w+`), Except: []string{"*_test.go"}, Why: "say it here"},
		{Forbid: regexp.MustCompile(`nowhere`), Why: "no file says that"},
	}
	found, err := treecheck.Texts(fsys, []string{"skipped", "skip.me"}, rules)
	require.NoError(t, err)
	assert.Equal(t, []string{
		`a.md:2: "see there": say it here`,
		`nested/x.sh:1: "see there": say it here`,
	}, found)
}
