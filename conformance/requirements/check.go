package requirements

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// idForm is what an id looks like: words joined by hyphens, in at least two parts joined by dots.
var idForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)+$`)

func (l *loader) entry(file, area string, y yamlEntry) {
	id, line := y.ID.Value, y.ID.Line
	if !idForm.MatchString(id) {
		l.mistake(file, line, "%q is no id: use lower-case words, as in tools.call-requires-capability", id)
	}
	if l.manifest.byID[id] != nil {
		l.mistake(file, line, "the id %s occurs twice: give one of the entries another", id)
	}
	for key, text := range map[string]string{"text": y.Text, "check": y.Check} {
		if text == "" {
			l.mistake(file, line, "%s lacks the key %s", id, key)
		}
	}
	known(l, file, y.Party.Line, "party", y.Party.Value, Server, Client, Both, Host, AuthorizationServer, Intermediary)
	known(l, file, y.Observable.Line, "observable", y.Observable.Value, Fully, Partly, Never)
	e := &Entry{ID: id, Area: area, Text: y.Text, Party: y.Party.Value, Observable: y.Observable.Value, When: y.When, Check: y.Check}
	for _, older := range y.Supersedes {
		e.Supersedes = append(e.Supersedes, older.Value)
		l.supersedes = append(l.supersedes, func() {
			if replaced := l.manifest.byID[older.Value]; replaced == nil {
				l.unknownID(file, older.Line, older.Value)
			} else {
				replaced.SupersededBy = append(replaced.SupersededBy, id)
			}
		})
	}
	l.statements(file, e, y)
	l.manifest.entries = append(l.manifest.entries, e)
	l.manifest.byID[id] = e
}

func (l *loader) statements(file string, e *Entry, y yamlEntry) {
	if len(y.Revisions) == 0 {
		l.mistake(file, y.ID.Line, "%s lacks the key revisions, or holds at none", e.ID)
	}
	for _, revision := range slices.Sorted(maps.Keys(y.Revisions)) {
		statement := y.Revisions[revision]
		line := statement.Line
		if !slices.Contains(l.manifest.revisions, revision) {
			l.mistake(file, line, "unknown revision %q: use one of %s", revision, strings.Join(l.manifest.revisions, ", "))
		}
		s := Statement{Revision: revision, Level: statement.Value.Level, Basis: statement.Value.Basis, Party: statement.Value.Party}
		if s.Party == "" {
			s.Party = e.Party
		}
		known(l, file, line, "level", s.Level, Must, MustNot, Should, ShouldNot, May)
		known(l, file, line, "basis", s.Basis, Keyword, Prose, Schema, JSONRPC, SEP)
		known(l, file, line, "party", s.Party, Server, Client, Both, Host, AuthorizationServer, Intermediary)
		if len(statement.Value.At) == 0 {
			l.mistake(file, line, "%s names no clause for %s: add at: [page#anchor]", e.ID, revision)
		}
		for _, text := range statement.Value.At {
			clause := parseClause(text)
			clause.Revision, clause.schema = revision, l.schemas[revision]
			if !slices.Contains(s.Clauses, clause) {
				s.Clauses = append(s.Clauses, clause)
			}
		}
		e.Statements = append(e.Statements, s)
	}
}

// known reports a value that is not one of those allowed.
func known[T ~string](l *loader, file string, line int, key string, value T, allowed ...T) {
	if slices.Contains(allowed, value) {
		return
	}
	words := make([]string, len(allowed))
	for i, a := range allowed {
		words[i] = string(a)
	}
	l.mistake(file, line, "unknown %s %q: use one of %s", key, value, strings.Join(words, ", "))
}

func (l *loader) unknownID(file string, line int, id string) {
	hint := ""
	if similar := l.manifest.Similar(id); len(similar) > 0 {
		hint = ": did you mean " + strings.Join(similar, " or ") + "?"
	}
	l.mistake(file, line, "unknown id %s%s", id, hint)
}

func (l *loader) points() {
	var points []yamlPoint
	l.read(pointsFile, &points)
	for _, y := range points {
		l.point(y)
	}
}

func (l *loader) point(y yamlPoint) {
	p := OpenPoint{ID: y.ID.Value, Topic: y.Topic, Unclear: y.Unclear, Reading: y.Reading}
	if _, twice := l.manifest.OpenPoint(p.ID); twice {
		l.mistake(pointsFile, y.ID.Line, "the id %s occurs twice", p.ID)
	}
	if p.Topic == "" || p.Unclear == "" || p.Reading == "" || len(y.Revisions) == 0 || len(y.Requirements) == 0 {
		l.mistake(pointsFile, y.ID.Line, "%s needs topic, revisions, unclear, reading and requirements", p.ID)
	}
	for _, r := range y.Revisions {
		known(l, pointsFile, r.Line, "revision", r.Value, l.manifest.revisions...)
		p.Revisions = append(p.Revisions, r.Value)
	}
	for _, id := range y.Requirements {
		e := l.manifest.byID[id.Value]
		if e == nil {
			l.unknownID(pointsFile, id.Line, id.Value)
			continue
		}
		if !slices.ContainsFunc(p.Revisions, func(r string) bool { _, ok := e.At(r); return ok }) {
			l.mistake(pointsFile, id.Line, "%s holds at none of the revisions of %s", id.Value, p.ID)
		}
		p.Requirements = append(p.Requirements, id.Value)
		e.OpenPoints = append(e.OpenPoints, p.ID)
	}
	l.manifest.points = append(l.manifest.points, p)
}
