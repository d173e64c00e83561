package revisions_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/revisions"
)

// otherwise are the places where an older revision says something else than the next newer one, not just less.
var otherwise = map[protocol.Revision][]string{
	"2025-11-25": slices.Concat([]string{
		"a URL.elicitationId", // which the newer one has no need of
	}, taskOtherwise),
	"2025-06-18": {
		"a form.requestedSchema.properties.field 5.enum", // instead of oneOf
		"a form.requestedSchema.properties.field 5.enumNames",
		"sampling.messages", // one for each block
	},
	"2025-03-26": {
		"CallToolResult.content[3].text", // instead of a link
		"CallToolResult.content[3].type",
		"GetPromptResult.messages[3].content.text",
		"GetPromptResult.messages[3].content.type",
	},
}

// taskOtherwise are the places for tasks, which have become an extension with messages of its own.
var taskOtherwise = []string{
	"CancelTaskResult.createdAt", // the newer one only says that it has heard
	"CancelTaskResult.lastUpdatedAt",
	"CancelTaskResult.pollInterval",
	"CancelTaskResult.status",
	"CancelTaskResult.statusMessage",
	"CancelTaskResult.taskId",
	"CancelTaskResult.ttl",
	"CreateTaskResult.task",
	"GetTaskResult, cancelled.pollInterval",
	"GetTaskResult, cancelled.ttl",
	"GetTaskResult, completed.pollInterval",
	"GetTaskResult, completed.status", // failed, since its result says that the tool failed
	"GetTaskResult, completed.statusMessage",
	"GetTaskResult, completed.ttl",
	"GetTaskResult, failed.pollInterval",
	"GetTaskResult, failed.ttl",
	"GetTaskResult, input_required.pollInterval",
	"GetTaskResult, input_required.ttl",
	"GetTaskResult, working.pollInterval",
	"GetTaskResult, working.ttl",
	"ListToolsResult.tools[0].execution",
	"LoggingMessageNotification._meta.io.modelcontextprotocol/related-task",
	"ProgressNotification._meta.io.modelcontextprotocol/related-task",
	"sampling with tools.tools[0].execution",
}

// An older revision leaves members out. What it says as the next newer one has a name for it is the same, down to each value.
func TestOlderRevisionsSayLess(t *testing.T) {
	all := revisions.All()
	for i, older := range all[1:] {
		var found []string
		for _, m := range messages() {
			if _, ok := m.value.(*protocol.Tracked); ok {
				continue // the question in it comes alone as well
			}
			was, errOlder := older.Append(nil, m.value)
			is, errNewer := all[i].Append(nil, m.value)
			if errOlder == nil && errNewer == nil {
				found = append(found, different(m.name, parsed(t, was), parsed(t, is))...)
			}
		}
		slices.Sort(found)
		assert.ElementsMatch(t, otherwise[older.Features().Revision], slices.Compact(found), older.Features().Revision)
	}
}

// different returns the places where older is not what is left of newer when members are left out.
func different(path string, older, newer any) []string {
	switch o := older.(type) {
	case object:
		n, ok := newer.(object)
		if !ok {
			return []string{path}
		}
		var found []string
		for _, key := range slices.Sorted(maps.Keys(o)) {
			if value, ok := n[key]; ok {
				found = append(found, different(path+"."+key, o[key], value)...)
			} else {
				found = append(found, path+"."+key)
			}
		}
		return found
	case []any:
		n, ok := newer.([]any)
		if !ok || len(o) != len(n) {
			return []string{path}
		}
		var found []string
		for i := range o {
			found = append(found, different(fmt.Sprintf("%s[%d]", path, i), o[i], n[i])...)
		}
		return found
	}
	if older != newer {
		return []string{path}
	}
	return nil
}
