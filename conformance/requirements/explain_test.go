package requirements

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestExplain(t *testing.T) {
	m, err := load(manifestOf(goodIndex, goodArea, goodPoints))
	require.NoError(t, err)

	var out bytes.Buffer
	require.NoError(t, m.Explain(&out, "tools.call-again"))
	assert.Equal(t, `tools.call-again

It can be called again.

Binds: both
When: server declares tools
Observable: partly
Check: Call it twice
Supersedes: tools.call

2026-07-28  MAY (prose), binds the server
            https://modelcontextprotocol.io/specification/2026-07-28/server/tools
            https://example.com/schema

Open OP-01 (2026-07-28): How often.
Read as: Often.
`, out.String())

	out.Reset()
	e, _ := m.Lookup("tools.call-again")
	require.NoError(t, e.Explain(&out))
	assert.Contains(t, out.String(), "\nOpen: OP-01\n")

	out.Reset()
	older, _ := m.Lookup("tools.call")
	require.NoError(t, older.Explain(&out))
	assert.Contains(t, out.String(), "Superseded by: tools.call-again\n")
	assert.Contains(t, out.String(), "2025-11-25  MUST\n")
	assert.NotContains(t, out.String(), "Open")
}

func TestExplainUnknown(t *testing.T) {
	m, err := Load()
	require.NoError(t, err)
	var out bytes.Buffer
	assert.EqualError(t, m.Explain(&out, "session.terminated-id-44"), `no requirement "session.terminated-id-44": did you mean session.terminated-id-404?`)
	assert.EqualError(t, m.Explain(&out, "quite-another-thing-altogether"), `no requirement "quite-another-thing-altogether"`)
	assert.Empty(t, out.String())
}

func TestSimilar(t *testing.T) {
	m, err := Load()
	require.NoError(t, err)
	assert.Equal(t, "tools.call", m.Similar("tool.call")[0], "a letter is missing")
	assert.Equal(t, "ping.empty-result", m.Similar("empty-result")[0], "the area is missing")
	assert.LessOrEqual(t, len(m.Similar("tools")), 3)
	assert.Empty(t, m.Similar("qqqqqqqqqqqqqqq"))
}

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"kitten", "sitting", 3}, {"same", "same", 0}} {
		assert.Equal(t, test.want, distance(test.a, test.b), "%s %s", test.a, test.b)
	}
}
