package schema

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The revisions, oldest first, as the tests below name them.
const (
	march    = "2025-03-26"
	june     = "2025-06-18"
	november = "2025-11-25"
	july     = "2026-07-28"
)

func schemaFor(t testing.TB, revision string) *Schema {
	s, err := For(revision)
	require.NoError(t, err)
	return s
}

// lines prints problems one to a line, as the expectations below are written.
func lines(problems []Problem) string {
	text := make([]string, len(problems))
	for i, p := range problems {
		text[i] = p.String()
	}
	return strings.Join(text, "\n")
}

// A case is a message and what is wrong with it; nothing if want is empty.
type messageCase struct {
	name, revision string
	from           role
	method         string // of the request that the message answers
	message        string
	want           string
}

func runCases(t *testing.T, cases []messageCase) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := schemaFor(t, c.revision)
			check := s.CheckServerMessage
			if c.from == client {
				check = s.CheckClientMessage
			}
			assert.Equal(t, c.want, lines(check([]byte(c.message), c.method)))
		})
	}
}

func TestShape(t *testing.T) {
	runCases(t, []messageCase{
		{"empty", july, server, "", ``, "message: is not one JSON value (RFC 8259): EOF (shape)"},
		{"an array where there are no batches", june, server, "", `[]`, "message: is a batch; this revision has none (shape)"},
		{"an empty batch", march, server, "", `[]`, "message: is an empty batch (shape)"},
		{"a batch", march, server, "ping", `[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}]`, ""},
		{"a batch with a bad item", march, server, "ping", `[{"jsonrpc":"2.0","id":1,"result":{}},7]`, "/1: is of type integer; a message is an object (shape)"},
		{"a string", july, server, "", `"hello"`, "message: is of type string; a message is an object (shape)"},
		{"another version", july, server, "", `{"jsonrpc":"1.0","id":1,"error":{"code":1,"message":""}}`, `/jsonrpc: is "1.0", not "2.0" (shape)`},
		{"a numeric version", july, server, "", `{"jsonrpc":2.0,"id":1,"error":{"code":1,"message":""}}`, `/jsonrpc: is 2.0, not "2.0" (shape)`},
		{"no version", july, server, "", `{"id":1,"error":{"code":1,"message":""}}`, `message: lacks the member "jsonrpc": "2.0" (shape)`},
		{"id null", november, server, "", `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}`, "/id: is null; an id is a string or an integer, and is left out where the request had none that could be read (shape)"},
		{"a fractional id", november, server, "ping", `{"jsonrpc":"2.0","id":1.5,"result":{}}`, "/id: is 1.5; an id has no fractional part (shape)"},
		{"an id that is an integer in disguise", november, server, "ping", `{"jsonrpc":"2.0","id":10e-1,"result":{}}`, ""},
		{"a boolean id", november, server, "ping", `{"jsonrpc":"2.0","id":true,"result":{}}`, "/id: is of type boolean; an id is a string or an integer (shape)"},
		{"result and error", june, server, "ping", `{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}`, "message: has a result and an error; a response has one of them (shape)"},
		{"neither result nor error", june, server, "ping", `{"jsonrpc":"2.0","id":1}`, "message: has neither a method nor a result nor an error (shape)"},
		{"a result without id", june, server, "ping", `{"jsonrpc":"2.0","result":{}}`, `message: lacks the member "id" of the request it answers (shape)`},
		{"an error without id", june, server, "ping", `{"jsonrpc":"2.0","error":{"code":-32700,"message":"no JSON"}}`, ""},
		{"a method and a result", june, server, "ping", `{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}`, "/result: stands beside a method; a message is a call or a response, not both (shape)"},
		{"a method that is no string", june, server, "", `{"jsonrpc":"2.0","id":1,"method":1}`, "/method: is of type integer; a method is a string (shape)"},
		{"params that are an array", june, server, "", `{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}`, "/params: is of type array; params are an object (shape)"},
		{"an error that is a string", june, server, "", `{"jsonrpc":"2.0","id":1,"error":"no"}`, "/error: is of type string; an error is an object (shape)"},
		{"an error without code and message", june, server, "", `{"jsonrpc":"2.0","id":1,"error":{}}`, "/error: lacks the member \"code\" (shape)\n/error: lacks the member \"message\" (shape)"},
		{"an error with a fractional code", june, server, "", `{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":7}}`, "/error/code: is 1.5; a code is an integer (shape)\n/error/message: is of type integer; a message is a string (shape)"},
		{"a number beyond use", june, server, "tools/list", `{"jsonrpc":"2.0","id":1,"result":{"tools":[],"x":[1e999999999]}}`, "/result/x/0: is a number beyond any use (shape)"},
		{"a number of many digits", june, server, "tools/list", `{"jsonrpc":"2.0","id":1,"result":{"tools":[],"x":` + strings.Repeat("7", 2000) + `}}`, "/result/x: is a number beyond any use (shape)"},
		{"a small number", june, server, "tools/list", `{"jsonrpc":"2.0","id":1,"result":{"tools":[],"x":-1.5E-300}}`, ""},
		{"a notification with an id", june, server, "", `{"jsonrpc":"2.0","id":1,"method":"notifications/message","params":{"level":"info","data":1}}`, "/id: stands in notifications/message, which is a notification (shape)"},
		{"a request without id", june, server, "", `{"jsonrpc":"2.0","method":"roots/list"}`, `message: lacks the member "id"; roots/list is a request (shape)`},
	})
}

// These cannot be pinned to the byte, because the decoder words the error.
func TestNotJSON(t *testing.T) {
	for name, message := range map[string]string{
		"no JSON":                  `{"jsonrpc":`,
		"two values":               `{"jsonrpc":"2.0","method":"x"} {}`,
		"a duplicate member":       `{"jsonrpc":"2.0","id":1,"result":{"a":1,"a":2}}`,
		"invalid UTF-8":            "{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"result\":{}}",
		"a comment":                `{"jsonrpc":"2.0","id":1,"result":{}} // done`,
		"very deep nesting":        strings.Repeat("[", 20000) + strings.Repeat("]", 20000),
		"a number that is no JSON": `{"jsonrpc":"2.0","id":01,"result":{}}`,
	} {
		problems := schemaFor(t, july).CheckServerMessage([]byte(message), "")
		if assert.Len(t, problems, 1, name) {
			assert.Equal(t, KindShape, problems[0].Kind, name)
			assert.Contains(t, problems[0].Text, "is not one JSON value", name)
		}
	}
}

func TestSchema(t *testing.T) {
	const ok = `{"jsonrpc":"2.0","id":1,"result":`
	runCases(t, []messageCase{
		{"a list of tools", march, server, "tools/list", ok + `{"tools":[{"name":"a","inputSchema":{"type":"object"}}]}}`, ""},
		{"nextCursor null", march, server, "tools/list", ok + `{"tools":[],"nextCursor":null}}`, "/result/nextCursor: is of type null, not string (schema)"},
		{"no tools", march, server, "tools/list", ok + `{}}`, `/result: lacks the member "tools" (schema)`},
		{"a result of another method", june, server, "tools/list", ok + `{"prompts":[]}}`, `/result: lacks the member "tools" (schema)`},
		{"inputSchema of another type", june, server, "tools/list", ok + `{"tools":[{"name":"a","inputSchema":{"type":"string"}}]}}`, `/result/tools/0/inputSchema/type: is "string", not "object" (schema)`},
		{"several mistakes", june, server, "tools/list", ok + `{"tools":[{"title":3,"annotations":{"readOnlyHint":"yes"}}]}}`,
			"/result/tools/0: lacks the member \"inputSchema\" (schema)\n/result/tools/0: lacks the member \"name\" (schema)\n/result/tools/0/annotations/readOnlyHint: is of type string, not boolean (schema)\n/result/tools/0/title: is of type number, not string (schema)"},
		{"result is an array", june, server, "ping", ok + `[]}`, "/result: is of type array, not object (schema)"},
		{"content without its text", june, server, "tools/call", ok + `{"content":[{"type":"text"}]}}`, `/result/content/0: lacks the member "text" (schema)`},
		{"content of no known type", june, server, "tools/call", ok + `{"content":[{"type":"video"}]}}`, `/result/content/0: fits none of: type "audio"; type "image"; type "resource"; type "resource_link"; type "text" (schema)`},
		{"content that is no object", june, server, "tools/call", ok + `{"content":["text"]}}`, "/result/content/0: is of type string, not object (schema)"},
		{"image that is not base64", june, server, "tools/call", ok + `{"content":[{"type":"image","mimeType":"image/png","data":"%%"}]}}`, `/result/content/0/data: is not in the format byte: "%%" (schema)`},
		{"a resource without a scheme", june, server, "resources/read", ok + `{"contents":[{"uri":"notes.txt","text":""}]}}`, `/result/contents/0/uri: is not in the format uri: "notes.txt" (schema)`},
		{"a template that is none", june, server, "resources/templates/list", ok + `{"resourceTemplates":[{"name":"a","uriTemplate":"x:{"}]}}`, `/result/resourceTemplates/0/uriTemplate: is not in the format uri-template: "x:{" (schema)`},
		{"a priority out of range", june, server, "resources/list", ok + `{"resources":[{"uri":"a:b","name":"a","annotations":{"priority":2}},{"uri":"a:b","name":"a","annotations":{"priority":-1}}]}}`,
			"/result/resources/0/annotations/priority: is more than 1 (schema)\n/result/resources/1/annotations/priority: is less than 0 (schema)"},
		{"an unknown log level", june, server, "", `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warn","data":1}}`,
			`/params/level: is "warn", not one of "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency" (schema)`},
		{"no params", june, server, "", `{"jsonrpc":"2.0","method":"notifications/message"}`, "/params: is missing; notifications/message has params (schema)"},
		{"params that may be missing", june, server, "", `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`, ""},
		{"a method of the other side", june, server, "", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "/method: is tools/list, which no server sends (schema)"},
		{"a method nobody knows", june, server, "", `{"jsonrpc":"2.0","id":1,"method":"acme/launch","params":{}}`, ""},
		{"a notification nobody knows", july, server, "", `{"jsonrpc":"2.0","method":"notifications/acme"}`, ""},
		{"a request where servers send none", july, server, "", `{"jsonrpc":"2.0","id":1,"method":"acme/launch"}`, "message: is a request; a server of this revision sends none (schema)"},
		{"a response where clients send none", july, client, "", `{"jsonrpc":"2.0","id":1,"result":{}}`, "message: is a response; a client of this revision is never asked (schema)"},
		{"a result of unknown origin", june, server, "", ok + `{"anything":1}}`, ""},
		{"a result of unknown origin that lacks its type", july, server, "", ok + `{"anything":1}}`, `/result: lacks the member "resultType" (schema)`},
		{"no resultType", july, server, "tools/call", ok + `{"content":[]}}`, `/result: lacks the member "resultType" (schema)`},
		{"a resultType of nobody", july, server, "tools/call", ok + `{"content":[],"resultType":"done"}}`, `/result/resultType: is "done", not "complete" (schema)`},
		{"a caching hint is missing", july, server, "tools/list", ok + `{"tools":[],"resultType":"complete","ttlMs":-1}}`, "/result: lacks the member \"cacheScope\" (schema)\n/result/ttlMs: is less than 0 (schema)"},
		{"input required", july, server, "tools/call", ok + `{"resultType":"input_required","requestState":"s"}}`, ""},
		{"input required of nothing", july, server, "tools/call", ok + `{"resultType":"input_required"}}`, "/result: has none of the members inputRequests and requestState, of which it needs one (schema)"},
		{"input required where it cannot be", july, server, "tools/list", ok + `{"resultType":"input_required","requestState":"s"}}`,
			"/result: lacks the member \"cacheScope\" (schema)\n/result: lacks the member \"tools\" (schema)\n/result: lacks the member \"ttlMs\" (schema)\n/result/resultType: is \"input_required\", not \"complete\" (schema)"},
		{"a question that is none", july, server, "tools/call", ok + `{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":1,"requestedSchema":{"type":"object","properties":{}}}}}}}`,
			"/result/inputRequests/a/params/message: is of type number, not string (schema)"},
		{"structured null", july, server, "tools/call", ok + `{"content":[],"structuredContent":null,"resultType":"complete"}}`, ""},
		{"101 completions", july, server, "completion/complete", ok + `{"resultType":"complete","completion":{"values":[` + strings.Repeat(`"a",`, 100) + `"a"]}}}`, "/result/completion/values: has 101 items, more than 100 (schema)"},
		{"a task of an augmented call", november, server, "tools/call", ok + `{"task":{"taskId":"1","status":"working","createdAt":"","lastUpdatedAt":"","ttl":1.5}}}`, "/result/task/ttl: is of type number, not null or integer (schema)"},
		{"the payload of a task", november, server, "tasks/result", ok + `{"content":[]}}`, ""},
		{"an error with the data its code promises", july, server, "", `{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"","data":{"supported":["2026-07-28"]}}}`, `/error/data: lacks the member "requested" (schema)`},
		{"an error with no data at all", july, server, "", `{"jsonrpc":"2.0","id":1,"error":{"code":-32021,"message":""}}`, `/error: lacks the member "data" (schema)`},
		{"an error with free data", july, server, "", `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"","data":[1]}}`, ""},

		{"the params of a request", july, client, "", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`, `/params: lacks the member "_meta" (schema)`},
		{"a prompt argument that is no text", june, client, "", `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"a","arguments":{"n":1}}}`, "/params/arguments/n: is of type number, not string (schema)"},
		{"an answer to an elicitation", june, client, "elicitation/create", ok + `{"action":"accept","content":{"a":1.5}}}`, ""},
		{"an answer of no known kind", june, client, "elicitation/create", ok + `{"action":"maybe"}}`, `/result/action: is "maybe", not one of "accept", "decline", "cancel" (schema)`},
		{"a nested form", june, server, "", `{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"","requestedSchema":{"type":"object","properties":{"a":{"type":"object"}}}}}`,
			`/params/requestedSchema/properties/a: fits none of: type "boolean"; type "number", "integer"; type "string" (schema)`},
		{"cancelled without an id", june, client, "", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}`, `/params: lacks the member "requestId" (schema)`},
		{"cancelled without an id, of a task", november, client, "", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}`, ""},
	})
}

func TestForeign(t *testing.T) {
	const ok = `{"jsonrpc":"2.0","id":1,"result":`
	runCases(t, []messageCase{
		{"icons on a tool", june, server, "tools/list", ok + `{"tools":[{"name":"a","inputSchema":{"type":"object"},"icons":[]}]}}`,
			`/result/tools/0/icons: member "icons" belongs to 2025-11-25 and 2026-07-28, not to 2025-06-18 (foreign)`},
		{"title", march, server, "tools/list", ok + `{"tools":[{"name":"a","title":"A","inputSchema":{"type":"object"}}]}}`,
			`/result/tools/0/title: member "title" belongs to 2025-06-18, 2025-11-25 and 2026-07-28, not to 2025-03-26 (foreign)`},
		{"a title that has been there for ever", march, server, "tools/list", ok + `{"tools":[{"name":"a","annotations":{"title":"A"},"inputSchema":{"type":"object"}}]}}`, ""},
		{"what a revision dropped", july, server, "tools/list", ok + `{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[{"name":"a","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}}]}}`,
			`/result/tools/0/execution: member "execution" belongs to 2025-11-25, not to 2026-07-28 (foreign)`},
		{"resultType and ttlMs", november, server, "tools/list", ok + `{"tools":[],"resultType":"complete","ttlMs":0}}`,
			"/result/resultType: member \"resultType\" belongs to 2026-07-28, not to 2025-11-25 (foreign)\n/result/ttlMs: member \"ttlMs\" belongs to 2026-07-28, not to 2025-11-25 (foreign)"},
		{"resultType on an empty result", november, server, "ping", ok + `{"resultType":"complete"}}`, `/result/resultType: member "resultType" belongs to 2026-07-28, not to 2025-11-25 (foreign)`},
		{"resultType on a result of unknown origin", november, server, "", ok + `{"resultType":"complete"}}`, `/result/resultType: member "resultType" belongs to 2026-07-28, not to 2025-11-25 (foreign)`},
		{"a content type, reported once", march, server, "tools/call", ok + `{"content":[{"type":"text","text":""},{"type":"resource_link","uri":"a:b","name":"a"}]}}`,
			`/result/content/1/type: value "resource_link" belongs to 2025-06-18, 2025-11-25 and 2026-07-28, not to 2025-03-26 (foreign)`},
		{"structuredContent", march, server, "tools/call", ok + `{"content":[],"structuredContent":{}}}`,
			`/result/structuredContent: member "structuredContent" belongs to 2025-06-18, 2025-11-25 and 2026-07-28, not to 2025-03-26 (foreign)`},
		{"structuredContent of another kind", november, server, "tools/call", ok + `{"content":[],"structuredContent":[]}}`,
			`/result/structuredContent: a value of type array belongs to 2026-07-28, not to 2025-11-25 (foreign)`},
		{"an output schema that is no object", november, server, "tools/list", ok + `{"tools":[{"name":"a","inputSchema":{"type":"object"},"outputSchema":{"type":"array"}}]}}`,
			"/result/tools/0/outputSchema/type: is \"array\", not \"object\" (schema)"},
		{"an array of contents", june, server, "", `{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"maxTokens":1,"messages":[{"role":"user","content":[{"type":"text","text":""}]}]}}`,
			`/params/messages/0/content: a value of type array belongs to 2025-11-25, not to 2025-06-18 (foreign)`},
		{"a mode of elicitation", june, server, "", `{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"form","message":"","requestedSchema":{"type":"object","properties":{"a":{"type":"string","default":"x"}}}}}`,
			"/params/mode: member \"mode\" belongs to 2025-11-25, not to 2025-06-18 (foreign)\n/params/requestedSchema/properties/a/default: member \"default\" belongs to 2025-11-25, not to 2025-06-18 (foreign)"},
		{"a kind of field", june, server, "", `{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"","requestedSchema":{"type":"object","properties":{"a":{"type":"array","items":{"type":"string","enum":["x"]}}}}}}`,
			`/params/requestedSchema/properties/a/type: value "array" belongs to 2025-11-25, not to 2025-06-18 (foreign)`},
		{"labelled choices", june, server, "", `{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"","requestedSchema":{"type":"object","properties":{"a":{"type":"string","oneOf":[]}}}}}`,
			`/params/requestedSchema/properties/a/oneOf: member "oneOf" belongs to 2025-11-25, not to 2025-06-18 (foreign)`},
		{"a method", march, server, "", `{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{}}`,
			"/method: method elicitation/create belongs to 2025-06-18 and 2025-11-25, not to 2025-03-26 (foreign)"},
		{"a request of a server that only asks back", july, server, "", `{"jsonrpc":"2.0","id":1,"method":"roots/list"}`,
			"/method: method roots/list belongs to 2025-03-26, 2025-06-18 and 2025-11-25, not to 2026-07-28 (foreign)"},
		{"a notification", june, server, "", `{"jsonrpc":"2.0","method":"notifications/tasks/status","params":{}}`,
			"/method: method notifications/tasks/status belongs to 2025-11-25, not to 2025-06-18 (foreign)"},
		{"an answer to a foreign method", november, server, "server/discover", ok + `{}}`,
			"/result: method server/discover belongs to 2026-07-28, not to 2025-11-25, and still it was answered with a result (foreign)"},
		{"a capability", june, server, "initialize", ok + `{"protocolVersion":"2025-06-18","capabilities":{"tasks":{}},"serverInfo":{"name":"a","version":"1"}}}`,
			`/result/capabilities/tasks: member "tasks" belongs to 2025-11-25, not to 2025-06-18 (foreign)`},
		{"extensions are let through", june, server, "initialize", ok + `{"protocolVersion":"2025-06-18","capabilities":{"extensions":{"a/b":{"icons":1}},"experimental":{"tasks":{"icons":1}}},"serverInfo":{"name":"a","version":"1"}}}`, ""},
		{"inside a question", july, server, "tools/call", ok + `{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"mode":"url","message":"","url":"https://a.example","elicitationId":"1"}}}}}`,
			`/result/inputRequests/a/params/elicitationId: member "elicitationId" belongs to 2025-11-25, not to 2026-07-28 (foreign)`},
		{"inside an answer", july, client, "", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"tasks":{}}},"name":"a","task":{},"inputResponses":{"a":{"action":"accept","_meta":{}}}}}`,
			"/params/inputResponses/a/_meta: member \"_meta\" belongs to 2025-06-18 and 2025-11-25, not to 2026-07-28 (foreign)\n/params/task: member \"task\" belongs to 2025-11-25, not to 2026-07-28 (foreign)"},
		{"members of a task", july, server, "tasks/get", ok + `{"resultType":"complete","taskId":"1","status":"working","createdAt":"","lastUpdatedAt":"","ttlMs":null,"pollInterval":5}}`,
			`/result/pollInterval: member "pollInterval" belongs to 2025-11-25, not to 2026-07-28 (foreign)`},
		{"what belongs to its author", march, server, "tools/list", ok + `{"_meta":{"icons":1,"resultType":2},"tools":[{"name":"a","inputSchema":{"$schema":"x","type":"object","properties":{"icons":{},"title":{"default":1}}}}]}}`, ""},
		{"arguments", march, client, "", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"task":1,"icons":2}}}`, ""},
		{"the data of a log message", march, server, "", `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":{"icons":1,"title":2}}}`, ""},
		{"a name nobody knows", march, server, "tools/list", ok + `{"tools":[],"acme":1}}`, ""},
	})
}

func TestCheckDefinition(t *testing.T) {
	s := schemaFor(t, june)
	problems, err := s.CheckDefinition([]byte(`{"name":"a","icons":[],"version":1}`), "Implementation")
	require.NoError(t, err)
	assert.Equal(t, "/icons: member \"icons\" belongs to 2025-11-25 and 2026-07-28, not to 2025-06-18 (foreign)\n/version: is of type number, not string (schema)", lines(problems))
	problems, err = s.CheckDefinition([]byte(`{`), "Implementation")
	require.NoError(t, err)
	assert.Len(t, problems, 1)
	_, err = s.CheckDefinition([]byte(`{}`), "Implementatoin")
	assert.EqualError(t, err, `revision 2025-06-18 has no definition "Implementatoin"`)
}

func TestForUnknownRevision(t *testing.T) {
	_, err := For("2024-11-05")
	assert.EqualError(t, err, `no schema for revision "2024-11-05": there are 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28`)
	assert.Equal(t, june, schemaFor(t, june).Revision())
}

// A pointer escapes what it must.
func TestPath(t *testing.T) {
	problems := schemaFor(t, july).CheckClientMessage([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":1,"io.modelcontextprotocol/clientCapabilities":{}}}}`), "")
	assert.Equal(t, "/params/_meta/io.modelcontextprotocol~1protocolVersion: is of type number, not string (schema)", lines(problems))
}

func TestConcurrentUse(t *testing.T) {
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for _, revision := range Revisions() {
				s, err := For(revision)
				assert.NoError(t, err)
				s.CheckServerMessage([]byte(`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"icons":[]}]}}`), "tools/list")
			}
		})
	}
	group.Wait()
}
