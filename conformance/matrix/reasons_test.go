package matrix

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/conformance/requirements"
)

const words = "words:\n  - {word: late, means: it comes late}\nrules:\n"

func reasons(t *testing.T, rules string) *Reasons {
	t.Helper()
	r, err := ParseReasons("r.yaml", []byte(words+rules))
	require.NoError(t, err)
	return r
}

func TestTheFirstReasonDecides(t *testing.T) {
	r := reasons(t, "  - {id: \"ping.*\", level: ^MUST$, reason: late}\n  - {area: ping, reason: late}\n  - {party: host, observable: never, check: (?i)review, reason: late}\n")
	e := requirements.Entry{ID: "ping.a", Area: "ping", Check: "Host UI review", Observable: requirements.Never}
	assert.Equal(t, 0, r.find(e, requirements.Statement{Level: requirements.Must}))
	assert.Equal(t, 1, r.find(e, requirements.Statement{Level: requirements.MustNot}))
	e.ID, e.Area = "tools.a", "tools"
	assert.Equal(t, 2, r.find(e, requirements.Statement{Party: requirements.Host}))
	assert.Equal(t, -1, r.find(e, requirements.Statement{Party: requirements.Server}))
}

func TestReasonsAreReadStrictly(t *testing.T) {
	for source, want := range map[string]string{
		words + "  - {id: a, reason: early}\n":                              `r.yaml:4: "early" is none of the words`,
		words + "  - {id: \"[\", reason: late}\n":                           "r.yaml:4: id \"[\": syntax error in pattern",
		words + "  - {level: \"(\", reason: late}\n":                        "r.yaml:4: error parsing regexp",
		words + "  - {check: \"(\", reason: late}\n":                        "r.yaml:4: error parsing regexp",
		words + "  - {ids: a, reason: late}\n":                              `unknown field "ids"`,
		"words:\n  - {word: late, means: x}\nrules: []\n":                   `the word "late" needs a meaning, and a rule that uses it`,
		"words:\n  - {word: late}\nrules:\n  - {id: \"*\", reason: late}\n": `the word "late" needs a meaning`,
		"words: !!seq\n": "r.yaml:1: a tag",
	} {
		_, err := ParseReasons("r.yaml", []byte(source))
		assert.ErrorContains(t, err, want, source)
	}
}

// A line that decides nothing is an error with file and line, be it that it fits nothing or that another is before it.
func TestReasonsExpire(t *testing.T) {
	s := Sources{Manifest: manifest(t), Reasons: reasons(t, "  - {id: \"*\", reason: late}\n  - {id: ping.no-such, reason: late}\n  - {area: ping, reason: late}\n")}
	_, err := Build(s)
	require.Error(t, err)
	assert.NotContains(t, err.Error(), "r.yaml:4")
	assert.ErrorContains(t, err, "r.yaml:5: this decides nothing")
	assert.ErrorContains(t, err, "r.yaml:6: this decides nothing")
}

func FuzzParseReasons(f *testing.F) {
	f.Add([]byte(words + "  - {id: \"a.*\", reason: late}\n"))
	f.Add(reasonsYAML)
	for _, bad := range []string{"words: !!seq\n", "words: !x\n", "words: !!map {}\n", "rules: ! x\n"} { // these once crashed it
		f.Add([]byte(bad))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		if r, err := ParseReasons("r.yaml", source); err == nil {
			r.find(requirements.Entry{ID: "a.b"}, requirements.Statement{})
		}
	})
}
