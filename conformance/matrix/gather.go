package matrix

import (
	"cmp"
	"slices"

	"github.com/parley-mcp/parley/conformance"
	"github.com/parley-mcp/parley/conformance/requirements"
	"github.com/parley-mcp/parley/conformance/transcript"
)

// Folders of what proves, from the root of the module.
const (
	transcriptsDir = "conformance/transcripts/"
	alwaysFile     = "conformance/always.go"
	watchDir       = "conformance/watch"
)

// at is a requirement at a revision.
type at struct{ id, revision string }

// found is what there is for a requirement at a revision.
type found struct{ transcripts, open, tests, clients map[Proof]bool }

func (f *found) add(set *map[Proof]bool, p Proof) {
	if *set == nil {
		*set = map[Proof]bool{}
	}
	(*set)[p] = true
}

// gather collects what proves what.
func gather(s Sources) map[at]found {
	out := map[at]found{}
	put := func(id, revision string, p Proof, open bool) {
		e, _ := s.Manifest.Lookup(id)
		f := out[at{id, revision}]
		switch {
		case p.Test:
			f.add(&f.tests, p)
		case open && len(pointsAt(s.Manifest, e, revision)) > 0:
			f.add(&f.open, p)
		default:
			f.add(&f.transcripts, p)
		}
		out[at{id, revision}] = f
	}
	for _, t := range s.Transcripts {
		for _, step := range t.Steps {
			for _, id := range judged(step) {
				for _, revision := range t.Revisions {
					put(id, revision, Proof{Name: t.Name, Path: transcriptsDir + t.File}, slices.Contains(step.OpenIDs, id))
				}
			}
		}
	}
	for _, c := range s.Always {
		for _, revision := range s.Manifest.Revisions() {
			if id := meant(s.Manifest, c, revision); id != "" {
				put(id, revision, Proof{Name: c.Name, Path: alwaysFile}, c.Open)
			}
		}
	}
	judges := func(id, revision string, p Proof) {
		f := out[at{id, revision}]
		f.add(&f.clients, p)
		out[at{id, revision}] = f
	}
	for _, t := range s.Clients {
		for _, step := range t.Steps {
			for _, id := range step.IDs {
				for _, revision := range t.Revisions {
					judges(id, revision, Proof{Name: t.Name, Path: transcriptsDir + t.File})
				}
			}
		}
	}
	for _, c := range s.ClientChecks {
		for _, id := range c.Requirements {
			for _, revision := range c.Revisions {
				judges(id, revision, Proof{Name: c.Name, Path: watchDir})
			}
		}
	}
	for _, c := range s.Citations {
		for _, revision := range c.Revisions {
			put(c.ID, revision, Proof{Name: c.Function, Path: c.File, Test: true}, false)
		}
	}
	return out
}

// judged are the requirements of a step that the step judges whenever the transcript is played. What may come, and need not,
// proves nothing if it does not come.
func judged(s *transcript.Step) []string {
	if s.Kind.NeedNotCome() {
		return nil
	}
	return s.IDs
}

// meant is the requirement that a check proves at a revision: the first of its own that the revision has.
func meant(m *requirements.Manifest, c conformance.AlwaysCheck, revision string) string {
	for _, id := range c.Requirements {
		if e, _ := m.Lookup(id); e.ID != "" {
			if _, holds := e.At(revision); holds {
				return id
			}
		}
	}
	return ""
}

func sorted(set map[Proof]bool) []Proof {
	var out []Proof
	for p := range set {
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b Proof) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Path, b.Path)) })
	return out
}
