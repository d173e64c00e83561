package session_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/parley-mcp/parley/session"
)

// TestIDsCannotBeGuessed: an id is long, comes once, and says nothing of the next one: among many, hardly a character stands still.
//
// Proves: security.guide.session-id-secure
// Proves: session.id-unique-and-secure
func TestIDsCannotBeGuessed(t *testing.T) {
	const many = 2000
	l, _ := newLRU(t, session.LRUOptions{})
	sealed := newSealed(t, session.SealedOptions{})
	for name, s := range map[string]session.Store{"LRU": l, "Sealed": sealed} {
		t.Run(name, func(t *testing.T) {
			seen := map[string]bool{}
			at := map[int]map[byte]bool{}
			for range many {
				id := open(t, s, "alice")
				seen[id] = true
				for i := range len(id) {
					if at[i] == nil {
						at[i] = map[byte]bool{}
					}
					at[i][id[i]] = true
				}
			}
			assert.Len(t, seen, many, "each id is new")
			changing := 0
			for _, values := range at {
				if len(values) >= 16 { // a counter or a clock would leave most characters as they are
					changing++
				}
			}
			assert.GreaterOrEqual(t, changing, 21, "at 6 bits a character, that is enough for 122")
		})
	}
}
