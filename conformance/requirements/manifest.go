package requirements

import (
	"iter"
	"slices"
)

// Level is the force of a requirement, in the words of RFC 2119.
type Level string

// The levels, strongest first.
const (
	Must      Level = "MUST"
	MustNot   Level = "MUST_NOT"
	Should    Level = "SHOULD"
	ShouldNot Level = "SHOULD_NOT"
	May       Level = "MAY"
)

// Party is whom a requirement binds.
type Party string

// The parties. Both means client and server.
const (
	Server              Party = "server"
	Client              Party = "client"
	Both                Party = "both"
	Host                Party = "host"
	AuthorizationServer Party = "authorization-server"
	Intermediary        Party = "intermediary"
)

// Basis is what a level rests on.
type Basis string

// The bases. Prose means that no RFC 2119 keyword stands there and the level is a reader's judgement.
const (
	Keyword Basis = "keyword"
	Prose   Basis = "prose"
	Schema  Basis = "schema"
	JSONRPC Basis = "jsonrpc"
	SEP     Basis = "sep"
)

// Observable is how far conformance can be seen in the messages of the party.
type Observable string

// How far a requirement can be observed.
const (
	Fully  Observable = "fully"
	Partly Observable = "partly"
	Never  Observable = "never"
)

// Entry is one requirement.
type Entry struct {
	ID   string
	Area string
	// Text says what is required, in one sentence.
	Text string
	// Party is whom it binds, taking all revisions together; see Statement.Party.
	Party      Party
	Observable Observable
	// When is the condition under which the requirement applies; it is empty if it always does.
	When string
	// Check says how conformance can be tested.
	Check string
	// Statements are what the revisions say, oldest first. Revisions that say nothing are left out.
	Statements []Statement
	// Supersedes and SupersededBy are the ids of requirements that this one replaced at a later revision, and of
	// those by which it was replaced.
	Supersedes, SupersededBy []string
	// OpenPoints are the ids of the open points that bear on the requirement.
	OpenPoints []string
}

// Statement is what one revision says of a requirement.
type Statement struct {
	Revision string
	Level    Level
	Basis    Basis
	// Party is whom this revision binds.
	Party Party
	// Clauses are the places where it says so; there is at least one.
	Clauses []Clause
}

// At gives what a revision says; ok is false where it says nothing.
func (e Entry) At(revision string) (s Statement, ok bool) {
	i := slices.IndexFunc(e.Statements, func(s Statement) bool { return s.Revision == revision })
	if i < 0 {
		return Statement{}, false
	}
	return e.Statements[i], true
}

// OpenPoint is a place where the specification leaves something open or contradicts itself.
type OpenPoint struct {
	ID    string
	Topic string
	// Revisions are those concerned, oldest first.
	Revisions []string
	Unclear   string
	// Reading is what this project takes it to mean.
	Reading string
	// Requirements are the ids of the entries concerned.
	Requirements []string
}

// Area is a group of requirements.
type Area struct{ Name, Title string }

// Manifest is the set of all requirements. It does not change once loaded and may be shared; so may what it gives
// out, as long as nobody writes to the slices.
type Manifest struct {
	revisions []string
	areas     []Area
	entries   []*Entry
	byID      map[string]*Entry
	points    []OpenPoint
}

// Revisions lists the revisions that the manifest knows, oldest first.
func (m *Manifest) Revisions() []string { return slices.Clone(m.revisions) }

// Areas lists the areas in the order in which reports show them.
func (m *Manifest) Areas() []Area { return slices.Clone(m.areas) }

// Lookup finds a requirement by its id.
func (m *Manifest) Lookup(id string) (e Entry, ok bool) {
	if found := m.byID[id]; found != nil {
		return *found, true
	}
	return Entry{}, false
}

// All gives every requirement, area by area in the order of Areas, and within an area as in its file.
func (m *Manifest) All() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for _, e := range m.entries {
			if !yield(*e) {
				return
			}
		}
	}
}

// OpenPoints lists the open points in the order of their ids.
func (m *Manifest) OpenPoints() []OpenPoint { return slices.Clone(m.points) }

// OpenPoint finds an open point by its id.
func (m *Manifest) OpenPoint(id string) (p OpenPoint, ok bool) {
	i := slices.IndexFunc(m.points, func(p OpenPoint) bool { return p.ID == id })
	if i < 0 {
		return OpenPoint{}, false
	}
	return m.points[i], true
}
