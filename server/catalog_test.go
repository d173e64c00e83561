package server_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
)

func numbered(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("t%03d", i)
	}
	return names
}

// after returns params with a cursor.
func after(t testing.TB, cursor any) string {
	t.Helper()
	b, err := json.Marshal(object{"cursor": cursor})
	require.NoError(t, err)
	return string(b)
}

// walk reads all pages of the tools, and bounds how many there are.
func walk(t *testing.T, next func(page int) *peer, most int) (names []string) {
	t.Helper()
	params, seen := "{}", map[any]bool{}
	for page := range most {
		part, cursor := next(page).names("tools/list", "tools", params)
		names = append(names, part...)
		if cursor == nil {
			return names
		}
		require.NotEmpty(t, cursor, "P-07: the end has no cursor")
		require.False(t, seen[cursor], "P-08: a cursor that leads to itself")
		seen[cursor] = true
		params = after(t, cursor)
	}
	require.Fail(t, "the walk does not end")
	return nil
}

// Proves: pagination.next-cursor
// Proves: pagination.results-start-after-cursor 2025-03-26 2025-06-18 2025-11-25
func TestPages(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 7} {
		for _, size := range []int{1, 2, 3, 7, 8, math.MaxInt} {
			s := newServer(t, server.Options{PageSize: size})
			addTools(t, s, numbered(n)...)
			p := newest(t, s)
			assert.Equal(t, numbered(n), walk(t, func(int) *peer { return p }, n+1), "%d entries in pages of %d", n, size)
		}
	}
	eachRevision(t, func() *server.Server {
		s := newServer(t, server.Options{PageSize: 2})
		addTools(t, s, numbered(5)...)
		return s
	}(), func(t *testing.T, p *peer) {
		for range 2 { // the second time from what is kept
			assert.Equal(t, numbered(5), walk(t, func(int) *peer { return p }, 3))
		}
	})
}

// TestCursorsWorkOnAnyReplica: nothing of a walk is remembered, so that each page may come from another process.
func TestCursorsWorkOnAnyReplica(t *testing.T) {
	var replicas []*peer
	for _, size := range []int{2, 2, math.MaxInt} {
		s := newServer(t, server.Options{PageSize: size})
		addTools(t, s, numbered(7)...)
		replicas = append(replicas, newest(t, s))
	}
	assert.Equal(t, numbered(7), walk(t, func(page int) *peer { return replicas[page%2] }, 4))
	assert.Equal(t, numbered(7), walk(t, func(page int) *peer { return replicas[page*2] }, 2), "with pages of another size")
}

// TestWalkDuringChanges: entries come and go during a walk; those that stay are all seen, once.
func TestWalkDuringChanges(t *testing.T) {
	s := newServer(t, server.Options{PageSize: 2})
	addTools(t, s, numbered(6)...)
	p := newest(t, s)
	names := walk(t, func(page int) *peer {
		if page == 1 {
			require.True(t, s.RemoveTool("t001")) // behind which the page begins
			require.True(t, s.RemoveTool("t004"))
			addTools(t, s, "new")
		}
		return p
	}, 9)
	for _, name := range []string{"t000", "t002", "t003", "t005", "new"} {
		assert.Len(t, slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n != name }), 1, "%s in %v", name, names)
	}
	assert.NotContains(t, names, "t004")
}

func TestCursorOfAnEntryThatIsGone(t *testing.T) {
	s := newServer(t, server.Options{PageSize: 2})
	addTools(t, s, numbered(4)...)
	p := newest(t, s)
	_, cursor := p.names("tools/list", "tools", "{}")
	for _, name := range numbered(4) {
		require.True(t, s.RemoveTool(name))
	}
	names, next := p.names("tools/list", "tools", after(t, cursor))
	assert.Empty(t, names)
	assert.Nil(t, next)
}

func TestBadCursors(t *testing.T) { // P-07 and P-09
	s := newServer(t, server.Options{PageSize: 2})
	addTools(t, s, numbered(5)...)
	addPrompts(t, s, "p")
	addResources(t, s, "test://r")
	eachRevision(t, s, func(t *testing.T, p *peer) {
		for _, method := range []string{"tools/list", "prompts/list", "resources/list", "resources/templates/list"} {
			for _, cursor := range []any{"", "!!not-a-cursor!!", "2", "MA", base64.RawURLEncoding.EncodeToString([]byte{9, 1, 't'}),
				base64.RawURLEncoding.EncodeToString([]byte{1, 0xff}), 7, object{}} {
				assert.Equal(t, protocol.KindInvalidParams, p.fails(method, after(t, cursor)).Kind, "%s %v", method, cursor)
			}
			p.result(method, `{"cursor":null}`)
		}
		// A forged position reaches neither back nor beyond.
		forged := base64.RawURLEncoding.EncodeToString(append([]byte{1}, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 'x'))
		names, next := p.names("tools/list", "tools", after(t, forged))
		assert.Empty(t, names)
		assert.Nil(t, next)
	})
}

func FuzzCursor(f *testing.F) {
	s := newServer(f, server.Options{PageSize: 2})
	addTools(f, s, numbered(5)...)
	p := newest(f, s)
	_, first := p.names("tools/list", "tools", "{}")
	f.Add(first.(string))
	f.Add("")
	f.Add("AQB0")
	f.Fuzz(func(t *testing.T, cursor string) {
		p := newest(t, s)
		for range 4 {
			b, err := json.Marshal(object{"cursor": cursor})
			if err != nil {
				return // not UTF-8: no JSON string
			}
			raw, failed := p.ask("tools/list", string(b))
			if failed != nil {
				require.Equal(t, protocol.KindInvalidParams, failed.Kind)
				return
			}
			var page struct {
				Next *string `json:"nextCursor"`
			}
			require.NoError(t, json.Unmarshal([]byte(raw), &page))
			if page.Next == nil {
				return
			}
			cursor = *page.Next
		}
		require.Fail(t, "five entries in pages of two have three pages at most")
	})
}

// TestOrder: entries come in the order in which they were added, also when others leave.
func TestOrder(t *testing.T) {
	s := newServer(t, server.Options{})
	addTools(t, s, "c", "a", "d", "b")
	p := newest(t, s)
	assert.Equal(t, []string{"c", "a", "d", "b"}, p.tools())
	require.True(t, s.RemoveTool("a"))
	require.False(t, s.RemoveTool("a"))
	addTools(t, s, "a")
	for range 3 {
		assert.Equal(t, []string{"c", "d", "b", "a"}, p.tools())
	}
}

func TestListsAtRunTime(t *testing.T) {
	s := newServer(t, server.Options{})
	eachRevision(t, s, func(t *testing.T, p *peer) {
		addTools(t, s, "t")
		addPrompts(t, s, "p")
		addResources(t, s, "test://r")
		require.NoError(t, s.AddResourceTemplate(server.ResourceTemplate{URITemplate: "test://{v}", Name: "v"}, reader("v")))
		for range 2 {
			assert.Len(t, p.result("tools/list", "{}")["tools"], 1)
			assert.Len(t, p.result("prompts/list", "{}")["prompts"], 1)
			assert.Len(t, p.result("resources/list", "{}")["resources"], 1)
			assert.Len(t, p.result("resources/templates/list", "{}")["resourceTemplates"], 1)
		}
		require.True(t, s.RemoveTool("t"))
		require.True(t, s.RemovePrompt("p"))
		require.True(t, s.RemoveResource("test://r"))
		require.True(t, s.RemoveResourceTemplate("test://{v}"))
		assert.Empty(t, p.result("tools/list", "{}")["tools"], "declared, and empty")
		assert.Empty(t, p.result("prompts/list", "{}")["prompts"])
		assert.Empty(t, p.result("resources/list", "{}")["resources"])
		assert.Empty(t, p.result("resources/templates/list", "{}")["resourceTemplates"])
		assert.Equal(t, protocol.KindInvalidParams, p.fails("tools/call", `{"name":"t"}`).Kind)
		assert.Equal(t, protocol.KindInvalidParams, p.fails("prompts/get", `{"name":"p"}`).Kind)
		assert.Equal(t, protocol.KindResourceNotFound, p.fails("resources/read", `{"uri":"test://r"}`).Kind)
	})
}

// TestChangesWhileServing is for the race detector; what it sees is a list without gaps, and calls that work.
func TestChangesWhileServing(t *testing.T) {
	s := newServer(t, server.Options{PageSize: 3})
	addTools(t, s, "first", "second")
	var changes, readers sync.WaitGroup
	stop := make(chan struct{})
	for i := range 2 {
		changes.Go(func() {
			name := fmt.Sprintf("x%d", i)
			for range 200 {
				assert.NoError(t, server.AddTool(s, server.Tool{Name: name},
					func(context.Context, *server.Call, struct{}) (string, error) { return name, nil }))
				assert.True(t, s.RemoveTool(name))
			}
		})
		readers.Go(func() {
			p := newest(t, s)
			for {
				select {
				case <-stop:
					return
				default:
				}
				assert.Equal(t, []string{"first", "second"}, p.tools()[:2])
				assert.Contains(t, p.call("first", "{}"), `"text":"first"`)
				_, _ = p.ask("server/discover", "{}")
			}
		})
	}
	changes.Wait()
	close(stop)
	readers.Wait()
}
