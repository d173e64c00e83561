package treecheck

import (
	"go/ast"
	"slices"
	"strings"
)

// A Room is one row of the table of import directions: a set of packages and what they may import
// besides the standard library. Folders are patterns as in [Match]; modules are import path
// prefixes that end at a slash or at the end.
type Room struct {
	Path  string   // the folders that this row is about
	May   []string // folders of this module that they may import
	Uses  []string // modules of others that they may import
	Tests []string // folders that their tests may import besides; "!" takes back
}

// Rules are the import directions of a module.
type Rules struct {
	Rooms    []Room   // the first row whose Path matches a package decides
	AllMay   []string // folders that every room may import
	TestUses []string // modules that every room's tests may import
}

// Imports reports every import that the rules do not allow, and every package that no row is
// about. A package's tests may always import the package itself.
func (t *Tree) Imports(rules Rules) []string {
	var found []string
	for _, pkg := range t.Packages {
		i := slices.IndexFunc(rules.Rooms, func(r Room) bool { return Match([]string{r.Path}, pkg.Dir) })
		if i < 0 {
			found = append(found, t.report(pkg.Files[0].AST, "no room for package %s: add a row to the table", pkg.Dir))
			continue
		}
		for _, file := range pkg.Files {
			for _, spec := range file.AST.Imports {
				if !t.allowed(rules, rules.Rooms[i], pkg, file, imported(spec)) {
					found = append(found, t.report(spec, "%s must not import %s", pkg.Dir, imported(spec)))
				}
			}
		}
	}
	return found
}

func (t *Tree) allowed(rules Rules, room Room, pkg *Package, file *File, path string) bool {
	if dir, ours := t.folder(path); ours {
		return Match(room.May, dir) || Match(rules.AllMay, dir) ||
			file.Test && (dir == pkg.Dir || Match(room.Tests, dir))
	}
	return !thirdParty(path) || within(room.Uses, path) || file.Test && within(rules.TestUses, path)
}

// within reports whether a package belongs to one of the modules.
func within(modules []string, path string) bool {
	return slices.ContainsFunc(modules, func(m string) bool {
		return path == m || strings.HasPrefix(path, m+"/")
	})
}

// Reach follows the imports of the packages in the folders from, tests left out, through the whole
// module, and reports each module of others met on the way that is not among those named, with the
// chain of imports that leads to it.
func (t *Tree) Reach(from, modules []string) []string {
	var found []string
	seen := map[string]bool{}
	var visit func(dir, chain string)
	visit = func(dir, chain string) {
		if seen[dir] {
			return
		}
		seen[dir] = true
		for _, spec := range t.codeImports(dir) {
			path := imported(spec)
			if next, ours := t.folder(path); ours {
				visit(next, chain+" → "+next)
			} else if thirdParty(path) && !within(modules, path) {
				found = append(found, t.report(spec, "%s → %s", chain, path))
			}
		}
	}
	for _, pkg := range t.Packages {
		if Match(from, pkg.Dir) {
			visit(pkg.Dir, pkg.Dir)
		}
	}
	return found
}

// codeImports returns the imports of a folder's files that are not tests.
func (t *Tree) codeImports(dir string) []*ast.ImportSpec {
	var specs []*ast.ImportSpec
	for _, pkg := range t.Packages {
		for _, file := range pkg.Files {
			if pkg.Dir == dir && !file.Test {
				specs = append(specs, file.AST.Imports...)
			}
		}
	}
	return specs
}
