package revisions_test

import (
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/revisions"
)

// lacking stands for ErrNotInRevision.
const lacking = "(not in this revision)"

// waysDown are what an author says, and what each revision makes of it, the newest first.
var waysDown = []struct {
	name  string
	value protocol.Outgoing
	said  []string
}{
	{"a link to a resource", &protocol.CallToolResult{Content: []protocol.Content{&protocol.ResourceLink{Resource: protocol.Resource{
		URI: "file:///a", Name: "a", Title: "A", Description: "All of it.", MIMEType: "text/plain", Meta: []byte(`{"m":1}`)}}}}, []string{
		`{"resultType":"complete","content":[{"type":"resource_link","uri":"file:///a","name":"a","title":"A","description":"All of it.","mimeType":"text/plain","_meta":{"m":1}}]}`,
		`{"content":[{"type":"resource_link","uri":"file:///a","name":"a","title":"A","description":"All of it.","mimeType":"text/plain","_meta":{"m":1}}]}`,
		`{"content":[{"type":"resource_link","uri":"file:///a","name":"a","title":"A","description":"All of it.","mimeType":"text/plain","_meta":{"m":1}}]}`,
		`{"content":[{"type":"text","text":"a: file:///a\nAll of it."}]}`,
	}},
	{"structured content", &protocol.CallToolResult{Structured: []byte(`{"n":1}`)}, []string{
		`{"resultType":"complete","content":[],"structuredContent":{"n":1}}`,
		`{"content":[],"structuredContent":{"n":1}}`, `{"content":[],"structuredContent":{"n":1}}`, `{"content":[]}`,
	}},
	{"structured content that is no object", &protocol.CallToolResult{Structured: []byte(`[1]`)}, []string{
		`{"resultType":"complete","content":[],"structuredContent":[1]}`, `{"content":[]}`, `{"content":[]}`, `{"content":[]}`,
	}},
	{"structured content that is null", &protocol.CallToolResult{Structured: []byte(`null`)}, []string{
		`{"resultType":"complete","content":[],"structuredContent":null}`, `{"content":[]}`, `{"content":[]}`, `{"content":[]}`,
	}},
	{"an output schema that is no object's", &protocol.ListToolsResult{Tools: []*protocol.Tool{{
		Name: "t", InputSchema: []byte("{\"type\":\n\"object\"}"), OutputSchema: []byte(`{"type":"array"}`)}}}, []string{
		`{"resultType":"complete","tools":[{"name":"t","inputSchema":{"type":"object"},"outputSchema":{"type":"array"}}],"ttlMs":0,"cacheScope":"private"}`,
		`{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}`,
		`{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}`,
		`{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}`,
	}},
	{"who the server is", &protocol.CallToolResult{ResultBase: protocol.ResultBase{
		Meta:   []byte(`{"io.modelcontextprotocol/serverInfo":{"name":"forged","version":"0"},"m":1}`),
		Server: &protocol.Implementation{Name: "s", Version: "1"}}}, []string{
		`{"resultType":"complete","content":[],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"},"m":1}}`,
		`{"content":[],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"forged","version":"0"},"m":1}}`,
		`{"content":[],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"forged","version":"0"},"m":1}}`,
		`{"content":[],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"forged","version":"0"},"m":1}}`,
	}},
	{"a cache hint", &protocol.ReadResourceResult{Cache: protocol.CacheHint{TTLMs: 5, Public: true}}, []string{
		`{"resultType":"complete","contents":[],"ttlMs":5,"cacheScope":"public"}`, `{"contents":[]}`, `{"contents":[]}`, `{"contents":[]}`,
	}},
	{"extensions", &protocol.InitializeResult{ResultBase: protocol.ResultBase{Server: &protocol.Implementation{Name: "s", Version: "1", Title: "S", WebsiteURL: "https://example.com"}},
		Revision: "x", Capabilities: extended}, []string{
		lacking,
		`{"protocolVersion":"x","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1","title":"S","websiteUrl":"https://example.com"}}`,
		`{"protocolVersion":"x","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1","title":"S"}}`,
		`{"protocolVersion":"x","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`,
	}},
	{"discovery", &protocol.DiscoverResult{Supported: []protocol.Revision{"x"}, Capabilities: extended}, []string{
		`{"resultType":"complete","supportedVersions":["x"],"capabilities":{"tools":{},"extensions":{"com.example/e":{}}},"ttlMs":0,"cacheScope":"private"}`,
		lacking, lacking, lacking,
	}},
	{"a subscription's notification", &protocol.ToolsListChangedNotification{NotificationBase: protocol.NotificationBase{
		SubscriptionID: []byte(beyond), Meta: []byte(`{"m":1,"io.modelcontextprotocol/subscriptionId":2}`)}}, []string{
		`{"_meta":{"io.modelcontextprotocol/subscriptionId":9007199254740993,"m":1}}`,
		`{"_meta":{"m":1,"io.modelcontextprotocol/subscriptionId":2}}`,
		`{"_meta":{"m":1,"io.modelcontextprotocol/subscriptionId":2}}`,
		`{"_meta":{"m":1,"io.modelcontextprotocol/subscriptionId":2}}`,
	}},
	{"the end of a subscription", &protocol.ListenResult{ID: []byte(`"1"`), ResultBase: protocol.ResultBase{
		Server: &protocol.Implementation{Name: "s", Version: "1"},
		Meta:   []byte(`{"m":1,"io.modelcontextprotocol/subscriptionId":2,"io.modelcontextprotocol/serverInfo":{}}`)}}, []string{
		`{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":"1","io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"},"m":1}}`,
		lacking, lacking, lacking,
	}},
	{"the end of a nameless server's subscription", &protocol.ListenResult{ID: []byte(`1`), ResultBase: protocol.ResultBase{
		Meta: []byte(`{"m":1,"io.modelcontextprotocol/subscriptionId":2}`)}}, []string{
		`{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":1,"m":1}}`, lacking, lacking, lacking,
	}},
	{"titled choices", form(protocol.FormField{Kind: protocol.FieldChoice, Options: titled, Default: []byte(`"a"`)}), []string{
		formOf(`{"type":"string","oneOf":[{"const":"a","title":"A"},{"const":"b","title":"B"}],"default":"a"}`),
		formOf(`{"type":"string","oneOf":[{"const":"a","title":"A"},{"const":"b","title":"B"}],"default":"a"}`),
		plainFormOf(`{"type":"string","enum":["a","b"],"enumNames":["A","B"]}`),
		lacking,
	}},
	{"titled choices in the older way", form(protocol.FormField{Kind: protocol.FieldChoice, Options: titled, LegacyTitles: true}), []string{
		formOf(`{"type":"string","enum":["a","b"],"enumNames":["A","B"]}`),
		formOf(`{"type":"string","enum":["a","b"],"enumNames":["A","B"]}`),
		plainFormOf(`{"type":"string","enum":["a","b"],"enumNames":["A","B"]}`),
		lacking,
	}},
	{"defaults", form(protocol.FormField{Kind: protocol.FieldString, Default: []byte(`"a"`)}), []string{
		formOf(`{"type":"string","default":"a"}`), formOf(`{"type":"string","default":"a"}`), plainFormOf(`{"type":"string"}`), lacking,
	}},
	{"a default of a boolean", form(protocol.FormField{Kind: protocol.FieldBoolean, Default: []byte(`false`)}), []string{
		formOf(`{"type":"boolean","default":false}`), formOf(`{"type":"boolean","default":false}`), plainFormOf(`{"type":"boolean","default":false}`), lacking,
	}},
	{"multiple choices", form(protocol.FormField{Kind: protocol.FieldChoices, Options: titled}), []string{
		formOf(`{"type":"array","items":{"anyOf":[{"const":"a","title":"A"},{"const":"b","title":"B"}]}}`),
		formOf(`{"type":"array","items":{"anyOf":[{"const":"a","title":"A"},{"const":"b","title":"B"}]}}`),
		lacking, lacking,
	}},
	{"a URL", &protocol.ElicitParams{Message: "m", URL: "https://example.com", ID: "1"}, []string{
		`{"message":"m","mode":"url","url":"https://example.com"}`,
		`{"message":"m","mode":"url","url":"https://example.com","elicitationId":"1"}`,
		lacking, lacking,
	}},
	{"a question whose progress is of interest", &protocol.Tracked{Question: &protocol.ListRootsParams{}, ProgressToken: []byte(beyond)}, []string{
		`{}`, `{"_meta":{"progressToken":9007199254740993}}`, `{"_meta":{"progressToken":9007199254740993}}`, `{"_meta":{"progressToken":9007199254740993}}`,
	}},
	{"several blocks for a model", &protocol.CreateMessageParams{MaxTokens: 1, Messages: []protocol.SamplingMessage{{
		Role: protocol.RoleUser, Content: []protocol.Content{&protocol.TextContent{Text: "a"}, &protocol.TextContent{Text: "b"}}}}}, []string{
		`{"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}],"maxTokens":1}`,
		`{"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}],"maxTokens":1}`,
		`{"messages":[{"role":"user","content":{"type":"text","text":"a"}},{"role":"user","content":{"type":"text","text":"b"}}],"maxTokens":1}`,
		`{"messages":[{"role":"user","content":{"type":"text","text":"a"}},{"role":"user","content":{"type":"text","text":"b"}}],"maxTokens":1}`,
	}},
	{"a request for input", &protocol.InputRequiredResult{Requests: map[string]protocol.Question{
		"b": &protocol.ListRootsParams{}, `a"`: &protocol.ElicitParams{Message: "m", URL: "https://example.com"}}, State: "s"}, []string{
		`{"resultType":"input_required","inputRequests":{"a\"":{"method":"elicitation/create","params":{"message":"m","mode":"url","url":"https://example.com"}},` +
			`"b":{"method":"roots/list","params":{}}},"requestState":"s"}`,
		lacking, lacking, lacking,
	}},
	{"a tool that can run as a task", &protocol.ListToolsResult{Tools: []*protocol.Tool{{
		Name: "t", InputSchema: []byte(`{"type":"object"}`), TaskSupport: protocol.TaskRequired}}}, []string{
		`{"resultType":"complete","tools":[{"name":"t","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"private"}`,
		`{"tools":[{"name":"t","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}}]}`,
		`{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}`,
		`{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}`,
	}},
	{"that tools can run as tasks, at a handshake", &protocol.InitializeResult{ResultBase: protocol.ResultBase{Server: &protocol.Implementation{Name: "s", Version: "1"}},
		Revision: "x", Capabilities: protocol.ServerCapabilities{Tasks: &protocol.TasksCapability{List: true}}}, []string{
		lacking,
		`{"protocolVersion":"x","capabilities":{"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}},"serverInfo":{"name":"s","version":"1"}}`,
		`{"protocolVersion":"x","capabilities":{},"serverInfo":{"name":"s","version":"1"}}`,
		`{"protocolVersion":"x","capabilities":{},"serverInfo":{"name":"s","version":"1"}}`,
	}},
	{"that tools can run as tasks", &protocol.DiscoverResult{Capabilities: protocol.ServerCapabilities{
		Tasks: &protocol.TasksCapability{}, Extensions: settings}}, []string{
		`{"resultType":"complete","supportedVersions":[],"capabilities":{"extensions":{"com.example/e":{},"io.modelcontextprotocol/tasks":{}}},"ttlMs":0,"cacheScope":"private"}`,
		lacking, lacking, lacking,
	}},
	{"a call that has become a task", &protocol.CreateTaskResult{Task: aTask}, []string{
		`{"resultType":"task","taskId":"1","status":"working","createdAt":"2026-07-28T12:00:00.500Z","lastUpdatedAt":"2026-07-28T12:00:01.000Z","ttlMs":60000,"pollIntervalMs":500}`,
		`{"task":{"taskId":"1","status":"working","createdAt":"2026-07-28T12:00:00.500Z","lastUpdatedAt":"2026-07-28T12:00:01.000Z","ttl":60000,"pollInterval":500}}`,
		lacking, lacking,
	}},
	{"a task that asks", standing(protocol.Task{Status: protocol.TaskInputRequired, Message: "m", Requests: map[string]protocol.Question{"a": &protocol.ListRootsParams{}}}), []string{
		`{"resultType":"complete",` + standingAs("input_required", `,"statusMessage":"m"`) + `,"ttlMs":null,"inputRequests":{"a":{"method":"roots/list","params":{}}}}`,
		`{` + standingAs("input_required", `,"statusMessage":"m"`) + `,"ttl":null}`, lacking, lacking,
	}},
	{"a task with a result", standing(protocol.Task{Status: protocol.TaskCompleted, Result: aResult(false)}), []string{
		`{"resultType":"complete",` + standingAs("completed", "") + `,"ttlMs":null,"result":{"resultType":"complete","content":[{"type":"text","text":"x"}]}}`,
		`{` + standingAs("completed", "") + `,"ttl":null}`, lacking, lacking,
	}},
	{"a task whose tool failed", standing(protocol.Task{Status: protocol.TaskCompleted, Result: aResult(true)}), []string{
		`{"resultType":"complete",` + standingAs("completed", "") + `,"ttlMs":null,"result":{"resultType":"complete","content":[{"type":"text","text":"x"}],"isError":true}}`,
		`{` + standingAs("failed", `,"statusMessage":"x"`) + `,"ttl":null}`, lacking, lacking,
	}},
	{"a task with an error", standing(protocol.Task{Status: protocol.TaskFailed, Message: "e", Error: &protocol.Error{Kind: protocol.KindApplication, Code: 7, Message: "e", Data: []byte("[1]")}}), []string{
		`{"resultType":"complete",` + standingAs("failed", `,"statusMessage":"e"`) + `,"ttlMs":null,"error":{"code":7,"message":"e","data":[1]}}`,
		`{` + standingAs("failed", `,"statusMessage":"e"`) + `,"ttl":null}`, lacking, lacking,
	}},
	{"the result of a task", &protocol.TaskResult{ID: "1", Result: &protocol.CallToolResult{ResultBase: protocol.ResultBase{Meta: []byte(`{"m":1}`)}}}, []string{
		lacking,
		`{"content":[],"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"1"},"m":1}}`,
		lacking, lacking,
	}},
	{"a task that is given up", &protocol.CancelTaskResult{Task: protocol.Task{ID: "1", Status: protocol.TaskCancelled, Created: noon, Updated: noon}}, []string{
		`{"resultType":"complete"}`, `{` + standingAs("cancelled", "") + `,"ttl":null}`, lacking, lacking,
	}},
	{"some tasks", &protocol.ListTasksResult{Tasks: []*protocol.Task{{ID: "1", Status: protocol.TaskWorking, Created: noon, Updated: noon}}, NextCursor: new("c")}, []string{
		lacking, `{"tasks":[{` + standingAs("working", "") + `,"ttl":null}],"nextCursor":"c"}`, lacking, lacking,
	}},
	{"news of a task", &protocol.TaskNotification{NotificationBase: protocol.NotificationBase{SubscriptionID: []byte("7"), Task: "1"},
		Task: protocol.Task{ID: "1", Status: protocol.TaskCompleted, Created: noon, Updated: noon, Result: aResult(false)}}, []string{
		`{` + standingAs("completed", "") + `,"ttlMs":null,"result":{"resultType":"complete","content":[{"type":"text","text":"x"}]},"_meta":{"io.modelcontextprotocol/subscriptionId":7}}`,
		lacking, lacking, lacking,
	}},
	{"a question of a task", &protocol.Tracked{Question: &protocol.ListRootsParams{}, ProgressToken: []byte("7"), Task: "1"}, []string{
		`{}`, `{"_meta":{"progressToken":7,"io.modelcontextprotocol/related-task":{"taskId":"1"}}}`, `{"_meta":{"progressToken":7}}`, `{"_meta":{"progressToken":7}}`,
	}},
	{"a request for input that asks nothing", &protocol.InputRequiredResult{}, []string{
		`{"resultType":"input_required","requestState":""}`, lacking, lacking, lacking,
	}},
}

var (
	extended = protocol.ServerCapabilities{Tools: &protocol.ListCapability{}, Extensions: settings}
	settings = map[string]jsontext.Value{"com.example/e": []byte("{}")}
	titled   = []protocol.Option{{Value: "a", Title: "A"}, {Value: "b", Title: "B"}}
)

var (
	noon  = time.Date(2026, time.July, 28, 12, 0, 0, 0, time.UTC)
	aTask = protocol.Task{ID: "1", Status: protocol.TaskWorking, Created: noon.Add(500 * time.Millisecond), Updated: noon.Add(time.Second),
		TTLMs: new(int64(60_000)), PollMs: 500}
)

func standing(t protocol.Task) *protocol.GetTaskResult {
	t.ID, t.Created, t.Updated = "1", noon, noon
	return &protocol.GetTaskResult{Task: t}
}

func standingAs(status, message string) string {
	return `"taskId":"1","status":"` + status + `"` + message + `,"createdAt":"2026-07-28T12:00:00.000Z","lastUpdatedAt":"2026-07-28T12:00:00.000Z"`
}

func aResult(failed bool) *protocol.CallToolResult {
	return &protocol.CallToolResult{Content: []protocol.Content{&protocol.TextContent{Text: "x"}}, IsError: failed}
}

func form(f protocol.FormField) *protocol.ElicitParams {
	f.Name = "x"
	return &protocol.ElicitParams{Message: "m", Fields: []protocol.FormField{f}}
}

func formOf(field string) string {
	return `{"message":"m","mode":"form","requestedSchema":{"type":"object","properties":{"x":` + field + `}}}`
}

func plainFormOf(field string) string {
	return `{"message":"m","requestedSchema":{"type":"object","properties":{"x":` + field + `}}}`
}

func TestWaysDown(t *testing.T) {
	for _, w := range waysDown {
		t.Run(w.name, func(t *testing.T) {
			require.Len(t, w.said, len(revisions.All()), "each revision says it in some way")
			for i, c := range revisions.All() {
				b, err := c.Append(nil, w.value)
				if w.said[i] == lacking {
					assert.ErrorIs(t, err, protocol.ErrNotInRevision, c.Features().Revision)
					continue
				}
				require.NoError(t, err, c.Features().Revision)
				assert.Equal(t, w.said[i], string(b), c.Features().Revision)
			}
		})
	}
}

// What a client can do is understood by what its revision means with it.
func TestCapabilitiesOfClients(t *testing.T) {
	form, url := protocol.ElicitationCapability{Form: true}, protocol.ElicitationCapability{URL: true}
	for _, test := range []struct {
		capabilities string
		understood   []protocol.ClientCapabilities
	}{
		{`{"elicitation":{}}`, []protocol.ClientCapabilities{{Elicitation: &form}, {Elicitation: &form}, {Elicitation: &form}, {}}},
		{`{"elicitation":{"url":{}}}`, []protocol.ClientCapabilities{{Elicitation: &url}, {Elicitation: &url}, {Elicitation: &form}, {}}},
		{`{"sampling":{}}`, []protocol.ClientCapabilities{{Sampling: &protocol.SamplingCapability{}}, {Sampling: &protocol.SamplingCapability{}},
			{Sampling: &protocol.SamplingCapability{Context: true}}, {Sampling: &protocol.SamplingCapability{Context: true}}}},
		{`{"sampling":{"tools":{},"context":{}}}`, []protocol.ClientCapabilities{
			{Sampling: &protocol.SamplingCapability{Tools: true, Context: true}}, {Sampling: &protocol.SamplingCapability{Tools: true, Context: true}},
			{Sampling: &protocol.SamplingCapability{Context: true}}, {Sampling: &protocol.SamplingCapability{Context: true}}}},
		{`{"roots":{"listChanged":true}}`, []protocol.ClientCapabilities{{Roots: &protocol.RootsCapability{}},
			{Roots: &protocol.RootsCapability{ListChanged: true}}, {Roots: &protocol.RootsCapability{ListChanged: true}}, {Roots: &protocol.RootsCapability{ListChanged: true}}}},
		{`{"extensions":{"com.example/e":{}}}`, []protocol.ClientCapabilities{{Extensions: settings}, {}, {}, {}}},
	} {
		require.Len(t, test.understood, len(revisions.All()), "each revision understands it in some way")
		for i, c := range revisions.All() {
			assert.Equal(t, test.understood[i], capabilitiesOf(t, c, test.capabilities), "%s at %s", test.capabilities, c.Features().Revision)
		}
	}
}

func capabilitiesOf(t *testing.T, c protocol.Codec, raw string) protocol.ClientCapabilities {
	t.Helper()
	if c.Features().Lifecycle == protocol.PerRequest {
		m, err := c.DecodeMeta([]byte(`{"` + protocol.MetaProtocolVersion + `":"v","` + protocol.MetaClientCapabilities + `":` + raw + `}`))
		require.NoError(t, err)
		return *m.Capabilities
	}
	p, err := c.DecodeRequest(protocol.MethodInitialize, []byte(`{"protocolVersion":"v","clientInfo":{"name":"n","version":"1"},"capabilities":`+raw+`}`))
	require.NoError(t, err)
	return p.(*protocol.InitializeParams).Capabilities
}

// F-10, M-23 and M-40: what a per-request client must and may say of itself.
func TestMetaOfRequests(t *testing.T) {
	c := revisions.Newest()
	const version, capable = `"io.modelcontextprotocol/protocolVersion":"v"`, `"io.modelcontextprotocol/clientCapabilities":`
	for meta, fault := range map[string]string{
		`{` + version + `,` + capable + `{}}`: "",
		`{` + version + `,` + capable + `{"roots":{"listChanged":true},"sampling":{"x":{}},"y":1},"z/z":[]}`: "",
		`{` + version + `,` + capable + `{"roots":{"listChanged":7}}}`:                                       "",
		`{` + version + `,` + capable + `{"roots":true}}`:                                                    "params._meta.io.modelcontextprotocol/clientCapabilities.roots must be an object",
		`{` + version + `,` + capable + `{"extensions":{"a/b":true}}}`:                                       "params._meta.io.modelcontextprotocol/clientCapabilities.extensions.a/b must be an object",
		`{` + version + `,` + capable + `[]}`:                                                                "params._meta.io.modelcontextprotocol/clientCapabilities must be an object",
		`{` + version + `,` + capable + `null}`:                                                              "params._meta.io.modelcontextprotocol/clientCapabilities is required",
		`{` + capable + `{}}`:                                                                                "params._meta.io.modelcontextprotocol/protocolVersion is required",
		`{` + version + `,` + capable + `{},"io.modelcontextprotocol/clientInfo":"x"}`:                       "params._meta.io.modelcontextprotocol/clientInfo must be an object",
		`{` + version + `,` + capable + `{},"io.modelcontextprotocol/clientInfo":{"name":"x"}}`:              "params._meta.io.modelcontextprotocol/clientInfo.version is required",
		`{` + version + `,` + capable + `{},"io.modelcontextprotocol/logLevel":"warn"}`:                      "params._meta.io.modelcontextprotocol/logLevel must be a level of RFC 5424, such as info or error",
		`null`: "params._meta.io.modelcontextprotocol/protocolVersion is required",
	} {
		_, err := c.DecodeMeta([]byte(meta))
		if fault == "" {
			assert.NoError(t, err, meta)
		} else {
			assert.EqualError(t, err, "invalid params: "+fault, meta)
		}
	}
}

// J-08, P-05: ids, tokens and arguments come through digit for digit.
func TestNumbersAreExact(t *testing.T) {
	each(t, func(t *testing.T, c protocol.Codec) {
		const arguments = `{"n":` + beyond + `,"f":0.10,"e":1E400,"deep":[{"n":-` + beyond + `}]}`
		p, err := c.DecodeRequest(protocol.MethodToolsCall, []byte(`{"name":"t","arguments":`+arguments+`}`))
		require.NoError(t, err)
		assert.Equal(t, arguments, string(p.(*protocol.CallToolParams).Arguments))
		n, err := c.DecodeNotification(protocol.NotificationCancelled, []byte(`{"requestId":`+beyond+`}`))
		require.NoError(t, err)
		assert.Equal(t, beyond, string(n.(*protocol.CancelledParams).RequestID))
		for _, token := range []string{beyond, `0`, `""`, `"1"`} {
			m, err := c.DecodeMeta([]byte(`{"io.modelcontextprotocol/protocolVersion":"v","io.modelcontextprotocol/clientCapabilities":{},"progressToken":` + token + `}`))
			require.NoError(t, err)
			require.Equal(t, token, string(m.ProgressToken))
			b, err := c.Append(nil, &protocol.ProgressNotification{Token: m.ProgressToken, Progress: 0.5})
			require.NoError(t, err)
			assert.Equal(t, `{"progressToken":`+token+`,"progress":0.5}`, string(b))
		}
	})
}

// What a retry brings along is read where there are retries, on the three methods that have them (2026-07-28
// basic/patterns/mrtr#supported-requests).
func TestRetries(t *testing.T) {
	const raw = `{"name":"n","uri":"u","cursor":"c","inputResponses":{"a":{"n":` + beyond + `},"b":null},"requestState":"s"}`
	each(t, func(t *testing.T, c protocol.Codec) {
		want := protocol.Input{}
		if !c.Features().ServerRequests.Holds() {
			want = protocol.Input{State: "s", HasState: true,
				Responses: map[string]jsontext.Value{"a": jsontext.Value(`{"n":` + beyond + `}`)}}
		}
		decode := func(method, raw string) protocol.Params {
			p, err := c.DecodeRequest(method, []byte(raw))
			require.NoError(t, err)
			return p
		}
		assert.Equal(t, want, decode(protocol.MethodToolsCall, raw).(*protocol.CallToolParams).Input)
		assert.Equal(t, want, decode(protocol.MethodPromptsGet, raw).(*protocol.GetPromptParams).Input)
		assert.Equal(t, want, decode(protocol.MethodResourcesRead, raw).(*protocol.ReadResourceParams).Input)
		empty := decode(protocol.MethodToolsCall, `{"name":"n","requestState":""}`).(*protocol.CallToolParams).Input
		assert.Equal(t, protocol.Input{HasState: want.HasState}, empty, "an empty state is one")
	})
}
