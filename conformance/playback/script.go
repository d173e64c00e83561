package playback

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/parley-mcp/parley/conformance/match"
	"github.com/parley-mcp/parley/conformance/revision"
	"github.com/parley-mcp/parley/conformance/transcript"
	"github.com/parley-mcp/parley/conformance/watch"
)

// A Finding is something that the client under test did wrong.
type Finding struct {
	// Step is the label of the step at which it happened.
	Step    string
	Problem string
}

// A Lie changes what a playback sends, so that the harness can be tested. The zero value changes nothing.
type Lie struct {
	// Step is the number of the step that is changed.
	Step int
	// Message replaces what the step sends; for a step that must not send, it is sent nevertheless.
	Message *match.Value
	// Status and Header change the head of the answer that carries it; a header with an empty value is removed.
	Status int
	Header map[string]string
	// Body is a body where there should be none.
	Body string
	// NoEventID leaves out the id of the event, NoEnd leaves the stream open.
	NoEventID, NoEnd bool
}

// Faithful reports whether the lie changes nothing.
func (l Lie) Faithful() bool {
	return l.Message == nil && l.Status == 0 && l.Header == nil && l.Body == "" && !l.NoEventID && !l.NoEnd
}

func (l Lie) at(step int) bool { return l.Step == step && !l.Faithful() }

// script is where a conversation stands, whatever carries it.
type script struct {
	mu       sync.Mutex
	t        *transcript.Transcript
	facts    revision.Facts
	env      *match.Env
	lie      Lie
	next     int          // the first step of the block that is being played
	got      map[int]bool // those of its sends that have come
	again    map[int]bool // the <~ steps that have been played
	ids      map[string]*match.Value
	opened   bool // the handshake that stands in no transcript has been made
	findings []Finding
	over     chan struct{} // closed when every step has been played
	ended    sync.Once

	watcher  *watch.Watcher // of a client under test
	outcomes []Outcome      // of each step, if the transcript judges clients
}

func newScript(t *transcript.Transcript, facts revision.Facts, lie Lie) *script {
	s := &script{t: t, facts: facts, lie: lie, got: map[int]bool{}, again: map[int]bool{}, ids: map[string]*match.Value{}, over: make(chan struct{}),
		env: &match.Env{Meta: facts.Meta}}
	s.env.Set("revision", match.String(facts.Version))
	for name, v := range t.Lets {
		s.env.Set(name, v)
	}
	if t.Client != nil {
		s.outcomes = make([]Outcome, len(t.Steps))
		s.reach()
	}
	return s
}

// reached learns under which URL the client reaches the playback: messages are sent to the endpoint, and to nowhere else.
func (s *script) reached(r *http.Request) {
	if r.Method == http.MethodPost {
		s.env.Set("endpoint", match.String("http://"+r.Host+strings.TrimSuffix(r.URL.EscapedPath(), "/")))
	}
}

// follow begins to watch the client.
func (s *script) follow(transport string) {
	if s.watcher == nil {
		s.watcher = watch.New(s.facts, transport)
	}
}

// incoming is one thing that a client sent.
type incoming struct {
	method  string // HTTP
	header  http.Header
	body    []byte
	message *match.Value // nil if the body is no JSON
}

func newIncoming(method string, header http.Header, body []byte) incoming {
	message, _ := match.Parse(body)
	return incoming{method, header, body, message}
}

// block returns the steps that the client takes now, and those that the server takes when they are done.
func (s *script) block() (sends, receives []int) {
	i := s.next
	for ; i < len(s.t.Steps) && s.t.Steps[i].Kind.Sends(); i++ {
		sends = append(sends, i)
	}
	for ; i < len(s.t.Steps) && !s.t.Steps[i].Kind.Sends(); i++ {
		receives = append(receives, i)
	}
	return sends, receives
}

// take finds the step that an incoming thing fulfils. It returns -1 for what the handshake takes that stands in no
// transcript, and an error for what no step takes.
func (s *script) take(in incoming) (int, error) {
	method := in.message.Get("method").Str()
	if s.t.Opens && s.facts.Handshake {
		if method == "initialize" && !s.opened {
			s.opened = true
			return -1, nil
		}
		if s.opened && method == "notifications/initialized" {
			return -1, nil
		}
	}
	sends, _ := s.block()
	if method == "server/discover" && s.t.Opens && !s.facts.Handshake && !s.wants(sends, method) {
		return -1, nil
	}
	bare := func(i int) bool { return s.t.Steps[i].Kind == transcript.SendHTTP }
	if in.method == http.MethodGet && s.t.Opens && !slices.ContainsFunc(sends, bare) {
		return -1, nil // a client may listen for more than answers
	}
	var problem string
	var finding Finding // what the first step that it could have been has against it
	for _, i := range sends {
		if s.got[i] || s.t.Steps[i].Kind == transcript.Close {
			continue
		}
		diff, fits := s.compare(s.t.Steps[i], in)
		if fits && diff == "" {
			s.got[i] = true
			return i, nil
		}
		if problem == "" && (fits || diff != "") {
			problem = fmt.Sprintf("step %q: %s", s.t.Steps[i].Label, diff)
			finding = Finding{s.t.Steps[i].Label, diff}
		}
	}
	if in.method == http.MethodDelete && problem == "" {
		return -1, nil
	}
	if problem == "" {
		problem = "the transcript expects nothing more"
		finding = Finding{"", fmt.Sprintf("%s: got %s %s", problem, in.method, in.body)}
	}
	s.findings = append(s.findings, finding)
	return 0, fmt.Errorf("this is not what the transcript says: %s", problem)
}

// wants reports whether one of the steps sends a method.
func (s *script) wants(sends []int, method string) bool {
	return slices.ContainsFunc(sends, func(i int) bool {
		step := s.t.Steps[i]
		return step.Kind == transcript.SendRaw || step.Pattern != nil && step.Pattern.Pinned("method").Str() == method
	})
}

// compare holds what came against a step of the client.
func (s *script) compare(step *transcript.Step, in incoming) (diff string, fits bool) {
	switch step.Kind {
	case transcript.SendHTTP:
		return "", in.method == step.Method
	case transcript.SendRaw:
		want, err := step.Raw.Expand(s.env)
		if err != nil {
			return err.Error(), true
		}
		return "", bytes.Equal(want, in.body)
	}
	if in.message == nil {
		return "the message is no JSON", true
	}
	return step.Pattern.Match(s.translate(step, in.message), s.env).String(), true
}

// translate puts the transcript's ids in the place of the client's, which it chooses as it likes, and remembers them.
func (s *script) translate(step *transcript.Step, v *match.Value) *match.Value {
	out := v.Clone()
	wanted, _ := step.Pattern.Items()
	if step.Pattern.Kind() == '{' {
		wanted = []*match.Pattern{step.Pattern}
	}
	members := []*match.Value{out}
	if out.Kind == '[' {
		members = out.Items
	}
	for i, m := range members {
		if i >= len(wanted) || m.Get("id") == nil || m.Get("method") == nil || wanted[i].Pinned("id") == nil {
			continue
		}
		pinned := wanted[i].Pinned("id")
		if pinned.Kind == m.Get("id").Kind || s.t.Client != nil {
			s.ids[pinned.String()] = m.Get("id")
			m.Set("id", pinned)
		}
	}
	return out
}

// ready reports whether the client has done all that it does before the server answers.
func (s *script) ready() bool {
	sends, _ := s.block()
	return !slices.ContainsFunc(sends, func(i int) bool {
		kind := s.t.Steps[i].Kind
		return !s.got[i] && (kind != transcript.Close || s.t.Client != nil) && kind != transcript.Never
	})
}

// A line is what one step of the server sends: a message, an event without one, or nothing.
type line struct {
	step    int
	message *match.Value
}

// answer returns what the server sends now, and goes on to the next block.
func (s *script) answer() ([]line, error) {
	sends, receives := s.block()
	if i := s.notYet(receives); i >= 0 {
		s.again[i] = true
		delete(s.got, sends[len(sends)-1]) // which is to come once more
		l, err := s.line(i)
		return []line{l}, err
	}
	var out []line
	for _, i := range receives {
		if s.again[i] {
			continue
		}
		if s.t.Steps[i].Kind == transcript.Forbid && !s.lie.at(i) {
			continue
		}
		l, err := s.line(i)
		if err != nil {
			return nil, err
		}
		if s.watcher != nil && l.message != nil {
			l.message = s.complete(l.message)
		}
		out = append(out, l)
		if s.watcher != nil {
			s.outcomes[i] = Outcome{Came: true, Due: true}
			s.tell(s.t.Steps[i], l.message)
		}
	}
	if s.t.Client != nil && len(receives) == 0 { // the end, behind which things must still not come
		s.end()
		return out, nil
	}
	s.next += len(sends) + len(receives)
	s.got = map[int]bool{}
	if s.watcher != nil {
		s.reach()
	}
	if s.next == len(s.t.Steps) || s.t.Client != nil && s.onlyNever() {
		s.end()
	}
	return out, nil
}

// notYet is the next <~ step of a block: each is played once. It is negative if there is none.
func (s *script) notYet(receives []int) int {
	for _, i := range receives {
		if s.t.Steps[i].Kind == transcript.Again && !s.again[i] {
			return i
		}
	}
	return -1
}

// line is what a step sends, or the lie that is told there.
func (s *script) line(i int) (line, error) {
	l := line{step: i}
	switch pattern := s.t.Steps[i].Pattern; {
	case s.lie.at(i) && s.lie.Message != nil:
		l.message = s.lie.Message
	case pattern != nil:
		v, err := pattern.Example(s.env)
		if err != nil {
			return l, err
		}
		l.message = v
	}
	if l.message != nil {
		l.message = s.untranslate(l.message)
	}
	return l, nil
}

// end says that every step has been played.
func (s *script) end() { s.ended.Do(func() { close(s.over) }) }

// untranslate puts the client's ids back into an answer.
func (s *script) untranslate(v *match.Value) *match.Value {
	if id := v.Get("id"); id != nil && v.Get("method") == nil && s.ids[id.String()] != nil {
		return v.Clone().Set("id", s.ids[id.String()])
	}
	return v
}

// finish returns what the client did wrong, and what it did not do at all.
func (s *script) finish() []Finding {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := slices.Clone(s.findings)
	sends, _ := s.block()
	for _, i := range sends {
		if !s.got[i] && s.t.Steps[i].Kind != transcript.Close {
			out = append(out, Finding{s.t.Steps[i].Label, "the client did not send it"})
		}
	}
	return out
}

// hello answers what opens a conversation and stands in no transcript: initialize, or server/discover.
func (s *script) hello(id *match.Value) *match.Value {
	if !s.facts.Handshake {
		return s.discovered(id)
	}
	return match.Object(
		match.Member{Name: "jsonrpc", Value: match.String("2.0")},
		match.Member{Name: "id", Value: id},
		match.Member{Name: "result", Value: match.Object(
			match.Member{Name: "protocolVersion", Value: match.String(s.facts.Version)},
			match.Member{Name: "capabilities", Value: s.capabilities()},
			match.Member{Name: "serverInfo", Value: match.Object(
				match.Member{Name: "name", Value: match.String("parley-mock")},
				match.Member{Name: "version", Value: match.String("1")})},
		)})
}

func (s *script) discovered(id *match.Value) *match.Value {
	return match.Object(
		match.Member{Name: "jsonrpc", Value: match.String("2.0")},
		match.Member{Name: "id", Value: id},
		match.Member{Name: "result", Value: match.Object(
			match.Member{Name: "resultType", Value: match.String("complete")},
			match.Member{Name: "supportedVersions", Value: &match.Value{Kind: '[', Items: []*match.Value{match.String(s.facts.Version)}}},
			match.Member{Name: "capabilities", Value: s.capabilities()},
			match.Member{Name: "ttlMs", Value: match.Number("0")},
			match.Member{Name: "cacheScope", Value: match.String("private")},
		)})
}

func (s *script) capabilities() *match.Value {
	var paths []string
	for _, c := range s.t.Capabilities {
		if !strings.Contains(c, ":") { // those stand for what is no capability
			paths = append(paths, c)
		}
	}
	return revision.Capabilities(paths)
}
