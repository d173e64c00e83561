package matrix

import (
	"fmt"
	"slices"
	"strings"

	"github.com/parley-mcp/parley/conformance/requirements"
)

type clause = requirements.Clause

// changes is the table of what changed from revision to revision.
func (m *Matrix) changes(b *strings.Builder) {
	b.WriteString("\n## How requirements changed\n\nEach requirement that not all revisions state alike: one that came or went, whose level rose or " +
		"fell, or that is stated elsewhere. A level leads to its clause where level or clause are new; a dash is a revision without it.\n\n")
	var lists []string
	tables := map[string][]string{}
	for _, area := range m.Areas {
		for _, row := range area.Rows {
			if words := m.change(row); len(words) > 0 {
				tables[area.Name] = append(tables[area.Name], m.changeLine(row, words))
			}
		}
		if n := len(tables[area.Name]); n > 0 {
			lists = append(lists, fmt.Sprintf("[%s](#changes-%s) %d", escape(area.Title), anchor(area.Name), n))
		}
	}
	b.WriteString(strings.Join(lists, " ·\n") + "\n")
	for _, area := range m.Areas {
		if len(tables[area.Name]) == 0 {
			continue
		}
		fmt.Fprintf(b, "\n<a id=\"changes-%s\"></a>\n\n### %s\n\n| requirement | %s | change |\n|---|%s---|\n", anchor(area.Name), escape(area.Title),
			strings.Join(m.Revisions, " | "), strings.Repeat("---|", len(m.Revisions)))
		for _, line := range tables[area.Name] {
			b.WriteString(line)
		}
	}
}

func (m *Matrix) changeLine(row Row, words []string) string {
	line := "| `" + row.ID + "` |"
	var before *Cell
	for i := range row.Cells {
		c := &row.Cells[i]
		switch {
		case c.Status == "":
			line += " – |"
			continue
		case before != nil && before.Level == c.Level && sameClause(*before, *c):
			line += " " + word(c.Level) + " |"
		default:
			line += fmt.Sprintf(" [%s](%s) |", word(c.Level), c.Clauses[0].URL())
		}
		before = c
	}
	return line + " " + strings.Join(words, "; ") + " |\n"
}

// change says in words what changed; nothing if nothing did.
func (m *Matrix) change(row Row) []string {
	var words []string
	var before *Cell
	for i := range row.Cells {
		c := &row.Cells[i]
		revision := m.Revisions[i]
		gone := i > 0 && row.Cells[i-1].Status != "" && c.Status == ""
		back := i > 0 && row.Cells[i-1].Status == "" && c.Status != ""
		if gone {
			words = append(words, "gone at "+revision)
		}
		if back {
			words = append(words, "new at "+revision)
		}
		if c.Status == "" {
			continue
		}
		if before != nil && before.Level != c.Level {
			words = append(words, fmt.Sprintf("%s, was %s, at %s", word(c.Level), word(before.Level), revision))
		}
		if before != nil && !sameClause(*before, *c) {
			words = append(words, "stated elsewhere at "+revision)
		}
		before = c
	}
	if len(words) == 0 {
		return nil
	}
	return append(words, relatives(row)...)
}

// relatives name the requirements in whose place this one came, and those that came in its place.
func relatives(row Row) []string {
	var words []string
	for _, r := range []struct {
		what string
		ids  []string
	}{{"replaces", row.Supersedes}, {"replaced by", row.SupersededBy}} {
		if len(r.ids) > 0 {
			words = append(words, r.what+" `"+strings.Join(r.ids, "`, `")+"`")
		}
	}
	return words
}

// sameClause reports whether two revisions state a requirement at the same place, as far as their pages have one: every
// place of the one is a place of the other.
func sameClause(a, b Cell) bool {
	has := func(in Cell) func(string) bool {
		return func(s string) bool {
			return slices.ContainsFunc(in.Clauses, func(c clause) bool { return c.String() == s })
		}
	}
	all := func(of Cell, in func(string) bool) bool {
		return !slices.ContainsFunc(of.Clauses, func(c clause) bool { return !in(c.String()) })
	}
	return all(a, has(b)) || all(b, has(a))
}
