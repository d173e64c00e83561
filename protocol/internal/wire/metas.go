package wire

import (
	"maps"
	"sync/atomic"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/parley-mcp/parley/protocol"
)

// metas keeps what _meta objects mean that come again and again: where each request carries its client's identity and
// capabilities, one client's are the same in all of them, and reading them was a fifth of a small call in the profile.
type metas struct {
	known atomic.Pointer[map[string]protocol.RequestMeta]
}

const (
	// maxMetas is how many are kept. One more begins anew: there are few clients, or it does not pay.
	maxMetas = 64
	// maxMetaSize is the size in bytes up to which one is kept.
	maxMetaSize = 1 << 10
)

// read returns the meaning of meta, by read if it is not known. Nothing that is returned twice may be changed.
func (ms *metas) read(meta jsontext.Value, read func(jsontext.Value) (protocol.RequestMeta, error)) (protocol.RequestMeta, error) {
	if len(meta) == 0 || len(meta) > maxMetaSize {
		return read(meta)
	}
	known := ms.known.Load()
	if known != nil {
		if m, ok := (*known)[string(meta)]; ok {
			return m, nil
		}
	}
	text := string(meta) // a copy: what is kept must not hold the message
	m, err := read(jsontext.Value(text))
	if err != nil || m.ProgressToken != nil {
		return m, err // a token comes once
	}
	next := map[string]protocol.RequestMeta{}
	if known != nil && len(*known) < maxMetas {
		next = maps.Clone(*known)
	}
	next[text] = m
	ms.known.CompareAndSwap(known, &next) // another's is as good
	return m, nil
}
