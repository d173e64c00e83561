package report

import (
	"encoding/xml"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestJUnit(t *testing.T) {
	r := sample(t)
	r.Interrupted = true
	var got junitSuites
	require.NoError(t, xml.Unmarshal([]byte(write(t, JUnit, r, Options{})), &got))

	cases := map[string]junitCase{}
	var sum junitSuite
	for _, suite := range got.Suites {
		assert.Len(t, suite.Cases, suite.Tests)
		sum.Tests += suite.Tests
		sum.Failures += suite.Failures
		sum.Errors += suite.Errors
		sum.Skipped += suite.Skipped
		for _, c := range suite.Cases {
			cases[suite.Name+" "+c.Name] = c
		}
	}
	assert.Len(t, got.Suites, 8, "seven columns and what concerns the whole run")
	assert.Equal(t, sum.Tests, got.Tests)
	assert.Equal(t, 74+2, got.Tests, "the results, a known-failure pattern, and the interruption")
	assert.Equal(t, 5, got.Failures, "the failures that are not known")
	assert.Equal(t, sum.Failures, got.Failures)
	assert.Equal(t, 1+2, got.Errors, "what was not reached, and what concerns the run")
	assert.Equal(t, sum.Errors, got.Errors)
	assert.Equal(t, 2+12+4+3, got.Skipped, "known, not applicable, open, untestable")
	assert.Equal(t, sum.Skipped, got.Skipped)

	failed := cases["2025-11-25 http tools/unknown-tool"]
	require.NotNil(t, failed.Failure)
	assert.Equal(t, "2025-11-25.http.tools", failed.Class)
	for _, part := range []string{"error: required, but absent", "tools.unknown-tool MUST", "#error-handling", "no-such-tool", "curl -sS"} {
		assert.Contains(t, failed.Failure.Text, part)
	}
	assert.Contains(t, cases["2026-07-28 http resources/read-missing"].Skipped.Message, "known failure: fix merged upstream")
	assert.Contains(t, cases["2025-03-26 http session/delete"].Error.Message, "no session id")
	warned := cases["2025-11-25 http resources/read-missing"]
	assert.Nil(t, warned.Failure)
	assert.Contains(t, warned.Output, "warning: error.code: recommended -32002")
	passed := cases["2025-11-25 http ping/ping"]
	assert.Equal(t, junitCase{Name: "ping/ping", Class: "2025-11-25.http.ping", Time: passed.Time}, passed)
}

func TestJUnitOfAnEmptyRunIsAnError(t *testing.T) {
	var got junitSuites
	require.NoError(t, xml.Unmarshal([]byte(write(t, JUnit, &Report{}, Options{})), &got))
	assert.Equal(t, 1, got.Errors)
}
