package report

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseFailOn(t *testing.T) {
	tests := map[string]FailOn{
		"fail":               {},
		"never":              {Never: true},
		"warn":               {Also: []Verdict{Warn}},
		"fail, warn":         {Also: []Verdict{Warn}},
		"untestable,open":    {Also: []Verdict{Untestable, Open}},
		"not-applicable":     {Also: []Verdict{NotApplicable}},
		"not-reached,fail  ": {},
	}
	for list, want := range tests {
		t.Run(list, func(t *testing.T) {
			got, err := ParseFailOn(list)
			require.NoError(t, err)
			assert.Equal(t, want, got)
		})
	}
	for _, list := range []string{"", "pass", "warn,", "never,warn", "warning"} {
		_, err := ParseFailOn(list)
		assert.ErrorContains(t, err, "untestable", "%q: the error names the words", list)
	}
}

func TestWithoutRequirementsIdsSpeakForThemselves(t *testing.T) {
	var o Options
	assert.Equal(t, "tools.unknown-tool", o.describe("tools.unknown-tool", "2025-11-25"))
	assert.Empty(t, o.clause("tools.unknown-tool", "2025-11-25"))
}
