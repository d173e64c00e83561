// Package watch judges clients: it looks at every message that a client sends, and at what the client was told before.
//
// A [Watcher] follows one conversation. Each [Check] says what it looks at and which requirements it proves; what a check has
// never seen anything of has proven nothing. A check never asks for more than the messages show: a client that lists nothing
// has listed nothing wrongly.
package watch
