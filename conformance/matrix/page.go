package matrix

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Page is a generated file.
type Page struct {
	// Path leads to it from the root of the module, with slashes.
	Path string
	Text string
}

// frontPage is the file that readers come for; the others stand in detailDir, and citedFile is for programs without the tree.
const (
	frontPage = "SPEC_MATRIX.md"
	detailDir = "docs/matrix/"
	citedFile = "conformance/matrix/cited.txt"
)

// Pages are the matrix as Markdown, and the tests that cite requirements, a line each. The matrix is a front page with the counts and with what changed from revision to revision, and a page
// for each revision with a line for each requirement, since forges show no page of a megabyte.
func (m *Matrix) Pages() []Page {
	out := []Page{{frontPage, m.front()}}
	for i, s := range m.Summaries() {
		out = append(out, Page{detailDir + s.Revision + ".md", m.detail(i, s)})
	}
	return append(out, Page{citedFile, m.cited()})
}

// Write writes the pages below root.
func (m *Matrix) Write(root string) error {
	for _, p := range m.Pages() {
		name := filepath.Join(root, filepath.FromSlash(p.Path))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(p.Text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// ErrStale is returned by Check if the pages are not as they would be written.
var ErrStale = errors.New("the pages of the matrix are not as they would be written: run parley matrix --write")

// maxDifferences bounds how many lines Check shows of one page.
const maxDifferences = 20

// Check compares the pages below root with what would be written. The error wraps ErrStale and shows lines that differ.
func (m *Matrix) Check(root string) error {
	var differences []string
	for _, p := range m.Pages() {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(p.Path)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if string(text) != p.Text {
			differences = append(differences, p.Path+":")
			differences = append(differences, difference(string(text), p.Text)...)
		}
	}
	if len(differences) == 0 {
		return nil
	}
	return fmt.Errorf("%w\n%s", ErrStale, strings.Join(differences, "\n"))
}

// difference lists the lines that only one of two texts has, which tells what changed since each requirement is one line.
func difference(have, want string) []string {
	count := map[string]int{}
	for line := range strings.Lines(have) {
		count[line]++
	}
	var out []string
	for line := range strings.Lines(want) {
		if count[line]--; count[line] < 0 {
			out = append(out, "+ "+strings.TrimRight(line, "\n"))
		}
	}
	for line := range strings.Lines(have) {
		if count[line] > 0 {
			count[line]--
			out = append(out, "- "+strings.TrimRight(line, "\n"))
		}
	}
	if len(out) == 0 {
		return []string{"  the same lines in another order"}
	}
	if n := len(out); n > maxDifferences {
		out = append(slices.Clip(out[:maxDifferences]), fmt.Sprintf("  and %d more lines", n-maxDifferences))
	}
	return out
}
