package main

import (
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/examples/internal/tryout"
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/revisions"
)

func TestServesOnlyWhatWasChosen(t *testing.T) {
	h, err := newHandler()
	require.NoError(t, err)
	web := httptest.NewServer(h)
	defer web.Close()
	for _, codec := range revisions.All() {
		f := codec.Features()
		body, err := (&tryout.Client{URL: web.URL, Features: f}).CallTool("revision", "{}")
		require.NoError(t, err)
		if f.Lifecycle == protocol.Handshake {
			assert.Contains(t, body, `"text":"`+string(f.Revision)+`"`)
			continue
		}
		assert.Contains(t, body, `"requested":"`+string(f.Revision)+`"`)
		for _, served := range handshakeOnly() {
			assert.Contains(t, body, string(served))
		}
	}
}
