package requirements

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

//go:embed frozen/*.txt
var frozenFiles embed.FS

// A Set is what a revision demanded of servers when the set was frozen: the MUSTs that bind them and show on the wire, without
// those of extensions. What the manifest learns later is no part of it, so that a run that is judged by a set stays comparable
// with an earlier one. A set is never changed; the next number of the same revision holds all of it, and what was added.
type Set struct {
	// Name is the revision, an at sign and a number.
	Name string
	// Revision is the one whose requirements they are.
	Revision string
	// IDs are sorted.
	IDs []string
}

// Has reports whether an id is in the set.
func (s *Set) Has(id string) bool {
	_, found := slices.BinarySearch(s.IDs, id)
	return found
}

// Sets are the names of the frozen sets, in alphabetical order.
func Sets() []string {
	files, _ := fs.Glob(frozenFiles, "frozen/*.txt")
	for i, file := range files {
		files[i] = strings.TrimSuffix(path.Base(file), ".txt")
	}
	return files
}

// LoadSet reads a frozen set. The error of an unknown name lists those that there are.
func LoadSet(name string) (Set, error) {
	if !slices.Contains(Sets(), name) {
		return Set{}, fmt.Errorf("there is no frozen set %q of requirements: there are %s", name, strings.Join(Sets(), ", "))
	}
	text, err := frozenFiles.ReadFile("frozen/" + name + ".txt")
	if err != nil {
		return Set{}, err
	}
	m, err := Load()
	if err != nil {
		return Set{}, err
	}
	return parseSet(m, name, string(text))
}

// parseSet reads a set: lines with an id each, in order; empty lines, and lines that begin with '#', are skipped.
func parseSet(m *Manifest, name, text string) (Set, error) {
	revision, _, _ := strings.Cut(name, "@")
	s := Set{Name: name, Revision: revision}
	n := 0
	for line := range strings.Lines(text) {
		n++
		id := strings.TrimSpace(line)
		if id == "" || strings.HasPrefix(id, "#") {
			continue
		}
		mistake := ""
		e, known := m.Lookup(id)
		switch _, holds := e.At(revision); {
		case !known:
			mistake = "unknown id " + id + ": an id of a frozen set stays"
		case !holds:
			mistake = id + " does not hold at " + revision
		case len(s.IDs) > 0 && id <= s.IDs[len(s.IDs)-1]:
			mistake = id + " stands behind one that sorts later: keep the ids in order, each once"
		}
		if mistake != "" {
			return Set{}, fmt.Errorf("requirements/frozen/%s.txt:%d: %s", name, n, mistake)
		}
		s.IDs = append(s.IDs, id)
	}
	if len(s.IDs) == 0 {
		return Set{}, fmt.Errorf("requirements/frozen/%s.txt:1: there is no id in it", name)
	}
	return s, nil
}
