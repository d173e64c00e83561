package rpc

import (
	"github.com/parley-mcp/parley/internal/jsonrpc"
	"github.com/parley-mcp/parley/internal/rawjson"
	"github.com/parley-mcp/parley/negotiate"
	"github.com/parley-mcp/parley/protocol"
)

// Served is what a transport knows of the revisions that it serves.
type Served struct {
	*negotiate.Policy
	codecs map[protocol.Revision]protocol.Codec
	// words are the newest of each lifecycle.
	words map[protocol.Lifecycle]protocol.Codec
	// versions are the names, as JSON, so that the usual claim costs no memory.
	versions map[string]*string
	// methods are the names of all methods, as JSON, for the same reason.
	methods map[string]string
}

// NewServed returns what is to be known of codecs, newest first. sessionless says whether handshake requests are served
// that name no session.
func NewServed(codecs []protocol.Codec, sessionless bool) *Served {
	s := &Served{
		codecs:   map[protocol.Revision]protocol.Codec{},
		words:    map[protocol.Lifecycle]protocol.Codec{},
		versions: map[string]*string{},
		methods:  map[string]string{},
	}
	var facts []*protocol.Features
	for _, c := range codecs {
		f := c.Features()
		facts = append(facts, f)
		s.codecs[f.Revision] = c
		if s.words[f.Lifecycle] == nil {
			s.words[f.Lifecycle] = c
		}
		for method := range c.Methods() {
			s.methods[string(rawjson.AppendString(nil, method))] = method
		}
		name := string(f.Revision)
		s.versions[string(rawjson.AppendString(nil, name))] = &name
	}
	s.Policy = negotiate.NewPolicy(facts, sessionless)
	return s
}

// Parse reads what a client sent: one message, or a batch of at most batch. depth is how deeply it may nest.
func (s *Served) Parse(text []byte, depth, batch int) (jsonrpc.Packet, *jsonrpc.Error) {
	return jsonrpc.Parse(text, jsonrpc.Limits{Depth: depth, Batch: batch, Methods: s.methods})
}

// Codec returns the codec of a revision that is served.
func (s *Served) Codec(r protocol.Revision) protocol.Codec { return s.codecs[r] }

// Has reports whether a revision of that lifecycle is served.
func (s *Served) Has(l protocol.Lifecycle) bool { return s.words[l] != nil }

// Words returns the codec in which to put what is of no revision, preferably of that lifecycle.
func (s *Served) Words(l protocol.Lifecycle) protocol.Codec {
	if c := s.words[l]; c != nil {
		return c
	}
	for _, c := range s.words {
		return c // there are two lifecycles, and one of them is served
	}
	return nil
}

// Claim returns the protocol version that a message claims in its _meta, or nil if it claims none. The error is for a
// claim that is no string.
func (s *Served) Claim(m *jsonrpc.Message) (*string, error) {
	raw, ok := rawjson.Lookup(m.Meta, protocol.MetaProtocolVersion)
	if !ok {
		return nil, nil
	}
	if known := s.versions[string(raw)]; known != nil {
		return known, nil
	}
	version, ok := rawjson.String(raw)
	if !ok {
		return nil, protocol.InvalidParams("params._meta: %s must be a string", protocol.MetaProtocolVersion)
	}
	return &version, nil
}
