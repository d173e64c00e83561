package revisions_test

import (
	"bytes"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/revisions"
)

// silent are members that a definition has and no message says, with the reason.
var silent = map[protocol.Revision]map[string]string{
	"2025-03-26": {},
	"2025-06-18": {},
	"2025-11-25": {
		"CreateMessageRequestParams.task":                 noClientTasks,
		"ElicitRequestFormParams.task":                    noClientTasks,
		"ElicitRequestURLParams.task":                     noClientTasks,
		"ElicitRequestFormParams.requestedSchema.$schema": oneDialect,
	},
	"2026-07-28": {
		"ListRootsRequest.params._meta":                   "there is no progress to ask for, and nothing else that it is for",
		"ElicitRequestFormParams.requestedSchema.$schema": oneDialect,
	},
}

const (
	noClientTasks = "a server asks for an answer, and for no task of the client's"
	oneDialect    = "it is the dialect of the specification, which is meant without it"
)

// extensional are the kinds of messages that a revision has by an extension. Its own schema does not know them.
var extensional = map[protocol.Revision][]string{
	"2026-07-28": {"CreateTaskResult", "GetTaskResult", "CancelTaskResult", "TaskNotification"},
}

// extensionMembers are the places where a message has a member of an extension.
var extensionMembers = map[protocol.Revision][]string{
	"2026-07-28": {"SubscriptionsAcknowledgedNotification.params.notifications.taskIds is not defined"},
}

// Every kind of message, with every field filled, is valid by the official schema of each revision that has it, has no
// member that the revision does not define at that place, and leaves none unsaid. What a revision lacks is refused.
func TestOutputIsTheRevisionsOwn(t *testing.T) {
	each(t, func(t *testing.T, c protocol.Codec) {
		s := schemaOf(t, c)
		w := newWalk(schemas(t), s.revision)
		for _, m := range messages() {
			missing := slices.ContainsFunc(append(m.needs, m.definition), func(name string) bool { return s.defs[name] == nil })
			dst := []byte("before")
			b, err := c.Append(dst, m.value)
			if slices.Contains(extensional[s.revision], m.definition) {
				assert.True(t, missing, "the schema has %s: strike it from the list", m.definition)
				assert.NoError(t, err, m.name)
				continue
			}
			if missing {
				assert.ErrorIs(t, err, protocol.ErrNotInRevision, m.name)
				assert.Equal(t, dst, b, m.name)
				continue
			}
			if !assert.NoError(t, err, m.name) {
				continue
			}
			v := s.envelope(t, m, b[len(dst):])
			assert.NoError(t, s.validate(t, m.definition, v), "%s: %s", m.name, b)
			w.definition(m.definition, v)
		}
		assert.Equal(t, extensionMembers[s.revision], w.found, "members that the revision does not define there")
		assert.Equal(t, keys(silent[s.revision]), w.unsaid(), "members that no message says; if rightly so, say why in this file")
	})
}

// The check above finds what newer revisions say when an older one judges it.
func TestForeignVocabularyIsFound(t *testing.T) {
	for _, c := range revisions.All() {
		schemaOf(t, c) // or skip
	}
	all, newest := schemas(t), revisions.Newest()
	const identity = "CallToolResult._meta.io.modelcontextprotocol/serverInfo is foreign"
	for _, m := range messages() {
		if m.definition != "CallToolResult" {
			continue
		}
		b, err := newest.Append(nil, m.value)
		require.NoError(t, err)
		v := all[newest.Features().Revision].envelope(t, m, b)
		for revision, want := range map[protocol.Revision][]string{
			"2026-07-28": nil,
			"2025-11-25": {identity, "CallToolResult.resultType is foreign"},
			"2025-06-18": {identity, "CallToolResult.content[3].icons is foreign", "CallToolResult.resultType is foreign"},
		} {
			w := newWalk(all, revision)
			w.definition(m.definition, v)
			slices.Sort(w.found)
			assert.Equal(t, want, w.found, revision)
		}
		w := newWalk(all, "2025-03-26")
		w.definition(m.definition, v)
		assert.Contains(t, w.found, "CallToolResult.structuredContent is foreign")
		assert.Contains(t, w.found, "CallToolResult.content[3] fits nothing")
	}
}

// envelope returns what the definition of m describes: a result as it is, params with method, id and version around them if
// the definition has these.
func (s *schema) envelope(t testing.TB, m message, encoded []byte) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(encoded))
	require.NoError(t, err, "%s: %s", m.name, encoded)
	method, ok := m.value.(interface{ Method() string })
	if !ok {
		return v
	}
	declared, _ := s.defs[m.definition].(map[string]any)["properties"].(map[string]any)
	whole := map[string]any{"method": method.Method(), "params": v}
	for key, value := range map[string]any{"jsonrpc": "2.0", "id": "1"} {
		if declared[key] != nil {
			whole[key] = value
		}
	}
	return whole
}

// A walk compares a message with the schemas, place by place.
type walk struct {
	all map[protocol.Revision]*schema
	own protocol.Revision
	// found are the faults; declared and said are members, by definition.
	found          []string
	declared, said map[string]bool
}

// A node is a part of a schema, with the name of the definition it belongs to.
type node struct {
	name string
	part map[string]any
}

// nodes are the parts of the schemas that speak of one place.
type nodes map[protocol.Revision][]node

func newWalk(all map[protocol.Revision]*schema, own protocol.Revision) *walk {
	return &walk{all: all, own: own, declared: map[string]bool{}, said: map[string]bool{}}
}

func (w *walk) definition(name string, v any) {
	at := nodes{}
	for revision, s := range w.all {
		if def, ok := s.defs[name].(map[string]any); ok {
			at[revision] = []node{{name, def}}
		}
	}
	w.value(at, v, name)
}

func (w *walk) unsaid() []string {
	var list []string
	for _, member := range keys(w.declared) {
		if !w.said[member] {
			list = append(list, member)
		}
	}
	return list
}

func (w *walk) value(at nodes, v any, path string) {
	fit := nodes{}
	for revision, list := range at {
		for _, n := range list {
			fit[revision] = append(fit[revision], w.all[revision].fitting(n, v, false)...)
		}
	}
	if len(at[w.own]) > 0 && len(fit[w.own]) == 0 {
		w.found = append(w.found, path+" fits nothing")
		return
	}
	switch v := v.(type) {
	case map[string]any:
		w.members(fit, v, path)
	case []any:
		for i, e := range v {
			w.value(fit.into(func(n node) (node, bool) {
				items, ok := n.part["items"].(map[string]any)
				return node{n.name, items}, ok
			}), e, fmt.Sprintf("%s[%d]", path, i))
		}
	}
}

func (w *walk) members(at nodes, v map[string]any, path string) {
	open := len(at[w.own]) == 0 || strings.HasSuffix(path, "._meta")
	for _, n := range at[w.own] {
		properties, _ := n.part["properties"].(map[string]any)
		for key := range properties {
			w.declared[n.name+"."+key] = true
		}
		open = open || len(properties) == 0 || n.part["additionalProperties"] != nil
	}
	for _, key := range slices.Sorted(maps.Keys(v)) {
		declaring := at.into(func(n node) (node, bool) {
			properties, _ := n.part["properties"].(map[string]any)
			part, ok := properties[key].(map[string]any)
			if ok && key == "params" {
				return node{n.name + "." + key, withMeta(n.name, part)}, true
			}
			return node{n.name + "." + key, part}, ok
		})
		rest := at.into(func(n node) (node, bool) {
			part, ok := n.part["additionalProperties"].(map[string]any)
			return node{n.name + ".*", part}, ok
		})
		switch {
		case len(declaring[w.own]) > 0:
			for _, n := range at[w.own] {
				w.said[n.name+"."+key] = true
			}
			if key != "inputSchema" && key != "outputSchema" { // which say what an author wants
				w.value(declaring, v[key], path+"."+key)
			}
		case len(declaring) > 0:
			w.found = append(w.found, path+"."+key+" is foreign")
		case open:
			w.value(rest, v[key], path+"."+key)
		default:
			w.found = append(w.found, path+"."+key+" is not defined")
		}
	}
}

// withMeta: _meta may stand in the params of every message, and in it a request's progress token, which not all definitions
// repeat (2025-03-26 basic/utilities/progress#progress-flow).
func withMeta(message string, params object) object {
	properties, _ := params["properties"].(object)
	if params["$ref"] != nil || params["anyOf"] != nil || properties["_meta"] != nil {
		return params
	}
	meta := object{"type": "object"}
	if strings.HasSuffix(message, "Request") {
		meta["properties"] = object{protocol.MetaProgressToken: object{}}
	}
	params, properties = maps.Clone(params), maps.Clone(properties)
	if properties == nil {
		properties = object{}
	}
	properties["_meta"] = meta
	params["properties"] = properties
	return params
}

func (at nodes) into(f func(node) (node, bool)) nodes {
	inner := nodes{}
	for revision, list := range at {
		for _, n := range list {
			if part, ok := f(n); ok {
				inner[revision] = append(inner[revision], part)
			}
		}
	}
	return inner
}

// fitting returns the parts of n, unions and references resolved, that v can be meant for: constants and, in a union,
// required members tell.
func (s *schema) fitting(n node, v any, union bool) []node {
	if ref, ok := n.part["$ref"].(string); ok {
		name := filepath.Base(ref)
		return s.fitting(node{name, s.defs[name].(map[string]any)}, v, union)
	}
	var list []node
	if branches, ok := n.part["anyOf"].([]any); ok {
		for _, b := range branches {
			list = append(list, s.fitting(node{n.name, b.(map[string]any)}, v, true)...)
		}
		return list
	}
	if parts, ok := n.part["allOf"].([]any); ok {
		for _, p := range parts {
			list = append(list, s.fitting(node{n.name, p.(map[string]any)}, v, union)...)
		}
		return list
	}
	object, isObject := v.(map[string]any)
	_, isArray := v.([]any)
	switch n.part["type"] {
	case "object":
		if !isObject {
			return nil
		}
	case "array":
		if !isArray {
			return nil
		}
	}
	properties, _ := n.part["properties"].(map[string]any)
	for key, p := range properties {
		if want := p.(map[string]any)["const"]; want != nil && object[key] != nil && object[key] != want {
			return nil
		}
	}
	required, _ := n.part["required"].([]any)
	for _, key := range required {
		if union && isObject && object[key.(string)] == nil {
			return nil
		}
	}
	return []node{n}
}
