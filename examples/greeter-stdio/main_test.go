package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/examples/internal/tryout"
	"github.com/parley-mcp/parley/protocol/revisions"
	"github.com/parley-mcp/parley/transport/stdio"
)

func TestGreetsClientsOfEachRevision(t *testing.T) {
	for _, codec := range revisions.All() {
		s, err := newServer()
		require.NoError(t, err)
		lines := tryout.Lines(codec.Features(), "greet", `{"name":"Ada"}`)
		var out bytes.Buffer
		require.NoError(t, stdio.Serve(context.Background(), s, strings.NewReader(lines), &out, stdio.Options{}))
		assert.Contains(t, out.String(), `"Hello, Ada!"`)
		require.NoError(t, s.Close())
	}
}
