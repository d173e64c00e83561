package matrix

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/parley-mcp/parley/conformance/requirements"
	"github.com/parley-mcp/parley/conformance/transcript"
)

// Review reports the transcripts that do no work, with file and line: those that name no requirement at one of their
// revisions, and those whose every proof another transcript has too, on each server to which they apply. Two proofs are the
// same if they are of one requirement at one revision over one transport, and the client has sent the same until then: who
// asks something else, be it by one byte, proves something else. One that others name as their control does work, and so does
// one whose key also says why it stands beside the other; a key that says so of none is reported, as are ids that do not exist.
func Review(all []*transcript.Transcript, m *requirements.Manifest) error {
	var mistakes []error
	report := func(t *transcript.Transcript, line int, format string, args ...any) {
		mistakes = append(mistakes, &transcript.Error{File: transcriptsDir + t.File, Line: line, Msg: fmt.Sprintf(format, args...)})
	}
	seen := make([]map[proofOf]bool, len(all))
	for i, t := range all {
		for _, s := range t.Steps {
			for _, id := range s.IDs {
				if e, ok := m.Lookup(id); !ok {
					report(t, s.Line, "unknown requirement %s%s", id, suggest(m, id))
				} else if !slices.ContainsFunc(t.Revisions, func(r string) bool { _, holds := e.At(r); return holds }) {
					report(t, s.Line, "requirement %s holds at none of the transcript's revisions", id)
				} else if !slices.ContainsFunc(t.Revisions, func(r string) bool { return bindsJudged(t, e, r) }) {
					report(t, s.Line, "requirement %s binds the %s: it is none of whom the transcript judges", id, e.Party)
				}
			}
		}
		seen[i] = proofsOf(t, m)
		for _, r := range t.Revisions {
			if !provesAt(seen[i], r) {
				report(t, 1, "it proves nothing at %s: name a requirement in brackets behind the label of a < or <! section, or drop the revision", r)
			}
		}
	}
	controls, reasoned := map[string]bool{}, map[string]bool{}
	for _, t := range all {
		controls[t.Control] = true
		reasoned[t.Name] = t.Also != ""
	}
	for i, t := range all {
		twin := ""
		for j, other := range all {
			same := len(seen[i]) == len(seen[j]) && covers(t, other)
			if i != j && len(seen[i]) > 0 && within(seen[i], seen[j]) && covers(other, t) && (i > j || !same || t.Also != "") {
				twin = other.Name
				break
			}
		}
		switch {
		case twin == "" && t.Also != "":
			report(t, 1, "also: no other transcript asks the same and proves the same: drop the line")
		case twin != "" && t.Also == "" && !controls[t.Name] && !reasoned[twin]:
			report(t, 1, "%s asks the same and proves the same: ask something else, join the two, or say why both stand in a line also:", twin)
		}
	}
	return errors.Join(mistakes...)
}

// bindsJudged reports whether a requirement binds, at a revision, the side that a transcript judges.
func bindsJudged(t *transcript.Transcript, e requirements.Entry, revision string) bool {
	statement, _ := e.At(revision)
	if t.Client != nil {
		return bindsClients(statement.Party)
	}
	return bindsServers(statement.Party)
}

func suggest(m *requirements.Manifest, id string) string {
	if similar := m.Similar(id); len(similar) > 0 {
		return ": did you mean " + strings.Join(similar, " or ") + "?"
	}
	return ": correct it, or add an entry to the manifest"
}

// proofOf is what a proof is of, and how it was got. The question is a hash of it.
type proofOf struct {
	id, revision, transport string
	question                [sha256.Size]byte
}

// covers reports whether a transcript applies to every server to which another applies.
func covers(t, other *transcript.Transcript) bool {
	return within(set(t.Fixtures), set(other.Fixtures)) && within(set(t.Capabilities), set(other.Capabilities))
}

func set(words []string) map[string]bool {
	out := map[string]bool{}
	for _, w := range words {
		out[w] = true
	}
	return out
}

// proofsOf are the proofs of a transcript. The question is all that the other side has sent until then, and what a client was
// told to do.
func proofsOf(t *transcript.Transcript, m *requirements.Manifest) map[proofOf]bool {
	out := map[proofOf]bool{}
	question := sha256.Sum256([]byte(strconv.FormatBool(t.Opens)))
	if t.Client != nil {
		question = sha256.Sum256(append(question[:], t.Client.JSON().String()...))
	}
	for _, s := range t.Steps {
		if s.Kind.Sends() != (t.Client != nil) {
			question = sha256.Sum256(append(question[:], sent(t, s)...))
			continue
		}
		for _, id := range judged(s) {
			e, _ := m.Lookup(id)
			for _, revision := range t.Revisions {
				if _, holds := e.At(revision); !holds {
					continue
				}
				for _, transport := range t.Transports {
					out[proofOf{id, revision, transport, question}] = true
				}
			}
		}
	}
	return out
}

// shortID is an id that counts requests, and means nothing.
var shortID = regexp.MustCompile(`"id":\s*\d{1,3}\s*,`)

// sent is what a step sends, without what does not tell it from another.
func sent(t *transcript.Transcript, s *transcript.Step) string {
	below := strings.SplitAfter(string(t.Source[:s.BodyEnd]), "\n")[s.Line:] // the http: lines, and the body
	body := shortID.ReplaceAllString(strings.Join(below, ""), "")
	return string(s.Kind) + s.Method + strings.Join(strings.Fields(body), " ") + "\n"
}

func provesAt(proofs map[proofOf]bool, revision string) bool {
	for p := range proofs {
		if p.revision == revision {
			return true
		}
	}
	return false
}

func within[K comparable](a, b map[K]bool) bool {
	for p := range a {
		if !b[p] {
			return false
		}
	}
	return true
}
