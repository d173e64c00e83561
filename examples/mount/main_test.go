package main

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/examples/internal/tryout"
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/revisions"
)

func TestEndpointAmongOthers(t *testing.T) {
	var log bytes.Buffer
	router, err := newRouter(slog.New(slog.NewTextHandler(&log, nil)))
	require.NoError(t, err)
	web := httptest.NewServer(router)

	response, err := http.Get(web.URL)
	require.NoError(t, err)
	page, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	assert.Equal(t, "an application\n", string(page))

	for _, codec := range revisions.All() {
		client := &tryout.Client{URL: web.URL + "/mcp", Features: codec.Features(), Header: http.Header{"X-User": {"ada"}}}
		body, err := client.CallTool("count", "{}")
		require.NoError(t, err)
		assert.Contains(t, body, `"Counted for ada."`)
		assert.Contains(t, body, `"progress":3`, "events pass the middleware")
	}
	web.Close() // so that all is logged
	assert.Contains(t, log.String(), "method=POST path=/mcp status=200")
}

func TestOnlyForThoseWhoAreKnown(t *testing.T) {
	router, err := newRouter(slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	web := httptest.NewServer(router)
	defer web.Close()

	body, err := (&tryout.Client{URL: web.URL + "/mcp", Features: revisions.All()[0].Features()}).CallTool("count", "{}")
	require.NoError(t, err)
	assert.Contains(t, body, "who are you?")

	for _, codec := range revisions.All() {
		if codec.Features().Lifecycle != protocol.Handshake {
			continue
		}
		ada := &tryout.Client{URL: web.URL + "/mcp", Features: codec.Features(), Header: http.Header{"X-User": {"ada"}}}
		require.NoError(t, ada.Open())
		ada.Header = http.Header{"X-User": {"eve"}}
		body, err := ada.CallTool("count", "{}")
		require.NoError(t, err)
		assert.Contains(t, body, "session not found", "it is Ada's")
	}
}
