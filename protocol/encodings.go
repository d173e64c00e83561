package protocol

import (
	"slices"
	"sync/atomic"
)

// Encodings keeps what one immutable result has been encoded to, for each revision that asked. The zero value is ready.
type Encodings struct{ kept atomic.Pointer[[]encoding] }

type encoding struct {
	revision Revision
	text     []byte
}

// Load returns what is kept for r, or nil. It must not be changed.
func (e *Encodings) Load(r Revision) []byte {
	if kept := e.kept.Load(); kept != nil {
		for i := range *kept {
			if (*kept)[i].revision == r {
				return (*kept)[i].text
			}
		}
	}
	return nil
}

// Store keeps b for r, unless something is kept, and returns what is kept then. b must not be changed afterwards.
func (e *Encodings) Store(r Revision, b []byte) []byte {
	for {
		if kept := e.Load(r); kept != nil {
			return kept
		}
		old := e.kept.Load()
		var next []encoding
		if old != nil {
			next = slices.Clone(*old)
		}
		next = append(next, encoding{r, b})
		if e.kept.CompareAndSwap(old, &next) {
			return b
		}
	}
}
