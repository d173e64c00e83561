// Package treecheck reads a module's own source and reports what breaks its house rules: imports
// against the grain, packages without a doc comment, a protocol revision named outside its rooms.
//
// Everything is parsed in-process from an [fs.FS]. That lets the checks be tested on small made-up
// trees, and lets `go test` see every file they read, so that a result is never reused after a
// file has changed.
package treecheck

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A Tree is the parsed Go source of one module.
type Tree struct {
	Module   string     // the module path, from go.mod
	Packages []*Package // by folder, then by name
	fset     *token.FileSet
}

// A Package is the Go files of one folder that belong together. Test files count to the package
// they test, whether or not their package clause ends in _test.
type Package struct {
	Dir   string // slash-separated, from the module's root; "." is the root
	Name  string
	Files []*File
}

// A File is one parsed Go file.
type File struct {
	Path string // slash-separated, from the module's root
	Test bool   // its name ends in _test.go
	AST  *ast.File
}

// Load parses the module at the root of fsys. Like the go command it leaves out testdata, folders
// whose names begin with a dot or an underscore, and nested modules; and, besides, node_modules.
func Load(fsys fs.FS) (*Tree, error) {
	module, err := modulePath(fsys)
	if err != nil {
		return nil, err
	}
	t := &Tree{Module: module, fset: token.NewFileSet()}
	err = fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if !belongs(fsys, name) {
				return fs.SkipDir
			}
			return nil
		case path.Ext(name) != ".go":
			return nil
		}
		return t.add(fsys, name)
	})
	return t, err
}

func modulePath(fsys fs.FS) (string, error) {
	data, err := fs.ReadFile(fsys, "go.mod")
	if err != nil {
		return "", fmt.Errorf("the root of a module is expected: %w", err)
	}
	for line := range strings.Lines(string(data)) {
		if f := strings.Fields(line); len(f) == 2 && f[0] == "module" {
			return f[1], nil
		}
	}
	return "", fmt.Errorf("go.mod has no module line")
}

// belongs reports whether the go command would look for this module's packages in a folder.
func belongs(fsys fs.FS, dir string) bool {
	if dir == "." {
		return true
	}
	base := path.Base(dir)
	if base[0] == '.' || base[0] == '_' || base == "testdata" || base == "node_modules" {
		return false
	}
	_, err := fs.Stat(fsys, dir+"/go.mod")
	return err != nil
}

func (t *Tree) add(fsys fs.FS, name string) error {
	src, err := fs.ReadFile(fsys, name)
	if err != nil {
		return err
	}
	file, err := parser.ParseFile(t.fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	test := strings.HasSuffix(name, "_test.go")
	pkgName := file.Name.Name
	if test {
		pkgName = strings.TrimSuffix(pkgName, "_test")
	}
	dir := path.Dir(name)
	i := slices.IndexFunc(t.Packages, func(p *Package) bool { return p.Dir == dir && p.Name == pkgName })
	if i < 0 {
		i = len(t.Packages)
		t.Packages = append(t.Packages, &Package{Dir: dir, Name: pkgName})
	}
	t.Packages[i].Files = append(t.Packages[i].Files, &File{Path: name, Test: test, AST: file})
	return nil
}

// folder returns the folder of a package of this module, and false for any other import path.
func (t *Tree) folder(importPath string) (string, bool) {
	if importPath == t.Module {
		return ".", true
	}
	return strings.CutPrefix(importPath, t.Module+"/")
}

// report renders one finding with its place.
func (t *Tree) report(at ast.Node, format string, args ...any) string {
	pos := t.fset.Position(at.Pos())
	return fmt.Sprintf("%s:%d: %s", pos.Filename, pos.Line, fmt.Sprintf(format, args...))
}

// imported returns the path of an import. The parser has checked that it is a string literal.
func imported(spec *ast.ImportSpec) string {
	p, _ := strconv.Unquote(spec.Path.Value)
	return p
}

// thirdParty reports whether an import path is outside the standard library: its first element
// has a dot. Paths of the module itself are sorted out before.
func thirdParty(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return strings.Contains(first, ".")
}
