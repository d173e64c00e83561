package revisions_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/revisions"
)

// A fact that is left unanswered would be taken for a no.
func TestFeaturesAreAnswered(t *testing.T) {
	each(t, func(t *testing.T, c protocol.Codec) {
		v := reflect.ValueOf(c.Features()).Elem()
		for i := range v.NumField() {
			assert.False(t, v.Field(i).IsZero(), "%s is not answered", v.Type().Field(i).Name)
		}
	})
}

func TestFacts(t *testing.T) {
	holding := map[string][]protocol.Revision{}
	for _, c := range revisions.All() {
		v := reflect.ValueOf(c.Features()).Elem()
		for i := range v.NumField() {
			if fact, ok := v.Field(i).Interface().(protocol.Fact); ok && fact.Holds() {
				name := v.Type().Field(i).Name
				holding[name] = append(holding[name], c.Features().Revision)
			}
		}
	}
	assert.Equal(t, map[string][]protocol.Revision{
		"Batching":               {"2025-03-26"},
		"VersionHeader":          {"2026-07-28", "2025-11-25", "2025-06-18"},
		"MirroredHeaders":        {"2026-07-28"},
		"ServerRequests":         {"2025-11-25", "2025-06-18", "2025-03-26"},
		"StandaloneStream":       {"2025-11-25", "2025-06-18", "2025-03-26"},
		"Resumption":             {"2025-11-25", "2025-06-18", "2025-03-26"},
		"PrimingEvent":           {"2025-11-25"},
		"DisconnectCancels":      {"2026-07-28"},
		"LogLevelPerRequest":     {"2026-07-28"},
		"ArgumentErrorsInResult": {"2026-07-28", "2025-11-25"},
		"TasksOnRequest":         {"2025-11-25"},
		"TasksByServer":          {"2026-07-28"},
	}, holding)
}

func TestErrorStatus(t *testing.T) {
	each(t, func(t *testing.T, c protocol.Codec) {
		status := map[int]int{}
		for _, code := range []int{-32700, -32600, -32601, -32602, -32603, -32002, -32020, -32021, -32022, 1, -1} {
			if s := c.Features().ErrorStatus(code); s != 200 {
				status[code] = s
			}
		}
		want := map[int]int{}
		if c.Features().Lifecycle == protocol.PerRequest {
			want = map[int]int{-32700: 400, -32600: 400, -32601: 404, -32020: 400, -32021: 400, -32022: 400}
		}
		assert.Equal(t, want, status)
	})
}

func TestList(t *testing.T) {
	all := revisions.All()
	assert.Equal(t, []protocol.Revision{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"}, revisions.Names(all))
	for _, c := range all {
		found, ok := revisions.Lookup(c.Features().Revision)
		assert.True(t, ok)
		assert.Same(t, c, found)
	}
	_, ok := revisions.Lookup("2024-11-05")
	assert.False(t, ok)
	assert.Equal(t, protocol.Revision("2026-07-28"), revisions.Newest().Features().Revision)
	assert.Equal(t, protocol.Revision("2025-11-25"), revisions.NewestHandshake().Features().Revision)
	all[0] = nil
	assert.NotNil(t, revisions.All()[0], "the list was handed out, not a copy")
}
