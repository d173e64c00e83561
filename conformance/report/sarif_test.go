package report

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func sarif(t *testing.T, r *Report) sarifRun {
	t.Helper()
	var log sarifLog
	require.NoError(t, json.Unmarshal([]byte(write(t, SARIF, r, Options{})), &log, json.RejectUnknownMembers(true)))
	assert.Equal(t, "2.1.0", log.Version)
	require.Len(t, log.Runs, 1)
	return log.Runs[0]
}

func TestSARIF(t *testing.T) {
	run := sarif(t, sample(t))
	rules := map[string]sarifRule{}
	for _, rule := range run.Tool.Driver.Rules {
		rules[rule.ID] = rule
	}
	levels, suppressed, fingerprints := map[string]int{}, 0, map[string]bool{}
	for _, result := range run.Results {
		assert.Contains(t, rules, result.Rule)
		assert.Equal(t, "fail", result.Kind)
		require.Len(t, result.Locations, 1)
		assert.Positive(t, result.Locations[0].Physical.Region.StartLine)
		assert.True(t, strings.HasPrefix(result.Locations[0].Physical.Artifact.URI, "transcripts/"))
		levels[result.Level]++
		suppressed += len(result.Suppressions)
		fingerprints[result.Fingerprints["parleyStep/v1"]] = true
	}
	assert.Equal(t, map[string]int{"error": 7, "warning": 3}, levels)
	assert.Equal(t, 2, suppressed, "the known failures")
	assert.Len(t, fingerprints, 10, "each its own")
	assert.Equal(t, "An unknown tool name gets a JSON-RPC error, not a tool result.", rules["tools.unknown-tool"].Short.Text)
	assert.Contains(t, rules["tools.unknown-tool"].Help, "/server/tools#error-handling")
	assert.True(t, run.Invocations[0].Successful)
	assert.Len(t, run.Invocations[0].Notifications, 4+3+1+1, "open, untestable, not reached, a pattern without a failure")
}

// A failure that belongs to no step and no requirement is still a result.
func TestSARIFLosesNoFailure(t *testing.T) {
	run := sarif(t, &Report{Results: []Result{
		{Transcript: "a/no-step", Verdict: Fail, Reason: "no answer to initialize"},
		{Transcript: "a/no requirement", Verdict: Warn, Steps: []Step{{Label: "it", Line: 3, Verdict: Warn, Problem: "odd"}}},
	}})
	require.Len(t, run.Results, 2)
	assert.Equal(t, conversationRule, run.Results[0].Rule)
	assert.Equal(t, "warning", run.Results[0].Level)
	assert.Equal(t, "transcripts/a/no%20requirement.txtar", run.Results[0].Locations[0].Physical.Artifact.URI)
	assert.Contains(t, run.Results[1].Message.Text, "no answer to initialize")
}

func TestSARIFSaysThatARunWasInterruptedOrEmpty(t *testing.T) {
	run := sarif(t, &Report{Interrupted: true})
	assert.False(t, run.Invocations[0].Successful)
	assert.Len(t, run.Invocations[0].Notifications, 2)
}
