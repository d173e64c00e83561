package treecheck

import (
	"fmt"
	"maps"
	"path"
	"slices"
)

// SameFiles reports each Go file, tests left out, that one of the folders matching the pattern has
// and another lacks.
func (t *Tree) SameFiles(pattern string) []string {
	dirs := map[string]map[string]bool{} // folder → names of its files
	names := map[string]bool{}           // of all folders together
	for _, pkg := range t.Packages {
		if !Match([]string{pattern}, pkg.Dir) {
			continue
		}
		if dirs[pkg.Dir] == nil {
			dirs[pkg.Dir] = map[string]bool{}
		}
		for _, file := range pkg.Files {
			if !file.Test {
				name := path.Base(file.Path)
				dirs[pkg.Dir][name], names[name] = true, true
			}
		}
	}
	var found []string
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		for _, name := range slices.Sorted(maps.Keys(names)) {
			if !dirs[dir][name] {
				found = append(found, fmt.Sprintf("%s has no %s, which a folder beside it has", dir, name))
			}
		}
	}
	return found
}
