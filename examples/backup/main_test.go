package main

import (
	"context"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/examples/internal/tryout"
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/revisions"
	"github.com/parley-mcp/parley/transport/streamable"
)

const arguments = `{"names":["home","mail"]}`

// serve serves a vault that copies when it is told to, and returns a function that makes clients.
func serve(t *testing.T, f *protocol.Features, copies func(ctx context.Context, volume string) error) func(answer string) *tryout.Client {
	t.Helper()
	s, err := newServer(&vault{copies})
	require.NoError(t, err)
	h, err := streamable.New(s, streamable.Options{})
	require.NoError(t, err)
	web := httptest.NewServer(h)
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
		assert.NoError(t, s.Close())
	})
	return func(answer string) *tryout.Client {
		c := &tryout.Client{URL: web.URL, Features: f}
		if answer != "" {
			c.Answer = func(string) string { return answer }
		}
		return c
	}
}

func TestBacksUp(t *testing.T) {
	for _, codec := range revisions.All() {
		f := codec.Features()
		t.Run(string(f.Revision), func(t *testing.T) {
			var copied []string
			client := serve(t, f, func(_ context.Context, volume string) error {
				copied = append(copied, volume)
				return nil
			})
			for _, run := range []func(*tryout.Client, string, string) (string, error){(*tryout.Client).CallTool, (*tryout.Client).RunTask} {
				said, err := run(client(""), "back_up", arguments)
				require.NoError(t, err)
				assert.Contains(t, said, "Backed up 2 volumes. Those before are kept.", "nobody can be asked")
				said, err = run(client(`{"action":"accept","content":{}}`), "back_up", arguments)
				require.NoError(t, err)
				if f.Revision == "2025-03-26" {
					assert.Contains(t, said, "kept", "the revision has no questions")
				} else {
					assert.Contains(t, said, "Those before are deleted.")
				}
				said, err = run(client(`{"action":"decline"}`), "back_up", arguments)
				require.NoError(t, err)
				assert.Contains(t, said, "Those before are kept.")
			}
			assert.Len(t, copied, 12, "each of two volumes once in each of six calls")
			said, err := client("").RunTask("back_up", `{"names":[]}`)
			require.NoError(t, err)
			assert.Contains(t, said, "name at least one volume")
		})
	}
}

// A task is there before its work is done, says where that is, and ends when it is cancelled.
func TestIsCancelled(t *testing.T) {
	for _, codec := range revisions.All() {
		f := codec.Features()
		if !f.TasksOnRequest.Holds() && !f.TasksByServer.Holds() {
			continue
		}
		t.Run(string(f.Revision), func(t *testing.T) {
			begun, ended := make(chan string), make(chan error)
			client := serve(t, f, func(ctx context.Context, volume string) error {
				begun <- volume
				<-ctx.Done()
				ended <- context.Cause(ctx)
				return ctx.Err()
			})("")
			id, err := client.BeginTask("back_up", arguments)
			require.NoError(t, err)
			assert.Equal(t, "home", <-begun)
			stands, err := client.AskTask(protocol.MethodTasksGet, id)
			require.NoError(t, err)
			assert.Contains(t, stands, `"status":"working","statusMessage":"copying home"`)
			_, err = client.AskTask(protocol.MethodTasksCancel, id)
			require.NoError(t, err)
			assert.ErrorIs(t, <-ended, context.Canceled)
			stands, err = client.AskTask(protocol.MethodTasksGet, id)
			require.NoError(t, err)
			assert.Contains(t, stands, `"status":"cancelled"`)
		})
	}
}
