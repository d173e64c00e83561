package session

import gonanoid "github.com/matoous/go-nanoid/v2"

// idLength gives an id 132 bits: each character is one of 64.
const idLength = 22

func newID() (string, error) { return gonanoid.New(idLength) }

// wellFormed reports whether an id could be one of a store whose ids have at most limit characters, all of them visible
// ASCII (2025-11-25 basic/transports#session-management). An id is never trimmed: what is not well-formed names no session.
func wellFormed(id string, limit int) bool {
	if len(id) == 0 || len(id) > limit {
		return false
	}
	for i := range len(id) {
		if id[i] < 0x21 || id[i] > 0x7E {
			return false
		}
	}
	return true
}
