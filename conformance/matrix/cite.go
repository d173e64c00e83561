package matrix

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/parley-mcp/parley/conformance/requirements"
)

// A Citation is a line of a Go test that says which requirement the test proves.
type Citation struct {
	ID string
	// Revisions are those at which it is proven, oldest first; there is at least one.
	Revisions []string
	// Function is the test; File leads to it from the root of the module, with slashes.
	Function, File string
	Line           int
}

// marker begins a citation.
const marker = "// Proves:"

// Scan reads the citations in the tests of the module at root, in the order of files and lines. All mistakes are reported,
// joined, each with file and line.
func Scan(root string, m *requirements.Manifest) ([]Citation, error) {
	if _, err := os.Stat(path.Join(root, "go.mod")); err != nil {
		return nil, fmt.Errorf("%s is not the root of a Go module: %w", root, err)
	}
	s := &scanner{fsys: os.DirFS(root), manifest: m}
	err := fs.WalkDir(s.fsys, ".", s.visit)
	return s.found, errors.Join(append(s.mistakes, err)...)
}

type scanner struct {
	fsys     fs.FS
	manifest *requirements.Manifest
	found    []Citation
	mistakes []error
}

func (s *scanner) visit(name string, d fs.DirEntry, err error) error {
	switch {
	case err != nil:
		return err
	case d.IsDir() && name != "." && s.foreign(name):
		return fs.SkipDir
	case d.IsDir() || !strings.HasSuffix(name, "_test.go"):
		return nil
	}
	source, err := fs.ReadFile(s.fsys, name)
	if err != nil || !strings.Contains(string(source), marker) {
		return err
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		s.mistakes = append(s.mistakes, err)
		return nil
	}
	for _, group := range file.Comments {
		for _, comment := range group.List {
			if text, ok := strings.CutPrefix(comment.Text, marker); ok {
				s.cite(name, files.Position(comment.Pos()).Line, around(file, comment), strings.Fields(text))
			}
		}
	}
	return nil
}

// foreign reports whether a folder holds nothing that the go command would test with this module.
func (s *scanner) foreign(dir string) bool {
	base := path.Base(dir)
	if base == "testdata" || base == "vendor" || base == "node_modules" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
		return true
	}
	_, err := fs.Stat(s.fsys, dir+"/go.mod")
	return err == nil
}

// around is the name of the test function in which, or above which, a comment stands; empty if there is none.
func around(file *ast.File, comment *ast.Comment) string {
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv != nil || !strings.HasPrefix(f.Name.Name, "Test") || f.Name.Name == "TestMain" {
			continue
		}
		from := f.Pos()
		if f.Doc != nil {
			from = f.Doc.Pos()
		}
		if from <= comment.Pos() && comment.End() <= f.End() {
			return f.Name.Name
		}
	}
	return ""
}

// cite takes over one line.
func (s *scanner) cite(file string, line int, function string, words []string) {
	mistake := func(format string, args ...any) {
		s.mistakes = append(s.mistakes, fmt.Errorf("%s:%d: %s", file, line, fmt.Sprintf(format, args...)))
	}
	if function == "" {
		mistake("a citation stands in a function whose name begins with Test, or in its doc comment")
		return
	}
	if len(words) == 0 {
		mistake(`write "%s id", and the revisions if they are not all at which it holds`, marker)
		return
	}
	c := Citation{ID: words[0], Function: function, File: file, Line: line}
	e, ok := s.manifest.Lookup(c.ID)
	if !ok {
		hint := ""
		if similar := s.manifest.Similar(c.ID); len(similar) > 0 {
			hint = ": did you mean " + strings.Join(similar, " or ") + "?"
		}
		mistake("unknown id %s%s", c.ID, hint)
		return
	}
	for _, revision := range words[1:] {
		if _, holds := e.At(revision); !holds || slices.Contains(c.Revisions, revision) {
			mistake("%s: it does not hold at %s, or that stands twice: it holds at %s", c.ID, revision, strings.Join(holdsAt(e), ", "))
			return
		}
		c.Revisions = append(c.Revisions, revision)
	}
	if slices.Sort(c.Revisions); len(c.Revisions) == 0 {
		c.Revisions = holdsAt(e)
	}
	s.found = append(s.found, c)
}

func holdsAt(e requirements.Entry) []string {
	var out []string
	for _, s := range e.Statements {
		out = append(out, s.Revision)
	}
	return out
}
