package session

import (
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"
)

const (
	// maxProfile bounds what a client's description of itself may cost, in bytes.
	maxProfile = 4 << 10
	// maxProfiles bounds how many distinct ones are kept to be shared. A session whose profile has been dropped keeps it.
	maxProfiles = 512
)

// An interner makes equal profiles one: there are few client builds and many sessions.
type interner struct {
	profiles *lru.Cache[string, *State]
}

func newInterner() (*interner, error) {
	profiles, err := lru.New[string, *State](maxProfiles)
	return &interner{profiles}, err
}

// intern returns a state that equals s, shares what it can with others, and nothing with s, whose texts may be cut out of a
// large message.
func (in *interner) intern(s *State) (*State, error) {
	encoding := string(encodeProfile(s, maxProfile))
	shared, ok := in.profiles.Get(encoding)
	if !ok {
		var err error
		if shared, err = decodeProfile(encoding); err != nil {
			return nil, err
		}
		in.profiles.Add(encoding, shared)
	}
	if s.Principal == "" && s.LogLevel == 0 {
		return shared, nil
	}
	own := *shared
	own.Principal, own.LogLevel = strings.Clone(s.Principal), s.LogLevel
	return &own, nil
}
