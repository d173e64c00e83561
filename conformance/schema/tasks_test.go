package schema

import "testing"

// Tasks of 2025-11-25 (basic/utilities/tasks) and of the extension at 2026-07-28: right answers pass, and each wrong one is
// found where it is wrong.
func TestTasks(t *testing.T) {
	const (
		ok   = `{"jsonrpc":"2.0","id":1,"result":`
		old  = `"taskId":"a","createdAt":"","lastUpdatedAt":"","ttl":null`
		task = `"taskId":"a","createdAt":"","lastUpdatedAt":"","ttlMs":null`
		note = `{"jsonrpc":"2.0","method":"notifications/tasks`
		meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	)
	runCases(t, []messageCase{
		{"created", november, server, "tools/call", ok + `{"task":{"status":"working","pollInterval":5,` + old + `}}}`, ""},
		{"created without its data", november, server, "tools/call", ok + `{"task":{"status":"working"}}}`,
			"/result/task: lacks the member \"createdAt\" (schema)\n/result/task: lacks the member \"lastUpdatedAt\" (schema)\n/result/task: lacks the member \"taskId\" (schema)\n/result/task: lacks the member \"ttl\" (schema)"},
		{"looked at", november, server, "tasks/get", ok + `{"status":"completed",` + old + `}}`, ""},
		{"looked at, the newer way", november, server, "tasks/get", ok + `{"status":"completed","result":{},` + old + `}}`,
			`/result/result: member "result" belongs to 2026-07-28, not to 2025-11-25 (foreign)`},
		{"a status of nobody", november, server, "tasks/get", ok + `{"status":"done",` + old + `}}`,
			`/result/status: is "done", not one of "working", "input_required", "completed", "failed", "cancelled" (schema)`},
		{"the outcome of a call", november, server, "tasks/result", ok + `{"content":[],"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"a"}}}}`, ""},
		{"no outcome of a call", november, server, "tasks/result", ok + `{"status":"completed"}}`, `/result: lacks the member "content" (schema)`},
		{"related to no task", november, server, "tasks/result", ok + `{"content":[],"_meta":{"io.modelcontextprotocol/related-task":{}}}}`,
			`/result/_meta/io.modelcontextprotocol~1related-task: lacks the member "taskId" (schema)`},
		{"the outcome of a question", november, client, "tasks/result", ok + `{"action":"accept"}}`, ""},
		{"cancelled", november, server, "tasks/cancel", ok + `{}}`,
			"/result: lacks the member \"createdAt\" (schema)\n/result: lacks the member \"lastUpdatedAt\" (schema)\n/result: lacks the member \"status\" (schema)\n/result: lacks the member \"taskId\" (schema)\n/result: lacks the member \"ttl\" (schema)"},
		{"listed", november, server, "tasks/list", ok + `{"tasks":[{"status":"failed",` + old + `}],"nextCursor":"b"}}`, ""},
		{"listed without a list", november, server, "tasks/list", ok + `{}}`, `/result: lacks the member "tasks" (schema)`},
		{"told", november, server, "", note + `/status","params":{"status":"failed",` + old + `}}`, ""},
		{"told without a task", november, server, "", note + `/status","params":{"taskId":"a","status":"failed","ttl":null,"createdAt":""}}`, `/params: lacks the member "lastUpdatedAt" (schema)`},

		{"a handle", july, server, "tools/call", ok + `{"resultType":"task","status":"working","pollIntervalMs":5,` + task + `}}`, ""},
		{"a handle inside", july, server, "tools/call", ok + `{"resultType":"task","task":{"status":"working",` + task + `}}}`,
			"/result: lacks the member \"createdAt\" (schema)\n/result: lacks the member \"lastUpdatedAt\" (schema)\n/result: lacks the member \"status\" (schema)\n/result: lacks the member \"taskId\" (schema)\n/result: lacks the member \"ttlMs\" (schema)\n" +
				`/result/task: member "task" belongs to 2025-11-25, not to 2026-07-28 (foreign)`},
		{"a fraction of a millisecond", july, server, "tools/call", ok + `{"resultType":"task","status":"working","pollIntervalMs":0.5,` + task + `}}`,
			"/result/pollIntervalMs: is of type number, not integer (schema)"},
		{"a prompt that is a task", july, server, "prompts/get", ok + `{"resultType":"task","status":"working",` + task + `}}`,
			"/result: lacks the member \"messages\" (schema)\n/result/resultType: is \"task\", not \"complete\" (schema)"},
		{"at work", july, server, "tasks/get", ok + `{"resultType":"complete","status":"working",` + task + `}}`, ""},
		{"a handle where a task is asked for", july, server, "tasks/get", ok + `{"resultType":"task","status":"working",` + task + `}}`,
			`/result/resultType: is "task", not "complete" (schema)`},
		{"waiting", july, server, "tasks/get", ok + `{"resultType":"complete","status":"input_required","inputRequests":{"k":{"method":"roots/list"}},` + task + `}}`, ""},
		{"waiting for nothing", july, server, "tasks/get", ok + `{"resultType":"complete","status":"input_required",` + task + `}}`, `/result: lacks the member "inputRequests" (schema)`},
		{"waiting for what nobody asks", july, server, "tasks/get", ok + `{"resultType":"complete","status":"input_required","inputRequests":{"k":{"method":"ping"}},` + task + `}}`,
			`/result/inputRequests/k/method: value "ping" belongs to 2025-03-26, 2025-06-18 and 2025-11-25, not to 2026-07-28 (foreign)`},
		{"completed", july, server, "tasks/get", ok + `{"resultType":"complete","status":"completed","result":{"content":[]},` + task + `}}`, ""},
		{"completed, with its type", july, server, "tasks/get", ok + `{"resultType":"complete","status":"completed","result":{"resultType":"complete","content":[],"isError":true},` + task + `}}`, ""},
		{"completed with nothing", july, server, "tasks/get", ok + `{"resultType":"complete","status":"completed",` + task + `}}`, `/result: lacks the member "result" (schema)`},
		{"completed with half a result", july, server, "tasks/get", ok + `{"resultType":"complete","status":"completed","result":{},` + task + `}}`, `/result/result: lacks the member "content" (schema)`},
		{"failed", july, server, "tasks/get", ok + `{"resultType":"complete","status":"failed","error":{"code":-32603,"message":""},` + task + `}}`, ""},
		{"failed without an error", july, server, "tasks/get", ok + `{"resultType":"complete","status":"failed",` + task + `}}`, `/result: lacks the member "error" (schema)`},
		{"failed with half an error", july, server, "tasks/get", ok + `{"resultType":"complete","status":"failed","error":{"code":-32603},` + task + `}}`, `/result/error: lacks the member "message" (schema)`},
		{"cancelled, in the end", july, server, "tasks/get", ok + `{"resultType":"complete","status":"cancelled",` + task + `}}`, ""},
		{"another status of nobody", july, server, "tasks/get", ok + `{"resultType":"complete","status":"done",` + task + `}}`,
			`/result: fits none of: status "cancelled"; status "completed"; status "failed"; status "input_required"; status "working" (schema)` + "\n" + `/result/status: is "done", not one of "working", "input_required", "completed", "failed", "cancelled" (schema)`},
		{"no ttl", july, server, "tasks/get", ok + `{"resultType":"complete","status":"working","taskId":"a","createdAt":"","lastUpdatedAt":""}}`, `/result: lacks the member "ttlMs" (schema)`},
		{"acknowledged", july, server, "tasks/update", ok + `{"resultType":"complete"}}`, ""},
		{"acknowledged without a type", july, server, "tasks/cancel", ok + `{}}`, `/result: lacks the member "resultType" (schema)`},
		{"an answer to what waits", july, client, "", `{"jsonrpc":"2.0","id":1,"method":"tasks/update","params":{"taskId":"a","inputResponses":{"k":{"action":"accept"}},` + meta + `}}`, ""},
		{"no answer at all", july, client, "", `{"jsonrpc":"2.0","id":1,"method":"tasks/update","params":{"taskId":"a",` + meta + `}}`, `/params: lacks the member "inputResponses" (schema)`},
		{"which task?", july, client, "", `{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{` + meta + `}}`, `/params: lacks the member "taskId" (schema)`},
		{"told in full", july, server, "", note + `","params":{"status":"completed","result":{"content":[]},"_meta":{"io.modelcontextprotocol/subscriptionId":1},` + task + `}}`, ""},
		{"told without the result", july, server, "", note + `","params":{"status":"completed",` + task + `}}`, `/params: lacks the member "result" (schema)`},
		{"told the older way", july, server, "", note + `/status","params":{"status":"completed",` + task + `}}`,
			"/method: method notifications/tasks/status belongs to 2025-11-25, not to 2026-07-28 (foreign)"},
		{"the older way to the result", july, server, "tasks/result", ok + `{"resultType":"complete","content":[]}}`,
			"/result: method tasks/result belongs to 2025-11-25, not to 2026-07-28, and still it was answered with a result (foreign)"},
	})
}
