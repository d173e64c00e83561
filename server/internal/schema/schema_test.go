package schema_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/server/internal/schema"
)

func TestValidateNamesTheMember(t *testing.T) {
	s, err := schema.Compile(jsontext.Value(`{"type":"object","properties":{"a":{"properties":{"n":{"type":"integer"}}},"s":{"type":"string"}},"required":["s"]}`))
	require.NoError(t, err)
	assert.NoError(t, s.Validate(jsontext.Value(`{"s":"x","a":{"n":9007199254740993}}`)))
	err = s.Validate(jsontext.Value(`{"a":{"n":1.5}}`))
	require.Error(t, err)
	assert.Contains(t, err.Error(), "a.n")
	assert.Contains(t, err.Error(), "'s'")
}

// Proves: schema.unsupported-dialect-error
// Proves: schema.ref-no-network-deref
// Proves: schema.ref-fetch-default-off
// Proves: schema.ref-unresolved-rejected
func TestCompileRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"network $ref":  `{"$ref":"https://example.com/s.json"}`,
		"loopback $ref": `{"properties":{"a":{"$ref":"http://127.0.0.1/s.json"}}}`,
		"file $ref":     `{"$ref":"file:///etc/passwd"}`,
		"unknown draft": `{"$schema":"https://example.com/draft"}`,
		"not a schema":  `{"type":7}`,
		"not JSON":      `{`,
		"too deep":      strings.Repeat(`{"not":`, 70) + `{}` + strings.Repeat(`}`, 70),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := schema.Compile(jsontext.Value(text))
			assert.Error(t, err)
		})
	}
}

// Proves: schema.undeclared-dialect-supported
// Proves: schema.validate-by-dialect
func TestDialects(t *testing.T) {
	for _, text := range []string{
		`{"$schema":"https://json-schema.org/draft/2020-12/schema","$defs":{"a":{"$anchor":"x","type":"string"}},"$ref":"#x"}`,
		`{"$schema":"http://json-schema.org/draft-07/schema#","definitions":{"a":{"type":"string"}},"$ref":"#/definitions/a"}`,
		`{"$defs":{"a":{"type":"string"}},"$ref":"#/$defs/a"}`,
	} {
		s, err := schema.Compile(jsontext.Value(text))
		require.NoError(t, err, text)
		assert.NoError(t, s.Validate(jsontext.Value(`"x"`)))
		assert.Error(t, s.Validate(jsontext.Value(`1`)))
	}
}
