// Every check is violated once, in a conversation that is otherwise as it should be, and must be the one that objects: a check
// that nothing can violate is none.
package watch_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/conformance/match"
	"github.com/parley-mcp/parley/conformance/requirements"
	"github.com/parley-mcp/parley/conformance/revision"
	"github.com/parley-mcp/parley/conformance/watch"
)

// A violation is a conversation, a message a line: ">" is what the client sends, "<" what it is told. In the line of a client
// over HTTP, headers stand before the message as Name=value, "-Name" leaves one out, and a first word in capitals is the
// method. META stands for the metadata of a request.
type violation struct {
	at    func(revision.Facts) bool
	http  bool
	lines string
}

func oldest(f revision.Facts) bool     { return f.Batches }
func handshake(f revision.Facts) bool  { return f.Handshake && !f.Batches }
func forms(f revision.Facts) bool      { return f.Handshake && f.VersionHeader }
func perRequest(f revision.Facts) bool { return !f.Handshake }

const (
	hello = `> {"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"VERSION","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}
< {"jsonrpc":"2.0","id":"i","result":{"protocolVersion":"VERSION","capabilities":{"tools":{},"prompts":{},"resources":{"subscribe":true},"completions":{},"logging":{}},"serverInfo":{"name":"s","version":"1"}}}
`
	ready = hello + `> {"jsonrpc":"2.0","method":"notifications/initialized"}
`
	asks = ready + `< {"jsonrpc":"2.0","id":"q","method":"METHOD","params":PARAMS}
`
	rounds = `> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{META,"name":"a"}}
< {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"s","inputRequests":{"k":{"method":"METHOD","params":PARAMS}}}}
`
	tools = `> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{META}}
< {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","inputSchema":{"type":"object","properties":{"x":{"type":"string","x-mcp-header":"X"},"y":{"type":"string","x-mcp-header":"Y"}}}}]}}
`
)

func asked(lines, method, params string) string {
	return strings.NewReplacer("METHOD", method, "PARAMS", params).Replace(lines)
}

var violations = map[string]violation{
	"json-rpc":            {lines: ready + `> {"jsonrpc":"1.0","id":1,"method":"ping"}`},
	"utf-8":               {lines: ready + "> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}"},
	"id-type":             {lines: ready + `> {"jsonrpc":"2.0","id":1.5,"method":"ping"}`},
	"id-null":             {lines: ready + `> {"jsonrpc":"2.0","id":null,"method":"ping"}`},
	"id-unique":           {lines: ready + `> {"jsonrpc":"2.0","id":"i","method":"ping"}`},
	"id-unique-in-flight": {at: perRequest, lines: strings.Repeat(`> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{META}}`+"\n", 2)},
	"note-id":             {lines: hello + `> {"jsonrpc":"2.0","id":1,"method":"notifications/initialized"}`},
	"params":              {lines: ready + `> {"jsonrpc":"2.0","id":1,"method":"ping","params":[]}`},
	"meta-object":         {lines: ready + `> {"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":7}}`},
	"meta-key-prefix":     {lines: ready + `> {"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"a..b/c":1}}}`},
	"meta-key-label":      {lines: ready + `> {"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"a_b/c":1}}}`},
	"meta-key-owner":      {lines: ready + `> {"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"com.mcp/c":1}}}`},
	"meta-key-owned":      {lines: ready + `> {"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"mcp.dev/c":1}}}`},
	"meta-key-name":       {lines: ready + `> {"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"a/c-":1}}}`},
	"meta-key-trace":      {at: perRequest, lines: `> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"traceparent":"none"}}}`},
	"one-message":         {lines: ready + `> [{"jsonrpc":"2.0","id":1,"method":"ping"}]`},
	"batch":               {at: oldest, lines: ready + `> [{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":"q","result":{}}]`},
	"lines":               {lines: ready + `> hello`},

	"initialize-first":   {lines: `> {"jsonrpc":"2.0","id":1,"method":"tools/list"}`},
	"initialize":         {lines: `> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"VERSION"}}`},
	"initialize-alone":   {at: oldest, lines: `> [` + strings.TrimPrefix(strings.SplitN(hello, "\n", 2)[0], "> ") + `]`},
	"client-info":        {lines: `> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"VERSION","capabilities":{},"clientInfo":{"name":"c"}}}`},
	"version-form":       {at: forms, lines: `> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"1.0","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`},
	"capability-objects": {lines: `> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"VERSION","capabilities":{"roots":true},"clientInfo":{"name":"c","version":"1"}}}`},
	"initialized":        {lines: hello + `> {"jsonrpc":"2.0","id":1,"method":"tools/list"}`},
	"patience":           {lines: strings.SplitN(hello, "\n", 2)[0] + "\n" + `> {"jsonrpc":"2.0","id":1,"method":"tools/list"}`},
	"meta-params":        {at: perRequest, lines: `> {"jsonrpc":"2.0","id":1,"method":"tools/list"}`},
	"meta-version":       {at: perRequest, lines: `> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/clientCapabilities":{}}}}`},
	"meta-capabilities":  {at: perRequest, lines: `> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"VERSION"}}}`},
	"meta-client":        {at: perRequest, lines: `> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"VERSION"}}}`},
	"meta-client-name":   {at: perRequest, lines: `> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/clientInfo":{"name":"c"}}}}`},
	"no-responses":       {at: perRequest, lines: `> {"jsonrpc":"2.0","id":1,"result":{}}`},
	"discover":           {at: perRequest, lines: `> {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{META,"more":1}}`},

	"declared-by-the-server": {lines: strings.Replace(ready, `"prompts":{},`, "", 1) + `> {"jsonrpc":"2.0","id":1,"method":"prompts/list"}`},
	"tools-declared":         {lines: strings.Replace(ready, `"tools":{},`, "", 1) + `> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}`},
	"cursor": {lines: ready + `> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
< {"jsonrpc":"2.0","id":1,"result":{"tools":[],"nextCursor":"two"}}
> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"three"}}`},
	"token-type": {lines: ready + `> {"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"progressToken":1.5}}}`},
	"token-unique": {lines: ready + `> {"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"progressToken":1}}}
> {"jsonrpc":"2.0","id":2,"method":"ping","params":{"_meta":{"progressToken":1}}}`},
	"cancels-its-own": {lines: ready + `> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`},
	"cancels-in-time": {lines: ready + `> {"jsonrpc":"2.0","id":1,"method":"ping"}
< {"jsonrpc":"2.0","id":1,"result":{}}
> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`},
	"cancels-no-initialize": {lines: strings.SplitN(hello, "\n", 2)[0] + "\n" + `> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"i"}}`},
	"cancels-by-closing": {at: perRequest, http: true, lines: `> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{META}}
> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`},
	"progress-of-its-own": {lines: asked(asks, "sampling/createMessage", `{"_meta":{"progressToken":"t"},"messages":[],"maxTokens":1}`) +
		`> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"u","progress":1}}`},

	"response":    {lines: asked(asks, "ping", "{}") + `> {"jsonrpc":"2.0","id":"q","result":{},"error":{"code":1,"message":"m"}}`},
	"response-id": {lines: asked(asks, "ping", "{}") + `> {"jsonrpc":"2.0","id":"r","result":{}}`},
	"error":       {lines: asked(asks, "ping", "{}") + `> {"jsonrpc":"2.0","id":"q","error":{"code":1.5,"message":"m"}}`},
	"pong":        {lines: asked(asks, "ping", "{}") + `> {"jsonrpc":"2.0","id":"q","result":{"pong":true}}`},
	"roots":       {lines: asked(asks, "roots/list", "{}") + `> {"jsonrpc":"2.0","id":"q","result":{"roots":[{"uri":"https://example.com"}]}}`},
	"elicitation-action": {at: forms, lines: asked(asks, "elicitation/create", `{"message":"m","requestedSchema":{"type":"object","properties":{}}}`) +
		`> {"jsonrpc":"2.0","id":"q","result":{"action":"later"}}`},
	"elicitation-content": {at: forms, lines: asked(asks, "elicitation/create", `{"message":"m","requestedSchema":{"type":"object","properties":{"n":{"type":"integer"}}}}`) +
		`> {"jsonrpc":"2.0","id":"q","result":{"action":"accept","content":{"n":"seven"}}}`},
	"roots-declared":       {lines: asked(asks, "roots/list", "{}") + `> {"jsonrpc":"2.0","id":"q","result":{"roots":[]}}`},
	"sampling-declared":    {lines: asked(asks, "sampling/createMessage", "{}") + `> {"jsonrpc":"2.0","id":"q","result":{}}`},
	"elicitation-declared": {at: perRequest, lines: asked(rounds, "elicitation/create", "{}") + `> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{META,"name":"a","requestState":"s","inputResponses":{"k":{"action":"decline"}}}}`},
	"sampling-result": {lines: asked(asks, "sampling/createMessage", `{"messages":[],"maxTokens":1}`) +
		`> {"jsonrpc":"2.0","id":"q","result":{"role":"assistant","content":{"type":"text","text":"t"}}}`},

	"retry-state":    {at: perRequest, lines: asked(rounds, "roots/list", "{}") + `> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{META,"name":"a","requestState":"t","inputResponses":{"k":{"roots":[]}}}}`},
	"retry-no-state": {at: perRequest, lines: strings.Replace(asked(rounds, "roots/list", "{}"), `"requestState":"s",`, "", 1) + `> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{META,"name":"a","requestState":"t","inputResponses":{"k":{"roots":[]}}}}`},
	"retry-answers":  {at: perRequest, lines: asked(rounds, "roots/list", "{}") + `> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{META,"name":"a","requestState":"s","inputResponses":{"l":{"roots":[]}}}}`},
	"retry-params":   {at: perRequest, lines: asked(rounds, "roots/list", "{}") + `> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{META,"name":"b","requestState":"s","inputResponses":{"k":{"roots":[]}}}}`},
	"retry-id":       {at: perRequest, lines: asked(rounds, "roots/list", "{}") + `> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{META,"name":"a","requestState":"s","inputResponses":{"k":{"roots":[]}}}}`},

	"http-method":         {http: true, lines: ready + `> PUT {"jsonrpc":"2.0","id":1,"method":"ping"}`},
	"accept":              {http: true, lines: ready + `> Accept=application/json {"jsonrpc":"2.0","id":1,"method":"ping"}`},
	"accept-stream":       {http: true, lines: ready + `> GET Accept=application/json`},
	"session":             {http: true, lines: ready + `> -Mcp-Session-Id {"jsonrpc":"2.0","id":1,"method":"ping"}`},
	"version-header":      {at: forms, http: true, lines: ready + `> -MCP-Protocol-Version {"jsonrpc":"2.0","id":1,"method":"ping"}`},
	"version-negotiated":  {at: forms, http: true, lines: ready + `> MCP-Protocol-Version=1999-12-31 {"jsonrpc":"2.0","id":1,"method":"ping"}`},
	"version-of-the-body": {at: perRequest, http: true, lines: `> MCP-Protocol-Version=1999-12-31 {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{META}}`},
	"method-header":       {at: perRequest, http: true, lines: `> Mcp-Method=tools/call {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{META}}`},
	"name-header":         {at: perRequest, http: true, lines: `> Mcp-Method=tools/call Mcp-Name=b {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{META,"name":"a"}}`},
	"name-encoded":        {at: perRequest, http: true, lines: `> Mcp-Method=tools/call Mcp-Name=ü {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{META,"name":"ü"}}`},

	"parameter-headers":    {at: perRequest, http: true, lines: tools + `> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{META,"name":"a","arguments":{"x":"v"}}}`},
	"parameter-values":     {at: perRequest, http: true, lines: tools + `> Mcp-Param-X=w {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{META,"name":"a","arguments":{"x":"v"}}}`},
	"parameter-empty":      {at: perRequest, http: true, lines: tools + `> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{META,"name":"a","arguments":{"x":""}}}`},
	"parameter-wrapped":    {at: perRequest, http: true, lines: tools + `> Mcp-Param-X=ü {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{META,"name":"a","arguments":{"x":"ü"}}}`},
	"parameter-look-alike": {at: perRequest, http: true, lines: tools + `> Mcp-Param-X==?base64?x?= {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{META,"name":"a","arguments":{"x":"=?base64?x?="}}}`},
	"parameter-of-nothing": {at: perRequest, http: true, lines: tools + `> Mcp-Param-X=null {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{META,"name":"a","arguments":{"x":null}}}`},

	"schema":     {lines: ready + `> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`},
	"envelope":   {lines: ready + `> {"id":1,"method":"ping"}`},
	"vocabulary": {lines: ready + `> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","inputResponses":{}}}`},
	"methods":    {lines: ready + `> {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage"}`},
	"notes":      {lines: ready + `> {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`},

	"shape-tools-call":                                         {at: perRequest, lines: `> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{META}}`},
	"shape-schema-call-tool-request-required":                  {lines: ready + `> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{}}}`},
	"shape-schema-get-prompt-request-required":                 {lines: ready + `> {"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":7}}`},
	"shape-prompts-arguments-strings":                          {lines: ready + `> {"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"p","arguments":{"a":7}}}`},
	"shape-schema-read-resource-request-required":              {lines: ready + `> {"jsonrpc":"2.0","id":1,"method":"resources/read","params":{}}`},
	"shape-schema-subscribe-request-required":                  {lines: ready + `> {"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{}}`},
	"shape-schema-unsubscribe-request-required":                {lines: ready + `> {"jsonrpc":"2.0","id":1,"method":"resources/unsubscribe","params":{}}`},
	"shape-schema-set-level-request-required":                  {lines: ready + `> {"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{}}`},
	"shape-logging-levels":                                     {lines: ready + `> {"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"loud"}}`},
	"shape-schema-complete-request-required":                   {lines: ready + `> {"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"p"}}}`},
	"shape-completion-ref-types":                               {lines: ready + `> {"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/tool","name":"p"},"argument":{"name":"a","value":""}}}`},
	"shape-subscriptions-filter-required":                      {at: perRequest, lines: `> {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{META}}`},
	"shape-subscriptions-filter-fields":                        {at: perRequest, lines: `> {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{META,"notifications":{"toolsListChanged":"yes"}}}`},
	"shape-ping-no-params-needed":                              {lines: ready + `> {"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":7}}`},
	"shape-cancellation-notification-shape":                    {lines: ready + `> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"i","reason":7}}`},
	"shape-cancellation-request-id-required":                   {lines: ready + `> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}`},
	"shape-schema-progress-notification-required":              {lines: ready + `> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}`},
	"shape-schema-progress-numbers":                            {lines: ready + `> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":"half"}}`},
	"shape-roots-list":                                         {lines: asked(asks, "roots/list", "{}") + `> {"jsonrpc":"2.0","id":"q","result":{}}`},
	"shape-schema-root-required":                               {lines: asked(asks, "roots/list", "{}") + `> {"jsonrpc":"2.0","id":"q","result":{"roots":[{"name":"r"}]}}`},
	"shape-schema-elicit-result-required":                      {at: forms, lines: asked(asks, "elicitation/create", `{}`) + `> {"jsonrpc":"2.0","id":"q","result":{}}`},
	"shape-elicitation-content-value-types":                    {at: forms, lines: asked(asks, "elicitation/create", `{}`) + `> {"jsonrpc":"2.0","id":"q","result":{"action":"accept","content":{"a":{}}}}`},
	"shape-elicitation-content-value-types-with-string-arrays": {at: forms, lines: asked(asks, "elicitation/create", `{}`) + `> {"jsonrpc":"2.0","id":"q","result":{"action":"accept","content":{"a":[1]}}}`},
	"shape-sampling-content-types-text-image-audio":            {lines: asked(asks, "sampling/createMessage", `{}`) + `> {"jsonrpc":"2.0","id":"q","result":{"role":"assistant","model":"m","content":{"type":"video"}}}`},
	"shape-sampling-content-types-with-tools":                  {lines: asked(asks, "sampling/createMessage", `{}`) + `> {"jsonrpc":"2.0","id":"q","result":{"role":"assistant","model":"m","content":{"type":"video"}}}`},
}

func TestEachCheckCanBeViolated(t *testing.T) {
	for _, c := range watch.Checks() {
		t.Run(c.Name, func(t *testing.T) {
			v, ok := violations[c.Name]
			require.True(t, ok, "add a conversation that violates it")
			found := play(t, v)
			i := slices.IndexFunc(found, func(o watch.Outcome) bool { return o.Name == c.Name })
			require.GreaterOrEqual(t, i, 0, "the check is not about this revision or transport")
			assert.NotEmpty(t, found[i].Problems)
			assert.NotEmpty(t, found[i].Sent)
		})
	}
	for name := range violations {
		assert.True(t, slices.ContainsFunc(watch.Checks(), func(c *watch.Check) bool { return c.Name == name }), "%s is no check", name)
	}
}

func TestNoneObjectsToWhatIsRight(t *testing.T) {
	for _, v := range []violation{{lines: ready}, {lines: ready, http: true}, {at: oldest, lines: ready}, {at: perRequest, lines: tools, http: true}, {at: perRequest, lines: asked(rounds, "roots/list", "{}")}} {
		for _, o := range play(t, v) {
			assert.Empty(t, o.Problems, o.Name)
		}
	}
}

func TestChecksNameRequirements(t *testing.T) {
	m, err := requirements.Load()
	require.NoError(t, err)
	for _, c := range watch.Checks() {
		assert.NotEmpty(t, c.Story, c.Name)
		assert.NotEmpty(t, c.Requirements, c.Name)
		for _, id := range c.Requirements {
			e, ok := m.Lookup(id)
			if assert.True(t, ok, "%s: unknown id %s", c.Name, id) {
				assert.True(t, slices.ContainsFunc(e.Statements, func(s requirements.Statement) bool {
					return s.Party == requirements.Client || s.Party == requirements.Both
				}), "%s: %s binds the %s", c.Name, id, e.Party)
			}
		}
	}
}

func play(t *testing.T, v violation) []watch.Outcome {
	t.Helper()
	if v.at == nil {
		v.at = handshake
	}
	all := revision.All()
	facts := all[slices.IndexFunc(all, v.at)]
	transport := "stdio"
	if v.http {
		transport = "http"
	}
	w := watch.New(facts, transport)
	meta := `"_meta":{}`
	if built := facts.Meta(match.Meta{}); built != nil {
		meta = `"_meta":` + built.String()
	}
	lines := strings.NewReplacer("META", meta, "VERSION", facts.Version).Replace(v.lines)
	for line := range strings.SplitSeq(strings.TrimSpace(lines), "\n") {
		side, text, _ := strings.Cut(line, " ")
		if side == "<" {
			told, err := match.Parse([]byte(text))
			require.NoError(t, err, text)
			w.Answered(told, http.Header{"Mcp-Session-Id": {"session"}})
			continue
		}
		w.Sent(incoming(facts, v.http, text))
	}
	return w.Outcomes()
}

// incoming is a line of the client, with the headers that a client sends.
func incoming(facts revision.Facts, overHTTP bool, text string) watch.Incoming {
	head, body, isMessage := strings.Cut(text, "{")
	if isMessage {
		body = "{" + body
	} else {
		head, body = text, ""
	}
	if strings.HasPrefix(text, "[") || !overHTTP {
		return watch.Incoming{Body: []byte(text)}
	}
	in := watch.Incoming{Method: "POST", Body: []byte(body), Header: http.Header{}}
	v, _ := match.Parse(in.Body)
	in.Header.Set("Accept", "application/json, text/event-stream")
	in.Header.Set("Mcp-Session-Id", "session")
	in.Header.Set("MCP-Protocol-Version", facts.Version)
	in.Header.Set("Mcp-Method", v.Get("method").Str())
	for word := range strings.FieldsSeq(head) {
		name, value, pair := strings.Cut(word, "=")
		switch {
		case pair:
			in.Header.Set(name, value)
		case strings.HasPrefix(word, "-"):
			in.Header.Del(word[1:])
		default:
			in.Method = word
		}
	}
	return in
}

func FuzzSent(f *testing.F) {
	for _, v := range violations {
		f.Add([]byte(v.lines))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, facts := range revision.All() {
			w := watch.New(facts, "http")
			for line := range strings.SplitSeq(string(text), "\n") {
				if v, err := match.Parse([]byte(strings.TrimPrefix(line, "< "))); err == nil && strings.HasPrefix(line, "< ") {
					w.Answered(v, http.Header{})
				}
				w.Sent(watch.Incoming{Method: "POST", Header: http.Header{}, Body: []byte(strings.TrimPrefix(line, "> "))})
			}
			w.Outcomes()
		}
	})
}
