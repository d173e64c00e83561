package playback

import (
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/parley-mcp/parley/conformance/match"
	"github.com/parley-mcp/parley/conformance/revision"
	"github.com/parley-mcp/parley/conformance/transcript"
	"github.com/parley-mcp/parley/conformance/watch"
)

// An Outcome is what a step of a transcript that judges clients came to.
type Outcome struct {
	// Came is true if the client has sent it, or for a step of the server if it was sent.
	Came bool
	// Due is true if the conversation has come to the step.
	Due bool
	// Problem says what was wrong with it; empty if nothing was.
	Problem string
	// Sent is what the client has sent there.
	Sent string
}

// reply is what a client gets for something that no step waits for.
type reply struct {
	status  int
	header  http.Header
	message *match.Value
}

// takeFreely finds the step that an incoming thing fulfils, or tries to fulfil. It returns -1 and what to answer if it is
// none: a client may do more than a transcript speaks of, and only the checks judge that.
func (s *script) takeFreely(in incoming) (int, reply) {
	s.watcher.Sent(watch.Incoming{Method: in.method, Header: in.header, Body: in.body})
	sends, _ := s.block()
	near, nearDiff := -1, ""
	for _, i := range sends {
		step := s.t.Steps[i]
		if s.got[i] || step.Kind == transcript.Never || step.Kind == transcript.Close {
			continue
		}
		diff := s.differs(step, in)
		if diff == "" {
			s.came(i, in, "")
			return i, reply{}
		}
		if near < 0 && kindred(step, in) {
			near, nearDiff = i, diff
		}
	}
	for _, i := range sends {
		if s.t.Steps[i].Kind == transcript.Never && s.differs(s.t.Steps[i], in) == "" {
			s.outcomes[i].Came, s.outcomes[i].Problem = true, "this came, and must not"
			s.outcomes[i].Sent = in.show()
		}
	}
	if near >= 0 {
		s.came(near, in, nearDiff)
		return near, reply{}
	}
	return -1, s.freely(in)
}

// hungUp takes the step at which the client closes the answer to an earlier one; nothing else comes of it.
func (s *Server) hungUp(st *stream) {
	s.script.mu.Lock()
	defer s.script.mu.Unlock()
	sends, _ := s.script.block()
	for _, i := range sends {
		step := s.script.t.Steps[i]
		if s.script.t.Client != nil && step.Kind == transcript.Close && s.byLabel[step.Label] == st && !s.script.got[i] {
			s.script.got[i] = true
			s.script.outcomes[i] = Outcome{Came: true, Due: true, Sent: "(the answer was closed)"}
			if s.script.ready() {
				s.deliver()
			}
		}
	}
}

func (s *script) came(i int, in incoming, problem string) {
	s.got[i] = true
	s.outcomes[i] = Outcome{Came: true, Due: true, Problem: problem, Sent: in.show()}
	if p := s.t.Steps[i].Pattern; p != nil && problem != "" {
		s.translate(s.t.Steps[i], in.message) // so that it is answered
	}
}

// differs holds what came against a step, headers included.
func (s *script) differs(step *transcript.Step, in incoming) string {
	if (step.Kind == transcript.SendHTTP) != (in.method != "" && in.method != http.MethodPost) {
		return "it is another kind of HTTP request"
	}
	if step.Kind == transcript.SendHTTP && in.method != step.Method {
		return "it is " + in.method
	}
	if step.Pattern != nil {
		if in.message == nil {
			return "the message is no JSON"
		}
		if diff := step.Pattern.Match(s.translate(step, in.message), s.env).String(); diff != "" {
			return diff
		}
	}
	if in.method == "" {
		return ""
	}
	for _, h := range step.HTTP.Headers {
		values, present := in.header[http.CanonicalHeaderKey(h.Name)]
		value := ""
		if present {
			value = values[0]
		}
		if diff := h.Value.Match("header "+h.Name, value, present, s.env).String(); diff != "" {
			return diff
		}
	}
	return ""
}

// kindred reports whether what came is meant as the step: it has the same method, or answers the same request.
func kindred(step *transcript.Step, in incoming) bool {
	if step.Kind == transcript.SendHTTP { // a stream that is opened is another one than a stream that goes on
		return in.method == step.Method && !slices.ContainsFunc(step.HTTP.Headers, func(h transcript.Header) bool {
			_, present := in.header[http.CanonicalHeaderKey(h.Name)]
			return !h.Value.Absent() && !present
		})
	}
	if in.message == nil || step.Pattern == nil || in.method != "" && in.method != http.MethodPost {
		return false
	}
	if step.Pattern.Kind() == '[' || in.message.Kind == '[' {
		return step.Pattern.Kind() == '[' && in.message.Kind == '['
	}
	if step.Pattern.Has("method") {
		return step.Pattern.Pinned("method").Str() == in.message.Get("method").Str()
	}
	want, got := step.Pattern.Pinned("id"), in.message.Get("id")
	return in.message.Get("method") == nil && want != nil && got != nil && match.Equal(want, got)
}

// freely answers what no step waits for, as a server would.
func (s *script) freely(in incoming) reply {
	switch {
	case in.method == http.MethodGet:
		return reply{status: http.StatusMethodNotAllowed}
	case in.method == http.MethodDelete:
		s.watcher.Gone()
		return reply{status: http.StatusOK}
	case in.message == nil:
		return s.failure(http.StatusBadRequest, nil, -32700, "this is no JSON")
	case in.message.Kind == '[' && s.facts.Batches:
		return s.each(in)
	}
	return s.one(in.message)
}

// each answers a batch.
func (s *script) each(in incoming) reply {
	all := &match.Value{Kind: '['}
	for _, m := range in.message.Items {
		if r := s.one(m); r.message != nil {
			all.Items = append(all.Items, r.message)
		}
	}
	if len(all.Items) == 0 {
		return reply{status: http.StatusAccepted}
	}
	return reply{status: http.StatusOK, message: all}
}

func (s *script) one(m *match.Value) reply {
	method, id := m.Get("method").Str(), m.Get("id")
	if method == "" || id == nil {
		return reply{status: http.StatusAccepted}
	}
	if s.facts.Handshake && !s.opened && m.Get("params", "_meta", revision.MetaVersion) != nil {
		return s.failure(http.StatusBadRequest, id, -32601, "this server opens with initialize")
	}
	switch result, err := s.result(method); {
	case method == "initialize" && s.facts.Handshake:
		s.opened = true
		r := reply{status: http.StatusOK, message: s.hello(id), header: http.Header{}}
		if transcript.Holds(s.t.Capabilities, "http:session") {
			r.header.Set("Mcp-Session-Id", "mock-session-0001")
		}
		s.watcher.Answered(r.message, r.header)
		return r
	case method == "initialize":
		r := s.failure(http.StatusBadRequest, id, -32022, "this server has no handshake")
		r.message.Get("error").Set("data", match.Object(match.Member{Name: "supported", Value: array(match.String(s.facts.Version))},
			match.Member{Name: "requested", Value: orNull(m.Get("params", "protocolVersion"))}))
		return r
	case method == "server/discover" && !s.facts.Handshake:
		return s.success(s.discovered(id))
	case err != nil:
		return s.failure(http.StatusOK, id, -32603, err.Error())
	case result != nil:
		return s.success(s.complete(match.Object(match.Member{Name: "jsonrpc", Value: match.String("2.0")},
			match.Member{Name: "id", Value: id}, match.Member{Name: "result", Value: result})))
	}
	status := http.StatusOK
	if !s.facts.Handshake {
		status = http.StatusNotFound
	}
	return s.failure(status, id, -32601, "the mock does not know "+method+" here")
}

func (s *script) success(v *match.Value) reply {
	s.watcher.Answered(v, nil)
	return reply{status: http.StatusOK, message: v}
}

func (s *script) failure(status int, id *match.Value, code int, text string) reply {
	v := match.Object(match.Member{Name: "jsonrpc", Value: match.String("2.0")})
	if id != nil {
		v.Set("id", id)
	}
	v.Set("error", match.Object(match.Member{Name: "code", Value: match.Number(fmt.Sprint(code))}, match.Member{Name: "message", Value: match.String(text)}))
	s.watcher.Answered(v, nil)
	return reply{status: status, message: v}
}

// result is what a method is answered with that no step waits for; nil if the mock does not know it.
func (s *script) result(method string) (*match.Value, error) {
	if pattern := s.t.Answers[method]; pattern != nil {
		return pattern.Expand(s.env)
	}
	list := map[string][3]string{
		"tools/list":               {"tools", "tools/call", "name"},
		"prompts/list":             {"prompts", "prompts/get", "name"},
		"resources/list":           {"resources", "resources/read", "uri"},
		"resources/templates/list": {"resourceTemplates", "", ""},
	}[method]
	switch {
	case list[0] != "":
		return s.list(list[0], list[1], list[2]), nil
	case method == "ping" && s.facts.Handshake, method == "logging/setLevel" && s.facts.Handshake,
		(method == "resources/subscribe" || method == "resources/unsubscribe") && s.facts.Handshake:
		return match.Object(), nil
	}
	return nil, nil
}

// list is a list of all that the client is to use.
func (s *script) list(member, method, name string) *match.Value {
	entries := array()
	seen := map[string]bool{}
	for _, call := range s.t.Client.Calls {
		text := call.Get("params", name).Str()
		if call.Get("method").Str() != method || seen[text] {
			continue
		}
		seen[text] = true
		entry := match.Object(match.Member{Name: "name", Value: match.String(text)})
		switch name {
		case "uri":
			entry.Set("uri", match.String(text))
		default:
			if method == "tools/call" {
				entry.Set("inputSchema", match.Object(match.Member{Name: "type", Value: match.String("object")}))
			}
		}
		entries.Items = append(entries.Items, entry)
	}
	out := match.Object(match.Member{Name: member, Value: entries})
	return out
}

// cached are the members of the results that a client may keep.
var cached = []string{"tools", "prompts", "resources", "resourceTemplates", "contents", "supportedVersions"}

// complete adds to a result what the revision wants of every one, unless it is there.
func (s *script) complete(v *match.Value) *match.Value {
	result := v.Get("result")
	if result == nil || result.Kind != '{' || len(s.facts.Results) == 0 {
		return v
	}
	v = v.Clone()
	result = v.Get("result")
	add := s.facts.Results
	if slices.ContainsFunc(cached, func(name string) bool { return result.Get(name) != nil }) {
		add = slices.Concat(add, s.facts.Cached)
	}
	for _, m := range add {
		if result.Get(m.Name) == nil {
			result.Set(m.Name, m.Value)
		}
	}
	return v
}

func array(items ...*match.Value) *match.Value { return &match.Value{Kind: '[', Items: items} }

func orNull(v *match.Value) *match.Value {
	if v == nil {
		return &match.Value{Kind: 'n'}
	}
	return v
}

// tell lets the watcher hear what a step of the server says.
func (s *script) tell(step *transcript.Step, v *match.Value) {
	header := http.Header{}
	for _, h := range step.HTTP.Headers {
		if value, err := h.Value.Example(s.env); err == nil {
			header.Set(h.Name, value)
		}
	}
	if v != nil && v.Kind == '[' {
		for _, item := range v.Items {
			s.watcher.Answered(item, header)
		}
	} else if v != nil {
		s.watcher.Answered(v, header)
	}
	if step.HTTP.Status == "404" {
		s.watcher.Gone()
	}
}

// reach marks the steps to which the conversation has come.
func (s *script) reach() {
	sends, _ := s.block()
	for _, i := range sends {
		s.outcomes[i].Due = true
	}
}

// onlyNever reports whether nothing is left but what must not come.
func (s *script) onlyNever() bool {
	return !slices.ContainsFunc(s.t.Steps[s.next:], func(step *transcript.Step) bool { return step.Kind != transcript.Never })
}

// maxShown bounds what is shown of one thing that came, in bytes.
const maxShown = 4 << 10

func (in incoming) show() string {
	var b []byte
	if in.method != "" {
		b = append(b, in.method+"\n"...)
		for _, name := range slices.Sorted(maps.Keys(in.header)) {
			for _, value := range in.header[name] {
				if name != "Authorization" && name != "Cookie" {
					b = append(b, name+": "+value+"\n"...)
				}
			}
		}
		b = append(b, '\n')
	}
	if b = append(b, in.body...); len(b) > maxShown {
		b = append(b[:maxShown], "..."...)
	}
	return string(b)
}

// lineOfClient plays one line of a client under test.
func (s *Server) lineOfClient(in incoming) []*match.Value {
	s.script.follow("stdio")
	step, r := s.script.takeFreely(in)
	switch {
	case step >= 0:
		return s.played()
	case r.message != nil:
		return []*match.Value{r.message}
	}
	return nil
}

// receiveOfClient plays one HTTP request of a client under test.
func (s *Server) receiveOfClient(w http.ResponseWriter, in incoming) *stream {
	s.script.follow("http")
	step, r := s.script.takeFreely(in)
	if step < 0 {
		for name, values := range r.header {
			w.Header()[name] = values
		}
		if r.message == nil {
			w.WriteHeader(r.status)
		} else {
			writeJSON(w, r.status, r.message)
		}
		return nil
	}
	st := s.open(s.script.t.Steps[step], in)
	if s.script.ready() {
		s.deliver()
	}
	return st
}

// Outcomes are what the steps of a transcript that judges clients have come to so far, one for each step.
func (s *Server) Outcomes() []Outcome {
	s.script.mu.Lock()
	defer s.script.mu.Unlock()
	return slices.Clone(s.script.outcomes)
}

// Checks are what was found of everything that the client has sent so far; none before it has sent anything, and none if the
// transcript judges servers.
func (s *Server) Checks() []watch.Outcome {
	s.script.mu.Lock()
	defer s.script.mu.Unlock()
	if s.script.watcher == nil {
		return nil
	}
	return s.script.watcher.Outcomes()
}
