package protocol

import "sync"

// Encodings keeps the encodings of one immutable result, one for each revision that asked. The zero value is ready.
type Encodings struct{ m sync.Map }

// Load returns the encoding at r, or nil. It must not be changed.
func (e *Encodings) Load(r Revision) []byte {
	if b, ok := e.m.Load(r); ok {
		return b.([]byte)
	}
	return nil
}

// Store keeps b as the encoding at r. b must not be changed afterwards.
func (e *Encodings) Store(r Revision, b []byte) { e.m.Store(r, b) }
