// What may stand in _meta: the form of its keys, and the few whose values have a form.
package metakey_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/conformance/match"
	"github.com/parley-mcp/parley/conformance/metakey"
)

func TestKeysOfMeta(t *testing.T) {
	for key, want := range map[string][]metakey.Rule{
		"":                                   nil,
		"a":                                  nil,
		"progressToken":                      nil,
		"com.example/":                       nil,
		"com.example/a_b.c-d":                nil,
		"io.modelcontextprotocol/serverInfo": nil,
		"com.example.mcp/a":                  nil,
		"dev.mcp/a":                          {metakey.Owner},
		"com.modelcontextprotocol.x/a":       {metakey.Owner, metakey.Owned},
		"mcp.dev/a":                          {metakey.Owned},
		"tools.mcp.com/a":                    {metakey.Owner, metakey.Owned},
		"x-1/a":                              nil,
		"/a":                                 {metakey.Prefix},
		"com..example/a":                     {metakey.Prefix},
		".com/a":                             {metakey.Prefix},
		"1com/a":                             {metakey.Label},
		"com-/a":                             {metakey.Label},
		"com.ex_ample/a":                     {metakey.Label},
		"com.exämple/a":                      {metakey.Label},
		"-a":                                 {metakey.Name},
		"a-":                                 {metakey.Name},
		"com.example/_a":                     {metakey.Name},
		"com.example/é":                      {metakey.Name},
		".1/-":                               {metakey.Prefix, metakey.Label, metakey.Name},
	} {
		found := metakey.Problems(match.Member{Name: key, Value: match.Number("1")})
		assert.Len(t, found, len(want), "%q: %v", key, found)
		for _, c := range want {
			assert.Contains(t, found[c], key)
		}
	}
}

func TestKeysOfMetaAreFoundWhereTheProtocolHasThem(t *testing.T) {
	v, err := match.Parse([]byte(`{"jsonrpc": "2.0", "id": 1, "result": {"_meta": {"a": {"_meta": {"inside": 1}}},
		"content": [{"type": "text", "text": "", "_meta": {"b": 1}}],
		"structuredContent": {"_meta": {"of the author": 1}}}}`))
	require.NoError(t, err)
	var keys []string
	for _, m := range metakey.Members(v) {
		keys = append(keys, m.Name)
	}
	assert.Equal(t, []string{"a", "b"}, keys)
	assert.Empty(t, metakey.Members(nil))
}

func TestTracesInMeta(t *testing.T) {
	for member, want := range map[string]bool{
		`"traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"`:          true,
		`"traceparent": "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-of-later"`: true,
		`"traceparent": "00-4BF92F3577B34DA6A3CE929D0E0E4736-00F067AA0BA902B7-01"`:          false,
		`"traceparent": "mine"`: false, `"traceparent": 1`: false, `"traceparent": null`: false,
		`"tracestate": "a=1,b@c=2"`: true, `"tracestate": " a=1 ,, b=2"`: true, `"tracestate": ""`: true, `"tracestate": "a"`: false, `"tracestate": {}`: false,
		`"baggage": "user=ada;private,x=%20"`: true, `"baggage": "x = y"`: true, `"baggage": ""`: false, `"baggage": "a bag"`: false, `"baggage": []`: false,
		`"com.example/traceparent": 1`: true, `"trace": 1`: true,
	} {
		v, err := match.Parse([]byte(`{` + member + `}`))
		require.NoError(t, err)
		_, broken := metakey.Problems(v.Members[0])[metakey.Trace]
		assert.Equal(t, want, !broken, member)
	}
}
