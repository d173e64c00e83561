package revisions_test

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/internal/wire"
)

// values are good values of all members that clients send, by definition and name, or by name alone.
var values = map[string]any{
	"name": "n", "version": "1", "title": "t", "description": "d", "websiteUrl": "https://example.com",
	"icons": []any{object{"src": "https://example.com/i"}}, "cursor": "c", "uri": "file:///u", "level": "error", "reason": "r",
	"message": "m", "protocolVersion": "v", "model": "m", "role": "assistant", "stopReason": "s", "action": "accept", "text": "t",
	"arguments": object{"a": "b"}, "ref": object{"type": "ref/prompt", "name": "p"}, "argument": object{"name": "a", "value": "b"},
	"context": object{"arguments": object{"a": "b"}}, "clientInfo": object{"name": "n", "version": "1"}, "capabilities": object{},
	"taskId": "t", "ttl": 1, "requestId": 7, "progressToken": "p", "progress": 1, "total": 2, "task": object{}, "tasks": object{},
	"notifications": object{"toolsListChanged": true}, "inputResponses": object{"k": object{}}, "requestState": "s",
	"roots": object{}, "sampling": object{}, "elicitation": object{}, "experimental": object{"e": object{}}, "extensions": object{"e": object{}},
	"listChanged": true, "tools": object{}, "form": object{}, "url": object{}, "annotations": object{"priority": 1},
	"audience": []any{"user"}, "priority": 1, "lastModified": "l", "mimeType": "text/plain", "data": "YQ==", "_meta": object{"a": 1},
	"type": "text", "content": object{"type": "text", "text": "t"}, "resource": object{"uri": "u", "text": "t"}, "size": 1,
	"id": "1", "input": object{}, "toolUseId": "1", "isError": true, "structuredContent": object{},
	"src": "https://example.com/i", "sizes": []any{"any"}, "theme": "dark", "value": "v",
	"promptsListChanged": true, "toolsListChanged": true, "resourcesListChanged": true, "resourceSubscriptions": []any{"u"},

	"PromptReference.type":                "ref/prompt",
	"ResourceReference.type":              "ref/resource",
	"ResourceTemplateReference.type":      "ref/resource",
	"ListRootsResult.roots":               []any{},
	"ToolResultContent.content":           []any{},
	"ToolResultContent.type":              "tool_result",
	"ToolUseContent.type":                 "tool_use",
	"ResourceLink.type":                   "resource_link",
	"EmbeddedResource.type":               "resource",
	"BlobResourceContents.blob":           "YQ==",
	"ImageContent.type":                   "image",
	"AudioContent.type":                   "audio",
	"ElicitResult.content":                object{"a": 1},
	"ClientCapabilities.sampling.context": object{},
	protocol.MetaProtocolVersion:          "v",
	protocol.MetaClientInfo:               object{"name": "n", "version": "1"},
	protocol.MetaClientCapabilities:       object{},
	protocol.MetaLogLevel:                 "error",
}

// unread are members that are defined and that no decoder reads, with the reason.
var unread = map[string]string{
	"tasks":                 noClientTasks,
	"PromptReference.title": "a prompt is known by its name",
}

// TestDecodersReadWhatIsDefined takes each message of a client apart, member by member, and with it what it holds: a member that the
// official schema defines is read; without it, or with null in its place, the message is the same, and refused if it is required;
// of the wrong type, it is refused by name. A member that only others define is ignored.
func TestDecodersReadWhatIsDefined(t *testing.T) {
	left := map[string]bool{}
	each(t, func(t *testing.T, c protocol.Codec) {
		d := &dissection{T: t, schema: schemaOf(t, c), left: left}
		tables := c.(*wire.Codec)
		for method := range tables.Requests {
			if slices.Contains(byExtension[d.schema.revision], method) {
				continue
			}
			name, params := d.paramsOf("ClientRequest", method)
			d.members(name, params, func(raw []byte) (any, error) { return c.DecodeRequest(method, raw) }, "_meta")
		}
		for method := range tables.Notifications {
			name, params := d.paramsOf("ClientNotification", method)
			d.members(name, params, func(raw []byte) (any, error) { return c.DecodeNotification(method, raw) }, "_meta")
		}
		for definition, q := range map[string]protocol.Question{"ElicitResult": &protocol.ElicitParams{},
			"CreateMessageResult": &protocol.CreateMessageParams{}, "ListRootsResult": &protocol.ListRootsParams{}} {
			if d.schema.defs[definition] != nil {
				d.members(definition, d.part(definition), func(raw []byte) (any, error) { return c.DecodeAnswer(q, raw) })
			}
		}
		d.inside(c)
	})
	if len(left) > 0 { // else the schemas are absent
		assert.Equal(t, keys(unread), keys(left), "members that are left unread with a reason")
	}
}

// inside takes apart what messages hold.
func (d *dissection) inside(c protocol.Codec) {
	opening := func(member string) func([]byte) (any, error) {
		return func(raw []byte) (any, error) {
			whole := map[string]jsontext.Value{"protocolVersion": []byte(`"v"`), "clientInfo": []byte(`{"name":"n","version":"1"}`), "capabilities": []byte("{}")}
			whole[member] = raw
			return c.DecodeRequest(protocol.MethodInitialize, wire.JSON(func(w *wire.Writer) { w.Rest(encoded(whole)) }))
		}
	}
	implementation, capabilities := opening("clientInfo"), opening("capabilities")
	if c.Features().Lifecycle == protocol.PerRequest {
		meta := func(member string) func([]byte) (any, error) {
			return func(raw []byte) (any, error) {
				whole := map[string]jsontext.Value{protocol.MetaProtocolVersion: []byte(`"v"`), protocol.MetaClientCapabilities: []byte("{}")}
				whole[member] = raw
				return c.DecodeMeta(encoded(whole))
			}
		}
		implementation, capabilities = meta(protocol.MetaClientInfo), meta(protocol.MetaClientCapabilities)
		d.members("RequestMetaObject", d.part("RequestMetaObject"), func(raw []byte) (any, error) { return c.DecodeMeta(raw) })
	}
	d.members("Implementation", d.part("Implementation"), implementation)
	d.members("ClientCapabilities", d.part("ClientCapabilities"), capabilities)
	for _, kind := range []string{"roots", "sampling", "elicitation"} {
		properties := d.part("ClientCapabilities")["properties"].(object)
		if part, ok := properties[kind].(object); ok {
			d.members("ClientCapabilities."+kind, part, func(raw []byte) (any, error) {
				return capabilities(encoded(map[string]jsontext.Value{kind: raw}))
			})
		}
	}
	for _, kind := range []string{"TextContent", "ImageContent", "AudioContent", "ToolUseContent", "ToolResultContent"} {
		if d.schema.defs[kind] == nil {
			continue
		}
		d.members(kind, d.part(kind), func(raw []byte) (any, error) {
			return c.DecodeAnswer(&protocol.CreateMessageParams{}, encoded(map[string]jsontext.Value{
				"role": []byte(`"user"`), "model": []byte(`"m"`), "content": raw}))
		})
	}
	for _, kind := range []string{"ResourceLink", "EmbeddedResource", "TextResourceContents", "BlobResourceContents"} {
		if d.schema.defs["ToolResultContent"] == nil {
			continue // a model says nothing of resources
		}
		d.members(kind, d.part(kind), func(raw []byte) (any, error) {
			if kind[0] == 'T' || kind[0] == 'B' {
				raw = encoded(map[string]jsontext.Value{"type": []byte(`"resource"`), "resource": raw})
			}
			return c.DecodeAnswer(&protocol.CreateMessageParams{}, []byte(`{"role":"user","model":"m","content":`+
				`{"type":"tool_result","toolUseId":"1","content":[`+string(raw)+`]}}`))
		})
	}
	if d.schema.defs["Icon"] != nil {
		d.members("Icon", d.part("Icon"), func(raw []byte) (any, error) {
			return implementation([]byte(`{"name":"n","version":"1","icons":[` + string(raw) + `]}`))
		})
	}
	d.members("Annotations", d.part("Annotations"), func(raw []byte) (any, error) {
		return c.DecodeAnswer(&protocol.CreateMessageParams{}, encoded(map[string]jsontext.Value{
			"role": []byte(`"user"`), "model": []byte(`"m"`), "content": encoded(map[string]jsontext.Value{
				"type": []byte(`"text"`), "text": []byte(`"t"`), "annotations": raw})}))
	})
	for _, kind := range []string{"PromptReference", "ResourceReference", "ResourceTemplateReference"} {
		if d.schema.defs[kind] == nil {
			continue
		}
		d.members(kind, d.part(kind), func(raw []byte) (any, error) {
			return c.DecodeRequest(protocol.MethodComplete, encoded(map[string]jsontext.Value{"ref": raw, "argument": []byte(`{"name":"a","value":""}`)}))
		})
	}
	if d.schema.defs["TaskMetadata"] != nil {
		d.members("TaskMetadata", d.part("TaskMetadata"), func(raw []byte) (any, error) {
			return c.DecodeRequest(protocol.MethodToolsCall, encoded(map[string]jsontext.Value{"name": []byte(`"n"`), "task": raw}))
		})
	}
	if d.schema.defs["SubscriptionFilter"] != nil {
		d.members("SubscriptionFilter", d.part("SubscriptionFilter"), func(raw []byte) (any, error) {
			return c.DecodeRequest(protocol.MethodListen, encoded(map[string]jsontext.Value{"notifications": raw}))
		})
	}
	d.members("Root", d.part("Root"), func(raw []byte) (any, error) {
		return c.DecodeAnswer(&protocol.ListRootsParams{}, []byte(`{"roots":[`+string(raw)+`]}`))
	})
}

func encoded(m map[string]jsontext.Value) jsontext.Value {
	return wire.JSON(func(w *wire.Writer) {
		for _, key := range keys(m) {
			w.Member(key, m[key])
		}
	})
}

type dissection struct {
	*testing.T
	schema *schema
	// left are those of unread that were met.
	left map[string]bool
}

func (d *dissection) part(definition string) object { return d.schema.defs[definition].(object) }

// paramsOf returns the params of the message that has the method and belongs to the union.
func (d *dissection) paramsOf(union, method string) (name string, params object) {
	for definition, v := range d.schema.defs {
		found := d.schema.methods(v)
		if !found[method] || len(found) > 1 || !d.schema.methods(d.schema.defs[union])[method] {
			continue
		}
		properties, ok := v.(object)["properties"].(object)
		if !ok {
			continue
		}
		params, _ = properties["params"].(object)
		if ref, ok := params["$ref"].(string); ok {
			return filepath.Base(ref), d.part(filepath.Base(ref))
		}
		return definition + ".params", params
	}
	d.Fatalf("no definition of %s", method)
	return "", nil
}

// value returns a good value of a member, without those that are of no interest.
func (d *dissection) value(name, member string) any {
	if v, ok := values[name+"."+member]; ok {
		return v
	}
	v, ok := values[member]
	require.True(d, ok, "no value for %s.%s", name, member)
	return v
}

func (d *dissection) members(name string, part object, decode func([]byte) (any, error), skip ...string) {
	properties, _ := part["properties"].(object)
	required, _ := part["required"].([]any)
	whole := object{}
	for member := range properties {
		if !slices.Contains(skip, member) {
			whole[member] = d.value(name, member)
		}
	}
	try := func(change func(object)) (any, error) {
		o := maps.Clone(whole)
		change(o)
		raw, err := json.Marshal(o)
		require.NoError(d, err)
		return decode(raw)
	}
	same := func(object) {}
	want, err := try(same)
	require.NoError(d, err, "%s: %v", name, whole)

	got, err := try(func(o object) {
		for member, v := range values {
			if properties[member] == nil && !strings.Contains(member, ".") {
				o[member] = v
			}
		}
		o["com.example/unknown"] = true
	})
	assert.NoError(d, err, name)
	assert.Equal(d, want, got, "%s with members that are not its own", name)

	for member := range whole {
		path := name + "." + member
		for _, known := range []string{member, path} {
			if unread[known] != "" {
				d.left[known] = true
			}
		}
		without, errWithout := try(func(o object) { delete(o, member) })
		null, errNull := try(func(o object) { o[member] = nil })
		wrong, errWrong := try(func(o object) { o[member] = []any{[]any{}} })
		assert.Equal(d, without, null, "%s that is null", path)
		assert.Equal(d, errWithout, errNull, "%s that is null", path)
		switch {
		case slices.Contains(required, any(member)):
			assert.ErrorContains(d, errWithout, member, "%s is required", path)
			assert.ErrorContains(d, errWrong, member, "%s of the wrong type", path)
		case unread[member]+unread[path] != "":
			assert.Equal(d, want, without, "%s is read", path)
			assert.Equal(d, want, wrong, "%s is read", path)
		default:
			assert.NoError(d, errWithout, "%s is optional", path)
			assert.NotEqual(d, want, without, "%s is not read", path)
			if !isAny(properties[member].(object)) {
				assert.ErrorContains(d, errWrong, member, "%s of the wrong type", path)
			}
		}
	}
}

// isAny reports whether a schema says no more than what its value is for.
func isAny(part object) bool {
	_, described := part["description"]
	return len(part) == 0 || described && len(part) == 1
}
