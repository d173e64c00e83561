package conformance

import (
	"fmt"
	"slices"

	"github.com/parley-mcp/parley/conformance/report"
	"github.com/parley-mcp/parley/conformance/requirements"
	"github.com/parley-mcp/parley/conformance/transcript"
)

// narrow is a manifest with the requirements of a set alone. Those outside are known, and demanded nowhere.
type narrow struct {
	Manifest
	set *requirements.Set
}

// Level implements Manifest.
func (n narrow) Level(id, revision string) (string, bool) {
	level, known := n.Manifest.Level(id, revision)
	if revision != n.set.Revision || !n.set.Has(id) {
		level = ""
	}
	return level, known
}

// narrowed restricts the options to their set. The transcripts have been checked against the whole manifest.
func (o Options) narrowed() (Options, error) {
	if o.Set == nil {
		return o, nil
	}
	if len(o.Revisions) > 0 && !slices.Equal(o.Revisions, []string{o.Set.Revision}) {
		return o, fmt.Errorf("the requirements %s are those of %s: name no other revision", o.Set.Name, o.Set.Revision)
	}
	o.Revisions = []string{o.Set.Revision}
	o.Manifest = narrow{o.Manifest, o.Set}
	return o, nil
}

// outside reports whether requirements are demanded, but none of them in the set to which a run is restricted.
func outside(m Manifest, ids []string, revision string) bool {
	n, restricted := m.(narrow)
	if !restricted {
		return false
	}
	demanded := func(of Manifest) bool {
		return slices.ContainsFunc(ids, func(id string) bool { level, _ := of.Level(id, revision); return level != "" })
	}
	return demanded(n.Manifest) && !demanded(n)
}

// outsideReason is what a step says that is outside.
const outsideReason = "none of its requirements is in the set that was asked for"

// provesOf reports whether a transcript proves a requirement of a set.
func provesOf(set *requirements.Set, t *transcript.Transcript) bool {
	return transcript.Holds(t.Revisions, set.Revision) &&
		slices.ContainsFunc(t.Steps, func(s *transcript.Step) bool { return slices.ContainsFunc(s.IDs, set.Has) })
}

// setOf says in the report to which set the run was restricted, and how much of it was judged.
func (r *run) setOf(results []report.Result) *report.RequirementSet {
	set := r.options.Set
	if set == nil {
		return nil
	}
	judged := map[string]bool{}
	for _, res := range results {
		for _, s := range res.Steps {
			if !slices.Contains([]report.Verdict{report.Pass, report.Fail, report.Warn}, s.Verdict) {
				continue
			}
			for _, id := range s.Requirements {
				if set.Has(id) {
					judged[id] = true
				}
			}
		}
	}
	return &report.RequirementSet{Name: set.Name, Total: len(set.IDs), Tested: len(judged)}
}
