package requirements

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"
)

const shared = "../../../shared/"

func needShared(t *testing.T, path string) string {
	if _, err := os.Stat(shared + path); err != nil {
		t.Skip("../shared is absent: nothing to compare the manifest with")
	}
	return shared + path
}

// The catalogue from which the manifest was made has the same entries, with the same levels at each revision.
func TestAgreesWithCatalogue(t *testing.T) {
	folder := needShared(t, "requirements")
	m, err := Load()
	require.NoError(t, err)
	paths, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	require.NoError(t, err)
	type key struct {
		revision string
		level    Level
	}
	theirs, ours, seen := map[key]int{}, map[key]int{}, 0
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		var entries []struct {
			ID, Party string
			Revisions map[string]struct{ Level Level }
		}
		require.NoError(t, yaml.Unmarshal(text, &entries))
		for _, theirEntry := range entries {
			seen++
			e, ok := m.Lookup(theirEntry.ID)
			if !assert.True(t, ok, "%s is missing", theirEntry.ID) {
				continue
			}
			assert.Equal(t, strings.TrimSuffix(filepath.Base(path), ".yaml"), e.Area, e.ID)
			assert.EqualValues(t, theirEntry.Party, e.Party, e.ID)
			for revision, statement := range theirEntry.Revisions {
				theirs[key{revision, statement.Level}]++
			}
		}
	}
	total := 0
	for e := range m.All() {
		total++
		for _, s := range e.Statements {
			ours[key{s.Revision, s.Level}]++
		}
	}
	assert.Equal(t, seen, total)
	assert.Equal(t, theirs, ours)
}

// The manifest may tie a point to more requirements than the catalogue did: behind those of the catalogue.
func TestHasEveryOpenPoint(t *testing.T) {
	text, err := os.ReadFile(needShared(t, "spec/OPEN_POINTS.md"))
	require.NoError(t, err)
	m, err := Load()
	require.NoError(t, err)
	rows := regexp.MustCompile(`(?m)^\| (OP-\d+) \|.*\| (.*) \|$`).FindAllStringSubmatch(string(text), -1)
	assert.Len(t, m.OpenPoints(), len(rows))
	for _, row := range rows {
		p, ok := m.OpenPoint(row[1])
		if assert.True(t, ok, row[1]) {
			assert.True(t, strings.HasPrefix("`"+strings.Join(p.Requirements, "`, `")+"`", row[2]), row[1])
		}
	}
}

// Each clause of the pages leads to a page of its revision and a heading on it, each clause of the schema to a
// definition.
func TestClausesExist(t *testing.T) {
	folder := needShared(t, "spec")
	m, err := Load()
	require.NoError(t, err)
	texts := map[string]string{}
	read := func(path string) string {
		if _, ok := texts[path]; !ok {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			texts[path] = string(text)
		}
		return texts[path]
	}
	headings := map[string]map[string]bool{}
	for e := range m.All() {
		for _, s := range e.Statements {
			for _, c := range s.Clauses {
				root := filepath.Join(folder, c.Revision)
				switch {
				case strings.Contains(c.Page, ":"), strings.HasPrefix(c.Page, "docs/"), strings.HasPrefix(c.Page, "seps/"):
				case c.Page == "schema":
					definitions := read(filepath.Join(root, "schema.json"))
					assert.True(t, c.Anchor == "" || strings.Contains(definitions, `"`+c.Anchor+`": {`), "%s: no definition for %s at %s", e.ID, c, c.Revision)
				default:
					page := filepath.Join(root, "pages", c.Page+".mdx")
					if headings[page] == nil {
						headings[page] = anchors(read(page))
					}
					assert.True(t, headings[page][plain(c.Anchor)], "%s: no heading for %s at %s", e.ID, c, c.Revision)
				}
			}
		}
	}
}

// anchors collects the headings of a page, with all but letters and digits taken out. A heading that occurs again
// has a number after it.
func anchors(page string) map[string]bool {
	found := map[string]bool{"": true}
	for _, heading := range regexp.MustCompile(`(?m)^#+ +(.*)$`).FindAllStringSubmatch(page, -1) {
		text := regexp.MustCompile(`\]\([^)]*\)`).ReplaceAllString(heading[1], "")
		if anchor := plain(text); found[anchor] {
			found[anchor+"1"] = true
		} else {
			found[anchor] = true
		}
	}
	for _, id := range regexp.MustCompile(`id="([^"]+)"`).FindAllStringSubmatch(page, -1) {
		found[plain(id[1])] = true
	}
	return found
}

func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}
