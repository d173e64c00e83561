package yamlfile

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type page struct {
	Words []struct{ Word, Means string }
	Rules []Located[rule]
	More  map[string]Located[string]
}

type rule struct {
	Reason Located[string]
	Level  int
}

func TestValuesHaveTheirLines(t *testing.T) {
	var p page
	require.NoError(t, Decode("f.yaml", []byte("words:\n  - {word: a, means: b}\nrules:\n  - level: 3\n    reason: c\nmore:\n  k: v\n"), &p))
	assert.Equal(t, "b", p.Words[0].Means)
	assert.Equal(t, []Located[rule]{{Value: rule{Reason: Located[string]{"c", 5}, Level: 3}, Line: 4}}, p.Rules)
	assert.Equal(t, map[string]Located[string]{"k": {"v", 7}}, p.More)
}

func TestMistakesHaveFileAndLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "f.yaml:1: yaml: no documents",
		"more: {}\n---\nmore: {}\n":             "f.yaml:1: yaml: expected single document",
		"more:\n  a: b\n  a: c\n":               `f.yaml:3: mapping key "a" already defined`,
		"more: {}\nwrods: []\n":                 `f.yaml:2: unknown field "wrods"`,
		"rules:\n  - {reason: a, levle: 1}\n":   `f.yaml:2: unknown field "levle"`,
		"more: {}\nwords: {a: b}\n":             "f.yaml:2: a value of the kind map cannot stand here",
		"more: {}\nwords:\n  - {word: [a]}\n":   "f.yaml:3: a value of the kind seq cannot stand here",
		"more: {}\nrules:\n  - {level: much}\n": "f.yaml:3: a value of the kind str cannot stand here `much`",
		"more:\n  a:\n":                         "f.yaml:2: an empty value",
		"more: {}\nwords: ~\n":                  "f.yaml:2: an empty value",
		"more: {}\nwords: !!seq\n":              "f.yaml:2: a tag",
		"more: {}\nwords: ! x\n":                "f.yaml:2: a tag",
		"more: {}\nwords: &a []\n":              "f.yaml:2: an anchor",
		"more: &a {}\nwords: *a\n":              "f.yaml:1: an anchor",
		"more: {}\nwords: *a\n":                 "f.yaml:2: unknown anchor",
		"more:\n  <<: {a: b}\n":                 "f.yaml:2: a merge key",
		"more: {}\nwords: [\n":                  "f.yaml:3: did not find",
		"more: \x00":                            "f.yaml:1: control characters",
		"more: " + strings.Repeat("[", 20_000):  "f.yaml:1: exceeded max depth",
	} {
		err := Decode("f.yaml", []byte(text), new(page))
		assert.ErrorContains(t, err, want, text)
		var mistake *Mistake
		assert.True(t, errors.As(err, &mistake) && mistake.File == "f.yaml" && mistake.Line > 0, text)
	}
	err := Decode("f.yaml", []byte("a: b\nc: d\n"), new(page))
	assert.EqualError(t, err, "f.yaml:1: unknown field \"a\"\nf.yaml:2: unknown field \"c\"", "each mistake of a kind is told")
}

// Whatever a file holds, it is read or refused with a line: it never brings the reader down.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		"words:\n  - {word: a, means: b}\nrules:\n  - {reason: c, level: 3}\nmore: {k: v}\n",
		"words: !!seq\n", "words: !!seq null\n", "words: ! x\n", "words: !!map {}\n", // each once crashed a reader of these files
		"words: ~\nrules:\n", "words: [null, ~, ]\n", "rules: &a [*a]\n", "words: &a\nrules: *a\n", "more: &a {k: v}\nrules: [*a]\n",
		"more:\n  <<: {a: b}\n", "more:\n  <<: [{a: b}, *c]\n", "words: {a: b}\n", "more: []\n", "rules: [[[[]]]]\n", "? [a]\n: {b: c}\n",
		"rules: " + strings.Repeat("[", 300), strings.Repeat("- ", 300) + "a", strings.Repeat("{a: ", 200), "a\n---\nb\n", "%YAML 1.2\n---\nmore: {}\n...\n",
		"\xff\xfem\x00", "more: {a: |2-\n}", "rules: [{level: 0x7fffffffffffffffff}, {level: 1e999}, {level: 2001-01-01}]\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var mistake *Mistake
		if err := Decode("f.yaml", text, new(page)); err != nil && (!errors.As(err, &mistake) || mistake.File != "f.yaml" || mistake.Line < 1) {
			t.Errorf("no file and line: %v", err)
		}
	})
}
