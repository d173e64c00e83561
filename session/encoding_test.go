// The encoding of a profile is a key of the table of shared profiles and the inside of a sealed id. So equal profiles must
// have equal encodings, different ones different, and broken ones, which a key ring shared with another program could let
// through, must be refused.
package session

import (
	"reflect"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
)

// variants returns profiles that differ from each other in one thing.
func variants() []*State {
	states := []*State{{}}
	add := func(change func(*State)) {
		s := &State{}
		change(s)
		states = append(states, s)
	}
	add(func(s *State) { s.Revision = "a" })
	for _, set := range []func(*State){
		func(s *State) { s.Client.Name = "a" }, func(s *State) { s.Client.Version = "a" },
		func(s *State) { s.Client.Title = "a" }, func(s *State) { s.Client.Description = "a" },
		func(s *State) { s.Client.WebsiteURL = "a" },
		func(s *State) { s.Client.Icons = []protocol.Icon{{}} },
		func(s *State) { s.Client.Icons = []protocol.Icon{{}, {}} },
		func(s *State) { s.Client.Icons = []protocol.Icon{{Src: "a"}} },
		func(s *State) { s.Client.Icons = []protocol.Icon{{MIMEType: "a"}} },
		func(s *State) { s.Client.Icons = []protocol.Icon{{Theme: "a"}} },
		func(s *State) { s.Client.Icons = []protocol.Icon{{Sizes: []string{"a"}}} },
		func(s *State) { s.Client.Icons = []protocol.Icon{{Sizes: []string{"a", ""}}} },
	} {
		add(set)
	}
	for _, on := range []bool{false, true} {
		add(func(s *State) { s.Capabilities.Roots = &protocol.RootsCapability{ListChanged: on} })
		add(func(s *State) { s.Capabilities.Sampling = &protocol.SamplingCapability{Tools: on} })
		add(func(s *State) { s.Capabilities.Elicitation = &protocol.ElicitationCapability{Form: on} })
	}
	add(func(s *State) { s.Capabilities.Sampling = &protocol.SamplingCapability{Context: true} })
	add(func(s *State) { s.Capabilities.Elicitation = &protocol.ElicitationCapability{URL: true} })
	for _, settings := range []map[string]jsontext.Value{
		{"": jsontext.Value("")}, {"a": jsontext.Value("")}, {"": jsontext.Value("a")},
		{"a": jsontext.Value("{}"), "b": jsontext.Value("{}")}, {"a": jsontext.Value("{}b{}")},
	} {
		add(func(s *State) { s.Capabilities.Extensions = settings })
		add(func(s *State) { s.Capabilities.Experimental = settings })
	}
	return states
}

func TestProfilesRoundTrip(t *testing.T) {
	seen := map[string]*State{}
	for _, s := range variants() {
		encoding := string(appendProfile(nil, s))
		assert.NotContains(t, seen, encoding, "%+v", s)
		seen[encoding] = s
		got, err := decodeProfile(encoding)
		require.NoError(t, err)
		assert.Equal(t, s, got)
	}
}

func TestProfileEncodingIsCanonical(t *testing.T) {
	settings := func(names ...string) *State {
		s := &State{Capabilities: protocol.ClientCapabilities{Extensions: map[string]jsontext.Value{}}}
		for _, name := range names {
			s.Capabilities.Extensions[name] = jsontext.Value(`{}`)
		}
		return s
	}
	want := appendProfile(nil, settings("a", "b", "c", "d"))
	for range 20 {
		assert.Equal(t, want, appendProfile(nil, settings("d", "b", "a", "c")))
	}
	assert.Equal(t, appendProfile(nil, &State{}), appendProfile(nil, settings()))
}

// Every field of a State must be in the encoding or kept beside it. Whoever adds one is told here.
func TestEncodingKnowsEveryField(t *testing.T) {
	for typ, want := range map[reflect.Type]int{
		reflect.TypeFor[State]():                          5,
		reflect.TypeFor[protocol.Implementation]():        6,
		reflect.TypeFor[protocol.Icon]():                  4,
		reflect.TypeFor[protocol.ClientCapabilities]():    5,
		reflect.TypeFor[protocol.RootsCapability]():       1,
		reflect.TypeFor[protocol.SamplingCapability]():    2,
		reflect.TypeFor[protocol.ElicitationCapability](): 2,
	} {
		assert.Equal(t, want, typ.NumField(), "%v has changed: adapt appendProfile and sealedVersion", typ)
	}
}

func TestBrokenEncodings(t *testing.T) {
	for _, s := range variants() {
		whole := string(appendProfile(nil, s))
		for i := range whole {
			_, err := decodeProfile(whole[:i])
			assert.Error(t, err, "%q", whole[:i])
		}
		_, err := decodeProfile(whole + "\x00")
		assert.Error(t, err, "something follows")
	}
	for _, encoding := range []string{
		"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "\xff\xff\xff\xff\xff\xff\xff\xff\x7f", "\x80",
		"\x00\x00\x00\x00\x00\x00\x00\xff\xff\xff\xff\x7f",
	} {
		_, err := decodeProfile(encoding)
		assert.Error(t, err, "%q", encoding)
	}
}

func TestSealedVersions(t *testing.T) {
	good := string(rune(sealedVersion)) + "\x05\x01" + string(appendProfile(nil, &State{}))
	s, end, err := decodeSealed(good)
	require.NoError(t, err)
	assert.Equal(t, &State{LogLevel: protocol.LogDebug}, s)
	assert.Equal(t, time.UnixMilli(5), end)
	for _, bad := range []string{"", "\x01", "\x01\x05", "\x01\x05\x01", "\x00" + good[1:], "\x02" + good[1:], good[:len(good)-1]} {
		_, _, err := decodeSealed(bad)
		assert.Error(t, err, "%q", bad)
	}
}

// FuzzDecode: no encoding panics or takes more memory than it is long, and what decodes encodes.
func FuzzDecode(f *testing.F) {
	for _, s := range variants() {
		f.Add(appendProfile([]byte{sealedVersion, 5, 1}, s))
	}
	f.Fuzz(func(t *testing.T, encoding []byte) {
		s, _, err := decodeSealed(string(encoding))
		if err != nil {
			return
		}
		again, err := decodeProfile(string(appendProfile(nil, s)))
		require.NoError(t, err)
		again.LogLevel = s.LogLevel
		assert.Equal(t, s, again)
	})
}
