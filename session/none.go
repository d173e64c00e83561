package session

import "context"

// None is the store that keeps nothing: handshake clients are served without sessions, each request by itself.
var None Store = none{}

type none struct{}

func (none) Open(context.Context, *State) (string, error)        { return "", ErrNotSupported }
func (none) Get(context.Context, string, string) (*State, error) { return nil, ErrNotFound }
func (none) Save(context.Context, string, *State) error          { return ErrNotSupported }
func (none) Delete(context.Context, string, string) error        { return ErrNotSupported }
func (none) Remembers() bool                                     { return false }
func (none) Watch(Watcher)                                       {}
func (none) Close() error                                        { return nil }
