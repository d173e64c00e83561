package revisions_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
)

// A message is a neutral value in which every field is filled, as far as its fields can be set together.
type message struct {
	name  string
	value protocol.Outgoing
	// definition is the official one that describes it.
	definition string
	// needs are definitions that a revision must have as well to say it.
	needs []string
}

// outgoing are all kinds of what a server sends, by the names of their official definitions.
var outgoing = []struct {
	definition string
	kind       protocol.Outgoing
}{
	{"InitializeResult", &protocol.InitializeResult{}},
	{"DiscoverResult", &protocol.DiscoverResult{}},
	{"EmptyResult", &protocol.EmptyResult{}},
	{"ListToolsResult", &protocol.ListToolsResult{}},
	{"CallToolResult", &protocol.CallToolResult{}},
	{"InputRequiredResult", &protocol.InputRequiredResult{}},
	{"ListResourcesResult", &protocol.ListResourcesResult{}},
	{"ListResourceTemplatesResult", &protocol.ListResourceTemplatesResult{}},
	{"ReadResourceResult", &protocol.ReadResourceResult{}},
	{"ListPromptsResult", &protocol.ListPromptsResult{}},
	{"GetPromptResult", &protocol.GetPromptResult{}},
	{"CompleteResult", &protocol.CompleteResult{}},
	{"SubscriptionsListenResult", &protocol.ListenResult{}},
	{"CancelledNotification", &protocol.CancelledNotification{}},
	{"ProgressNotification", &protocol.ProgressNotification{}},
	{"LoggingMessageNotification", &protocol.LogNotification{}},
	{"ToolListChangedNotification", &protocol.ToolsListChangedNotification{}},
	{"PromptListChangedNotification", &protocol.PromptsListChangedNotification{}},
	{"ResourceListChangedNotification", &protocol.ResourcesListChangedNotification{}},
	{"ResourceUpdatedNotification", &protocol.ResourceUpdatedNotification{}},
	{"ElicitationCompleteNotification", &protocol.ElicitationCompleteNotification{}},
	{"SubscriptionsAcknowledgedNotification", &protocol.SubscriptionsAcknowledgedNotification{}},
	{"CreateTaskResult", &protocol.CreateTaskResult{}},
	{"GetTaskResult", &protocol.GetTaskResult{}},
	{"GetTaskPayloadResult", &protocol.TaskResult{}},
	{"ListTasksResult", &protocol.ListTasksResult{}},
	{"CancelTaskResult", &protocol.CancelTaskResult{}},
	{"TaskNotification", &protocol.TaskNotification{}},
	{"PingRequest", &protocol.PingParams{}},
	{"ElicitRequest", &protocol.ElicitParams{}},
	{"CreateMessageRequest", &protocol.CreateMessageParams{}},
	{"ListRootsRequest", &protocol.ListRootsParams{}},
}

// messages returns one message of each kind, or several where the fields of a kind exclude one another.
func messages() []message {
	var list []message
	for _, o := range outgoing {
		list = append(list, variants(o.definition, o.kind)...)
	}
	return list
}

func variants(definition string, kind protocol.Outgoing) []message {
	whole := filled(reflect.TypeOf(kind)).Interface().(protocol.Outgoing)
	m := message{name: definition, value: whole, definition: definition}
	list := []message{m}
	switch v := whole.(type) {
	case *protocol.ElicitParams:
		list = elicitations(m, v)
	case *protocol.CreateMessageParams:
		list = samplings(m, v)
	case *protocol.GetTaskResult:
		list = standings(m, v.Task, func(t protocol.Task) protocol.Outgoing {
			return &protocol.GetTaskResult{ResultBase: v.ResultBase, Task: t}
		})
	case *protocol.TaskNotification:
		list = standings(m, v.Task, func(t protocol.Task) protocol.Outgoing {
			return &protocol.TaskNotification{NotificationBase: v.NotificationBase, Task: t}
		})
	}
	for _, m := range list {
		if q, ok := m.value.(protocol.Question); ok {
			tracked := &protocol.Tracked{Question: q, ProgressToken: jsontext.Value(beyond), Task: "t"}
			list = append(list, message{m.name + ", tracked", tracked, m.definition, m.needs})
		}
	}
	return list
}

// standings are a task with each status.
func standings(m message, t protocol.Task, say func(protocol.Task) protocol.Outgoing) []message {
	var list []message
	for _, status := range []protocol.TaskStatus{protocol.TaskWorking, protocol.TaskInputRequired, protocol.TaskCompleted,
		protocol.TaskFailed, protocol.TaskCancelled} {
		t.Status = status
		list = append(list, message{m.name + ", " + string(status), say(t), m.definition, m.needs})
	}
	return list
}

func elicitations(m message, whole *protocol.ElicitParams) []message {
	form, choices, url := *whole, *whole, *whole
	form.URL, choices.URL, url.Fields = "", "", nil
	multiple := func(f protocol.FormField) bool { return f.Kind == protocol.FieldChoices }
	form.Fields = slices.DeleteFunc(slices.Clone(whole.Fields), multiple)
	return []message{
		{"a form", &form, m.definition, nil},
		{"a form with multiple choices", &choices, m.definition, []string{"UntitledMultiSelectEnumSchema"}},
		{"a URL", &url, m.definition, []string{"ElicitRequestURLParams"}},
	}
}

func samplings(m message, whole *protocol.CreateMessageParams) []message {
	first := whole.Messages[0]
	said := func(keep func(protocol.Content) bool) []protocol.SamplingMessage {
		m := first
		m.Content = slices.DeleteFunc(slices.Clone(m.Content), func(c protocol.Content) bool { return !keep(c) })
		one := m
		one.Content = m.Content[:1]
		return []protocol.SamplingMessage{m, one}
	}
	isUse := func(c protocol.Content) bool { _, ok := c.(*protocol.ToolUse); return ok }
	isResult := func(c protocol.Content) bool { _, ok := c.(*protocol.ToolResult); return ok }
	plain := *whole
	plain.Tools, plain.ToolChoice = nil, ""
	plain.Messages = said(func(c protocol.Content) bool { return !isUse(c) && !isResult(c) })
	tools, choice, results, uses := plain, plain, plain, plain
	tools.Tools, choice.ToolChoice = whole.Tools, whole.ToolChoice
	uses.Messages, results.Messages = said(isUse), said(isResult)
	return []message{
		{"sampling", &plain, m.definition, nil},
		{"sampling with tools", &tools, m.definition, []string{"ToolChoice"}},
		{"sampling with a tool choice", &choice, m.definition, []string{"ToolChoice"}},
		{"sampling with a tool use", &uses, m.definition, []string{"ToolUseContent"}},
		{"sampling with a tool result", &results, m.definition, []string{"ToolResultContent"}},
	}
}

// Numbers beyond 2^53 show who reads them as floating point.
const beyond = "9007199254740993"

// Texts that are no free choice, by type and field.
var texts = map[string]string{
	"Icon.Theme":                         "dark",
	"FormField.Format":                   "email",
	"CreateMessageParams.IncludeContext": "thisServer",
	"CreateMessageParams.ToolChoice":     "auto",
	"Tool.TaskSupport":                   "optional",
	"Task.Status":                        "working",
}

// Raw values that are no object with whatever members.
var raws = map[string]string{
	"Tool.InputSchema":                `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`,
	"Tool.OutputSchema":               `{"type":"object","properties":{"n":{"type":"integer"}}}`,
	"ListenResult.ID":                 beyond,
	"CancelledNotification.RequestID": beyond,
	"ProgressNotification.Token":      beyond,
	"NotificationBase.SubscriptionID": beyond,
}

// filled returns a value of type t in which every field is set. A new field in the hub is filled without a change here.
func filled(t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	fill(v, t.Name())
	return v
}

func fill(v reflect.Value, at string) {
	switch {
	case v.Type() == reflect.TypeFor[*protocol.Encodings]():
		return // a store of encodings, no part of a message
	case v.Type() == reflect.TypeFor[jsontext.Value]():
		v.SetBytes([]byte(`{"n":` + beyond + `}`))
		if raw, ok := raws[at]; ok {
			v.SetBytes([]byte(raw))
		}
		return
	case v.Type() == reflect.TypeFor[[]byte]():
		v.SetBytes([]byte("bytes"))
		return
	case v.Type() == reflect.TypeFor[[]protocol.Content]():
		v.Set(reflect.ValueOf(contents(at)))
		return
	case v.Type() == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Date(2026, time.July, 28, 12, 0, 0, 0, time.UTC)))
		return
	case v.Type() == reflect.TypeFor[protocol.Result]():
		v.Set(filled(reflect.TypeFor[*protocol.CallToolResult]()))
		return
	case v.Type() == reflect.TypeFor[[]protocol.FormField]():
		v.Set(reflect.ValueOf(fields()))
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), at)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), v.Type().Name()+"."+v.Type().Field(i).Name)
		}
	case reflect.Slice:
		fillSlice(v, at)
	case reflect.Map:
		fillMap(v, at)
	case reflect.String:
		v.SetString("https://example.com/" + at)
		if v.Type() == reflect.TypeFor[protocol.Role]() {
			v.SetString(string(protocol.RoleUser))
		} else if text, ok := texts[at]; ok {
			v.SetString(text)
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(3)
	case reflect.Uint8:
		v.SetUint(3)
	case reflect.Float64:
		v.SetFloat(0.5)
	default:
		panic("no filling for " + at + " of type " + v.Type().String())
	}
}

// fillSlice sets one element, or one of each kind.
func fillSlice(v reflect.Value, at string) {
	element := v.Type().Elem()
	switch element {
	case reflect.TypeFor[protocol.PromptMessage]():
		for _, c := range contents(at) {
			v.Set(reflect.Append(v, reflect.ValueOf(protocol.PromptMessage{Role: protocol.RoleAssistant, Content: c})))
		}
	case reflect.TypeFor[*protocol.ResourceContents]():
		blob := filled(element).Interface().(*protocol.ResourceContents)
		text := *blob
		text.Blob = nil
		v.Set(reflect.ValueOf([]*protocol.ResourceContents{blob, &text}))
	default:
		e := reflect.New(element).Elem()
		fill(e, at)
		v.Set(reflect.Append(v, e))
	}
}

func fillMap(v reflect.Value, at string) {
	v.Set(reflect.MakeMap(v.Type()))
	if v.Type().Elem() == reflect.TypeFor[protocol.Question]() {
		for _, o := range outgoing {
			if _, ok := o.kind.(protocol.Question); !ok || o.definition == "PingRequest" {
				continue
			}
			for _, m := range variants(o.definition, o.kind) {
				v.SetMapIndex(reflect.ValueOf(m.name), reflect.ValueOf(m.value))
			}
		}
		return
	}
	e := reflect.New(v.Type().Elem()).Elem()
	fill(e, at)
	v.SetMapIndex(reflect.ValueOf("com.example/key"), e)
}

var contentKinds = []protocol.Content{
	&protocol.TextContent{}, &protocol.ImageContent{}, &protocol.AudioContent{}, &protocol.ResourceLink{},
	&protocol.EmbeddedResource{}, &protocol.ToolUse{}, &protocol.ToolResult{},
}

// contents returns a block of each kind that can stand there.
func contents(at string) []protocol.Content {
	var list []protocol.Content
	for _, kind := range contentKinds {
		switch kind.(type) {
		case *protocol.ToolUse, *protocol.ToolResult:
			if at != "SamplingMessage.Content" {
				continue
			}
		case *protocol.ResourceLink, *protocol.EmbeddedResource:
			if at == "SamplingMessage.Content" {
				continue
			}
		}
		c := filled(reflect.TypeOf(kind)).Interface().(protocol.Content)
		list = append(list, c)
		if blob, ok := c.(*protocol.EmbeddedResource); ok {
			text := *blob
			text.Resource.Blob = nil
			list = append(list, &text)
		}
	}
	return list
}

// fields returns a form field of each kind, choices also without titles and with titles in the older way.
func fields() []protocol.FormField {
	defaults := map[protocol.FieldKind]string{
		protocol.FieldString: `"a@example.com"`, protocol.FieldNumber: `0.5`, protocol.FieldInteger: `3`,
		protocol.FieldBoolean: `true`, protocol.FieldChoice: `"a"`, protocol.FieldChoices: `["a"]`,
	}
	var list []protocol.FormField
	for kind := protocol.FieldString; kind <= protocol.FieldChoices; kind++ {
		f := filled(reflect.TypeFor[protocol.FormField]()).Interface().(protocol.FormField)
		f.Kind, f.Default, f.LegacyTitles = kind, jsontext.Value(defaults[kind]), false
		add := func(name string) {
			f.Name = name
			list = append(list, f)
		}
		add("field " + string('0'+rune(kind)))
		if kind < protocol.FieldChoice {
			continue
		}
		f.LegacyTitles = true
		add(f.Name + " in the older way")
		f.Options = []protocol.Option{{Value: "a"}, {Value: "b"}}
		add(f.Name + " without titles")
	}
	return list
}

// TestKindsAreComplete reads the hub: whoever adds a kind adds it to the lists on this page.
func TestKindsAreComplete(t *testing.T) {
	isOutgoing, isContent := map[string]bool{}, map[string]bool{}
	entries, err := os.ReadDir("..")
	require.NoError(t, err)
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), "../"+e.Name(), nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				receiver := receiverOf(n)
				switch {
				case n.Name.Name == "content":
					isContent[receiver] = true
				case n.Name.Name == "outgoing" && !strings.HasSuffix(receiver, "Base"):
					isOutgoing[receiver] = true
				}
			case *ast.TypeSpec:
				if s, ok := n.Type.(*ast.StructType); ok && embedsBase(s) {
					isOutgoing[n.Name.Name] = true
				}
			}
			return true
		})
	}
	var listed []string
	for _, o := range outgoing {
		listed = append(listed, reflect.TypeOf(o.kind).Elem().Name())
	}
	listed = append(listed, "Tracked") // which variants puts around each question
	assert.ElementsMatch(t, keys(isOutgoing), listed)
	listed = nil
	for _, c := range contentKinds {
		listed = append(listed, reflect.TypeOf(c).Elem().Name())
	}
	assert.ElementsMatch(t, keys(isContent), listed)
}

// receiverOf returns the name of the type to which a pointer method belongs, or "".
func receiverOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	pointer, ok := f.Recv.List[0].Type.(*ast.StarExpr)
	if !ok {
		return ""
	}
	return pointer.X.(*ast.Ident).Name
}

func embedsBase(s *ast.StructType) bool {
	return slices.ContainsFunc(s.Fields.List, func(f *ast.Field) bool {
		name, ok := f.Type.(*ast.Ident)
		return ok && len(f.Names) == 0 && (strings.HasSuffix(name.Name, "Base") || name.Name == "Question")
	})
}
