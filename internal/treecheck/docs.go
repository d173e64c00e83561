package treecheck

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// Docs reports every package without a doc comment that begins "Package name", or "Command name"
// for a program, and every exported name without one in a package that others can import. A folder
// that holds tests alone needs none.
func (t *Tree) Docs() []string {
	var found []string
	for _, pkg := range t.Packages {
		first, documented := (*File)(nil), false
		for _, file := range pkg.Files {
			if file.Test {
				continue
			}
			if first == nil {
				first = file
			}
			documented = documented || introduces(pkg, file.AST.Doc)
			if pkg.Name != "main" {
				found = append(found, t.undocumented(file.AST)...)
			}
		}
		if first != nil && !documented {
			found = append(found, t.report(first.AST, "package %s needs a doc comment that begins %q", pkg.Name, opening(pkg)))
		}
	}
	return found
}

func opening(pkg *Package) string {
	if pkg.Name == "main" {
		return "Command"
	}
	return "Package " + pkg.Name
}

func introduces(pkg *Package, doc *ast.CommentGroup) bool {
	return doc != nil && strings.HasPrefix(doc.Text(), opening(pkg)+" ")
}

// undocumented reports a file's exported declarations that have no comment. In a group of
// constants, variables or types the group's comment will do, and so will one at the end of a line.
func (t *Tree) undocumented(file *ast.File) []string {
	var found []string
	need := func(name *ast.Ident, comments ...*ast.CommentGroup) {
		for _, c := range comments {
			if c != nil {
				return
			}
		}
		if name.IsExported() {
			found = append(found, t.report(name, "%s is exported and has no doc comment", name.Name))
		}
	}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if receiverExported(d) && !selfEvident(d) {
				need(d.Name, d.Doc)
			}
		case *ast.GenDecl:
			if d.Tok == token.IMPORT {
				continue
			}
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					need(s.Name, s.Doc, s.Comment, d.Doc)
				case *ast.ValueSpec:
					for _, name := range s.Names {
						need(name, s.Doc, s.Comment, d.Doc)
					}
				}
			}
		}
	}
	return found
}

// selfEvident reports whether a function is a method whose name alone says what it does, because
// an interface that every reader knows asks for it.
func selfEvident(d *ast.FuncDecl) bool {
	return d.Recv != nil && slices.Contains([]string{"Error", "String", "Unwrap"}, d.Name.Name)
}

// receiverExported reports whether a function is no method, or one of an exported type.
func receiverExported(d *ast.FuncDecl) bool {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return true
	}
	typ := d.Recv.List[0].Type
	for {
		switch x := typ.(type) {
		case *ast.StarExpr:
			typ = x.X
		case *ast.IndexExpr:
			typ = x.X
		case *ast.IndexListExpr:
			typ = x.X
		case *ast.Ident:
			return x.IsExported()
		default:
			return true
		}
	}
}
