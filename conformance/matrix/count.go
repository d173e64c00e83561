package matrix

import (
	"cmp"
	"maps"
	"slices"

	"github.com/parley-mcp/parley/conformance/requirements"
)

// A Count is how many requirements have come to what.
type Count struct {
	Total    int
	ByStatus map[Status]int
	// Reasons count the words of each status, with "" for those without a word.
	Reasons map[Status]map[string]int
}

func (n *Count) add(c Cell) {
	if n.ByStatus == nil {
		n.ByStatus, n.Reasons = map[Status]int{}, map[Status]map[string]int{}
	}
	n.Total++
	n.ByStatus[c.Status]++
	if c.Status != NotObservable && c.Status != Gap {
		return
	}
	if n.Reasons[c.Status] == nil {
		n.Reasons[c.Status] = map[string]int{}
	}
	n.Reasons[c.Status][c.Reason]++
}

// Proven is how many something judges.
func (n Count) Proven() int { return n.ByStatus[ByTranscript] + n.ByStatus[ByTest] }

// words lists the reasons of a status with their numbers, the most frequent first.
func (n Count) words(s Status) []reasonCount {
	var out []reasonCount
	for _, word := range slices.Sorted(maps.Keys(n.Reasons[s])) {
		out = append(out, reasonCount{word, n.Reasons[s][word]})
	}
	slices.SortStableFunc(out, func(a, b reasonCount) int { return cmp.Compare(b.n, a.n) })
	return out
}

type reasonCount struct {
	word string
	n    int
}

// A Summary counts one revision.
type Summary struct {
	Revision string
	All      Count
	// Wire counts the MUSTs of servers that show on the wire (see Row.Wire), without those of extensions; Extensions counts
	// the latter.
	Wire, Extensions Count
	// Clients counts the MUSTs of clients that show on the wire (see Row.OfClients), without those of extensions: what judges
	// clients, and nothing that judges servers alone.
	Clients Count
	// Areas has those areas with requirements at the revision.
	Areas []AreaCount
	// Gaps are the ids behind the gaps of Wire, in the order of the matrix.
	Gaps []string
}

// An AreaCount counts one area at one revision.
type AreaCount struct {
	Area Area
	Count
	// Wire counts the MUSTs of servers that show on the wire.
	Wire Count
}

// Summaries counts the matrix, revision by revision.
func (m *Matrix) Summaries() []Summary {
	var out []Summary
	for i, revision := range m.Revisions {
		s := Summary{Revision: revision}
		for _, area := range m.Areas {
			n := AreaCount{Area: area}
			for _, row := range area.Rows {
				s.count(&n, row, row.Cells[i])
			}
			if n.Total > 0 {
				s.Areas = append(s.Areas, n)
			}
		}
		out = append(out, s)
	}
	return out
}

func (s *Summary) count(n *AreaCount, row Row, c Cell) {
	if c.Status == "" {
		return
	}
	s.All.add(c)
	n.add(c)
	if row.OfClients(c) && !n.Area.Extension() {
		s.Clients.add(c.ofClients())
	}
	if !row.Wire(c) {
		return
	}
	n.Wire.add(c)
	if n.Area.Extension() {
		s.Extensions.add(c)
		return
	}
	s.Wire.add(c)
	if c.Status == Gap {
		s.Gaps = append(s.Gaps, row.ID)
	}
}

// ofClients is the cell as it is for clients: of what binds both sides, what judges servers proves nothing.
func (c Cell) ofClients() Cell {
	switch {
	case c.Party != requirements.Both:
	case len(c.Clients) > 0:
		c.Status = ByTranscript
	default:
		c.Status = Gap
	}
	return c
}

// Unexplained lists the ids of requirements that are neither proven nor open, have no reason, and are no MUST of servers on
// the wire, each once.
func (m *Matrix) Unexplained() []string {
	var out []string
	for _, area := range m.Areas {
		for _, row := range area.Rows {
			if slices.ContainsFunc(row.Cells, func(c Cell) bool {
				return (c.Status == Gap || c.Status == NotObservable) && c.Reason == "" && !row.Wire(c)
			}) {
				out = append(out, row.ID)
			}
		}
	}
	return out
}
