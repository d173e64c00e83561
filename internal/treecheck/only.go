package treecheck

import (
	"go/ast"
	"path"
	"slices"
	"strings"
)

// Only reports each place where code, tests left out, takes anything but the given names from the
// package of an import path whose last element is the package's name.
func (t *Tree) Only(importPath string, names ...string) []string {
	var found []string
	for _, pkg := range t.Packages {
		for _, file := range pkg.Files {
			for _, spec := range file.AST.Imports {
				if !file.Test && imported(spec) == importPath {
					found = append(found, t.others(file.AST, spec, names)...)
				}
			}
		}
	}
	return found
}

// others reports what a file takes from one of its imports besides the names.
func (t *Tree) others(file *ast.File, spec *ast.ImportSpec, names []string) []string {
	var found []string
	report := func(at ast.Node, what string) {
		found = append(found, t.report(at, "%s is here for %s alone, not for %s", imported(spec), strings.Join(names, ", "), what))
	}
	local := path.Base(imported(spec))
	if spec.Name != nil {
		local = spec.Name.Name
	}
	if local == "." {
		report(spec, "all it has")
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == local && !slices.Contains(names, sel.Sel.Name) {
				report(sel, sel.Sel.Name)
			}
		}
		return true
	})
	return found
}
