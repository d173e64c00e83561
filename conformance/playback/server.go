package playback

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/parley-mcp/parley/conformance/match"
	"github.com/parley-mcp/parley/conformance/revision"
	"github.com/parley-mcp/parley/conformance/transcript"
	"github.com/parley-mcp/parley/internal/sse"
)

// A Server plays one transcript once, over HTTP as an http.Handler or over two streams.
type Server struct {
	script  *script
	streams []*stream
	byID    map[string]*stream // of the answer that is due to a request
	byLabel map[string]*stream
	last    *stream
}

// New returns a server that plays the transcript at a revision, faithfully if lie is the zero value.
func New(t *transcript.Transcript, facts revision.Facts, lie Lie) *Server {
	return &Server{script: newScript(t, facts, lie), byID: map[string]*stream{}, byLabel: map[string]*stream{}}
}

// Findings are what the client did wrong so far, and what it has not yet done.
func (s *Server) Findings() []Finding { return s.script.finish() }

// Over is closed when every step has been played.
func (s *Server) Over() <-chan struct{} { return s.script.over }

// ServeLines plays over two streams, one message a line, until in ends.
func (s *Server) ServeLines(in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxBody)
	for lines.Scan() {
		for _, v := range s.line(lines.Bytes()) {
			if _, err := out.Write(append(v.Append(nil), '\n')); err != nil {
				return err
			}
		}
	}
	return lines.Err()
}

func (s *Server) line(text []byte) []*match.Value {
	s.script.mu.Lock()
	defer s.script.mu.Unlock()
	in := newIncoming("", nil, append([]byte(nil), text...))
	if s.script.t.Client != nil {
		return s.lineOfClient(in)
	}
	step, err := s.script.take(in)
	if err != nil {
		return []*match.Value{refusal(in.message.Get("id"), err)}
	}
	var out []*match.Value
	if step < 0 {
		if id := in.message.Get("id"); id != nil {
			out = append(out, s.script.hello(id))
		}
		return out
	}
	return s.played()
}

// played are the messages of the server, once the client has done all that comes before them.
func (s *Server) played() []*match.Value {
	if !s.script.ready() {
		return nil
	}
	answer, err := s.script.answer()
	if err != nil {
		return []*match.Value{refusal(nil, err)}
	}
	var out []*match.Value
	for _, l := range answer {
		if l.message != nil {
			out = append(out, l.message)
		}
		if s.script.lie.at(l.step) && s.script.lie.Body != "" {
			out = append(out, match.String(s.script.lie.Body))
		}
	}
	return out
}

func refusal(id *match.Value, err error) *match.Value {
	out := match.Object(match.Member{Name: "jsonrpc", Value: match.String("2.0")})
	if id != nil {
		out.Set("id", id)
	}
	return out.Set("error", match.Object(
		match.Member{Name: "code", Value: match.Number("-32600")},
		match.Member{Name: "message", Value: match.String(err.Error())}))
}

// maxBody bounds what a client may send, in bytes.
const maxBody = 64 << 20

// A stream is the answer to one HTTP request.
type stream struct {
	due   map[string]bool // ids of requests that are not answered yet
	asks  bool
	http  bool      // a bare HTTP request to the endpoint, such as a GET that listens
	get   bool      // that opens a stream
	parts chan part // what to write, a block at a time
}

// A part is what a block brings for one stream.
type part struct {
	lines  []delivery
	events bool // it travels as events, even if nothing was written yet
	last   bool // nothing comes behind it
}

// A delivery is one line with what HTTP puts around it.
type delivery struct {
	line
	status   int
	header   http.Header
	eventID  string
	retry    string
	comments []string
	event    bool // it must travel as an event: it is no response
	lies     bool // its head is the one that the answer gets
	end      bool
	goesOn   bool // nothing ends the stream behind it
	body     string
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if err != nil {
		return // the client hung up
	}
	st := s.receive(w, r, newIncoming(r.Method, r.Header, body))
	if st == nil {
		return
	}
	started := false
	for {
		select {
		case <-r.Context().Done():
			s.hungUp(st)
			return
		case part := <-st.parts:
			if !started && !part.events {
				writeWhole(w, part.lines)
				return
			}
			if writeEvents(w, part.lines, !started); part.last {
				return
			}
			started = true
		}
	}
}

// receive takes a request in and returns the stream on which it is answered, or nil if it has been.
func (s *Server) receive(w http.ResponseWriter, r *http.Request, in incoming) *stream {
	s.script.mu.Lock()
	defer s.script.mu.Unlock()
	s.script.reached(r)
	if s.script.t.Client != nil {
		return s.receiveOfClient(w, in)
	}
	step, err := s.script.take(in)
	switch {
	case err != nil:
		writeJSON(w, http.StatusBadRequest, refusal(in.message.Get("id"), err))
		return nil
	case step < 0 && in.message.Get("id") != nil:
		if transcript.Holds(s.script.t.Capabilities, "http:session") {
			w.Header().Set("Mcp-Session-Id", "playback-session-0001")
		}
		writeJSON(w, http.StatusOK, s.script.hello(in.message.Get("id")))
		return nil
	case step < 0 && in.method == http.MethodGet:
		w.WriteHeader(http.StatusMethodNotAllowed)
		return nil
	case step < 0:
		w.WriteHeader(http.StatusAccepted)
		return nil
	}
	st := s.open(s.script.t.Steps[step], in)
	if s.script.ready() {
		s.deliver()
	}
	return st
}

// open makes the stream of a request that fulfils a step.
func (s *Server) open(step *transcript.Step, in incoming) *stream {
	st := &stream{due: map[string]bool{}, http: step.Kind == transcript.SendHTTP && step.HTTP.Path == nil,
		get: step.Kind == transcript.SendHTTP && step.HTTP.Path == nil && step.Method == http.MethodGet, parts: make(chan part, len(s.script.t.Steps)+1)}
	members := []*match.Value{in.message}
	if in.message != nil && in.message.Kind == '[' {
		members = in.message.Items
	}
	for _, m := range members {
		if id := m.Get("id"); id != nil && m.Get("method") != nil {
			st.due[id.String()], st.asks = true, true
			s.byID[id.String()] = st
		}
	}
	s.streams = append(s.streams, st)
	s.byLabel[step.Label] = st
	s.last = st
	return st
}

// deliver hands the block's messages to the streams that carry them. A request that asks for nothing and is given nothing
// is accepted.
func (s *Server) deliver() {
	lines, err := s.script.answer()
	if err != nil {
		lines = []line{{message: refusal(nil, err)}}
	}
	parts := map[*stream][]delivery{}
	for _, l := range lines {
		st := s.streamOf(l)
		parts[st] = append(parts[st], s.around(l, st))
		if id := l.message.Get("id"); id != nil {
			delete(st.due, id.String())
		}
	}
	open := s.streams[:0]
	for _, st := range s.streams {
		if len(parts[st]) == 0 && !st.asks && !st.http {
			parts[st] = []delivery{{status: http.StatusAccepted}}
		}
		if len(parts[st]) > 0 {
			st.parts <- st.part(parts[st])
		}
		if st.asks || st.http {
			open = append(open, st)
		}
	}
	s.streams = open
}

// streamOf says which stream carries a line.
func (s *Server) streamOf(l line) *stream {
	step := s.script.t.Steps[l.step]
	if st := s.byLabel[step.HTTP.On]; st != nil {
		return st
	}
	if step.Pattern != nil {
		if id := step.Pattern.Pinned("id"); id != nil && !step.Pattern.Has("method") {
			actual := id
			if mapped := s.script.ids[id.String()]; mapped != nil {
				actual = mapped
			}
			if st := s.byID[actual.String()]; st != nil {
				return st
			}
		}
	}
	return s.last
}

// around adds what the step says of HTTP.
func (s *Server) around(l line, st *stream) delivery {
	step := s.script.t.Steps[l.step]
	d := delivery{line: l, status: http.StatusOK, header: http.Header{}, end: step.HTTP.End}
	if l.message == nil && !st.http && !step.Priming() {
		d.status = http.StatusAccepted
	}
	if step.HTTP.Status != "" {
		d.status = step.HTTP.Status.Example()
	}
	for _, h := range step.HTTP.Headers {
		if !h.Value.Absent() {
			value, _ := h.Value.Example(s.script.env)
			d.header.Set(h.Name, value)
		}
	}
	if step.HTTP.EventID != nil {
		d.eventID, _ = step.HTTP.EventID.Example(s.script.env)
	}
	if step.HTTP.Retry != nil && !step.HTTP.Retry.Absent() {
		if d.retry, _ = step.HTTP.Retry.Example(s.script.env); strings.Trim(d.retry, "0123456789") != "" {
			d.retry = "10"
		}
	}
	d.comments = step.HTTP.Comments
	d.event = step.Priming() || len(d.comments) > 0 || d.eventID != "" || d.retry != "" || step.Pattern != nil && step.Pattern.Has("method")
	s.lieAbout(&d)
	return d
}

func (s *Server) lieAbout(d *delivery) {
	lie := s.script.lie
	if !lie.at(d.step) {
		return
	}
	if lie.Status != 0 {
		d.status = lie.Status
	}
	if lie.NoEventID {
		d.eventID = ""
	}
	d.end, d.goesOn = d.end && !lie.NoEnd, lie.NoEnd
	for name, value := range lie.Header {
		if d.header.Del(name); value != "" {
			d.header.Set(name, value)
		}
	}
	d.body, d.lies = lie.Body, lie.Status != 0 || lie.Header != nil
}

// part says how a block's lines travel: as events if they are more than the answers that are due, or not all of them.
func (st *stream) part(lines []delivery) part {
	p := part{lines: lines, last: st.asks && len(st.due) == 0}
	p.events = st.asks && len(st.due) > 0 && lines[0].status == http.StatusOK
	if st.get { // a bare GET opens a stream unless the transcript says otherwise
		p.events = lines[0].status == http.StatusOK && lines[0].body == ""
	}
	for _, d := range lines {
		p.last = p.last || d.end
		p.events = p.events || d.event || d.message.Get("method") != nil || d.goesOn
		if d.lies {
			lines[0].status, lines[0].header = d.status, d.header
		}
	}
	if slices.ContainsFunc(lines, func(d delivery) bool { return d.goesOn }) {
		p.last = false
	}
	return p
}

func writeWhole(w http.ResponseWriter, parts []delivery) {
	first := parts[0]
	for name, values := range first.header {
		w.Header()[name] = values
	}
	var messages []*match.Value
	for _, d := range parts {
		if d.message != nil {
			messages = append(messages, d.message)
		}
	}
	switch {
	case len(messages) == 0:
		w.WriteHeader(first.status)
		_, _ = io.WriteString(w, first.body)
	case len(messages) == 1:
		writeJSON(w, first.status, messages[0])
	default:
		writeJSON(w, first.status, &match.Value{Kind: '[', Items: messages})
	}
}

func writeJSON(w http.ResponseWriter, status int, v *match.Value) {
	if w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", "application/json")
	}
	w.WriteHeader(status)
	_, _ = w.Write(v.Append(nil))
}

// writeEvents writes a block as events.
func writeEvents(w http.ResponseWriter, parts []delivery, first bool) {
	if first {
		for name, values := range parts[0].header {
			w.Header()[name] = values
		}
		if w.Header().Get("Content-Type") == "" {
			w.Header().Set("Content-Type", "text/event-stream")
		}
		w.WriteHeader(parts[0].status)
	}
	var b []byte
	for _, d := range parts {
		for _, text := range d.comments {
			b = fmt.Appendf(b, ": %s\n", text)
		}
		if d.retry != "" {
			b = fmt.Appendf(b, "retry: %s\n", d.retry)
		}
		switch {
		case d.message != nil:
			b = sse.AppendMessage(b, d.eventID, d.message.Append(nil))
		case d.event:
			b = sse.AppendPriming(b, d.eventID)
		}
	}
	_, _ = w.Write(b)
	_ = http.NewResponseController(w).Flush()
}
