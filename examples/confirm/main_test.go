package main

import (
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/examples/internal/tryout"
	"github.com/parley-mcp/parley/protocol/revisions"
)

const arguments = `{"name":"notes.txt"}`

func TestAsksBeforeItActs(t *testing.T) {
	for _, codec := range revisions.All() {
		t.Run(string(codec.Features().Revision), func(t *testing.T) {
			var d drawer
			d.files.Store("notes.txt", "")
			h, err := newHandler(&d)
			require.NoError(t, err)
			web := httptest.NewServer(h)
			defer web.Close()
			there := func() bool { _, there := d.files.Load("notes.txt"); return there }
			call := func(answer func(string) string, arguments string) string {
				client := &tryout.Client{URL: web.URL, Features: codec.Features(), Answer: answer}
				body, err := client.CallTool("delete_file", arguments)
				require.NoError(t, err)
				return body
			}

			assert.Contains(t, call(nil, arguments), "cannot be asked", "the client has not declared that it can be asked")
			assert.True(t, there())

			asks := codec.Features().Revision != "2025-03-26"
			if !asks {
				assert.Contains(t, call(func(string) string { panic("the revision has no questions") }, arguments), "cannot be asked")
				assert.Contains(t, call(nil, `{"name":"notes.txt","confirmed":true}`), "Deleted notes.txt.")
				assert.False(t, there())
				return
			}
			assert.Contains(t, call(func(message string) string {
				assert.Equal(t, "Delete notes.txt?", message)
				return `{"action":"decline"}`
			}, arguments), "Nothing was deleted.")
			assert.True(t, there())
			assert.Contains(t, call(func(string) string { return `{"action":"accept","content":{}}` }, arguments), "Deleted notes.txt.")
			assert.False(t, there())
			assert.Contains(t, call(nil, arguments), "there is no file")
		})
	}
}
