package matrix

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/parley-mcp/parley/conformance"
	"github.com/parley-mcp/parley/conformance/requirements"
	"github.com/parley-mcp/parley/conformance/transcript"
	"github.com/parley-mcp/parley/conformance/transcripts"
)

// A Status is what a requirement has come to at a revision. The empty status means that the revision has no such requirement.
type Status string

const (
	// ByTranscript: a step of a transcript, or a check that looks at every message, judges it.
	ByTranscript Status = "transcript"
	// ByTest: no transcript judges it, and a Go test does.
	ByTest Status = "test"
	// Open: the specification contradicts itself here. A transcript records what servers do, and nobody judges it.
	Open Status = "open"
	// NotObservable: nothing that the party sends shows whether it conforms.
	NotObservable Status = "not observable"
	// Gap: nothing proves it.
	Gap Status = "gap"
)

// Statuses lists them in the order in which tables show them.
var Statuses = []Status{ByTranscript, ByTest, Open, NotObservable, Gap}

// A Proof is what judges a requirement.
type Proof struct {
	// Name is that of the transcript, the check, or the test function.
	Name string
	// Path leads to it from the root of the module, with slashes.
	Path string
	// Test is true for a Go test.
	Test bool
}

// A Cell is one requirement at one revision.
type Cell struct {
	requirements.Statement
	// Status is empty if the revision has no such requirement; the other fields are then zero.
	Status Status
	// Proofs are in the order of their names, transcripts first. At an open one they are what observes it.
	Proofs []Proof
	// Clients are what judges a client about it, in the order of their names: if it binds clients alone, some of Proofs; if it
	// binds both sides, these prove nothing of servers and do not make the status.
	Clients []Proof
	// Reason is the word that says why nothing proves it; empty if something does, or if there is none.
	Reason string
	// Points are the ids of the open points that bear on it here.
	Points []string
}

// Proven reports whether something judges the requirement.
func (c Cell) Proven() bool { return c.Status == ByTranscript || c.Status == ByTest }

// A Row is one requirement.
type Row struct {
	requirements.Entry
	// Cells has one for each revision of the matrix, in its order.
	Cells []Cell
}

// Wire reports whether the requirement is one that every server has to meet at a revision, and that its messages show: a
// MUST or MUST NOT that binds servers, fully or partly observable.
func (r Row) Wire(c Cell) bool {
	return c.Status != "" && strings.HasPrefix(string(c.Level), string(requirements.Must)) &&
		bindsServers(c.Party) && r.Observable != requirements.Never
}

// OfClients reports whether the requirement is one that every client has to meet at a revision, and that its messages show.
func (r Row) OfClients(c Cell) bool {
	return c.Status != "" && strings.HasPrefix(string(c.Level), string(requirements.Must)) && bindsClients(c.Party) &&
		r.Observable != requirements.Never
}

func bindsClients(p requirements.Party) bool {
	return p == requirements.Client || p == requirements.Both
}
func bindsServers(p requirements.Party) bool {
	return p == requirements.Server || p == requirements.Both
}

// An Area is a group of rows.
type Area struct {
	requirements.Area
	Rows []Row
}

// Extension reports whether the area is one of an extension, which no server has to speak.
func (a Area) Extension() bool { return strings.HasPrefix(a.Name, "ext-") }

// A Matrix says of every requirement at every revision what proves it.
type Matrix struct {
	// Revisions are in the order of the manifest, oldest first.
	Revisions []string
	Areas     []Area
	// Citations are the tests that cite requirements, by id, file and line.
	Citations []Citation
	// Words say what the reasons mean, in the order in which reasons.yaml names them.
	Words []Word
}

// Sources are what a matrix is built from.
type Sources struct {
	Manifest    *requirements.Manifest
	Transcripts []*transcript.Transcript
	Always      []conformance.AlwaysCheck
	// Clients and ClientChecks judge clients as the two above judge servers.
	Clients      []*transcript.Transcript
	ClientChecks []conformance.AlwaysCheck
	Citations    []Citation
	Reasons      *Reasons
}

// Load builds the matrix of the module at root: from the manifest, transcripts and checks of this program, and from what
// the tests below root cite. All mistakes are reported, joined, each with file and line; mistakes of transcripts and of
// citations leave a matrix without what is wrong.
func Load(root string) (*Matrix, error) {
	m, err := requirements.Load()
	if err != nil {
		return nil, err
	}
	all, err := transcripts.All()
	if err != nil {
		return nil, err
	}
	clients, err := transcripts.Clients()
	if err != nil {
		return nil, err
	}
	reasons, err := builtinReasons()
	if err != nil {
		return nil, err
	}
	citations, err := Scan(root, m)
	out, wrong := Build(Sources{m, all, conformance.AlwaysChecks(), clients, conformance.ClientChecks(), citations, reasons})
	return out, errors.Join(err, Review(all, m), Review(clients, m), wrong)
}

// Build makes the matrix. The error names the lines of the reasons that decide nothing.
func Build(s Sources) (*Matrix, error) {
	out := &Matrix{Revisions: s.Manifest.Revisions(), Words: s.Reasons.Words, Citations: slices.Clone(s.Citations)}
	slices.SortStableFunc(out.Citations, func(a, b Citation) int { return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.File, b.File)) })
	proofs := gather(s)
	used := map[int]bool{}
	byArea := map[string][]Row{}
	for e := range s.Manifest.All() {
		row := Row{Entry: e}
		for _, revision := range out.Revisions {
			row.Cells = append(row.Cells, cell(s, proofs, e, revision, used))
		}
		byArea[e.Area] = append(byArea[e.Area], row)
	}
	for _, a := range s.Manifest.Areas() {
		out.Areas = append(out.Areas, Area{a, byArea[a.Name]})
	}
	return out, s.Reasons.unused(used)
}

// cell decides one cell, and marks the line of the reasons that it needs.
func cell(s Sources, proofs map[at]found, e requirements.Entry, revision string, used map[int]bool) Cell {
	statement, holds := e.At(revision)
	if !holds {
		return Cell{}
	}
	f := proofs[at{e.ID, revision}]
	c := Cell{Statement: statement, Points: pointsAt(s.Manifest, e, revision)}
	if bindsClients(statement.Party) {
		c.Clients = sorted(f.clients)
	}
	switch {
	case statement.Party == requirements.Client && len(f.clients) > 0:
		c.Status, c.Proofs = ByTranscript, slices.Concat(c.Clients, sorted(f.tests))
		return c
	case statement.Party == requirements.Client: // what judges servers has nothing to say
		f.transcripts, f.open = nil, nil
	}
	switch {
	case len(f.transcripts) > 0:
		c.Status, c.Proofs = ByTranscript, slices.Concat(sorted(f.transcripts), sorted(f.tests))
		return c
	case len(f.tests) > 0:
		c.Status, c.Proofs = ByTest, sorted(f.tests)
		return c
	case len(f.open) > 0:
		c.Status, c.Proofs = Open, sorted(f.open)
		return c
	}
	c.Status = Gap
	if e.Observable == requirements.Never {
		c.Status = NotObservable
	}
	if i := s.Reasons.find(e, statement); i >= 0 {
		c.Reason, used[i] = s.Reasons.rules[i].Reason.Value, true
	}
	return c
}

// pointsAt are the open points that bear on a requirement at a revision.
func pointsAt(m *requirements.Manifest, e requirements.Entry, revision string) []string {
	return slices.DeleteFunc(slices.Clone(e.OpenPoints), func(id string) bool {
		p, _ := m.OpenPoint(id)
		return !slices.Contains(p.Revisions, revision)
	})
}
