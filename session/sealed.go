package session

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/parley-mcp/parley/internal/seal"
	"github.com/parley-mcp/parley/protocol"
)

// SealedOptions say with what sessions are sealed and for how long.
type SealedOptions struct {
	// Keys are 32 random bytes each, the same on every replica, at least one. The first seals, each opens what it has
	// sealed. To rotate, add the new key at the end on every replica, then move it to the front, and take the old one out
	// when Lifetime has passed since. Which key sealed an id is in the id.
	Keys [][]byte
	// Lifetime is how long a session lives, used or not; 0 is 24 hours.
	Lifetime time.Duration
}

const (
	defaultLifetime = 24 * time.Hour
	// maxSealedProfile bounds what a client's description of itself adds to an id, which goes with every request and has
	// to leave room for the other headers.
	maxSealedProfile = 1 << 10
	// sealedVersion is the first byte of what is sealed. It changes with the encoding.
	sealedVersion = 1
	// sealedHead is the version, the end of the session and the log level, at most.
	sealedHead = 1 + binary.MaxVarintLen64 + 1
	// sealedPurpose tells session ids from whatever else is sealed with the same keys. The principal follows.
	sealedPurpose = "parley session\x00"
)

var maxSealedID = seal.EncodedLen(sealedHead + maxSealedProfile)

// Sealed is a Store that keeps nothing: the id is the session, encrypted and authenticated (AES-256-GCM) for the principal
// that opened it. Any replica with the same keys serves it.
//
// A session cannot be changed or ended: Save and Delete fail with ErrNotSupported, and it is over when its lifetime is,
// which no Watcher is told. An id that was changed, sealed with other keys or for another principal, or has expired names
// no session.
//
// Of what the client says about itself 1 KiB fits: what makes it larger is left out, beginning with icons, description and
// website, and ending with the client's extensions. An id has about 200 characters, and at most 1,500.
type Sealed struct {
	ring     *seal.Ring
	lifetime time.Duration
}

// NewSealed returns a Sealed, or an error if there is no key, one has not 32 bytes, one is there twice, or the lifetime is
// negative.
func NewSealed(o SealedOptions) (*Sealed, error) {
	ring, err := seal.NewRing(o.Keys...)
	if err != nil {
		return nil, fmt.Errorf("SealedOptions.Keys: %w", err)
	}
	if o.Lifetime < 0 {
		return nil, fmt.Errorf("SealedOptions.Lifetime is %v: give a positive time, or 0 for %v", o.Lifetime, defaultLifetime)
	}
	return &Sealed{ring, cmp.Or(o.Lifetime, defaultLifetime)}, nil
}

// Open returns the session as an id.
func (s *Sealed) Open(_ context.Context, state *State) (string, error) {
	profile := encodeProfile(state, maxSealedProfile)
	b := make([]byte, 0, sealedHead+len(profile))
	b = append(b, sealedVersion)
	b = binary.AppendUvarint(b, uint64(time.Now().Add(s.lifetime).UnixMilli()))
	b = append(b, byte(state.LogLevel))
	b = append(b, profile...)
	return s.ring.Seal(b, sealedFor(state.Principal)), nil
}

// Get returns the session that the id is.
func (s *Sealed) Get(_ context.Context, id, principal string) (*State, error) {
	if !wellFormed(id, maxSealedID) {
		return nil, ErrNotFound
	}
	b, err := s.ring.Open(id, sealedFor(principal))
	if err != nil {
		return nil, ErrNotFound
	}
	state, end, err := decodeSealed(string(b))
	if err != nil || !time.Now().Before(end) {
		return nil, ErrNotFound
	}
	state.Principal = principal
	return state, nil
}

func sealedFor(principal string) []byte { return []byte(sealedPurpose + principal) }

// decodeSealed returns what Open encoded, all but the principal. An encoding of another version is an error, which ends the
// sessions that were opened before an upgrade.
func decodeSealed(encoding string) (*State, time.Time, error) {
	r := reader{rest: encoding}
	version, end, level := r.byte(), r.uvarint(), r.byte()
	if r.broken || version != sealedVersion {
		return nil, time.Time{}, errEncoding
	}
	state, err := decodeProfile(r.rest)
	if err != nil {
		return nil, time.Time{}, err
	}
	state.LogLevel = protocol.LogLevel(level)
	return state, time.UnixMilli(int64(end)), nil
}

// Save fails with ErrNotSupported.
func (s *Sealed) Save(context.Context, string, *State) error { return ErrNotSupported }

// Delete fails with ErrNotSupported.
func (s *Sealed) Delete(context.Context, string, string) error { return ErrNotSupported }

// Remembers returns false.
func (s *Sealed) Remembers() bool { return false }

// Watch does nothing: there is nothing to tell.
func (s *Sealed) Watch(Watcher) {}

// Close does nothing: ids stay good until they expire or their key is taken out.
func (s *Sealed) Close() error { return nil }
