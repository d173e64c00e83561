package treecheck

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
)

// A TextRule is something that no file of the tree may say.
type TextRule struct {
	Forbid *regexp.Regexp // one line of text is matched at a time
	Except []string       // files that may, by path or by base name, as patterns of [Match]
	Why    string         // what to do instead
}

// Texts reports each line of each text file that breaks a rule. Files of any kind and of nested
// modules are read; folders named in skip, wherever they stand, and files with a NUL byte are not.
func Texts(fsys fs.FS, skip []string, rules []TextRule) ([]string, error) {
	var found []string
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case slices.Contains(skip, d.Name()):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case !d.Type().IsRegular():
			return nil
		}
		data, err := fs.ReadFile(fsys, name)
		if err != nil || bytes.IndexByte(data, 0) >= 0 {
			return err
		}
		found = append(found, textsIn(name, data, rules)...)
		return nil
	})
	return found, err
}

func textsIn(name string, data []byte, rules []TextRule) []string {
	var found []string
	for _, rule := range rules {
		if Match(rule.Except, name) || Match(rule.Except, path.Base(name)) || !rule.Forbid.Match(data) {
			continue
		}
		number := 0
		for line := range bytes.Lines(data) {
			number++
			if hit := rule.Forbid.Find(line); hit != nil {
				found = append(found, fmt.Sprintf("%s:%d: %q: %s", name, number, hit, rule.Why))
			}
		}
	}
	return found
}
