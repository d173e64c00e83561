package gosdk

//lint:file-ignore SA1019 sampling and roots are deprecated, and a server must still be able to ask for them

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What the server asks of the client. The client has one handler for each kind of question; how a question reaches it, as a
// request or in a result that its library answers by calling again, is the library's affair.

// plainForms is the revision in whose forms only a boolean can have a default, and nobody can choose several.
const plainForms = "2025-06-18"

// workplace is where the client's user works.
var workplace = &mcp.Root{Name: "interop", URI: "file:///interop"}

const (
	// said is what the client's model says.
	said = "It is Paris."
	// refusable is the message of a form that the client's user declines.
	refusable = "Do you want to give away your account?"
)

// filled is what the client's user fills in. What has a default is left to the library.
var filled = map[string]any{
	"username": "ada", "email": "ada@example.com",
	"name": "Ada", "age": 36, "score": 9.5, "status": "inactive", "verified": false,
	"color": "green", "context": "interop",
	"untitledSingle": "option2", "titledSingle": "value2", "legacyEnum": "opt2",
	"untitledMulti": []any{"option1", "option3"}, "titledMulti": []any{"value1"},
}

func (v *visit) elicit(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	v.heard.add(elicited, r.Params.Message)
	if r.Params.Message == refusable {
		return &mcp.ElicitResult{Action: "decline"}, nil
	}
	fields, ok := r.Params.RequestedSchema.(map[string]any)["properties"].(map[string]any)
	if !ok {
		return nil, fmt.Errorf("a form without fields: %v", r.Params.RequestedSchema)
	}
	content := map[string]any{}
	for name, field := range fields {
		if _, has := field.(map[string]any)["default"]; has {
			continue
		}
		if content[name], ok = filled[name]; !ok {
			return nil, fmt.Errorf("an unexpected field: %s", name)
		}
	}
	return &mcp.ElicitResult{Action: "accept", Content: content}, nil
}

func (v *visit) sample(_ context.Context, r *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
	if len(r.Params.Messages) != 1 || r.Params.MaxTokens != 100 {
		return nil, fmt.Errorf("not what the tool asks the model: %+v", r.Params)
	}
	v.heard.add(sampled, r.Params.Messages[0].Content.(*mcp.TextContent).Text)
	return &mcp.CreateMessageResult{Role: "assistant", Content: &mcp.TextContent{Text: said}, Model: "interop", StopReason: "endTurn"}, nil
}

// answer calls a tool that asks, and returns what it made of the answers.
func (v *visit) answer(name string, args any) string {
	v.Helper()
	r := v.call(name, args)
	text := r.Content[0].(*mcp.TextContent).Text
	require.False(v, r.IsError, "%s: %s", name, text)
	return text
}

func (v *visit) asks() {
	assert.Equal(v, "LLM response: "+said, v.answer("test_sampling", map[string]any{"prompt": "Which city?"}))
	assert.Contains(v, v.answer("test_input_required_result_sampling", nil), said)
	assert.Equal(v, []string{"Which city?", "What is the capital of France?"}, v.await(sampled, 2))
	assert.Contains(v, v.answer("test_input_required_result_list_roots", nil), workplace.URI)
	v.note("sampling, roots")
	if v.revision == bare {
		v.asksInVain()
		return
	}
	v.forms()
	v.several()
}

// asksInVain calls tools that ask for what the revision does not have.
func (v *visit) asksInVain() {
	for _, name := range []string{"test_elicitation_sep1034_defaults", "test_input_required_result_elicitation", "test_input_required_result_multiple_inputs"} {
		_, err := v.session.CallTool(v.ctx, &mcp.CallToolParams{Name: name})
		assert.ErrorContains(v, err, "capability", name)
	}
	assert.Zero(v, v.count(elicited))
	assert.Equal(v, 2, v.count(sampled), "nothing is asked when something cannot be")
	v.note("refused to elicit, which the revision does not have")
}

func (v *visit) forms() {
	text := v.answer("test_elicitation", map[string]any{"message": "Who are you?"})
	assert.Contains(v, text, `action=accept, content={"username":"ada","email":"ada@example.com"}`)
	assert.Contains(v, v.answer("test_elicitation", map[string]any{"message": refusable}), "action=decline")
	assert.Equal(v, "Hello, Ada!", v.answer("test_input_required_result_elicitation", nil))
	assert.Equal(v, []string{"Who are you?", refusable, "What is your name?"}, v.await(elicited, 3))

	expected := `{"name":"John Doe","age":30,"score":95.5,"status":"active","verified":true}`
	if v.revision == plainForms {
		expected = `{"name":"Ada","age":36,"score":9.5,"status":"inactive","verified":true}`
	}
	assert.Contains(v, v.answer("test_elicitation_sep1034_defaults", nil), "content="+expected)
	v.note("elicitation, defaults")
	v.choices()
}

func (v *visit) choices() {
	const name = "test_elicitation_sep1330_enums"
	if v.revision == plainForms {
		assert.True(v, v.call(name, nil).IsError, "several choices, which the revision does not have")
		v.note("refused a choice of several, which the revision does not have")
		return
	}
	assert.Contains(v, v.answer(name, nil), `content={"untitledSingle":"option2","titledSingle":"value2","legacyEnum":"opt2",`+
		`"untitledMulti":["option1","option3"],"titledMulti":["value1"]}`)
	v.note("choices")
}

// several asks several things: at once, one after the other, and for a prompt.
func (v *visit) several() {
	before := v.count(elicited)
	text := v.answer("test_input_required_result_multiple_inputs", nil)
	for _, part := range []string{"Ada", said, workplace.URI} {
		assert.Contains(v, text, part)
	}
	text = v.answer("test_input_required_result_multi_round", nil)
	assert.Contains(v, text, "Ada")
	assert.Contains(v, text, "green")
	context := v.prompt("test_input_required_result_prompt", nil)[0].Content.(*mcp.TextContent).Text
	assert.Contains(v, context, "interop")
	assert.Equal(v, before+4, v.count(elicited), "each question once")
	v.note("several asks")
}
