// Package wiretest holds the tests that every revision has in common.
package wiretest

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/parley-mcp/parley/internal/rawjson"
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/internal/wire"
)

// What is decoded, by the first argument of a fuzz function.
const (
	request = iota
	notification
	meta
	answer
	kinds
)

// seeds are good and bad values of every member that some revision reads.
var seeds = []string{
	``, `null`, `[]`, `"x"`, `{}`, `{"name":"a","arguments":{"n":9007199254740993,"f":1e400,"s":"\ud83d\ude00"}}`,
	`{"name":"a","arguments":null,"inputResponses":{"k":{"action":"accept"},"n":null},"requestState":""}`,
	`{"name":"a","task":{"ttl":9007199254740993}}`, `{"name":"a","task":{"ttl":1.5}}`, `{"name":"a","task":true}`,
	`{"taskId":"t"}`, `{"taskId":7}`, `{"taskId":"t","inputResponses":{"k":{"action":"accept"},"n":null}}`, `{"taskId":"t","inputResponses":[]}`,
	`{"notifications":{"taskIds":["t"]}}`, `{"notifications":{"taskIds":"t"}}`,
	`{"name":"a","arguments":[]}`, `{"name":null}`, `{"name":1}`, `{"name":"a","arguments":{"x":1}}`, `{"uri":"file:///a"}`,
	`{"cursor":null}`, `{"cursor":""}`, `{"cursor":1}`, `{"level":"info"}`, `{"level":"warn"}`,
	`{"ref":{"type":"ref/prompt","name":"a"},"argument":{"name":"b","value":"c"},"context":{"arguments":{"d":"e"}}}`,
	`{"ref":{"type":"ref/resource","uri":"a"},"argument":{"name":"b","value":""}}`, `{"ref":{"type":"x"},"argument":1}`,
	`{"requestId":9007199254740993,"reason":"r"}`, `{"requestId":"1"}`, `{"requestId":true}`,
	`{"progressToken":9007199254740993,"progress":0.5,"total":1,"message":"m"}`, `{"progressToken":0,"progress":1e999}`,
	`{"protocolVersion":"x","clientInfo":{"name":"a","version":"1","icons":[{"src":"s","sizes":["any"],"theme":"dark"}]},` +
		`"capabilities":{"roots":{"listChanged":true},"sampling":{"tools":{}},"elicitation":{"url":{}},"experimental":{"e":{}}}}`,
	`{"protocolVersion":"x","clientInfo":{},"capabilities":{"roots":true}}`,
	`{"notifications":{"toolsListChanged":true,"resourceSubscriptions":["a"]}}`, `{"notifications":{"resourceSubscriptions":[1]}}`,
	`{"io.modelcontextprotocol/protocolVersion":"x","io.modelcontextprotocol/clientCapabilities":{"extensions":{"e":{"n":9007199254740993}}},` +
		`"io.modelcontextprotocol/clientInfo":{"name":"a","version":"1"},"io.modelcontextprotocol/logLevel":"error","progressToken":"t"}`,
	`{"io.modelcontextprotocol/clientCapabilities":true}`, `{"progressToken":1.5}`, `{"progressToken":{}}`,
	`{"action":"accept","content":{"n":9007199254740993},"_meta":{"a":1}}`, `{"action":"x"}`,
	`{"roots":[{"uri":"file:///a","name":"b","_meta":{}}]}`, `{"roots":[null]}`, `{"roots":[1]}`,
	`{"role":"assistant","model":"m","content":{"type":"text","text":"t","annotations":{"audience":["user"],"priority":1}}}`,
	`{"role":"assistant","model":"m","content":[{"type":"tool_use","id":"1","name":"n","input":{"n":9007199254740993}},` +
		`{"type":"tool_result","toolUseId":"1","content":[{"type":"resource","resource":{"uri":"u","blob":"YQ=="}},{"type":"resource_link","uri":"u","name":"n"}]}]}`,
	`{"role":"assistant","model":"m","content":{"type":"image","data":"!","mimeType":"m"}}`,
}

// FuzzDecode decodes whatever comes as a request, a notification, a _meta and an answer: nothing panics, errors are of the
// right kind, and what is handed on undecoded is what came, digit for digit.
func FuzzDecode(f *testing.F, codec protocol.Codec) {
	c := codec.(*wire.Codec)
	for _, seed := range seeds {
		for _, method := range slices.Sorted(maps.Keys(c.Requests)) {
			f.Add(uint8(request), method, []byte(seed))
		}
		for _, method := range slices.Sorted(maps.Keys(c.Notifications)) {
			f.Add(uint8(notification), method, []byte(seed))
		}
		f.Add(uint8(request), "no/such", []byte(seed))
		f.Add(uint8(meta), "", []byte(seed))
		f.Add(uint8(answer), "", []byte(seed))
	}
	f.Fuzz(func(t *testing.T, kind uint8, method string, raw []byte) {
		d := decoding{t: t, codec: c, raw: raw, valid: jsontext.Value(raw).IsValid()}
		switch kind % kinds {
		case request:
			p, err := c.DecodeRequest(method, raw)
			_, known := c.Requests[method]
			d.params(p, err, known)
		case notification:
			p, err := c.DecodeNotification(method, raw)
			_, known := c.Notifications[method]
			d.params(p, err, known)
		case meta:
			m, err := c.DecodeMeta(raw)
			d.meta(m, err)
		case answer:
			for _, q := range []protocol.Question{&protocol.PingParams{}, &protocol.ElicitParams{}, &protocol.CreateMessageParams{}, &protocol.ListRootsParams{}} {
				a, err := c.DecodeAnswer(q, raw)
				d.answer(q, a, err)
			}
		}
	})
}

// A decoding is one input of FuzzDecode. What is claimed of the result holds for valid JSON, which is all that is decoded.
type decoding struct {
	t     *testing.T
	codec *wire.Codec
	raw   []byte
	valid bool
}

func (d decoding) params(p protocol.Params, err error, known bool) {
	switch {
	case err != nil && known:
		d.kind(err, protocol.KindInvalidParams)
	case err != nil:
		d.kind(err, protocol.KindMethodNotFound)
	case !known:
		d.t.Errorf("no error for an unknown method")
	}
	if (p == nil) != (err != nil) {
		d.t.Errorf("%v with the error %v", p, err)
	}
	switch p := p.(type) {
	case *protocol.CallToolParams:
		d.same("arguments", p.Arguments)
		for key, response := range p.Input.Responses {
			d.same("inputResponses", response, key)
		}
	case *protocol.UpdateTaskParams:
		for key, response := range p.Responses {
			d.same("inputResponses", response, key)
		}
	case *protocol.CancelledParams:
		d.same("requestId", p.RequestID)
	case *protocol.ProgressParams:
		d.same("progressToken", p.Token)
	}
}

func (d decoding) meta(m protocol.RequestMeta, err error) {
	if err != nil {
		d.kind(err, protocol.KindInvalidParams)
		return
	}
	d.same(protocol.MetaProgressToken, m.ProgressToken)
	if m.Capabilities != nil {
		for name, settings := range m.Capabilities.Extensions {
			d.same(protocol.MetaClientCapabilities, settings, "extensions", name)
		}
	}
}

func (d decoding) answer(q protocol.Question, a protocol.Answer, err error) {
	if _, asked := d.codec.Answers[q.Method()]; !asked {
		if !errors.Is(err, protocol.ErrNotInRevision) {
			d.t.Errorf("the answer to a question of another revision: %v", err)
		}
		return
	}
	if err != nil {
		d.kind(err, protocol.KindInvalidParams)
		return
	}
	switch a := a.(type) {
	case *protocol.ElicitResult:
		d.same("content", a.Content)
	case *protocol.CreateMessageResult:
		d.said(a)
	}
}

// said: what a model has said can be shown to it again, unless it is no part of a conversation.
func (d decoding) said(a *protocol.CreateMessageResult) {
	q := &protocol.CreateMessageParams{Messages: []protocol.SamplingMessage{{Role: a.Role, Content: a.Content}}}
	b, err := d.codec.Append(nil, q)
	if err == nil && d.valid && !jsontext.Value(b).IsValid() {
		d.t.Errorf("%s became %s", d.raw, b)
	}
}

func (d decoding) kind(err error, want protocol.ErrorKind) {
	var e *protocol.Error
	if !errors.As(err, &e) || e.Kind != want || e.Message == "" {
		d.t.Errorf("%#v, want an error of kind %d", err, want)
	}
}

// same demands that got is the member of that name, or one further inside, and nil if there is none or it is null.
func (d decoding) same(name string, got jsontext.Value, inside ...string) {
	want, _ := rawjson.Lookup(d.raw, name)
	for _, name := range inside {
		want, _ = rawjson.Lookup(want, name)
	}
	if string(want) == "null" {
		want = nil
	}
	if d.valid && string(got) != string(want) {
		d.t.Errorf("%s is %s in %s", name, got, d.raw)
	}
}
