package requirements

import (
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pinned are the ids of the frozen sets: a hash of each, and their number. A set that has a line here is released, and never
// changes again. To demand more, copy the newest of the revision under the next number, add ids, and add a line here.
var pinned = map[string]struct {
	n    int
	hash string
}{
	"2025-03-26@1": {185, "97751f0cfc0b091570b2623306973ed106608e6b845c5513a764b88bbc6ff0d3"},
	"2025-06-18@1": {213, "89924f885094e062b3886d27459beadc004406d46df7dee72a295741e733deba"},
	"2025-11-25@1": {334, "dcb129d5f00c611e9b2c4e64771c40a1f9c0ca678547a83e8f30664f3c836a8c"},
	"2026-07-28@1": {309, "60a5b5a338117c779691c10017e40332e54109c0b9b68c32bf593797a045add5"},
}

func TestFrozenSetsStayAsTheyAre(t *testing.T) {
	for _, name := range Sets() {
		s, err := LoadSet(name)
		require.NoError(t, err)
		want, ok := pinned[name]
		if assert.True(t, ok, "%s is not pinned", name) {
			assert.Len(t, s.IDs, want.n)
			assert.Equal(t, want.hash, fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(s.IDs, "\n")))), "%s changed: freeze a new set instead", name)
		}
	}
	assert.Len(t, Sets(), len(pinned), "a frozen set is gone")
}

// Each set holds all of the one before it, and what it holds binds servers, and shows on the wire.
func TestFrozenSetsGrow(t *testing.T) {
	m := read(t)
	for _, name := range Sets() {
		s, err := LoadSet(name)
		require.NoError(t, err)
		revision, number, ok := strings.Cut(name, "@")
		require.True(t, ok)
		assert.Contains(t, m.Revisions(), revision)
		n, err := strconv.Atoi(number)
		require.NoError(t, err)
		if n > 1 {
			before, err := LoadSet(fmt.Sprintf("%s@%d", revision, n-1))
			require.NoError(t, err)
			assert.Subset(t, s.IDs, before.IDs, "%s has lost what the set before it demands", name)
		}
		for _, id := range s.IDs {
			e, _ := m.Lookup(id)
			statement, _ := e.At(revision)
			assert.Contains(t, []Level{Must, MustNot}, statement.Level, id)
			assert.Contains(t, []Party{Server, Both}, statement.Party, id)
			assert.NotEqual(t, Never, e.Observable, id)
		}
	}
}

func read(t *testing.T) *Manifest {
	t.Helper()
	m, err := Load()
	require.NoError(t, err)
	return m
}

func TestSetHas(t *testing.T) {
	s := Set{IDs: []string{"a.a", "b.b"}}
	assert.True(t, s.Has("a.a"))
	assert.True(t, s.Has("b.b"))
	assert.False(t, s.Has("a.b"))
}

func TestSetsAreReadStrictly(t *testing.T) {
	for text, want := range map[string]string{
		"# nothing\n":                                 "requirements/frozen/2025-06-18@9.txt:1: there is no id in it",
		"# head\n\nping.empty-results\n":              "2025-06-18@9.txt:3: unknown id ping.empty-results",
		"discover.implemented\n":                      "2025-06-18@9.txt:1: discover.implemented does not hold at 2025-06-18",
		"ping.empty-result\nping.empty-result\n":      "2025-06-18@9.txt:2: ping.empty-result stands behind",
		"ping.empty-result\nbase.result-id-matches\n": "2025-06-18@9.txt:2: base.result-id-matches stands behind",
	} {
		_, err := parseSet(read(t), "2025-06-18@9", text)
		assert.ErrorContains(t, err, want, text)
	}
	s, err := parseSet(read(t), "2025-06-18@9", "# head\nping.empty-result\n")
	require.NoError(t, err)
	assert.Equal(t, Set{"2025-06-18@9", "2025-06-18", []string{"ping.empty-result"}}, s)
	_, err = LoadSet("2025-06-18@9")
	assert.ErrorContains(t, err, `there is no frozen set "2025-06-18@9" of requirements: there are 2025-03-26@1, 2025-06-18@1`)
}
