package session

import "strings"

// maxText is what is left of a client's name, version or title if its profile is too large, in bytes.
const maxText = 128

// encodeProfile returns the encoding of a profile in at most limit bytes, so that no client decides how much a session costs.
// One that is larger loses what is in the way, the least useful first; how a capability that is lost is used is lost with
// it, as if the client had not declared it. limit is at least 1 KiB.
func encodeProfile(s *State, limit int) []byte {
	encoded := appendProfile(make([]byte, 0, 256), s)
	if len(encoded) <= limit {
		return encoded
	}
	small := *s
	for _, drop := range [...]func(){
		func() { small.Client.Icons = nil },
		func() { small.Client.Description = "" },
		func() { small.Client.WebsiteURL = "" },
		func() {
			for _, text := range [...]*string{&small.Client.Name, &small.Client.Version, &small.Client.Title} {
				*text = cut(*text)
			}
		},
		func() { small.Capabilities.Experimental = nil },
		func() { small.Capabilities.Extensions = nil },
	} {
		drop()
		if encoded = appendProfile(encoded[:0], &small); len(encoded) <= limit {
			break
		}
	}
	return encoded
}

// cut shortens a text to maxText bytes, at the end of a character.
func cut(text string) string {
	if len(text) <= maxText {
		return text
	}
	return strings.ToValidUTF8(text[:maxText], "")
}
