package revisions_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/revisions"
)

// What a client sends is decoded by the newest revision and said again by the functions on this page.

// received decodes params of the given method.
func received(method string) roundTrip {
	return func(t *testing.T, raw []byte) any {
		c := revisions.Newest()
		p, err := c.DecodeRequest(method, raw)
		require.NoError(t, err)
		whole := paramsAgain(t, p)
		meta, err := c.DecodeMeta(member(t, raw, "_meta"))
		require.NoError(t, err)
		whole["_meta"] = metaAgain(t, meta)
		return whole
	}
}

// receivedNotification does the same for a notification.
func receivedNotification(method string) roundTrip {
	return func(t *testing.T, raw []byte) any {
		p, err := revisions.Newest().DecodeNotification(method, raw)
		require.NoError(t, err)
		return paramsAgain(t, p)
	}
}

// both demands that two ways of saying raw again agree, since client and server may both send it.
func both(a, b roundTrip) roundTrip {
	return func(t *testing.T, raw []byte) any {
		said := a(t, raw)
		require.Equal(t, canonical(said), canonical(b(t, raw)))
		return said
	}
}

func member(t *testing.T, raw []byte, name string) []byte {
	o, ok := parsed(t, raw).(object)
	require.True(t, ok)
	b, err := json.Marshal(o[name])
	require.NoError(t, err)
	return b
}

func optional(o object, name string, v string) {
	if v != "" {
		o[name] = v
	}
}

func paramsAgain(t *testing.T, p protocol.Params) object {
	o := object{}
	switch p := p.(type) {
	case *protocol.DiscoverParams:
	case *protocol.ListToolsParams:
		cursorAgain(o, p.Cursor)
	case *protocol.ListPromptsParams:
		cursorAgain(o, p.Cursor)
	case *protocol.ListResourcesParams:
		cursorAgain(o, p.Cursor)
	case *protocol.ListResourceTemplatesParams:
		cursorAgain(o, p.Cursor)
	case *protocol.CallToolParams:
		o["name"] = p.Name
		if p.Arguments != nil {
			o["arguments"] = parsed(t, p.Arguments)
		}
	case *protocol.GetPromptParams:
		o["name"] = p.Name
		if p.Arguments != nil {
			o["arguments"] = stringsAgain(p.Arguments)
		}
	case *protocol.ReadResourceParams:
		o["uri"] = p.URI
	case *protocol.CompleteParams:
		o["argument"] = object{"name": p.Argument, "value": p.Value}
		o["ref"] = object{"type": "ref/prompt", "name": p.Prompt}
		if p.Template != "" {
			o["ref"] = object{"type": "ref/resource", "uri": p.Template}
		}
		if p.Arguments != nil {
			o["context"] = object{"arguments": stringsAgain(p.Arguments)}
		}
	case *protocol.ListenParams:
		f := object{}
		for name, wanted := range map[string]bool{"toolsListChanged": p.Filter.ToolsListChanged,
			"promptsListChanged": p.Filter.PromptsListChanged, "resourcesListChanged": p.Filter.ResourcesListChanged} {
			if wanted {
				f[name] = true
			}
		}
		if p.Filter.Resources != nil {
			f["resourceSubscriptions"] = listAgain(p.Filter.Resources)
		}
		o["notifications"] = f
	case *protocol.CancelledParams:
		o["requestId"] = parsed(t, p.RequestID)
		optional(o, "reason", p.Reason)
	default:
		t.Fatalf("nobody says %T again", p)
	}
	return o
}

func cursorAgain(o object, cursor *string) {
	if cursor != nil {
		o["cursor"] = *cursor
	}
}

func stringsAgain(m map[string]string) object {
	o := object{}
	for k, v := range m {
		o[k] = v
	}
	return o
}

func listAgain(l []string) []any {
	a := make([]any, len(l))
	for i := range l {
		a[i] = l[i]
	}
	return a
}

func metaAgain(t *testing.T, m protocol.RequestMeta) object {
	o := object{protocol.MetaProtocolVersion: m.Revision, protocol.MetaClientCapabilities: capabilitiesAgain(t, m.Capabilities)}
	if m.Client != nil {
		o[protocol.MetaClientInfo] = object{"name": m.Client.Name, "version": m.Client.Version}
	}
	if m.ProgressToken != nil {
		o[protocol.MetaProgressToken] = parsed(t, m.ProgressToken)
	}
	optional(o, protocol.MetaLogLevel, m.LogLevel.String())
	return o
}

// capabilitiesAgain: a server says a client's capabilities where it misses them.
func capabilitiesAgain(t *testing.T, c *protocol.ClientCapabilities) any {
	w := revisions.Newest().Error(protocol.MissingCapability(c))
	return parsed(t, w.Data).(object)["requiredCapabilities"]
}

func clientCapabilities(t *testing.T, raw []byte) any {
	meta := `{"` + protocol.MetaProtocolVersion + `":"x","` + protocol.MetaClientCapabilities + `":` + string(raw) + `}`
	m, err := revisions.Newest().DecodeMeta([]byte(meta))
	require.NoError(t, err)
	return capabilitiesAgain(t, m.Capabilities)
}

// answered decodes an answer to q.
func answered(q protocol.Question) roundTrip {
	return func(t *testing.T, raw []byte) any {
		a, err := revisions.Newest().DecodeAnswer(q, raw)
		require.NoError(t, err)
		return answerAgain(t, a)
	}
}

func answerAgain(t *testing.T, a protocol.Answer) object {
	switch a := a.(type) {
	case *protocol.ElicitResult:
		o := object{"action": a.Action}
		if a.Content != nil {
			o["content"] = parsed(t, a.Content)
		}
		return o
	case *protocol.ListRootsResult:
		roots := []any{}
		for _, r := range a.Roots {
			o := object{"uri": r.URI}
			optional(o, "name", r.Name)
			roots = append(roots, o)
		}
		return object{"roots": roots}
	case *protocol.CreateMessageResult:
		question := &protocol.CreateMessageParams{Messages: []protocol.SamplingMessage{{Role: a.Role, Content: a.Content}}}
		b, err := revisions.Newest().Append(nil, question)
		require.NoError(t, err)
		o := pick(t, parsed(t, b), []any{"messages", 0}).(object)
		o["model"] = a.Model
		optional(o, "stopReason", a.StopReason)
		return o
	}
	t.Fatalf("nobody says %T again", a)
	return nil
}

func root(t *testing.T, raw []byte) any {
	return pick(t, answered(&protocol.ListRootsParams{})(t, []byte(`{"roots":[`+string(raw)+`]}`)), []any{"roots", 0})
}

// inputResponses travel in a retried call.
func inputResponses(t *testing.T, raw []byte) any {
	p, err := revisions.Newest().DecodeRequest(protocol.MethodToolsCall, []byte(`{"name":"x","inputResponses":`+string(raw)+`}`))
	require.NoError(t, err)
	questions := map[string]protocol.Question{"github_login": &protocol.ElicitParams{}, "capital_of_france": &protocol.CreateMessageParams{}}
	whole := object{}
	for key, answer := range p.(*protocol.CallToolParams).Input.Responses {
		require.Contains(t, questions, key)
		whole[key] = answered(questions[key])(t, answer)
	}
	return whole
}
