package conformance

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"time"

	"github.com/parley-mcp/parley/conformance/report"
	"github.com/parley-mcp/parley/conformance/requirements"
	"github.com/parley-mcp/parley/conformance/revision"
	"github.com/parley-mcp/parley/conformance/transcript"
	"github.com/parley-mcp/parley/conformance/transcripts"
)

// Options say what to run and how. The zero value runs every transcript at every revision that the server speaks.
type Options struct {
	// Revisions are those to test; empty for all.
	Revisions []string
	// Run is a pattern of transcript names in the syntax of path.Match, such as "tools/*"; empty for all. Without a slash it
	// names an area.
	Run string
	// Names are the transcripts to run; empty for all.
	Names []string
	// Requirement chooses the transcripts that prove one requirement; empty for all.
	Requirement string
	// Set restricts the run to a frozen set: to its revision, to the transcripts that prove one of its requirements, with
	// their controls, and to a verdict on these requirements alone. Nil for no restriction. So a run stays comparable with an
	// earlier one when the harness has learned to judge more.
	Set *requirements.Set
	// Transcripts are the transcripts to run instead of those that come with the harness.
	Transcripts []*transcript.Transcript
	// Known are failures that do not fail the run.
	Known []Known
	// StepTimeout bounds the wait for one message; 10 seconds if zero. A process that has said nothing yet may take four
	// times as long besides as its first start took, since it has to start.
	StepTimeout time.Duration
	// Timeout bounds the whole run; none if zero. What has not run by then is missing from the report.
	Timeout time.Duration
	// Quiet is how long a step listens that expects nothing, where only time can tell; 100 milliseconds if zero. Half of it
	// passes between two looks at what is not yet there, where the server suggests no interval.
	Quiet time.Duration
	// Parallel is how many conversations run at a time; 4 if zero.
	Parallel int
	// Manifest knows the requirements; nil for the one that comes with the harness.
	Manifest Manifest
	// Progress is told of every result, one at a time; nil for nobody.
	Progress func(done, total int, r report.Result)
	// Rewrite is given the new text of each transcript with steps that failed though a message came, so that they pass: those
	// steps alone, and never a hole. Nil for nobody. With several revisions the newest that failed decides.
	Rewrite func(t *transcript.Transcript, source []byte) error

	// starting is how long a process took from its start to its first answer.
	starting time.Duration
	// noSchema turns off the checks that are always on, for the harness's own tests.
	noSchema bool
}

func (o Options) withDefaults() (Options, error) {
	if o.StepTimeout == 0 {
		o.StepTimeout = 10 * time.Second
	}
	if o.Quiet == 0 {
		o.Quiet = 100 * time.Millisecond
	}
	if o.Parallel == 0 {
		o.Parallel = 4
	}
	if o.Manifest == nil {
		m, err := builtinManifest()
		if err != nil {
			return o, err
		}
		o.Manifest = m
	}
	if o.Transcripts == nil {
		all, err := transcripts.All()
		if err != nil {
			return o, err
		}
		o.Transcripts = all
	}
	if err := Check(o.Transcripts, o.Manifest); err != nil {
		return o, err
	}
	for _, v := range o.Revisions {
		if _, ok := revision.Lookup(v); !ok {
			return o, fmt.Errorf("unknown revision %q: there are %v", v, revision.Versions())
		}
	}
	if _, err := path.Match(o.Run, ""); err != nil {
		return o, fmt.Errorf("pattern %q: %w", o.Run, err)
	}
	return o.narrowed()
}

// Chosen returns the transcripts that a run with these options plays, wherever they hold: those that the options name, and
// their controls.
func (o Options) Chosen() ([]*transcript.Transcript, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	return o.chosen(), nil
}

func (o Options) chosen() []*transcript.Transcript {
	byName := map[string]*transcript.Transcript{}
	for _, t := range o.Transcripts {
		byName[t.Name] = t
	}
	wanted := map[string]bool{}
	for _, t := range o.Transcripts {
		if !o.names(t) {
			continue
		}
		for c := t; c != nil && !wanted[c.Name]; c = byName[c.Control] {
			wanted[c.Name] = true
		}
	}
	var out []*transcript.Transcript
	for _, t := range o.Transcripts {
		if wanted[t.Name] {
			out = append(out, t)
		}
	}
	return out
}

func (o Options) names(t *transcript.Transcript) bool {
	if len(o.Names) > 0 && !slices.Contains(o.Names, t.Name) {
		return false
	}
	if o.Run != "" {
		name, _ := path.Match(o.Run, t.Name)
		area, _ := path.Match(o.Run, t.Area)
		if !name && !area {
			return false
		}
	}
	if o.Set != nil && !provesOf(o.Set, t) {
		return false
	}
	return o.Requirement == "" || slices.ContainsFunc(t.Steps, func(s *transcript.Step) bool {
		return slices.Contains(s.IDs, o.Requirement)
	})
}

// Check reports what is wrong with transcripts as a set, each mistake with file and line: names that stand twice, requirements
// that the manifest lacks or that exist at none of the transcript's revisions, controls that do not exist, do not hold where
// they are needed, or lead in a circle.
func Check(all []*transcript.Transcript, m Manifest) error {
	var errs []error
	byName := map[string]*transcript.Transcript{}
	for _, t := range all {
		if byName[t.Name] != nil {
			errs = append(errs, &transcript.Error{File: t.File, Line: 1, Msg: "there are two transcripts with the name " + t.Name})
		}
		byName[t.Name] = t
	}
	for _, t := range all {
		errs = append(errs, checkIDs(t, m)...)
		if t.Control != "" {
			if msg := checkControl(t, byName); msg != "" {
				errs = append(errs, &transcript.Error{File: t.File, Line: 1, Msg: "control: " + msg})
			}
		}
	}
	return errors.Join(errs...)
}

func checkIDs(t *transcript.Transcript, m Manifest) []error {
	if _, unknowing := m.(everything); unknowing {
		return nil
	}
	var errs []error
	for _, s := range t.Steps {
		for _, id := range s.IDs {
			_, known := m.Level(id, "")
			exists := slices.ContainsFunc(t.Revisions, func(r string) bool { level, _ := m.Level(id, r); return level != "" })
			msg := ""
			switch {
			case !known:
				msg = fmt.Sprintf("the manifest has no requirement %s: correct the id, or add an entry", id)
			case !exists:
				msg = fmt.Sprintf("requirement %s exists at none of the transcript's revisions", id)
			case slices.Contains(s.OpenIDs, id) && !slices.ContainsFunc(t.Revisions, func(r string) bool { return m.Open(id, r) != "" }):
				msg = fmt.Sprintf("requirement %s has no open point at the transcript's revisions: drop the '?'", id)
			default:
				continue
			}
			errs = append(errs, &transcript.Error{File: t.File, Line: s.Line, Msg: msg})
		}
	}
	return errs
}

func checkControl(t *transcript.Transcript, byName map[string]*transcript.Transcript) string {
	c := byName[t.Control]
	if c == nil {
		return "there is no transcript " + t.Control
	}
	for _, r := range t.Revisions {
		if !transcript.Holds(c.Revisions, r) {
			return fmt.Sprintf("%s does not hold at %s", c.Name, r)
		}
	}
	for _, tr := range t.Transports {
		if !transcript.Holds(c.Transports, tr) {
			return fmt.Sprintf("%s does not run over %s", c.Name, tr)
		}
	}
	for seen := 0; c != nil; c, seen = byName[c.Control], seen+1 {
		if c == t || seen > len(byName) {
			return t.Control + " leads in a circle"
		}
	}
	return ""
}
