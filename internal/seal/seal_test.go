// A token comes back from strangers. What was not sealed with a key of the ring, for the same use, and left as it was, must
// not open; and no reason is given.
package seal_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/internal/seal"
)

func key(b byte) []byte { return bytes.Repeat([]byte{b}, seal.KeySize) }

func ring(t testing.TB, keys ...[]byte) *seal.Ring {
	t.Helper()
	r, err := seal.NewRing(keys...)
	require.NoError(t, err)
	return r
}

func TestRoundTrip(t *testing.T) {
	r := ring(t, key(1))
	for _, plaintext := range []string{"", "x", strings.Repeat("long ", 10_000)} {
		for _, additional := range []string{"", "for alice"} {
			token := r.Seal([]byte(plaintext), []byte(additional))
			assert.Len(t, token, seal.EncodedLen(len(plaintext)))
			assert.NotContains(t, token, "=")
			got, err := r.Open(token, []byte(additional))
			require.NoError(t, err)
			assert.Equal(t, plaintext, string(got))
			assert.NotEqual(t, token, r.Seal([]byte(plaintext), []byte(additional)), "a nonce was used twice")
		}
	}
}

// The layout is a promise to the replicas of the next release: AES-256-GCM with the nonce in front.
func TestLayout(t *testing.T) {
	raw, err := base64.RawURLEncoding.DecodeString(ring(t, key(1)).Seal([]byte("hello"), []byte("for alice")))
	require.NoError(t, err)
	assert.Equal(t, []byte{1, 0x97, 0x0c, 0x9d, 0x07}, raw[:5], "version and key id")
	block, err := aes.NewCipher(key(1))
	require.NoError(t, err)
	gcm, err := cipher.NewGCM(block)
	require.NoError(t, err)
	plaintext, err := gcm.Open(nil, raw[5:17], raw[17:], append(bytes.Clone(raw[:5]), "for alice"...))
	require.NoError(t, err)
	assert.Equal(t, "hello", string(plaintext))
}

func TestRotation(t *testing.T) {
	before, during, after := ring(t, key(1)), ring(t, key(2), key(1)), ring(t, key(2))
	old, fresh := before.Seal([]byte("old"), nil), during.Seal([]byte("new"), nil)
	for name, c := range map[string]struct {
		ring  *seal.Ring
		token string
		opens bool
	}{
		"the first key seals":        {after, fresh, true},
		"every key opens":            {during, old, true},
		"a key that was taken out":   {after, old, false},
		"a key that is not there":    {before, fresh, false},
		"what it has sealed, itself": {during, fresh, true},
	} {
		_, err := c.ring.Open(c.token, nil)
		assert.Equal(t, c.opens, err == nil, name)
	}
}

func TestOpenRefuses(t *testing.T) {
	r := ring(t, key(1))
	token := r.Seal([]byte("hello"), []byte("for alice"))
	for _, other := range []string{"", "for bob", "for alic", "for alice "} {
		_, err := r.Open(token, []byte(other))
		assert.ErrorIs(t, err, seal.ErrInvalid, other)
	}
	refused := func(changed string) {
		t.Helper()
		_, err := r.Open(changed, []byte("for alice"))
		assert.ErrorIs(t, err, seal.ErrInvalid, changed)
	}
	raw, err := base64.RawURLEncoding.DecodeString(token)
	require.NoError(t, err)
	for i := range raw {
		for bit := range 8 {
			changed := bytes.Clone(raw)
			changed[i] ^= 1 << bit
			refused(base64.RawURLEncoding.EncodeToString(changed))
		}
		refused(base64.RawURLEncoding.EncodeToString(raw[:i]))
	}
	// Other spellings of the same bytes: padding, line breaks, the other alphabet, bits that are not used.
	require.NotZero(t, len(raw)%3)
	last := strings.IndexByte(alphabet, token[len(token)-1])
	for _, changed := range []string{
		"", token + "=", token + "==", token + "\n", "\r\n" + token, token[:9] + "\n" + token[9:], token + " ",
		base64.StdEncoding.EncodeToString(raw), token + "A", token[:len(token)-1] + alphabet[last+1:last+2],
	} {
		refused(changed)
	}
	_, err = r.Open(token, []byte("for alice"))
	assert.NoError(t, err)
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

func TestNewRingRefuses(t *testing.T) {
	for want, keys := range map[string][][]byte{
		"at least one key":                 nil,
		"key 0: it has 16 bytes":           {key(1)[:16]},
		"key 1: it has 33 bytes":           {key(1), append(key(2), 2)},
		"key 2: an earlier key has the sa": {key(1), key(2), key(1)},
	} {
		_, err := seal.NewRing(keys...)
		assert.ErrorContains(t, err, want)
	}
}

// FuzzOpen: nothing but what was sealed comes out, and nothing panics.
func FuzzOpen(f *testing.F) {
	r := ring(f, key(1), key(2))
	good := r.Seal([]byte("hello"), []byte("for alice"))
	f.Add(good, []byte("for alice"))
	f.Add(good[:7], []byte("for alice"))
	f.Add("", []byte(nil))
	f.Add(strings.Repeat("A", seal.EncodedLen(0)), []byte(nil))
	f.Fuzz(func(t *testing.T, token string, additional []byte) {
		plaintext, err := r.Open(token, additional)
		if err != nil {
			assert.Equal(t, seal.ErrInvalid, err)
			return
		}
		assert.Equal(t, "hello", string(plaintext))
		assert.Equal(t, "for alice", string(additional))
	})
}

func BenchmarkSeal(b *testing.B) {
	r, plaintext, additional := ring(b, key(1)), make([]byte, 100), []byte("for alice")
	b.ReportAllocs()
	for b.Loop() {
		r.Seal(plaintext, additional)
	}
}

func BenchmarkOpen(b *testing.B) {
	r, additional := ring(b, key(1)), []byte("for alice")
	token := r.Seal(make([]byte, 100), additional)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.Open(token, additional); err != nil {
			b.Fatal(err)
		}
	}
}
