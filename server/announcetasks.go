package server

import (
	"maps"
	"slices"

	"github.com/parley-mcp/parley/protocol"
)

// What a subscription hears of tasks: how each that has changed stands when its reader comes, whatever happened in between.

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
	sub.tasks = make(map[string]bool, len(ids))
	if a.byTask == nil {
		a.byTask = map[string]map[*Subscription]struct{}{}
	}
	for _, id := range ids {
		sub.tasks[id] = true
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
		sub.tasks[id] = true
		sub.signal()
		sub.mu.Unlock()
	}
}

// takeTasks returns how the tasks stand that have changed. A task that is no longer kept is passed over.
func (sub *Subscription) takeTasks() []protocol.Notification {
	var list []protocol.Notification
	for _, id := range sub.changedTasks() {
		if t, ok := sub.announcer.tasks.now(id); ok {
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
		if sub.tasks[id] {
			ids = append(ids, id)
			sub.tasks[id] = false
		}
	}
	return ids
}
