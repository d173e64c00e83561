package treecheck

import (
	"path"
	"strings"
)

// Match reports whether a folder fits one of the patterns. A pattern is compared element by
// element as by [path.Match]; a trailing "/..." stands for the folder and everything below it.
// A pattern that begins with "!" takes back what it matches, wherever in the list it stands.
func Match(patterns []string, dir string) bool {
	found := false
	for _, p := range patterns {
		p, not := strings.CutPrefix(p, "!")
		if !matchOne(p, dir) {
			continue
		}
		if not {
			return false
		}
		found = true
	}
	return found
}

func matchOne(pattern, dir string) bool {
	base, below := strings.CutSuffix(pattern, "/...")
	want, have := strings.Split(base, "/"), strings.Split(dir, "/")
	if len(have) < len(want) || len(have) > len(want) && !below {
		return false
	}
	for i, w := range want {
		if ok, err := path.Match(w, have[i]); err != nil || !ok {
			return false
		}
	}
	return true
}
