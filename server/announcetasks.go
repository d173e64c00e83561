package server

import (
	"maps"
	"slices"

	"github.com/parley-mcp/parley/protocol"
)

// What a subscription hears of tasks: how each that has changed stands when its reader comes, whatever happened in between.

// taskNews are what is to be said of a task, and which of its changes was said last.
type taskNews struct {
	changed bool
	told    int
}

// watchTasks adds tasks. They count as changed, since they may have been before anybody listened.
func (sub *Subscription) watchTasks(ids []string) {
	if len(ids) == 0 {
		return
	}
	a := sub.announcer
	a.mu.Lock()
	defer a.mu.Unlock()
	sub.mu.Lock()
	defer sub.mu.Unlock()
	sub.tasks = make(map[string]*taskNews, len(ids))
	if a.byTask == nil {
		a.byTask = map[string]map[*Subscription]struct{}{}
	}
	for _, id := range ids {
		sub.tasks[id] = &taskNews{changed: true}
		if a.byTask[id] == nil {
			a.byTask[id] = map[*Subscription]struct{}{}
		}
		a.byTask[id][sub] = struct{}{}
	}
	sub.signal()
}

// forgetTask takes a subscription out of the index. The lock is held.
func (a *announcer) forgetTask(sub *Subscription, id string) {
	delete(a.byTask[id], sub)
	if len(a.byTask[id]) == 0 {
		delete(a.byTask, id)
	}
}

// taskChanged tells everybody who has subscribed to a task.
func (a *announcer) taskChanged(id string) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	for sub := range a.byTask[id] {
		sub.mu.Lock()
		sub.tasks[id].changed = true
		sub.signal()
		sub.mu.Unlock()
	}
}

// takeTasks returns how the tasks stand that have changed. A task that is no longer kept is passed over, and so is one of
// which the reader has heard already: it has changed, and was then looked at, faster than it was announced.
func (sub *Subscription) takeTasks() []protocol.Notification {
	var list []protocol.Notification
	for _, id := range sub.changedTasks() {
		t, changes, ok := sub.announcer.tasks.now(id)
		if ok && sub.isNews(id, changes) {
			list = append(list, &protocol.TaskNotification{Task: t})
		}
	}
	return list
}

func (sub *Subscription) changedTasks() []string {
	sub.mu.Lock()
	defer sub.mu.Unlock()
	var ids []string
	for _, id := range slices.Sorted(maps.Keys(sub.tasks)) {
		if news := sub.tasks[id]; news.changed {
			ids = append(ids, id)
			news.changed = false
		}
	}
	return ids
}

func (sub *Subscription) isNews(id string, changes int) bool {
	sub.mu.Lock()
	defer sub.mu.Unlock()
	told := &sub.tasks[id].told
	if changes <= *told {
		return false
	}
	*told = changes
	return true
}
