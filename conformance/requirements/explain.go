package requirements

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Explain writes the requirement for people: what it says, whom it binds, its level and clauses at each revision,
// and the open points that bear on it. It uses no colour and wraps nothing. Errors are those of w.
//
// The open points are given by id alone; Manifest.Explain tells what they say.
func (e Entry) Explain(w io.Writer) error {
	out := bufio.NewWriter(w)
	e.explain(out)
	if len(e.OpenPoints) > 0 {
		fmt.Fprintf(out, "\nOpen: %s\n", strings.Join(e.OpenPoints, ", "))
	}
	return out.Flush()
}

// Explain writes one requirement like Entry.Explain, with the open points in full. For an unknown id it writes
// nothing and returns an error that names similar ones.
func (m *Manifest) Explain(w io.Writer, id string) error {
	e, ok := m.Lookup(id)
	if !ok {
		if similar := m.Similar(id); len(similar) > 0 {
			return fmt.Errorf("no requirement %q: did you mean %s?", id, strings.Join(similar, " or "))
		}
		return fmt.Errorf("no requirement %q", id)
	}
	out := bufio.NewWriter(w)
	e.explain(out)
	for _, point := range e.OpenPoints {
		p, _ := m.OpenPoint(point)
		fmt.Fprintf(out, "\nOpen %s (%s): %s\nRead as: %s\n", p.ID, strings.Join(p.Revisions, ", "), p.Unclear, p.Reading)
	}
	return out.Flush()
}

func (e Entry) explain(out *bufio.Writer) {
	fmt.Fprintf(out, "%s\n\n%s\n\n", e.ID, e.Text)
	fmt.Fprintf(out, "Binds: %s\n", e.Party)
	if e.When != "" {
		fmt.Fprintf(out, "When: %s\n", e.When)
	}
	fmt.Fprintf(out, "Observable: %s\nCheck: %s\n", e.Observable, e.Check)
	if len(e.Supersedes) > 0 {
		fmt.Fprintf(out, "Supersedes: %s\n", strings.Join(e.Supersedes, ", "))
	}
	if len(e.SupersededBy) > 0 {
		fmt.Fprintf(out, "Superseded by: %s\n", strings.Join(e.SupersededBy, ", "))
	}
	out.WriteString("\n")
	for _, s := range e.Statements {
		note := ""
		if s.Basis != Keyword {
			note = " (" + string(s.Basis) + ")"
		}
		if s.Party != e.Party {
			note += ", binds the " + string(s.Party)
		}
		fmt.Fprintf(out, "%s  %s%s\n", s.Revision, s.Level, note)
		for _, c := range s.Clauses {
			fmt.Fprintf(out, "            %s\n", c.URL())
		}
	}
}
