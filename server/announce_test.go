package server_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
)

// Changes gather in a subscription until its reader takes them: nobody who is slow holds up who announces.

var allLists = protocol.SubscriptionFilter{ToolsListChanged: true, PromptsListChanged: true, ResourcesListChanged: true}

func subscribe(t testing.TB, s *server.Server, filter protocol.SubscriptionFilter) *server.Subscription {
	t.Helper()
	sub, err := s.Subscribe(filter)
	require.NoError(t, err)
	t.Cleanup(sub.Close)
	return sub
}

// taken returns what has changed, as methods and URIs.
func taken(sub *server.Subscription) (list []string) {
	for _, n := range sub.Take() {
		if u, ok := n.(*protocol.ResourceUpdatedNotification); ok {
			list = append(list, u.URI)
			continue
		}
		list = append(list, strings.TrimPrefix(n.Method(), "notifications/"))
	}
	return list
}

func TestChangesGather(t *testing.T) {
	s := newServer(t, server.Options{})
	sub := subscribe(t, s, allLists)
	only := subscribe(t, s, protocol.SubscriptionFilter{PromptsListChanged: true})
	assert.Empty(t, sub.Wake())
	for range 100 {
		s.ToolsChanged()
		s.PromptsChanged()
	}
	assert.Len(t, sub.Wake(), 1)
	<-sub.Wake()
	assert.Equal(t, []string{"tools/list_changed", "prompts/list_changed"}, taken(sub))
	assert.Empty(t, taken(sub))
	assert.Equal(t, []string{"prompts/list_changed"}, taken(only))

	addTools(t, s, "a")
	addPrompts(t, s, "p")
	addResources(t, s, "file:///r")
	assert.Equal(t, []string{"tools/list_changed", "prompts/list_changed", "resources/list_changed"}, taken(sub), "by itself")
	s.RemoveTool("a")
	s.RemoveResource("file:///r")
	assert.Equal(t, []string{"tools/list_changed", "resources/list_changed"}, taken(sub))
	assert.False(t, s.RemoveTool("a"))
	assert.Empty(t, taken(sub), "nothing has changed")
}

func TestResourcesAndTheirParts(t *testing.T) {
	s := newServer(t, server.Options{})
	for _, c := range []struct {
		watched, changed string
		told             bool
	}{
		{"file:///a", "file:///a", true},
		{"file:///a", "file:///a/b", true},
		{"file:///a", "file:///a/b/c", true},
		{"file:///a/", "file:///a/b", true},
		{"file:///a", "file:///a/", true},
		{"file:///", "file:///a", true},
		{"file:///a/b", "file:///a", false},
		{"file:///a", "file:///ab", false},
		{"file:///a", "file:///b/a", false},
		{"file:///a", "FILE:///a", false},
		{"note:1", "note:1", true},
		{"note:1", "note:1/2", true},
		{"note:1", "note:12", false},
		{"https://x.example/a?b=1", "https://x.example/a?b=1", true},
		{"https://x.example/a", "https://x.example/a?b=1", false},
	} {
		sub := subscribe(t, s, protocol.SubscriptionFilter{Resources: []string{c.watched}})
		s.ResourceUpdated(c.changed)
		if c.told {
			assert.Equal(t, []string{c.changed}, taken(sub), "%+v", c)
		} else {
			assert.Empty(t, taken(sub), "%+v", c)
		}
		sub.Close()
	}
}

func TestUpdatesGatherInOrder(t *testing.T) {
	s := newServer(t, server.Options{})
	sub := subscribe(t, s, protocol.SubscriptionFilter{Resources: []string{"file:///a", "file:///b", "file:///"}})
	for _, uri := range []string{"file:///b", "file:///a", "file:///b", "file:///c", "file:///a"} {
		s.ResourceUpdated(uri)
	}
	assert.Equal(t, []string{"file:///b", "file:///a", "file:///c"}, taken(sub), "each once, though two watches cover it")
	s.ResourceUpdated("")
	s.ResourceUpdated("/")
	s.ResourceUpdated("///")
	assert.Empty(t, taken(sub))
}

func TestUnwatch(t *testing.T) {
	s := newServer(t, server.Options{})
	sub := subscribe(t, s, protocol.SubscriptionFilter{})
	require.NoError(t, sub.Watch("file:///a"))
	require.NoError(t, sub.Watch("file:///b"))
	s.ResourceUpdated("file:///a")
	s.ResourceUpdated("file:///b")
	sub.Unwatch("file:///a")
	sub.Unwatch("file:///never")
	require.NoError(t, sub.Watch("file:///a"))
	s.ResourceUpdated("file:///a")
	assert.Equal(t, []string{"file:///b", "file:///a"}, taken(sub), "what was taken back is not told, and what came after is told once")
	sub.Unwatch("file:///a")
	s.ResourceUpdated("file:///a")
	s.ResourceUpdated("file:///a/x")
	assert.Empty(t, taken(sub))
}

func TestSubscriptionsHaveBounds(t *testing.T) {
	s := newServer(t, server.Options{})
	var uris []string
	for i := range server.MaxResources + 1 {
		uris = append(uris, fmt.Sprintf("file:///%d", i))
	}
	_, err := s.Subscribe(protocol.SubscriptionFilter{Resources: uris})
	var e *protocol.Error
	require.ErrorAs(t, err, &e)
	assert.Contains(t, e.Message, "1000")

	sub := subscribe(t, s, protocol.SubscriptionFilter{Resources: uris[:server.MaxResources]})
	assert.NoError(t, sub.Watch(uris[0]), "which is there already")
	assert.ErrorAs(t, sub.Watch(uris[server.MaxResources]), &e)
	sub.Unwatch(uris[0])
	assert.NoError(t, sub.Watch(uris[server.MaxResources]))

	parent := subscribe(t, s, protocol.SubscriptionFilter{Resources: []string{"file:///many"}})
	for i := range 5000 {
		s.ResourceUpdated(fmt.Sprintf("file:///many/%d", i))
	}
	list := taken(parent)
	require.Len(t, list, 1000, "memory has a bound")
	assert.Equal(t, "file:///many/4000", list[0])
	assert.Equal(t, "file:///many/4999", list[999], "the newest are kept")
}

func TestClosedSubscription(t *testing.T) {
	s := newServer(t, server.Options{})
	sub := subscribe(t, s, protocol.SubscriptionFilter{ToolsListChanged: true, Resources: []string{"file:///a"}})
	sub.Close()
	sub.Close()
	s.ToolsChanged()
	s.ResourceUpdated("file:///a")
	assert.Empty(t, taken(sub))
	assert.Error(t, sub.Watch("file:///b"))
	sub.Unwatch("file:///a")
}

func TestSubscriptionsRace(t *testing.T) {
	s := newServer(t, server.Options{})
	var all sync.WaitGroup
	const readers, updates = 200, 50
	for i := range readers {
		uri := fmt.Sprintf("file:///%d", i%20)
		sub, err := s.Subscribe(protocol.SubscriptionFilter{ToolsListChanged: true, Resources: []string{uri}})
		require.NoError(t, err)
		all.Go(func() {
			defer sub.Close()
			seen := false
			for !seen {
				<-sub.Wake()
				for _, got := range taken(sub) {
					if got == "tools/list_changed" {
						continue
					}
					assert.True(t, strings.HasPrefix(got, uri+"/") || strings.HasPrefix(got, "file:///extra"), got)
					seen = seen || got == uri+"/last"
				}
				assert.NoError(t, sub.Watch("file:///extra"))
				sub.Unwatch("file:///extra")
			}
		})
	}
	for i := range 20 {
		all.Go(func() {
			for n := range updates {
				s.ResourceUpdated(fmt.Sprintf("file:///%d/%d", i, n))
				s.ResourceUpdated("file:///extra")
				s.ToolsChanged()
			}
			s.ResourceUpdated(fmt.Sprintf("file:///%d/last", i))
		})
	}
	all.Wait() // everybody has heard the last of what concerns him
}
