package mirror_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/internal/mirror"
)

// A router reads the headers, the server reads the body: these tests pin when the two say the same.

func TestDecode(t *testing.T) {
	for _, c := range []struct {
		name   string
		values []string
		want   string
		fails  bool
	}{
		{name: "plain", values: []string{"us-west1"}, want: "us-west1"},
		{name: "M-08 blanks around", values: []string{" \tus-west1 "}, want: "us-west1"},
		{name: "blanks inside", values: []string{"a  b\tc"}, want: "a  b\tc"},
		{name: "empty", values: []string{""}, want: ""},
		{name: "M-10 Base64", values: []string{"=?base64?Z3LDtsOfZQ==?="}, want: "größe"},
		{name: "empty Base64", values: []string{"=?base64??="}, want: ""},
		{name: "M-11 markers are case-sensitive", values: []string{"=?BASE64?ZWNobw==?="}, want: "=?BASE64?ZWNobw==?="},
		{name: "no suffix", values: []string{"=?base64?SGVsbG8="}, want: "=?base64?SGVsbG8="},
		{name: "overlapping markers", values: []string{"=?base64?="}, want: "=?base64?="},
		{name: "M-12 not the alphabet", values: []string{"=?base64?***?="}, fails: true},
		{name: "M-12 no padding", values: []string{"=?base64?SGVsbG8?="}, fails: true},
		{name: "M-12 bits left over", values: []string{"=?base64?SGVsbG9=?="}, fails: true},
		{name: "M-12 not UTF-8", values: []string{"=?base64?//4=?="}, fails: true},
		{name: "M-12 control character", values: []string{"a\x01b"}, fails: true},
		{name: "not ASCII", values: []string{"größe"}, fails: true},
		{name: "M-13 twice", values: []string{"a", "a"}, fails: true},
		{name: "missing", fails: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := mirror.Decode(c.values)
			assert.Equal(t, c.fails, err != nil)
			assert.Equal(t, c.want, got)
		})
	}
}

// Proves: transport.http.x-mcp-header-integer-range
// Proves: transport.http.integer-numeric-compare
func TestMatchParam(t *testing.T) {
	for _, c := range []struct {
		name, typ, argument string
		header              []string
		ok                  bool
	}{
		{"equal", "string", `"eu-1"`, []string{"eu-1"}, true},
		{"escaped", "string", `"\u0065u-1"`, []string{"eu-1"}, true},
		{"different", "string", `"eu-1"`, []string{"eu-2"}, false},
		{"M-14 missing", "string", `"eu-1"`, nil, false},
		{"M-15 null", "string", `null`, nil, true},
		{"M-15 absent", "string", ``, nil, true},
		{"null with a header", "string", `null`, []string{"null"}, false},
		{"absent with a header", "string", ``, []string{"x"}, false},
		{"empty string", "string", `""`, []string{""}, true},
		{"empty string without header", "string", `""`, nil, false},
		{"true", "boolean", `true`, []string{"true"}, true},
		{"case of true", "boolean", `true`, []string{"True"}, false},
		{"integer", "integer", `42`, []string{"42"}, true},
		{"M-17 42.0", "integer", `42.0`, []string{"42"}, true},
		{"M-17 4.2e1", "integer", `42`, []string{"4.2e1"}, true},
		{"M-17 minus zero", "integer", `0`, []string{"-0"}, true},
		{"other integer", "integer", `42`, []string{"43"}, false},
		{"not a number", "integer", `42`, []string{"NaN"}, false},
		{"hexadecimal", "integer", `16`, []string{"0x10"}, false},
		{"beyond the safe range", "integer", `9007199254740993`, []string{"9007199254740993"}, false},
		{"M-12 thousands of digits", "integer", `1`, []string{strings.Repeat("9", 5000)}, false},
		{"wrong type is for the schema", "integer", `"42"`, []string{"42"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := jsontext.Value(`{"p":{}}`)
			if c.argument != "" {
				args = jsontext.Value(`{"p":{"q":` + c.argument + `}}`)
			}
			err := mirror.MatchParam(mirror.Param{Header: "Q", Path: []string{"p", "q"}, Type: c.typ}, c.header, args)
			assert.Equal(t, c.ok, err == nil, "%v", err)
		})
	}
}

func TestParams(t *testing.T) {
	got, err := mirror.Params(jsontext.Value(`{"type":"object","properties":{
		"region":{"type":"string","x-mcp-header":"Region"},
		"x-mcp-header":{"type":"string","default":{"x-mcp-header":7}},
		"inner":{"type":"object","properties":{"n":{"type":"integer","x-mcp-header":"N"}}}}}`))
	require.NoError(t, err)
	assert.Equal(t, []mirror.Param{
		{Header: "Region", Path: []string{"region"}, Type: "string"},
		{Header: "N", Path: []string{"inner", "n"}, Type: "integer"},
	}, got)
}

// Proves: transport.http.x-mcp-header-not-empty
// Proves: transport.http.x-mcp-header-token
// Proves: transport.http.x-mcp-header-no-control
// Proves: transport.http.x-mcp-header-unique
// Proves: transport.http.x-mcp-header-primitive-only
// Proves: transport.http.x-mcp-header-not-number
// Proves: transport.http.x-mcp-header-statically-reachable
// Proves: transport.http.x-mcp-header-no-applicators
// Proves: transport.http.x-mcp-header-misplaced-invalid
func TestParamsRefused(t *testing.T) { // M-18, M-42 and the rules of the page
	for name, properties := range map[string]string{
		"empty name":         `"a":{"type":"string","x-mcp-header":""}`,
		"name with blank":    `"a":{"type":"string","x-mcp-header":"a b"}`,
		"name with colon":    `"a":{"type":"string","x-mcp-header":"a:"}`,
		"name not ASCII":     `"a":{"type":"string","x-mcp-header":"é"}`,
		"name with control":  `"a":{"type":"string","x-mcp-header":"a\r\nb"}`,
		"name is a number":   `"a":{"type":"string","x-mcp-header":7}`,
		"number":             `"a":{"type":"number","x-mcp-header":"A"}`,
		"object":             `"a":{"type":"object","x-mcp-header":"A"}`,
		"M-42 union":         `"a":{"type":["string","null"],"x-mcp-header":"A"}`,
		"no type":            `"a":{"x-mcp-header":"A"}`,
		"twice but for case": `"a":{"type":"string","x-mcp-header":"T"},"b":{"type":"string","x-mcp-header":"t"}`,
		"in items":           `"a":{"type":"array","items":{"type":"string","x-mcp-header":"A"}}`,
		"in anyOf":           `"a":{"anyOf":[{"type":"string","x-mcp-header":"A"}]}`,
		"behind anyOf":       `"a":{"anyOf":[{"properties":{"b":{"type":"string","x-mcp-header":"A"}}}]}`,
		"in additional":      `"a":{"additionalProperties":{"type":"string","x-mcp-header":"A"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := mirror.Params(jsontext.Value(`{"type":"object","properties":{` + properties + `}}`))
			assert.Error(t, err)
		})
	}
	for _, schema := range []string{
		`{"type":"object","x-mcp-header":"A"}`,
		`{"type":"object","$defs":{"d":{"type":"string","x-mcp-header":"A"}}}`,
		`{"type":"object","if":{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}}`,
	} {
		_, err := mirror.Params(jsontext.Value(schema))
		assert.Error(t, err, schema)
	}
}

func FuzzMirror(f *testing.F) {
	f.Add("=?base64?SGVsbG8=?=", `{"properties":{"a":{"type":"integer","x-mcp-header":"A"}}}`, `{"a":1}`)
	f.Fuzz(func(t *testing.T, header, schema, args string) {
		_, _ = mirror.Decode([]string{header})
		if !jsontext.Value(schema).IsValid() || !jsontext.Value(args).IsValid() {
			return
		}
		params, err := mirror.Params(jsontext.Value(schema))
		for _, p := range params {
			require.NoError(t, err)
			_ = mirror.MatchParam(p, []string{header}, jsontext.Value(args))
		}
	})
}
