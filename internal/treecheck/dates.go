package treecheck

import (
	"go/ast"
	"go/token"
	"strings"
)

// Dates reports each place where Go code outside the folders except, tests left out, names one of
// the dates: in a literal or an import path ("2024-11-05"), or in an identifier (v2024_11_05,
// rev20241105). Comments may name them.
func (t *Tree) Dates(dates, except []string) []string {
	var found []string
	for _, pkg := range t.Packages {
		if Match(except, pkg.Dir) {
			continue
		}
		for _, file := range pkg.Files {
			if !file.Test {
				found = append(found, t.datesIn(file.AST, dates)...)
			}
		}
	}
	return found
}

var noSeparators = strings.NewReplacer("-", "", "_", "")

func (t *Tree) datesIn(file *ast.File, dates []string) []string {
	var found []string
	look := func(at ast.Node, text string) {
		for _, date := range dates {
			if strings.Contains(noSeparators.Replace(text), noSeparators.Replace(date)) {
				found = append(found, t.report(at, "%s names a revision outside its rooms: ask protocol.Features for the fact", text))
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if n.Kind == token.STRING || n.Kind == token.INT {
				look(n, n.Value)
			}
		case *ast.Ident:
			look(n, n.Name)
		}
		return true
	})
	return found
}
