package server

import (
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/parley-mcp/parley/protocol"
)

// ResourceUpdated tells all who have subscribed to the resource, or to one that it is a part of, that it has changed. A
// resource is a part of those whose URI is the beginning of its own, up to a slash. It never blocks.
func (s *Server) ResourceUpdated(uri string) { s.announcer.updated(uri) }

// An announcer knows who wants to hear of changes.
type announcer struct {
	mu   sync.RWMutex
	all  map[*Subscription]struct{}
	byID map[string]map[*Subscription]struct{} // by the URI of the resource subscribed to
	// byTask is by the id of the task subscribed to; tasks says how one stands.
	byTask map[string]map[*Subscription]struct{}
	tasks  *tasks
	// sessions are the subscriptions of sessions, one of each.
	sessions map[sessionDigest]*Subscription
}

// A Subscription gathers changes until its reader takes them. Changes of a list, and of a resource, that come before that
// are one change, so that a slow reader costs no memory and holds up nobody. It is for transports.
type Subscription struct {
	announcer *announcer
	wake      chan struct{}

	mu        sync.Mutex
	filter    protocol.SubscriptionFilter
	resources map[string]struct{} // subscribed to
	lists     protocol.SubscriptionFilter
	updated   []string // pending, in order
	pending   map[string]struct{}
	tasks     map[string]*taskNews // subscribed to
	session   sessionDigest        // zero without one
	completed []string             // elicitations, in order
	closed    bool
}

// MaxResources is how many resources one subscription may name.
const MaxResources = 1000

// maxUpdated is how many changed resources wait for a reader. The oldest are dropped beyond that: a reader so slow has to
// read the resources again anyway.
const maxUpdated = 1000

// maxCompleted is how many elicitations that are over wait for a reader.
const maxCompleted = 100

// errTooMany is what a client is told that subscribes to too much.
var errTooMany = protocol.InvalidRequest("at most %d resources can be subscribed to", MaxResources)

// Subscribe returns a subscription to what the filter names. It must be closed.
func (s *Server) Subscribe(filter protocol.SubscriptionFilter) (*Subscription, error) {
	sub := &Subscription{
		announcer: &s.announcer,
		wake:      make(chan struct{}, 1),
		filter:    filter,
		resources: map[string]struct{}{},
		pending:   map[string]struct{}{},
	}
	s.announcer.mu.Lock()
	if s.announcer.all == nil {
		s.announcer.all, s.announcer.byID = map[*Subscription]struct{}{}, map[string]map[*Subscription]struct{}{}
	}
	s.announcer.all[sub] = struct{}{}
	s.announcer.mu.Unlock()
	for _, uri := range filter.Resources {
		if err := sub.Watch(uri); err != nil {
			sub.Close()
			return nil, err
		}
	}
	sub.watchTasks(filter.Tasks)
	return sub, nil
}

// SubscribeSession returns the subscription of a session: to the lists, to the resources that it watches, and to what it is
// told alone. A session, by its Session.Name, has one at a time. It must be closed.
func (s *Server) SubscribeSession(name string) (*Subscription, error) {
	sub, err := s.Subscribe(protocol.SubscriptionFilter{ToolsListChanged: true, PromptsListChanged: true, ResourcesListChanged: true})
	if err != nil {
		return nil, err
	}
	a := &s.announcer
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.sessions == nil {
		a.sessions = map[sessionDigest]*Subscription{}
	}
	sub.session = digest(name)
	a.sessions[sub.session] = sub
	return sub, nil
}

// Watch adds a resource.
func (sub *Subscription) Watch(uri string) error {
	a := sub.announcer
	a.mu.Lock()
	defer a.mu.Unlock()
	sub.mu.Lock()
	defer sub.mu.Unlock()
	_, already := sub.resources[uri]
	switch {
	case sub.closed:
		return errors.New("the subscription is closed")
	case already:
		return nil
	case len(sub.resources) >= MaxResources:
		return errTooMany
	}
	sub.resources[uri] = struct{}{}
	if a.byID[uri] == nil {
		a.byID[uri] = map[*Subscription]struct{}{}
	}
	a.byID[uri][sub] = struct{}{}
	return nil
}

// Unwatch takes a resource out. What is pending of it is dropped.
func (sub *Subscription) Unwatch(uri string) {
	a := sub.announcer
	a.mu.Lock()
	defer a.mu.Unlock()
	sub.mu.Lock()
	defer sub.mu.Unlock()
	a.forget(sub, uri)
	delete(sub.resources, uri)
	sub.updated = slices.DeleteFunc(sub.updated, func(changed string) bool {
		if sub.watches(changed) {
			return false
		}
		delete(sub.pending, changed)
		return true
	})
}

// Wake returns a channel that has an element when there is something to take.
func (sub *Subscription) Wake() <-chan struct{} { return sub.wake }

// Take returns what has changed since the last time.
func (sub *Subscription) Take() []protocol.Notification {
	return append(sub.takeChanges(), sub.takeTasks()...)
}

func (sub *Subscription) takeChanges() []protocol.Notification {
	sub.mu.Lock()
	defer sub.mu.Unlock()
	var list []protocol.Notification
	if sub.lists.ToolsListChanged {
		list = append(list, &protocol.ToolsListChangedNotification{})
	}
	if sub.lists.PromptsListChanged {
		list = append(list, &protocol.PromptsListChangedNotification{})
	}
	if sub.lists.ResourcesListChanged {
		list = append(list, &protocol.ResourcesListChangedNotification{})
	}
	for _, uri := range sub.updated {
		list = append(list, &protocol.ResourceUpdatedNotification{URI: uri})
	}
	for _, id := range sub.completed {
		list = append(list, &protocol.ElicitationCompleteNotification{ID: id})
	}
	sub.lists, sub.updated, sub.completed = protocol.SubscriptionFilter{}, nil, nil
	clear(sub.pending)
	return list
}

// Close ends the subscription.
func (sub *Subscription) Close() {
	a := sub.announcer
	a.mu.Lock()
	defer a.mu.Unlock()
	sub.mu.Lock()
	defer sub.mu.Unlock()
	sub.closed = true
	delete(a.all, sub)
	if a.sessions[sub.session] == sub {
		delete(a.sessions, sub.session)
	}
	for uri := range sub.resources {
		a.forget(sub, uri)
	}
	for id := range sub.tasks {
		a.forgetTask(sub, id)
	}
}

// forget takes a subscription out of the index. The lock is held.
func (a *announcer) forget(sub *Subscription, uri string) {
	delete(a.byID[uri], sub)
	if len(a.byID[uri]) == 0 {
		delete(a.byID, uri)
	}
}

// watches reports whether a change of uri is one of a watched resource, or of a part of one. The lock is held.
func (sub *Subscription) watches(uri string) bool {
	for parent := range parents(uri) {
		if _, ok := sub.resources[parent]; ok {
			return true
		}
	}
	return false
}

// parents yields a URI and those of the resources that it is a part of.
func parents(uri string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for p := uri; p != ""; {
			if !yield(p) {
				return
			}
			i := strings.LastIndexByte(strings.TrimSuffix(p, "/"), '/')
			switch {
			case strings.HasSuffix(p, "/") && len(p) > 1:
				p = p[:len(p)-1] // file:///a/ is a part of file:///a
			case i < 0:
				return
			default:
				p = p[:i+1]
			}
		}
	}
}

// changed tells everybody who listens to a list; pick says which.
func (a *announcer) changed(pick func(*protocol.SubscriptionFilter) *bool) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	for sub := range a.all {
		sub.mu.Lock()
		if *pick(&sub.filter) {
			*pick(&sub.lists) = true
			sub.signal()
		}
		sub.mu.Unlock()
	}
}

func (a *announcer) updated(uri string) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	for parent := range parents(uri) {
		for sub := range a.byID[parent] {
			sub.add(uri)
		}
	}
}

func (sub *Subscription) add(uri string) {
	sub.mu.Lock()
	defer sub.mu.Unlock()
	if _, known := sub.pending[uri]; known {
		return
	}
	if len(sub.updated) >= maxUpdated {
		delete(sub.pending, sub.updated[0])
		sub.updated = sub.updated[1:]
	}
	sub.pending[uri] = struct{}{}
	sub.updated = append(sub.updated, uri)
	sub.signal()
}

// completed tells one session that an elicitation is over.
func (a *announcer) completed(session sessionDigest, id string) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	sub := a.sessions[session]
	if sub == nil {
		return
	}
	sub.mu.Lock()
	defer sub.mu.Unlock()
	if len(sub.completed) < maxCompleted && !slices.Contains(sub.completed, id) {
		sub.completed = append(sub.completed, id)
	}
	sub.signal()
}

func (sub *Subscription) signal() {
	select {
	case sub.wake <- struct{}{}:
	default:
	}
}

func toolsList(f *protocol.SubscriptionFilter) *bool     { return &f.ToolsListChanged }
func promptsList(f *protocol.SubscriptionFilter) *bool   { return &f.PromptsListChanged }
func resourcesList(f *protocol.SubscriptionFilter) *bool { return &f.ResourcesListChanged }
