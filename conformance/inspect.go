package conformance

import (
	"fmt"
	"mime"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/parley-mcp/parley/conformance/match"
	"github.com/parley-mcp/parley/conformance/revision"
	"github.com/parley-mcp/parley/conformance/schema"
	"github.com/parley-mcp/parley/conformance/transcript"
)

// inspect looks at everything that arrives, whether or not a step waits for it: it keeps what later requests need, and runs
// the checks that are always on.
func (p *player) inspect(it *item) {
	it.lane = p.laneOf(it)
	it.stray = p.ignored[it.exchange]
	if it.bare {
		return
	}
	if !p.http {
		p.heard = append(p.heard, cut(string(it.raw), shownWhenPassed))
		if n := len(p.heard); n > 50 {
			p.heard = p.heard[n-50:]
		}
	}
	if !p.http && it.value == nil {
		it.stray = true
		p.object(it, checkStdout, p.garbage(it))
	}
	if it.value == nil || it.value.Kind != '{' || p.http && p.aside(it) {
		return
	}
	if it.response() {
		p.answered(it)
	}
	p.checkTransport(it)
	p.checkSchema(it)
	p.checkMeta(it)
	p.restore(it)
}

// answered keeps what the answer to initialize agrees, and counts.
func (p *player) answered(it *item) {
	id := it.id().String()
	if _, ok := p.asked[id]; ok && p.inFlight > 0 {
		p.inFlight--
	}
	result := it.value.Get("result")
	if p.t.Client != nil {
		p.relearn(result.Get("tools"))
	}
	if p.asked[id] != "initialize" || result == nil {
		return
	}
	p.session.version = result.Get("protocolVersion").Str()
	if p.http && p.facts.Sessions && it.exchange.Header() != nil {
		if p.session.id = it.exchange.Header().Get("Mcp-Session-Id"); p.session.id != "" {
			p.mask.Value(p.session.id)
		}
	}
}

// relearn keeps the tools that were listed last: their schemas say which headers a call has.
func (p *player) relearn(tools *match.Value) {
	if tools == nil {
		return
	}
	p.inventory.tools = map[string]*match.Value{}
	for _, tool := range tools.Items {
		p.inventory.tools[tool.Get("name").Str()] = tool
	}
}

// checkTransport holds what carried a message against what every revision says of it.
func (p *player) checkTransport(it *item) {
	if it.batch != nil && !p.facts.Batches {
		p.object(it, checkShape, "a message came in an array, and the revision has no batches")
	}
	if !p.http || it.exchange.Header() == nil {
		return
	}
	content := it.exchange.Header().Get("Content-Type")
	if media, _, _ := mime.ParseMediaType(content); media != "application/json" && media != "text/event-stream" {
		p.object(it, checkContent, fmt.Sprintf("a message came as Content-Type %q: want application/json or text/event-stream", content))
	}
	if status := it.exchange.Status(); it.value.Get("result") != nil && (status < 200 || status > 299) {
		p.object(it, checkShape, fmt.Sprintf("a result came with HTTP status %d", status))
	}
}

// checkSchema holds a message against JSON-RPC, the schema of its revision, and the vocabulary of the others.
func (p *player) checkSchema(it *item) {
	s := p.schema
	if s == nil {
		return
	}
	if v := p.session.version; v != "" && v != s.Revision() {
		if _, known := revision.Lookup(v); known {
			if other, err := schema.For(v); err == nil {
				s = other // the conversation agreed on another revision
			}
		}
	}
	method := ""
	if it.response() {
		method = p.asked[it.id().String()]
	}
	p.always.looked++
	if sent := it.method(); sent != "" && !s.ServerSends(sent, it.id() != nil) {
		p.checkMethod(it, sent)
	}
	for _, problem := range s.CheckServerMessage(jsontext.Value(it.raw), method) {
		p.object(it, checkOf(problem, it), problem.String())
	}
}

// checkMethod objects to a method that servers of the revision do not send.
func (p *player) checkMethod(it *item, method string) {
	c := checkNotes
	if it.id() != nil {
		c = checkRequests
	}
	if len(stands(p.options.Manifest, c.ids, p.facts.Version)) > 0 {
		p.object(it, c, fmt.Sprintf("%s is nothing that a server of this revision sends", method))
	}
}

// ambient reports whether a message may come at any time and the transcript does not speak of its kind.
func (p *player) ambient(it *item) bool {
	if it.bare || it.stray {
		return true
	}
	method := it.method()
	return method != "" && slices.Contains(p.facts.Ambient, method) &&
		!slices.ContainsFunc(p.t.Steps, func(s *transcript.Step) bool { return speaksOf(s, method) })
}

// speaksOf reports whether a step of the server pins a method, or leaves it to a hole.
func speaksOf(s *transcript.Step, method string) bool {
	if s.Kind.Sends() || s.Pattern == nil || !s.Pattern.Has("method") {
		return false
	}
	pinned := s.Pattern.Pinned("method")
	return pinned == nil || pinned.Str() == method
}

// meant reports whether step s speaks of this very message, so that a difference is the step's and no later one's. Over HTTP
// that is also whatever is no request and no notification on the answer to the request whose response the step waits for.
func (p *player) meant(s *transcript.Step, it *item) bool {
	if addressed(s, it) {
		return true
	}
	if !p.http || s.Pattern == nil || it.value == nil || it.method() != "" || s.Pattern.Has("method") {
		return false
	}
	id := s.Pattern.Pinned("id")
	return id != nil && p.owner[id.String()] == it.exchange && !p.batches[it.exchange]
}

// addressed reports whether a step speaks of this very message by what stands in it: the answer to the same request, or a
// message with the same method.
func addressed(s *transcript.Step, it *item) bool {
	if s.Pattern == nil || it.value == nil || it.value.Kind != '{' {
		return false
	}
	if it.response() {
		if s.Pattern.Has("method") {
			return false
		}
		want := s.Pattern.Pinned("id")
		return want == nil || it.id() == nil || it.id().Kind == 'n' || match.Equal(want, it.id())
	}
	return speaksOf(s, it.method())
}
