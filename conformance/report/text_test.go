package report

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestVisible(t *testing.T) {
	tests := map[string]string{
		"plain, ü, 日本, \U0001f469\u200d\U0001f4bb": "plain, ü, 日本, \U0001f469\u200d\U0001f4bb",
		"a\r\n\tb\n":        "a\n\tb\n",
		"a\rb":              "a‹U+000D›b",
		"\x1b[31m":          "‹U+001B›[31m",
		`{"raw": "\u001b"}`: `{"raw": "\u001b"}`,
		"\u202egpj.exe":     "‹U+202E›gpj.exe",
		"\xff\xc3(":         "‹0xFF›‹0xC3›(",
		"�":                 "�",
		"\U000e0041":        "‹U+E0041›",
	}
	for in, want := range tests {
		assert.Equal(t, want, visible(in), "%q", in)
	}
	assert.Equal(t, "a b c", oneLine(" a\n\tb\r\nc "))
}

func TestCut(t *testing.T) {
	assert.Equal(t, "a\nb", cut("a\nb\n", 2, 10))
	assert.Equal(t, "a\n… 2 more lines", cut("a\nb\nc", 1, 10))
	assert.Equal(t, "äö … 1 more character", cut("äöü", 1, 2))
	assert.Equal(t, "", cut("", 3, 3))
}
