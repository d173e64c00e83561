package main

import (
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/examples/internal/tryout"
	"github.com/parley-mcp/parley/protocol/revisions"
)

func TestGreetsClientsOfEachRevision(t *testing.T) {
	h, err := newHandler()
	require.NoError(t, err)
	web := httptest.NewServer(h)
	defer web.Close()
	for _, codec := range revisions.All() {
		client := &tryout.Client{URL: web.URL, Features: codec.Features()}
		body, err := client.CallTool("greet", `{"name":"Ada"}`)
		require.NoError(t, err)
		assert.Contains(t, body, `"Hello, Ada!"`)
	}
}
