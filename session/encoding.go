package session

import (
	"encoding/binary"
	"errors"
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/parley-mcp/parley/protocol"
)

// A profile is the part of a State that all sessions of one client build at one revision share: Revision, Client and
// Capabilities. Its encoding is compact and canonical: two profiles are alike if and only if their encodings are. Numbers are
// uvarints, a string is its length and its bytes, a list is its length and its items, a map is a list of keys and values in
// order of the keys.

// The bits of the byte that holds the capabilities which are a yes or no.
const (
	hasRoots = 1 << iota
	hasRootsListChanged
	hasSampling
	hasSamplingTools
	hasSamplingContext
	hasElicitation
	hasElicitationForm
	hasElicitationURL
)

var errEncoding = errors.New("the encoding of a session is broken")

func appendProfile(b []byte, s *State) []byte {
	b = appendString(b, string(s.Revision))
	b = append(b, capabilityBits(&s.Capabilities))
	c := &s.Client
	for _, text := range [...]string{c.Name, c.Version, c.Title, c.Description, c.WebsiteURL} {
		b = appendString(b, text)
	}
	b = binary.AppendUvarint(b, uint64(len(c.Icons)))
	for _, icon := range c.Icons {
		b = appendString(b, icon.Src)
		b = appendString(b, icon.MIMEType)
		b = binary.AppendUvarint(b, uint64(len(icon.Sizes)))
		for _, size := range icon.Sizes {
			b = appendString(b, size)
		}
		b = appendString(b, icon.Theme)
	}
	b = appendSettings(b, s.Capabilities.Extensions)
	return appendSettings(b, s.Capabilities.Experimental)
}

func appendString[T ~string | ~[]byte](b []byte, s T) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendSettings(b []byte, settings map[string]jsontext.Value) []byte {
	b = binary.AppendUvarint(b, uint64(len(settings)))
	names := slices.AppendSeq(make([]string, 0, len(settings)), maps.Keys(settings))
	slices.Sort(names)
	for _, name := range names {
		b = appendString(appendString(b, name), settings[name])
	}
	return b
}

func capabilityBits(c *protocol.ClientCapabilities) (bits byte) {
	set := func(bit byte, on bool) {
		if on {
			bits |= bit
		}
	}
	if c.Roots != nil {
		set(hasRoots, true)
		set(hasRootsListChanged, c.Roots.ListChanged)
	}
	if c.Sampling != nil {
		set(hasSampling, true)
		set(hasSamplingTools, c.Sampling.Tools)
		set(hasSamplingContext, c.Sampling.Context)
	}
	if c.Elicitation != nil {
		set(hasElicitation, true)
		set(hasElicitationForm, c.Elicitation.Form)
		set(hasElicitationURL, c.Elicitation.URL)
	}
	return bits
}

// decodeProfile returns the profile with the given encoding, whose memory its texts share.
func decodeProfile(encoding string) (*State, error) {
	r := reader{rest: encoding}
	s := &State{Revision: protocol.Revision(r.text())}
	bits := r.byte()
	if bits&hasRoots != 0 {
		s.Capabilities.Roots = &protocol.RootsCapability{ListChanged: bits&hasRootsListChanged != 0}
	}
	if bits&hasSampling != 0 {
		s.Capabilities.Sampling = &protocol.SamplingCapability{
			Tools: bits&hasSamplingTools != 0, Context: bits&hasSamplingContext != 0}
	}
	if bits&hasElicitation != 0 {
		s.Capabilities.Elicitation = &protocol.ElicitationCapability{
			Form: bits&hasElicitationForm != 0, URL: bits&hasElicitationURL != 0}
	}
	c := &s.Client
	for _, text := range [...]*string{&c.Name, &c.Version, &c.Title, &c.Description, &c.WebsiteURL} {
		*text = r.text()
	}
	for range r.length() {
		icon := protocol.Icon{Src: r.text(), MIMEType: r.text()}
		for range r.length() {
			icon.Sizes = append(icon.Sizes, r.text())
		}
		icon.Theme = r.text()
		c.Icons = append(c.Icons, icon)
	}
	s.Capabilities.Extensions = r.settings()
	s.Capabilities.Experimental = r.settings()
	if r.broken || r.rest != "" {
		return nil, errEncoding
	}
	return s, nil
}

// A reader takes an encoding apart. After the first thing that cannot be it is broken, and returns zero values.
type reader struct {
	rest   string
	broken bool
}

func (r *reader) byte() byte {
	if r.rest == "" {
		r.broken = true
		return 0
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b
}

func (r *reader) uvarint() (n uint64) {
	for shift := 0; shift < 63 && !r.broken; shift += 7 {
		b := r.byte()
		n |= uint64(b&0x7F) << shift
		if b < 0x80 {
			return n
		}
	}
	r.broken = true
	return 0
}

// length reads a number of bytes or items, of which none is smaller than a byte.
func (r *reader) length() int {
	n := r.uvarint()
	if n > uint64(len(r.rest)) {
		r.broken = true
	}
	if r.broken {
		return 0
	}
	return int(n)
}

func (r *reader) text() string {
	n := r.length()
	text := r.rest[:n]
	r.rest = r.rest[n:]
	return text
}

func (r *reader) settings() map[string]jsontext.Value {
	var settings map[string]jsontext.Value
	for range r.length() {
		if settings == nil {
			settings = map[string]jsontext.Value{}
		}
		name := r.text()
		settings[name] = jsontext.Value(r.text())
	}
	return settings
}
