package record

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/parley-mcp/parley/conformance/match"
	"github.com/parley-mcp/parley/conformance/revision"
	"github.com/parley-mcp/parley/conformance/transcript"
)

// Transcript returns what was recorded so far, as the text of a transcript. The error says what is missing for one.
func (r *Recorder) Transcript() ([]byte, error) {
	r.mu.Lock()
	w := &writer{events: clone(r.events), secrets: slices.Clone(r.secret), names: map[string]string{}}
	r.mu.Unlock()
	if err := w.findRevision(); err != nil {
		return nil, err
	}
	w.dropOpening()
	if len(w.events) == 0 {
		return nil, errors.New("nothing was recorded but the opening")
	}
	w.capture()
	text := w.text()
	if _, err := transcript.Parse("recorded.txtar", text); err != nil {
		return text, fmt.Errorf("the transcript needs a hand: %w", err)
	}
	return text, nil
}

// clone copies the events, so that the recorder may go on.
func clone(events []*event) []*event {
	copies := map[*event]*event{}
	var out []*event
	for _, e := range events {
		c := *e
		c.message = e.message.Clone()
		c.asked = copies[e.asked]
		copies[e] = &c
		out = append(out, &c)
	}
	return out
}

type writer struct {
	events  []*event
	facts   revision.Facts
	secrets []string
	opens   bool
	names   map[string]string // capture by the JSON of its value
}

// findRevision looks for what the two agreed, or for what a request says of itself.
func (w *writer) findRevision() error {
	for _, e := range w.events {
		version := e.message.Get("params", "_meta", revision.MetaVersion).Str()
		if e.fromServer && e.asked.message.Get("method").Str() == "initialize" {
			version = e.message.Get("result", "protocolVersion").Str()
		}
		if facts, ok := revision.Lookup(version); ok {
			w.facts = facts
			return nil
		}
	}
	return errors.New("the conversation names no revision that is known: nothing was recorded, or not from the beginning")
}

// dropOpening removes what the driver does by itself: the handshake, and the end of the session.
func (w *writer) dropOpening() {
	w.opens = true
	own := func(e *event) bool {
		method := e.message.Get("method").Str()
		return method == "initialize" || method == "notifications/initialized" || e.method == http.MethodDelete
	}
	if w.facts.Handshake && len(w.events) > 0 && w.events[0].message.Get("method").Str() != "initialize" {
		w.opens = false
		return
	}
	w.events = slices.DeleteFunc(w.events, func(e *event) bool {
		return !e.fromServer && own(e) || e.fromServer && e.asked != nil && own(e.asked)
	})
}

// minCapture is the length from which a text that travels both ways is taken for one that the server chose.
const minCapture = 8

// capture gives names to what the server chose and the client sent back: the ids of its requests, and texts that were first
// seen in what it sent.
func (w *writer) capture() {
	fromServer, fromClient := map[string]string{}, map[string]bool{}
	for _, e := range w.events {
		walk(e.message, "", func(name string, v *match.Value) {
			key := v.String()
			request := e.message.Get("method") != nil && e.message.Get("id") == v
			long := v.Kind == '"' && len(v.Text) >= minCapture
			switch {
			case e.fromServer && (request || long) && !fromClient[key] && fromServer[key] == "":
				fromServer[key] = name
			case !e.fromServer && fromServer[key] != "":
				w.name(key, fromServer[key])
			case !e.fromServer:
				fromClient[key] = true
			}
		})
	}
}

var notInName = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

func (w *writer) name(key, member string) {
	if w.names[key] != "" {
		return
	}
	base := notInName.ReplaceAllString(member, "-")
	taken := func(s string) bool {
		for _, have := range w.names {
			if have == s {
				return true
			}
		}
		return slices.Contains(transcript.Predefined, s)
	}
	name := base
	for n := 2; taken(name); n++ {
		name = fmt.Sprintf("%s-%d", base, n)
	}
	w.names[key] = name
}

// walk visits every scalar with the name of the member it stands in.
func walk(v *match.Value, name string, f func(string, *match.Value)) {
	if v == nil {
		return
	}
	for _, m := range v.Members {
		walk(m.Value, m.Name, f)
	}
	for _, item := range v.Items {
		walk(item, name, f)
	}
	if v.Kind == '"' || v.Kind == '0' {
		f(name, v)
	}
}

func (w *writer) text() []byte {
	var b strings.Builder
	b.WriteString("Recorded from a live conversation. Say here what it shows, and name the requirements that its\nsteps prove.\n\n")
	fmt.Fprintf(&b, "revisions: %s\ntransports: http\n", w.facts.Version)
	if !w.opens {
		b.WriteString("open: no\n")
	}
	for _, e := range w.events {
		if e.fromServer {
			w.came(&b, e)
		} else {
			w.sent(&b, e)
		}
	}
	return []byte(b.String())
}

func (w *writer) sent(b *strings.Builder, e *event) {
	if e.message == nil {
		fmt.Fprintf(b, "-- >http %s %s --\n", e.method, strings.ToLower(e.method))
		return
	}
	fmt.Fprintf(b, "-- > %s --\n%s\n", label(e.message), match.Format(w.hide(e.message, "", true)))
}

func (w *writer) came(b *strings.Builder, e *event) {
	kind, what := "<", "accepted"
	if method := e.message.Get("method").Str(); method != "" {
		what = method
		if slices.Contains(w.facts.Ambient, method) || method == "notifications/progress" || method == "notifications/message" {
			kind = "<?"
		}
	} else if e.message != nil && e.asked.message != nil {
		what = "answer to " + label(e.asked.message)
	}
	fmt.Fprintf(b, "-- %s %s --\nhttp: %d\n", kind, what, e.status)
	if e.message != nil {
		b.WriteString(match.Format(w.hide(e.message, "", false)) + "\n")
	}
}

func label(m *match.Value) string {
	method := m.Get("method").Str()
	if method == "" {
		return "answer"
	}
	for _, member := range []string{"name", "uri"} {
		if name := m.Get("params", member).Str(); name != "" && len(name) < 40 && !strings.ContainsAny(name, "[]\n") {
			return method + " " + name
		}
	}
	return method
}

var secretName = regexp.MustCompile(`(?i)(token|secret|password|authorization|credential|api[-_]?key)$`)

func secretMember(name string) bool { return secretName.MatchString(name) && name != "progressToken" }

// hide puts holes and masks in the place of values.
func (w *writer) hide(v *match.Value, name string, fromClient bool) *match.Value {
	if name == "_meta" && fromClient && v.Get(revision.MetaVersion) != nil {
		return match.String(metaHole(v))
	}
	if hole := w.names[v.String()]; hole != "" && (v.Kind == '"' || name == "id") {
		return match.String("{{$" + hole + "}}")
	}
	if v.Kind == '"' && !fromClient && secretMember(name) {
		return match.String("{{string}}")
	}
	if v.Kind == '"' {
		return match.String(w.mask(v.Text, name))
	}
	out := &match.Value{Kind: v.Kind, Text: v.Text}
	for _, m := range v.Members {
		out.Members = append(out.Members, match.Member{Name: m.Name, Value: w.hide(m.Value, m.Name, fromClient)})
	}
	for _, item := range v.Items {
		out.Items = append(out.Items, w.hide(item, name, fromClient))
	}
	return out
}

func (w *writer) mask(text, name string) string {
	if secretMember(name) {
		return "***"
	}
	for _, secret := range w.secrets {
		text = strings.ReplaceAll(text, secret, "***")
	}
	return strings.ReplaceAll(text, "{{", "{ {") // no hole was meant
}

// metaHole writes the metadata of a request as the hole that makes it.
func metaHole(meta *match.Value) string {
	words := []string{"{{meta"}
	for _, m := range meta.Members {
		switch m.Name {
		case revision.MetaVersion, revision.MetaClient:
		case revision.MetaCapabilities:
			words = append(words, paths(m.Value, "")...)
		case revision.MetaLogLevel:
			words = append(words, "logLevel="+m.Value.Str())
		default:
			words = append(words, m.Name+"="+m.Value.String())
		}
	}
	return strings.Join(words, " ") + "}}"
}

// paths lists the capabilities of an object: its leaves, as dotted paths.
func paths(v *match.Value, prefix string) []string {
	var out []string
	for _, m := range v.Members {
		path := m.Name
		if prefix != "" {
			path = prefix + "." + m.Name
		}
		if len(m.Value.Members) > 0 && prefix != "extensions" {
			out = append(out, paths(m.Value, path)...)
		} else {
			out = append(out, path)
		}
	}
	return out
}
