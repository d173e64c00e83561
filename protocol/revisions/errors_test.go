package revisions_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/revisions"
)

// kinds are errors of each kind, with what each revision makes of them: a code, and data if it has any.
var errorKinds = []struct {
	name string
	err  error
	// legacy is what the handshake revisions say, but for those in other.
	legacy string
	other  map[protocol.Revision]string
	newest string
}{
	{"no protocol error", errors.New("secret"), "-32603 internal error", nil, "-32603 internal error"},
	{"a protocol error, wrapped", fmt.Errorf("secret: %w", protocol.InvalidParams("a")), "-32602 invalid params: a", nil, "-32602 invalid params: a"},
	{"internal", protocol.Internal(), "-32603 internal error", nil, "-32603 internal error"},
	{"invalid request", protocol.InvalidRequest("%s", "a"), "-32600 invalid request: a", nil, "-32600 invalid request: a"},
	{"method not found", protocol.MethodNotFound("a"), `-32601 method not found: "a"`, nil, `-32601 method not found: "a"`},
	{"resource not found", protocol.ResourceNotFound("file:///a"), `-32002 resource not found {"uri":"file:///a"}`, nil,
		`-32602 resource not found {"uri":"file:///a"}`},
	{"header mismatch", protocol.HeaderMismatch("a"), "-32600 header mismatch: a", nil, "-32020 header mismatch: a"},
	{"missing capability", protocol.MissingCapability(&protocol.ClientCapabilities{
		Sampling: &protocol.SamplingCapability{Tools: true}, Elicitation: &protocol.ElicitationCapability{URL: true}}),
		"-32602 the client has not declared a capability that this request needs", nil,
		`-32021 the client has not declared a capability that this request needs ` +
			`{"requiredCapabilities":{"sampling":{"tools":{}},"elicitation":{"url":{}}}}`},
	{"missing capability, none named", protocol.MissingCapability(nil),
		"-32602 the client has not declared a capability that this request needs", nil,
		`-32021 the client has not declared a capability that this request needs {"requiredCapabilities":{}}`},
	{"unsupported version", protocol.UnsupportedVersion("x", []protocol.Revision{"b", "a"}),
		`-32022 unsupported protocol version {"supported":["b","a"],"requested":"x"}`, nil,
		`-32022 unsupported protocol version {"supported":["b","a"],"requested":"x"}`},
	{"URL elicitation required", &protocol.Error{Kind: protocol.KindURLElicitationRequired, Message: "log in",
		Elicitations: []*protocol.ElicitParams{{Message: "m", URL: "https://example.com", ID: "1"}}},
		"-32600 log in; visit https://example.com",
		map[protocol.Revision]string{"2025-11-25": `-32042 log in ` +
			`{"elicitations":[{"message":"m","mode":"url","url":"https://example.com","elicitationId":"1"}]}`},
		"-32600 log in; visit https://example.com"},
	{"of the author's own", &protocol.Error{Kind: protocol.KindApplication, Code: 7, Message: "a", Data: []byte(`{"n":9007199254740993}`)},
		`7 a {"n":9007199254740993}`, nil, `7 a {"n":9007199254740993}`},
	{"of the author's own, with a standard code", &protocol.Error{Kind: protocol.KindApplication, Code: -32602, Message: "a"},
		"-32602 a", nil, "-32602 a"},
	// Codes that the newest revision has taken back (2026-07-28 basic#error-codes).
	{"with a code of an earlier revision", &protocol.Error{Kind: protocol.KindApplication, Code: -32002, Message: "a"}, "-32002 a", nil, "-32603 a"},
	{"with a reserved code", &protocol.Error{Kind: protocol.KindApplication, Code: -32042, Message: "a"}, "-32042 a", nil, "-32603 a"},
	{"with a code of another meaning", &protocol.Error{Kind: protocol.KindApplication, Code: -32020, Message: "a"}, "-32020 a", nil, "-32603 a"},
	{"with the last reserved code", &protocol.Error{Kind: protocol.KindApplication, Code: -32000, Message: "a"}, "-32000 a", nil, "-32603 a"},
	{"with the first free code", &protocol.Error{Kind: protocol.KindApplication, Code: -31999, Message: "a"}, "-31999 a", nil, "-31999 a"},
}

// F-12 and the codes of each revision.
func TestErrors(t *testing.T) {
	met := map[protocol.ErrorKind]bool{}
	for _, e := range errorKinds {
		t.Run(e.name, func(t *testing.T) {
			met[protocol.AsError(e.err).Kind] = true
			for _, c := range revisions.All() {
				f := c.Features()
				want := e.newest
				if f.Lifecycle == protocol.Handshake {
					want = e.legacy
				}
				if other, ok := e.other[f.Revision]; ok {
					want = other
				}
				w := c.Error(e.err)
				got := fmt.Sprint(w.Code, " ", w.Message)
				if w.Data != nil {
					got += " " + string(w.Data)
				}
				assert.Equal(t, want, got, f.Revision)
			}
		})
	}
	for kind := protocol.KindInternal; kind <= protocol.KindApplication; kind++ {
		assert.True(t, met[kind], "no error of kind %d", kind)
	}
}
