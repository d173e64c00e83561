package report

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Every report says to which set a run was restricted, and none speaks of sets otherwise.
func TestReportsSayWhatJudged(t *testing.T) {
	r := sample(t)
	for name, w := range writers {
		assert.NotContains(t, write(t, w, r, Options{}), "2025-11-25@1", name)
	}
	r.Set = &RequirementSet{Name: "2025-11-25@1", Total: 334, Tested: 120}
	for name, w := range writers {
		out := write(t, w, r, Options{})
		switch name {
		case "markdown":
			assert.Contains(t, out, "Judged by the requirements 2025\\-11\\-25`@`1 alone\\: 120 of 334 were tested.\n", name)
		default:
			assert.Contains(t, out, "2025-11-25@1", name)
		}
	}
	assert.Contains(t, write(t, Terminal, r, Options{}), "\njudged by the requirements 2025-11-25@1 alone: 120 of 334 were tested\n")
	assert.Contains(t, write(t, JUnit, r, Options{}), `<property name="requirements" value="2025-11-25@1"></property>`)
}
