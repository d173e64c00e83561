package requirements

import (
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What the manifest is loaded from in the tests below: the smallest files that are right.
const (
	goodIndex = `revisions:
  - {revision: "2025-11-25", schema: "https://example.com/schema"}
  - {revision: "2026-07-28", schema: "https://example.com/schema"}
areas:
  - {area: tools, title: Tools}
`
	goodArea = `- id: tools.call
  text: tools/call calls a tool.
  party: server
  observable: fully
  check: Call a tool
  revisions:
    "2025-11-25": {level: MUST, basis: keyword, at: [server/tools#calling-tools]}
- id: tools.call-again
  text: It can be called again.
  party: both
  observable: partly
  when: server declares tools
  check: Call it twice
  supersedes: [tools.call]
  revisions:
    "2026-07-28": {level: MAY, basis: prose, party: server, at: [server/tools, schema#Tool, schema.ts#Tool]}
`
	goodPoints = `- id: OP-01
  topic: Tools
  revisions: ["2026-07-28"]
  unclear: How often.
  reading: Often.
  requirements:
    - tools.call-again
`
)

func manifestOf(index, area, points string) fs.FS {
	return fstest.MapFS{
		"index.yaml":       {Data: []byte(index)},
		"tools.yaml":       {Data: []byte(area)},
		"open-points.yaml": {Data: []byte(points)},
	}
}

func TestLoadReadsEveryKey(t *testing.T) {
	m, err := load(manifestOf(goodIndex, goodArea, goodPoints))
	require.NoError(t, err)

	assert.Equal(t, []string{"2025-11-25", "2026-07-28"}, m.Revisions())
	assert.Equal(t, []Area{{"tools", "Tools"}}, m.Areas())
	e, ok := m.Lookup("tools.call-again")
	require.True(t, ok)
	const schema = "https://example.com/schema"
	assert.Equal(t, Entry{
		ID: "tools.call-again", Area: "tools", Text: "It can be called again.", Party: Both, Observable: Partly,
		When: "server declares tools", Check: "Call it twice",
		Statements: []Statement{{
			Revision: "2026-07-28", Level: May, Basis: Prose, Party: Server,
			Clauses: []Clause{
				{Revision: "2026-07-28", Page: "server/tools", schema: schema},
				{Revision: "2026-07-28", Page: "schema", Anchor: "Tool", schema: schema},
			},
		}},
		Supersedes: []string{"tools.call"}, OpenPoints: []string{"OP-01"},
	}, e)
	older, _ := m.Lookup("tools.call")
	assert.Equal(t, []string{"tools.call-again"}, older.SupersededBy)
	_, ok = older.At("2026-07-28")
	assert.False(t, ok, "a revision that says nothing of it")
	statement, ok := older.At("2025-11-25")
	assert.True(t, ok)
	assert.Equal(t, Server, statement.Party, "the party of the entry, where the statement names none")
	p, ok := m.OpenPoint("OP-01")
	assert.True(t, ok)
	assert.Equal(t, "Often.", p.Reading)
	_, ok = m.OpenPoint("OP-02")
	assert.False(t, ok)
}

// Every mistake is reported with its file and line, and says what would be right.
func TestLoadReportsMistakes(t *testing.T) {
	tests := []struct {
		name          string
		file          string
		old, new      string
		want          string
		wantOtherwise string
	}{
		{name: "unknown key", file: "tools", old: "  text: It", new: "  texts: It", want: `requirements/tools.yaml:9: unknown field "texts"`},
		{name: "unknown key of a statement", file: "tools", old: "basis: prose", new: "bases: prose", want: `requirements/tools.yaml:16: unknown field "bases"`},
		{name: "duplicate key", file: "tools", old: "  party: both\n", new: "  party: both\n  party: client\n", want: `requirements/tools.yaml:11: mapping key "party" already defined`},
		{name: "not YAML", file: "tools", old: "supersedes: [tools.call]", new: "supersedes: [tools.call", want: "requirements/tools.yaml:"},
		{name: "malformed id", file: "tools", old: "id: tools.call\n", new: "id: Tools\n", want: `requirements/tools.yaml:1: "Tools" is no id`},
		{name: "duplicate id", file: "tools", old: "id: tools.call-again", new: "id: tools.call", want: "requirements/tools.yaml:8: the id tools.call occurs twice"},
		{name: "unknown level", file: "tools", old: "level: MAY", new: "level: MIGHT", want: `requirements/tools.yaml:16: unknown level "MIGHT": use one of MUST, MUST_NOT, SHOULD, SHOULD_NOT, MAY`},
		{name: "unknown basis", file: "tools", old: "basis: prose", new: "basis: rumour", want: `requirements/tools.yaml:16: unknown basis "rumour"`},
		{name: "unknown party", file: "tools", old: "party: both", new: "party: nobody", want: `requirements/tools.yaml:10: unknown party "nobody"`},
		{name: "unknown party of a statement", file: "tools", old: "party: server, at", new: "party: nobody, at", want: `requirements/tools.yaml:16: unknown party "nobody"`},
		{name: "unknown observability", file: "tools", old: "observable: partly", new: "observable: maybe", want: `requirements/tools.yaml:11: unknown observable "maybe"`},
		{name: "unknown revision", file: "tools", old: `"2026-07-28": {`, new: `"2026-07-29": {`, want: `requirements/tools.yaml:16: unknown revision "2026-07-29": use one of 2025-11-25, 2026-07-28`},
		{name: "no clause", file: "tools", old: ", at: [server/tools#calling-tools]", new: "", want: "requirements/tools.yaml:7: tools.call names no clause for 2025-11-25"},
		{name: "no check", file: "tools", old: "  check: Call a tool\n", new: "", want: "requirements/tools.yaml:1: tools.call lacks the key check"},
		{name: "no revisions", file: "tools", old: "  revisions:\n    \"2025-11-25\": {level: MUST, basis: keyword, at: [server/tools#calling-tools]}\n", new: "", want: "requirements/tools.yaml:1: tools.call lacks the key revisions"},
		{name: "supersedes nothing", file: "tools", old: "[tools.call]", new: "[tools.cal]", want: "requirements/tools.yaml:14: unknown id tools.cal: did you mean tools.call"},
		{name: "unknown id in a point", file: "open-points", old: "- tools.call-again", new: "- tools.call-agian", want: "requirements/open-points.yaml:7: unknown id tools.call-agian: did you mean tools.call-again"},
		{name: "point of other revisions", file: "open-points", old: "- tools.call-again", new: "- tools.call", want: "requirements/open-points.yaml:7: tools.call holds at none of the revisions of OP-01"},
		{name: "unknown revision of a point", file: "open-points", old: "2026-07-28", new: "2027-01-01", want: `requirements/open-points.yaml:3: unknown revision "2027-01-01"`},
		{name: "point without reading", file: "open-points", old: "  reading: Often.\n", new: "", want: "requirements/open-points.yaml:1: OP-01 needs topic, revisions, unclear, reading and requirements"},
		{name: "duplicate point", file: "open-points", old: goodPoints, new: goodPoints + goodPoints, want: "requirements/open-points.yaml:8: the id OP-01 occurs twice"},
		{name: "area without file", file: "index", old: "area: tools,", new: "area: tolls,", want: "requirements/tolls.yaml:1: open tolls.yaml", wantOtherwise: "requirements/tools.yaml:1: is not an area of index.yaml"},
		{name: "empty file", file: "tools", old: goodArea, new: "", want: "requirements/tools.yaml:1: "},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			texts := map[string]string{"index": goodIndex, "tools": goodArea, "open-points": goodPoints}
			require.Contains(t, texts[test.file], test.old)
			texts[test.file] = strings.Replace(texts[test.file], test.old, test.new, 1)
			_, err := load(manifestOf(texts["index"], texts["tools"], texts["open-points"]))
			require.Error(t, err)
			assert.Contains(t, err.Error(), test.want)
			assert.Contains(t, err.Error(), test.wantOtherwise)
		})
	}
}

func TestLoadIsStable(t *testing.T) {
	m, err := Load()
	require.NoError(t, err)
	again, err := Load()
	require.NoError(t, err)
	assert.Same(t, m, again)

	order := map[string]int{}
	for i, area := range m.Areas() {
		order[area.Name] = i
		assert.NotEmpty(t, area.Title)
	}
	last, count := 0, 0
	for e := range m.All() {
		require.GreaterOrEqual(t, order[e.Area], last, "%s: entries come area by area", e.ID)
		last = order[e.Area]
		found, ok := m.Lookup(e.ID)
		require.True(t, ok)
		require.Equal(t, e, found)
		require.True(t, slices.IsSortedFunc(e.Statements, func(a, b Statement) int { return strings.Compare(a.Revision, b.Revision) }))
		count++
	}
	assert.Equal(t, len(m.byID), count)
	for range m.All() {
		break // a caller may stop early
	}
}

// Texts are sentences, and say nothing about who wrote them down.
func TestTextsAreSentences(t *testing.T) {
	m, err := Load()
	require.NoError(t, err)
	for e := range m.All() {
		assert.Regexp(t, `^[-\w(/].*[.)]$`, e.Text, e.ID)
		assert.NotContains(t, e.Text, "\n", e.ID)
	}
	points := map[string]bool{}
	for _, p := range m.OpenPoints() {
		points[p.ID] = true
	}
	assert.Len(t, slices.Collect(maps.Keys(points)), len(m.OpenPoints()))
}
