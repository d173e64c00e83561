// A pattern accepts what it pins and nothing else, and says in words where a message differs.
package match_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/conformance/match"
)

func compile(t testing.TB, pattern string) *match.Pattern {
	t.Helper()
	p, err := match.Compile([]byte(pattern))
	require.NoError(t, err)
	return p
}

func value(t testing.TB, text string) *match.Value {
	t.Helper()
	v, err := match.Parse([]byte(text))
	require.NoError(t, err)
	return v
}

func TestMatch(t *testing.T) {
	tests := []struct{ name, pattern, value, diff string }{
		{"equal", `{"a":1,"b":[true,null,"x"]}`, `{"b":[true,null,"x"],"a":1}`, ""},
		{"number by value", `{"a":1}`, `{"a":1.0}`, ""},
		{"large numbers exactly", `{"a":9007199254740993}`, `{"a":9007199254740992}`, "a: want 9007199254740993, got 9007199254740992"},
		{"huge exponent costs nothing", `{"a":1}`, `{"a":1e999999999}`, "a: want 1, got 1e999999999"},
		{"string is not number", `{"id":1}`, `{"id":"1"}`, `id: want 1, got "1"`},
		{"missing", `{"a":{"b":1}}`, `{"a":{}}`, "a.b: want 1, got nothing"},
		{"closed object", `{"a":1}`, `{"a":1,"x":{"y":2}}`, `x: want no such member (the object is closed), got {"y":2}`},
		{"open object", `{"a":1,"...":""}`, `{"a":1,"x":2}`, ""},
		{"closed array", `[1]`, `[1,2]`, "[1]: want no such item (the array is closed), got 2"},
		{"open array", `[1,"..."]`, `[1,2]`, ""},
		{"open array needs its items", `[1,2,"..."]`, `[1]`, "[1]: want 2, got nothing"},
		{"open at both ends", `["...",2,"..."]`, `[1,2,3]`, ""},
		{"open at the beginning", `["...",3]`, `[1,2,3]`, ""},
		{"open at the beginning, wrong end", `["...",3]`, `[3,2]`, "[1]: want 3, got 2"},
		{"window too small", `["...",1,2,"..."]`, `[1]`, "message: want an array with at least 2 items, got [1]"},
		{"kinds", `["{{any}}","{{string}}","{{number}}","{{integer}}","{{boolean}}","{{object}}","{{array}}"]`,
			`[null,"",1.5,2.0,false,{},[]]`, ""},
		{"wrong kind", `{"a":"{{string}}"}`, `{"a":1}`, "a: want a value of kind string, got 1"},
		{"not an integer", `{"a":"{{integer}}"}`, `{"a":1.5}`, "a: want a whole number, got 1.5"},
		{"any is not nothing", `{"a":"{{any}}"}`, `{}`, "a: want any value, got nothing"},
		{"one of several kinds", `["{{integer|null}}","{{integer|null}}","{{string|boolean}}"]`, `[null,2,false]`, ""},
		{"none of several kinds", `{"a":"{{integer|null}}"}`, `{"a":1.5}`, "a: want a value of kind integer|null, got 1.5"},
		{"regexp", `{"a":"{{regexp ^h.*o$}}"}`, `{"a":"hello"}`, ""},
		{"regexp fails", `{"a":"{{regexp ^h}}"}`, `{"a":"x"}`, `a: want a string matching /^h/, got "x"`},
		{"one of", `["{{oneof -32020 -32022}}","{{oneof a \"b\"}}"]`, `[-32022,"b"]`, ""},
		{"none of", `{"a":"{{oneof -32020 -32022}}"}`, `{"a":"-32020"}`, `a: want one of -32020 -32022, got "-32020"`},
		{"absent", `{"a":"{{absent}}","...":""}`, `{"a":null}`, "a: want the member to be absent, got null"},
		{"capture twice", `{"a":"{{$x}}","b":"{{$x}}"}`, `{"a":[1],"b":[1]}`, ""},
		{"capture differs", `{"a":"{{$x}}","b":"{{$x}}"}`, `{"a":1,"b":2}`, "b: want 1 as captured in x, got 2"},
		{"inside a string", `{"a":"{{$x}}","b":"<{{$x}}>"}`, `{"a":"v","b":"<v>"}`, ""},
		{"inside a string, other", `{"a":"{{$x}}","b":"<{{$x}}>"}`, `{"a":"v","b":"v"}`, `b: want "<v>", got "v"`},
		{"a name that is captured", `{"{{$k}}":1,"b":"{{$k}}"}`, `{"b":"a","a":1}`, ""},
		{"a name that is captured, by what it names", `{"{{$k}}":{"x":"{{any}}"},"{{$l}}":1,"b":"{{$k}}"}`, `{"b":"a","c":1,"a":{"x":2}}`, ""},
		{"a name that was captured", `{"b":"{{$k}}","c":{"{{$k}}":1}}`, `{"b":"a","c":{"x":1}}`, "c.a: want a member of that name, got nothing\nc.x: want no such member (the object is closed), got 1"},
		{"no member for a name", `{"{{$k}}":1}`, `{"a":2}`, "a: want 1, got 2"},
		{"no member at all", `{"{{$k}}":1}`, `{}`, "{{$k}}: want a member of that name, got nothing"},
		{"a closed object with a captured name", `{"{{$k}}":1}`, `{"a":1,"b":1}`, "b: want no such member (the object is closed), got 1"},
		{"several at once", `{"a":1,"b":2}`, `{"a":2,"c":3}`,
			"a: want 1, got 2\nb: want 2, got nothing\nc: want no such member (the object is closed), got 3"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := compile(t, test.pattern).Match(value(t, test.value), &match.Env{})
			assert.Equal(t, test.diff, got.String())
		})
	}
}

func TestMatchKeepsCapturesOnlyOnSuccess(t *testing.T) {
	env := &match.Env{}
	p := compile(t, `{"a":"{{$x}}","b":1}`)
	require.NotEmpty(t, p.Match(value(t, `{"a":"wrong","b":2}`), env))
	assert.Nil(t, env.Vars["x"])
	require.Empty(t, p.Match(value(t, `{"a":"right","b":1}`), env))
	assert.Equal(t, `"right"`, env.Vars["x"].String())
}

func TestCompileErrors(t *testing.T) {
	tests := []struct{ name, pattern, want string }{
		{"unknown hole", `{"a":"{{strin}}"}`, `a: unknown hole {{strin}}: write any, string,`},
		{"unknown kind among several", `{"a":"{{integer|nil}}"}`, `a: unknown hole {{integer|nil}}`},
		{"hole with an argument", `{"a":"{{any thing}}"}`, "nothing may stand behind the word"},
		{"bad expression", `{"a":"{{regexp (}}"}`, "missing closing )"},
		{"no expression", `{"a":"{{regexp}}"}`, "write the expression behind the word regexp"},
		{"one choice", `{"a":"{{oneof 1}}"}`, "at least two values"},
		{"capture without a name", `{"a":"{{$}}"}`, "a capture is named by letters"},
		{"absent in an array", `["{{absent}}"]`, "may only be the value of a member"},
		{"kind inside a string", `{"a":"x {{any}}"}`, "only a capture such as {{$name}}"},
		{"dots with a value", `{"...":1}`, `its value must be ""`},
		{"dots in the middle", `[1,"...",2]`, "only be the first or the last"},
		{"hole as a name", `{"{{any}}":1}`, "only a capture such as {{$name}} can be a name"},
		{"a name around a hole", `{"a{{$x}}":1}`, "only a capture such as {{$name}} can be a name"},
		{"duplicate member", `{"a":1,"a":2}`, "duplicate"},
		{"invalid UTF-8", "{\"a\":\"\xff\"}", "UTF-8"},
		{"two values", `{} {}`, "text after the JSON value"},
		{"cut off", `{"a":`, "unexpected EOF"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := match.Compile([]byte(test.pattern))
			assert.ErrorContains(t, err, test.want)
		})
	}
}

func TestExpand(t *testing.T) {
	env := &match.Env{Meta: func(m match.Meta) *match.Value {
		if len(m.Capabilities) == 0 {
			return nil
		}
		return match.Object(m.Extra...)
	}}
	env.Set("state", match.String("abc"))
	env.Set("n", match.Number("7"))
	p := compile(t, `{"_meta":"{{meta elicitation progressToken=5 logLevel=info}}","s":"{{$state}}","t":"{{$state}}-{{$n}}","o":{"_meta":"{{meta}}"}}`)
	require.NoError(t, p.CheckSendable())
	v, err := p.Expand(env)
	require.NoError(t, err)
	assert.Equal(t, `{"_meta":{"progressToken":5,"logLevel":"info"},"s":"abc","t":"abc-7","o":{}}`, v.String())

	v, err = compile(t, `{"{{$state}}":1}`).Expand(env)
	require.NoError(t, err)
	assert.Equal(t, `{"abc":1}`, v.String())
	_, err = compile(t, `{"{{$never}}":1}`).Expand(env)
	assert.ErrorIs(t, err, match.ErrUnknown)

	_, err = compile(t, `{"a":"{{$never}}"}`).Expand(env)
	assert.ErrorIs(t, err, match.ErrUnknown)
	assert.EqualError(t, err, "{{$never}}: nothing was captured")
	assert.ErrorContains(t, compile(t, `{"a":"{{any}}"}`).CheckSendable(), "cannot be sent")
	assert.ErrorContains(t, compile(t, `{"...":""}`).CheckSendable(), "cannot be sent")
	assert.ErrorContains(t, compile(t, `{"a":"{{meta}}"}`).CheckReceivable(), "belongs to what the client sends")
}

// A captured name tells later which member is meant, or which must not be there.
func TestCapturedNames(t *testing.T) {
	env := &match.Env{}
	asked := compile(t, `{"{{$first}}":{"q":1},"{{$second}}":{"q":2}}`)
	require.Empty(t, asked.Match(value(t, `{"b":{"q":2},"a":{"q":1}}`), env))
	whole, inside := asked.Names()
	assert.Equal(t, []string{"first", "second"}, whole)
	assert.Empty(t, inside)
	left := compile(t, `{"{{$first}}":"{{absent}}","{{$second}}":{"q":2}}`)
	_, inside = left.Names()
	assert.Equal(t, []string{"first"}, inside, "what is not there captures nothing")
	assert.Empty(t, left.Match(value(t, `{"b":{"q":2}}`), env))
	assert.Equal(t, `a: want the member to be absent, got 1`,
		left.Match(value(t, `{"a":1,"b":{"q":2}}`), env).String())
	assert.Equal(t, `b: want a member of that name, got nothing`+"\n"+`c: want no such member (the object is closed), got {"q":2}`,
		left.Match(value(t, `{"c":{"q":2}}`), env).String())
	for _, m := range left.Mutants(value(t, `{"b":{"q":2}}`), env, nil) {
		assert.NotEmpty(t, left.Match(m.Value, env), m.Name)
	}
}

func TestExampleMatchesAndMutantsDoNot(t *testing.T) {
	patterns := []string{
		`{"jsonrpc":"2.0","id":1,"result":{"a":"{{$x}}","b":["{{string}}","{{integer}}","..."],"c":"{{absent}}","...":""}}`,
		`{"a":"{{regexp ^[0-9]{4}-(x|y)+ .$}}","b":null,"c":true,"d":[],"e":{},"f":1.5,"g":"{{number}}","h":"{{boolean}}"}`,
		`[{"a":"{{$x}}"},{"a":"{{$x}}"}]`,
		`["...",{"a":1},{"a":2},"..."]`,
		`{"a":"{{oneof 1 2}}","b":"{{oneof x y}}"}`,
		`{"a":"{{any}}","b":"{{object}}","c":"{{array}}"}`,
		`{"a":"{{integer|null}}","b":"{{null}}","c":"{{string|object|array}}","d":"{{any|null}}"}`,
		`{"{{$x}}":{"a":1},"{{$y}}":"{{string}}","z":{"{{$x}}":2,"...":""}}`,
	}
	for _, pattern := range patterns {
		p := compile(t, pattern)
		env := &match.Env{}
		example, err := p.Example(env)
		require.NoError(t, err)
		require.Empty(t, p.Match(example, &match.Env{}), "%s must accept %s", pattern, example)
		whole, _ := p.Names()
		first := map[string]bool{}
		for _, name := range whole {
			first[name] = true
		}
		mutants := p.Mutants(example, env, first)
		require.NotEmpty(t, mutants)
		for _, m := range mutants {
			assert.NotEmpty(t, p.Match(m.Value, &match.Env{}), "%s: %s survives: %s", pattern, m.Name, m.Value)
		}
	}
}

func TestText(t *testing.T) {
	env := &match.Env{}
	text, err := match.CompileText("{{$session}}")
	require.NoError(t, err)
	assert.Empty(t, text.Match("Mcp-Session-Id", "s-1", true, env))
	assert.NotEmpty(t, text.Match("Mcp-Session-Id", "s-2", true, env))
	sent, err := text.Expand(env)
	require.NoError(t, err)
	assert.Equal(t, "s-1", sent)
	absent, err := match.CompileText("{{absent}}")
	require.NoError(t, err)
	assert.Empty(t, absent.Match("X", "", false, env))
	assert.Equal(t, `X: want the member to be absent, got ""`, absent.Match("X", "", true, env).String())
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"a":[1,"x",{"b":null}],"c":1e5}`))
	f.Add([]byte(`"{{regexp a}}"`))
	f.Add([]byte(`{"{{$k}}":{"{{$k}}":"{{absent}}","...":""},"x":"{{integer|null}}","{{$l}}":["...","{{$k}}"]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := match.Parse(data)
		if err != nil {
			return
		}
		again, err := match.Parse([]byte(v.String()))
		require.NoError(t, err)
		assert.True(t, match.Equal(v, again))
		p, err := match.Compile(data)
		if err != nil {
			return
		}
		env := &match.Env{}
		p.Match(v, env)
		p.Update(v)
		if example, err := p.Example(env); err == nil {
			p.Mutants(example, env, nil)
		}
	})
}
