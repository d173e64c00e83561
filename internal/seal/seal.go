// Package seal turns bytes into tokens that a client can hold for the server: nobody else can read, make or change them, and
// every replica that has the keys can open them.
//
// A token is base64url, without padding, of
//
//	version (1 byte) | key id (4 bytes) | nonce (12 bytes) | ciphertext | tag (16 bytes)
//
// sealed with AES-256-GCM under a random nonce. Version and key id are authenticated along with what the caller adds. One
// key may seal 2^32 tokens, the limit for random nonces in NIST SP 800-38D section 8.3: rotate it before.
package seal

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
)

// KeySize is the length of a key in bytes. Keys are random: crypto/rand makes them, not people.
const KeySize = 32

// Overhead is how many bytes a token has, before base64url, besides its plaintext.
const Overhead = headerSize + 12 + 16

const (
	version    = 1
	idSize     = 4
	headerSize = 1 + idSize
)

// ErrInvalid is all that Open says about a token that it cannot open.
var ErrInvalid = errors.New("the token is not one of ours")

// Strict: one token has one spelling.
var encoding = base64.RawURLEncoding.Strict()

// A Ring holds keys. The first one seals; each one opens what it has sealed. To rotate, add the new key at the end of every
// replica's ring, then move it to the front everywhere, and take the old one out when its last token has expired. A Ring may
// be used by many goroutines.
type Ring struct {
	keys []key
}

type key struct {
	header [headerSize]byte
	aead   cipher.AEAD
}

// NewRing returns a ring of at least one key. Each has KeySize bytes and is there once.
func NewRing(keys ...[]byte) (*Ring, error) {
	if len(keys) == 0 {
		return nil, fmt.Errorf("a key ring needs at least one key of %d random bytes", KeySize)
	}
	r := &Ring{}
	for i, secret := range keys {
		k, err := newKey(secret)
		if err != nil {
			return nil, fmt.Errorf("key %d: %w", i, err)
		}
		if r.find(k.header[:]) != nil {
			return nil, fmt.Errorf("key %d: an earlier key has the same id %x: give each key once, and make each of %d random bytes",
				i, k.header[1:], KeySize)
		}
		r.keys = append(r.keys, k)
	}
	return r, nil
}

// newKey prepares a key, whose id is derived from it, so that replicas agree on it without being told.
func newKey(secret []byte) (key, error) {
	if len(secret) != KeySize {
		return key{}, fmt.Errorf("it has %d bytes instead of %d", len(secret), KeySize)
	}
	block, err := aes.NewCipher(secret)
	if err != nil {
		return key{}, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return key{}, err
	}
	k := key{aead: aead}
	id := sha256.Sum256(append([]byte("parley key id "), secret...))
	k.header[0] = version
	copy(k.header[1:], id[:idSize])
	return k, nil
}

func (r *Ring) find(header []byte) *key {
	for i := range r.keys {
		if bytes.Equal(r.keys[i].header[:], header) {
			return &r.keys[i]
		}
	}
	return nil
}

// Seal returns a token that Open turns back into plaintext if it is given the same additional bytes, which the token does
// not hold. They begin with what the token is for, so that none is taken for one of another kind.
func (r *Ring) Seal(plaintext, additional []byte) string {
	k := &r.keys[0]
	token := make([]byte, headerSize, len(plaintext)+Overhead)
	copy(token, k.header[:])
	return encoding.EncodeToString(k.aead.Seal(token, nil, plaintext, k.bind(additional)))
}

// Open returns what was sealed, or ErrInvalid: the token was made with other keys or other additional bytes, was changed, or
// never was a token. It works on the whole token: bound its length before.
func (r *Ring) Open(token string, additional []byte) ([]byte, error) {
	raw, err := encoding.DecodeString(token)
	// The decoder skips line breaks.
	if err != nil || encoding.EncodedLen(len(raw)) != len(token) || len(raw) < Overhead {
		return nil, ErrInvalid
	}
	k := r.find(raw[:headerSize])
	if k == nil {
		return nil, ErrInvalid
	}
	sealed := raw[headerSize:]
	plaintext, err := k.aead.Open(nil, nil, sealed, k.bind(additional))
	if err != nil {
		return nil, ErrInvalid
	}
	return plaintext, nil
}

// bind adds the header, whose length is fixed, to what is authenticated.
func (k *key) bind(additional []byte) []byte {
	return append(k.header[:headerSize:headerSize], additional...)
}

// EncodedLen returns how long the token of a plaintext of n bytes is.
func EncodedLen(n int) int { return encoding.EncodedLen(n + Overhead) }
