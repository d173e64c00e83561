package schema

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Whatever arrives, the checker ends, says the same twice, points into the message, and takes nothing for a
// message that is not a JSON object or an array of them.
func FuzzCheck(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","inputSchema":{"type":"object"},"icons":[]}]}}`,
		`{"jsonrpc":"2.0","id":"a","result":{"content":[{"type":"resource_link","uri":"a:b","name":"x"}],"structuredContent":null}}`,
		`{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"mode":"url"}}}}}`,
		`{"jsonrpc":"2.0","id":1e400,"error":{"code":-32022,"message":"","data":{"supported":[]}}}`,
		`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":0.5}}`,
		`[{"jsonrpc":"2.0","id":1,"method":"ping"},{}]`,
		`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"requestedSchema":{"properties":{"a":{"type":"array","items":{}}}}}}`,
		`{`, `nul`, "\"\xff\"", `{"a":1,"a":2}`,
	} {
		for i, method := range []string{"tools/list", "tools/call", "elicitation/create", ""} {
			f.Add([]byte(seed), method, uint8(i))
		}
	}
	f.Fuzz(func(t *testing.T, message []byte, method string, choice uint8) {
		revisions := Revisions()
		s := schemaFor(t, revisions[int(choice)%len(revisions)])
		for _, check := range []func([]byte) []Problem{
			func(b []byte) []Problem { return s.CheckServerMessage(b, method) },
			func(b []byte) []Problem { return s.CheckClientMessage(b, method) },
		} {
			problems := check(message)
			assert.Equal(t, problems, check(message))
			if !json.Valid(message) {
				assert.NotEmpty(t, problems)
				continue
			}
			var value any
			_ = json.Unmarshal(message, &value)
			switch value.(type) {
			case map[string]any, []any:
			default:
				assert.NotEmpty(t, problems)
			}
			for _, p := range problems {
				assert.NotEmpty(t, p.Text)
				assert.True(t, p.Path == "" || strings.HasPrefix(p.Path, "/"), p.Path)
			}
		}
	})
}

func BenchmarkCheck(b *testing.B) {
	s := schemaFor(b, Revisions()[0])
	message := []byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"hello"},{"type":"image","data":"aGk=","mimeType":"image/png"}]}}`)
	for b.Loop() {
		if problems := s.CheckServerMessage(message, "tools/call"); len(problems) > 0 {
			b.Fatal(problems)
		}
	}
}
