package watch

import (
	"net/http"

	"github.com/parley-mcp/parley/conformance/match"
	"github.com/parley-mcp/parley/conformance/revision"
	"github.com/parley-mcp/parley/conformance/schema"
)

// An Incoming is one thing that a client sent: a line, or an HTTP request.
type Incoming struct {
	// Method and Header are those of the HTTP request; Method is empty over stdio.
	Method string
	Header http.Header
	Body   []byte
}

// message is one message, with what carried it. What is no JSON, and a bare HTTP request, has a nil value.
type message struct {
	Incoming
	whole  *match.Value // all that the body holds
	value  *match.Value
	method string
	id     *match.Value
	inside bool // it came inside an array
	first  bool // it is the first of its body
}

func (m *message) request() bool      { return m.method != "" && m.id != nil }
func (m *message) notification() bool { return m.method != "" && m.id == nil }
func (m *message) response() bool {
	return m.value != nil && m.method == "" && (m.value.Get("result") != nil || m.value.Get("error") != nil)
}
func (m *message) params() *match.Value { return m.value.Get("params") }
func (m *message) meta(key string) *match.Value {
	return m.value.Get("params", "_meta", key)
}

// An Outcome is what a check came to.
type Outcome struct {
	*Check
	// Looked is how often it had something to look at.
	Looked int
	// Problems are what it found, each kind once, in the order in which they came; Sent is what the client sent at the first.
	Problems []string
	Sent     string
}

// A Watcher follows one conversation. It is not safe for use by several goroutines at once.
type Watcher struct {
	facts     revision.Facts
	transport string
	schema    *schema.Schema
	outcomes  map[*Check]*Outcome

	ids     map[string]bool     // every id that the client has used
	pending map[string]*message // its requests without an answer
	closed  map[string]bool     // its requests that were answered
	asked   map[string]*match.Value
	told    map[string]bool // the server's requests that were answered
	tokens  map[string]string
	given   map[string]map[string]bool // cursors, by the method that gets them
	schemas map[string]*match.Value    // the input schema of each tool, as it was last listed
	rounds  []*round

	opening     string // the id of initialize
	opened      bool   // initialize was answered with a result
	initialized bool   // the client said that it is ready
	lost        bool   // the server has given up a session
	version     string
	session     string
	server      *match.Value // what the server declared
	client      *match.Value // what the client declared last
}

// New returns a watcher of a conversation at a revision. The transport is "http" or "stdio".
func New(facts revision.Facts, transport string) *Watcher {
	w := &Watcher{facts: facts, transport: transport, outcomes: map[*Check]*Outcome{}, tokens: map[string]string{},
		given: map[string]map[string]bool{}, schemas: map[string]*match.Value{}, told: map[string]bool{}}
	w.schema, _ = schema.For(facts.Version)
	w.begin()
	return w
}

// begin forgets what holds for one session alone.
func (w *Watcher) begin() {
	w.ids, w.pending, w.closed = map[string]bool{}, map[string]*message{}, map[string]bool{}
	w.asked = map[string]*match.Value{}
	w.opening, w.opened, w.initialized, w.version, w.session = "", false, false, "", ""
}

// Outcomes are those of all checks that are about the revision and the transport, by name.
func (w *Watcher) Outcomes() []Outcome {
	var out []Outcome
	for _, c := range checks {
		if !c.about(w.facts, w.transport) {
			continue
		}
		if o := w.outcomes[c]; o != nil {
			out = append(out, *o)
		} else {
			out = append(out, Outcome{Check: c})
		}
	}
	return out
}

// Sent looks at what the client has sent, before it is answered.
func (w *Watcher) Sent(in Incoming) {
	whole, _ := match.Parse(in.Body)
	m := &message{Incoming: in, whole: whole, value: whole, first: true}
	if whole == nil || whole.Kind != '[' {
		w.one(m)
		return
	}
	for i, item := range whole.Items {
		inner := *m
		inner.value, inner.inside, inner.first = item, true, i == 0
		w.one(&inner)
	}
}

func (w *Watcher) one(m *message) {
	m.method, m.id = m.value.Get("method").Str(), m.value.Get("id")
	if w.probe(m) {
		return
	}
	if m.method == "initialize" && m.id != nil && w.opened {
		w.begin()
	}
	for _, c := range checks {
		if !c.about(w.facts, w.transport) {
			continue
		}
		problem, ok := c.look(w, m)
		if !ok {
			continue
		}
		o := w.outcomes[c]
		if o == nil {
			o = &Outcome{Check: c}
			w.outcomes[c] = o
		}
		o.Looked++
		o.object(problem, m)
	}
	w.remember(m)
}

// maxProblems bounds the kinds of problem of one check that are kept.
const maxProblems = 20

func (o *Outcome) object(problem string, m *message) {
	if problem == "" || len(o.Problems) == maxProblems {
		return
	}
	for _, known := range o.Problems {
		if known == problem {
			return
		}
	}
	if o.Problems = append(o.Problems, problem); len(o.Problems) == 1 {
		o.Sent = m.show()
	}
}

// probe reports whether a message asks for the other way to open: a client that knows both may try both, and what it says in
// the wrong one is judged where the right one is played.
func (w *Watcher) probe(m *message) bool {
	if w.facts.Handshake {
		return !w.opened && m.meta(revision.MetaVersion) != nil
	}
	return m.method == "initialize" || m.method == "notifications/initialized"
}

// remember keeps what later messages are held against.
func (w *Watcher) remember(m *message) {
	switch {
	case m.request():
		key := m.id.String()
		w.ids[key] = true
		w.pending[key] = m
		if token := m.meta("progressToken"); token != nil {
			w.tokens[token.String()] = key
		}
		if m.method == "initialize" {
			w.opening = key
			w.client = m.value.Get("params", "capabilities")
		} else if caps := m.meta(revision.MetaCapabilities); caps != nil {
			w.client = caps
		}
	case m.method == "notifications/initialized":
		w.initialized = true
	case m.method == "notifications/cancelled":
		w.settle(m.value.Get("params", "requestId"))
	case m.response():
		w.told[m.id.String()] = true
	}
}

// Answered looks at what the client is told: a message, and over HTTP the header that carries it, else nil.
func (w *Watcher) Answered(v *match.Value, header http.Header) {
	if v.Get("method") != nil {
		if id := v.Get("id"); id != nil {
			w.asked[id.String()] = v
		}
		return
	}
	id := v.Get("id")
	request := w.pending[id.String()]
	if request == nil {
		return
	}
	w.settle(id)
	result := v.Get("result")
	if result == nil {
		return
	}
	switch request.method {
	case "initialize":
		w.opened, w.version, w.server = true, result.Get("protocolVersion").Str(), result.Get("capabilities")
		w.session = header.Get("Mcp-Session-Id")
	case "server/discover":
		w.server = result.Get("capabilities")
	case "tools/list":
		if tools := result.Get("tools"); tools != nil {
			for _, tool := range tools.Items {
				w.schemas[tool.Get("name").Str()] = tool.Get("inputSchema")
			}
		}
	}
	if next := result.Get("nextCursor"); next != nil {
		if w.given[request.method] == nil {
			w.given[request.method] = map[string]bool{}
		}
		w.given[request.method][next.Str()] = true
	}
	w.openRound(request, result)
}

// Gone says that the server has given the session up.
func (w *Watcher) Gone() {
	w.begin()
	w.lost = true
}

// settle ends a request.
func (w *Watcher) settle(id *match.Value) {
	if id == nil {
		return
	}
	key := id.String()
	if w.pending[key] != nil {
		delete(w.pending, key)
		w.closed[key] = true
	}
	for token, owner := range w.tokens {
		if owner == key {
			delete(w.tokens, token)
		}
	}
}

// maxShown bounds what is shown of a message, in bytes.
const maxShown = 2 << 10

func (m *message) show() string {
	var b []byte
	if m.Method != "" {
		b = append(b, m.Method+"\n"...)
		for _, name := range []string{"Content-Type", "Accept", "MCP-Protocol-Version", "Mcp-Session-Id", "Mcp-Method", "Mcp-Name", "Last-Event-ID"} {
			for _, value := range m.Header.Values(name) {
				b = append(b, name+": "+value+"\n"...)
			}
		}
		b = append(b, '\n')
	}
	if b = append(b, m.Body...); len(b) > maxShown {
		b = append(b[:maxShown], "..."...)
	}
	return string(b)
}
