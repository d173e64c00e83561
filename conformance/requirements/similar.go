package requirements

import (
	"cmp"
	"slices"
	"strings"
)

// Similar gives the known ids that are closest to a mistyped one, the closest first, at most three. An id is
// close if it differs in few characters, or if one contains the other.
func (m *Manifest) Similar(id string) []string {
	const most = 3
	type candidate struct {
		id       string
		distance int
	}
	limit := max(2, len(id)/4)
	var candidates []candidate
	for known := range m.byID {
		d := distance(id, known)
		if d > limit && len(id) > 3 && (strings.Contains(known, id) || strings.Contains(id, known)) {
			d = limit
		}
		if d <= limit {
			candidates = append(candidates, candidate{known, d})
		}
	}
	slices.SortFunc(candidates, func(a, b candidate) int {
		return cmp.Or(a.distance-b.distance, len(a.id)-len(b.id), strings.Compare(a.id, b.id))
	})
	var ids []string
	for _, c := range candidates[:min(most, len(candidates))] {
		ids = append(ids, c.id)
	}
	return ids
}

// distance counts the single-byte insertions, deletions and substitutions that turn a into b (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
