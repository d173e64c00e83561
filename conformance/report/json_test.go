package report

import (
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestJSONReadsBack(t *testing.T) {
	r := sample(t)
	back, err := Read([]byte(write(t, JSON, r, Options{})))
	require.NoError(t, err)
	assert.Equal(t, r, back)
	assert.Equal(t, write(t, JSON, r, Options{}), write(t, JSON, back, Options{}), "the output is deterministic")
}

func TestReadRefuses(t *testing.T) {
	good := write(t, JSON, sample(t), Options{})
	tests := map[string]struct{ text, want string }{
		"no JSON":            {"report", "not a report in JSON"},
		"another format":     {strings.Replace(good, `"format": 1`, `"format": 2`, 1), "format 2"},
		"no format":          {"{}", "format 0"},
		"an unheard verdict": {strings.Replace(good, `"verdict": "open"`, `"verdict": "fine"`, 1), `"fine"`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := Read([]byte(test.text))
			assert.ErrorContains(t, err, test.want)
		})
	}
	_, err := Read([]byte(strings.Replace(good, `"format": 1`, `"format": 1, "later": true`, 1)))
	assert.NoError(t, err, "a member of a later version is passed over")
}

// The schema holds for real output, and it is whole: closed against members that it does not declare, it still holds.
func TestJSONFitsItsSchema(t *testing.T) {
	schema := parse(t, readFile(t, "report.schema.json"))
	open, closed := compile(t, schema), compile(t, closeObjects(schema))
	empty := &Report{Format: Format}
	for name, r := range map[string]*Report{"sample": sample(t), "hostile": hostile(t), "empty": empty} {
		output := parse(t, write(t, JSON, r, Options{}))
		assert.NoError(t, open.Validate(output), name)
		assert.NoError(t, closed.Validate(output), name)
	}

	good := write(t, JSON, sample(t), Options{})
	for _, change := range [][2]string{
		{`"format": 1`, `"format": 2`},
		{`"verdict": "open"`, `"verdict": "fine"`},
		{`"elapsedMs": 4210`, `"elapsedMs": "4210"`},
		{`"started": "2026-08-14T09:30:00Z"`, `"started": "yesterday"`},
		{`"story"`, `"tale"`},
	} {
		bad := strings.Replace(good, change[0], change[1], 1)
		require.NotEqual(t, good, bad)
		assert.Error(t, open.Validate(parse(t, bad)), "%v", change)
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(text)
}

func parse(t *testing.T, text string) any {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	require.NoError(t, err)
	return value
}

func compile(t *testing.T, schema any) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	require.NoError(t, compiler.AddResource("https://example.com/report.schema.json", schema))
	compiled, err := compiler.Compile("https://example.com/report.schema.json")
	require.NoError(t, err)
	return compiled
}

// closeObjects copies a schema, with every object closed that names its properties.
func closeObjects(schema any) any {
	switch s := schema.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, value := range s {
			out[key] = closeObjects(value)
		}
		if _, named := s["properties"].(map[string]any); named && s["type"] == "object" {
			out["additionalProperties"] = false
		}
		delete(out, "$id")
		return out
	case []any:
		out := make([]any, len(s))
		for i := range s {
			out[i] = closeObjects(s[i])
		}
		return out
	}
	return schema
}

// Whatever Read accepts, every writer can write.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"format": 1}`))
	f.Add([]byte(`{"format": 1, "results": [{"transcript": "a/b", "verdict": "fail", "steps": [{"verdict": "fail", "requirements": ["transport."]}]}]}`))
	f.Add([]byte(`{"format": 1, "started": "0000-01-01T00:00:00Z", "elapsedMs": -1, "knownProblems": [{}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := Read(text)
		if err != nil {
			return
		}
		for name, w := range writers {
			require.NotEmpty(t, write(t, w, r, Options{}), name)
		}
	})
}

// The example of the documentation is a report, with no member that the schema does not declare.
func TestTheDocumentedExampleIsAReport(t *testing.T) {
	_, rest, ok := strings.Cut(readFile(t, "../../docs/report-format.md"), "```json\n")
	require.True(t, ok)
	example, _, ok := strings.Cut(rest, "```")
	require.True(t, ok)
	r, err := Read([]byte(example))
	require.NoError(t, err)
	assert.True(t, Summarize(r).Failed(FailOn{}))
	assert.NoError(t, compile(t, closeObjects(parse(t, readFile(t, "report.schema.json")))).Validate(parse(t, example)))
}
