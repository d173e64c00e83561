package main

import (
	"fmt"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/examples/internal/tryout"
	"github.com/parley-mcp/parley/protocol/revisions"
	"github.com/parley-mcp/parley/transport/streamable"
)

func TestSubscribersHearOfChanges(t *testing.T) {
	s, err := newServer()
	require.NoError(t, err)
	h, err := streamable.New(s, streamable.Options{})
	require.NoError(t, err)
	web := httptest.NewServer(h)
	defer func() {
		assert.NoError(t, h.Shutdown(t.Context()))
		web.Close()
		assert.NoError(t, s.Close())
	}()
	for _, codec := range revisions.All() {
		t.Run(string(codec.Features().Revision), func(t *testing.T) {
			sensor := &tryout.Client{URL: web.URL, Features: codec.Features()}
			measure := func(celsius int) error {
				_, err := sensor.CallTool("measure", fmt.Sprintf(`{"celsius":%d}`, celsius))
				return err
			}
			heard := 0
			watcher := &tryout.Client{URL: web.URL, Features: codec.Features()}
			err := watcher.Watch(thermometer, func() error { return measure(20) }, func(uri string) bool {
				assert.Equal(t, thermometer, uri)
				body, err := watcher.ReadResource(uri)
				require.NoError(t, err)
				assert.Contains(t, body, fmt.Sprintf("%d degrees", 20+heard))
				heard++
				if heard < 3 {
					require.NoError(t, measure(20+heard))
				}
				return heard < 3
			})
			require.NoError(t, err)
			assert.Equal(t, 3, heard)
		})
	}
}
