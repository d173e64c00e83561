package match_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/parley-mcp/parley/conformance/match"
)

func TestUpdate(t *testing.T) {
	tests := []struct{ name, pattern, value, want string }{
		{"values", `{"a": 1, "b": "x"}`, `{"a": 2, "b": "x"}`, `{"a": 2, "b": "x"}`},
		{"number written otherwise stays", `{"a": 1.0}`, `{"a": 1}`, `{"a": 1.0}`},
		{"holes stay", `{"a": "{{string}}", "b": "{{$x}}", "c": "{{absent}}", "d": "{{$x}}!"}`, `{"a": 2, "b": 3, "c": 4, "d": 5}`,
			`{"a": "{{string}}", "b": "{{$x}}", "c": "{{absent}}", "d": "{{$x}}!"}`},
		{"members go and come", `{"a": 1, "b": 2}`, `{"b": 2, "c": 3}`, `{"b": 2, "c": 3}`},
		{"open objects stay open", `{"a": 1, "...": ""}`, `{"a": 2, "c": 3}`, `{"a": 2, "...": ""}`},
		{"items", `[1, 2]`, `[1, 3, 4]`, `[1, 3, 4]`},
		{"open arrays stay open", `[1, "..."]`, `[2, 3]`, `[2, "..."]`},
		{"another kind", `{"a": {"b": 1}}`, `{"a": [1]}`, `{"a": [1]}`},
		{"captured names stay", `{"{{$k}}": {"a": 1}, "b": 1}`, `{"b": 2, "x": {"a": 2}, "y": 3}`, `{"{{$k}}": {"a": 1}, "b": 2, "y": 3}`},
		{"windows stay", `["...", 1, "..."]`, `[2]`, `["...", 1, "..."]`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.want, match.Format(compile(t, test.pattern).Update(value(t, test.value))))
		})
	}
}

func TestFormat(t *testing.T) {
	long := strings.Repeat("x", 60)
	v := value(t, `{"jsonrpc":"2.0","result":{"a":"`+long+`","b":["`+long+`",{}]}}`)
	assert.Equal(t, `{
  "jsonrpc": "2.0",
  "result": {
    "a": "`+long+`",
    "b": ["`+long+`", {}]}}`, match.Format(v))
	assert.True(t, match.Equal(v, value(t, match.Format(v))))
}
