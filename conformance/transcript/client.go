package transcript

import (
	"strings"

	"github.com/parley-mcp/parley/conformance/match"
)

// A Task is what a client under test is to do: what a transcript that judges clients asks of the program around the client.
// The rest a client does by itself: it opens, lists, tries again.
type Task struct {
	// Calls are the requests that it makes, one when the one before it is over: objects with the members method and params.
	// One with the member progress asks for progress; one with cancel is given up as soon as the client has heard something of
	// it; one with mayFail need not succeed; one with listed is made only if the client shows the tool in its list. The members
	// are true.
	Calls []*match.Value
	// Answers are the results that it gives when it is asked, by method: elicitation/create, roots/list,
	// sampling/createMessage. A client declares the capability of each, and of no other.
	Answers *match.Value
}

// asked are the capabilities of clients, by what a server then asks of them.
var asked = map[string]string{
	"elicitation/create": "elicitation", "roots/list": "roots", "sampling/createMessage": "sampling",
}

// Capabilities are those that the client is to declare. The task may be nil.
func (t *Task) Capabilities() []string {
	if t == nil || t.Answers == nil {
		return nil
	}
	var out []string
	for _, m := range t.Answers.Members {
		out = append(out, asked[m.Name])
	}
	return out
}

// JSON is the task as it stands in a transcript.
func (t *Task) JSON() *match.Value {
	out := match.Object(match.Member{Name: "calls", Value: &match.Value{Kind: '[', Items: t.Calls}})
	if t.Answers != nil {
		out.Set("answers", t.Answers)
	}
	return out
}

// misplaced says why a section may not stand in its transcript; empty if it may.
func (s *Step) misplaced() string {
	switch {
	case s.Kind == Never && !s.judgesClient:
		return "a >! section belongs into a transcript that judges clients: write its client section first"
	case s.judgesClient && (s.Kind == SendRaw || s.Kind.NeedNotCome() || s.Kind == Forbid):
		return "a transcript that judges clients has no " + string(s.Kind) + " section: write >, >http METHOD, >close, >! and <"
	}
	return ""
}

// client reads the section that says what a client under test is to do.
func (p *parser) client(s *Step, body []byte) {
	v, err := match.Parse(body)
	switch {
	case err != nil:
		p.errorf(s.BodyLine, "client: %v", err)
	case p.t.Client != nil || len(p.t.Steps) > 0:
		p.errorf(s.Line, "the client section stands once, before the first step")
	case v.Kind != '{':
		p.errorf(s.BodyLine, `client: write an object with the members calls and answers`)
	default:
		p.t.Client = &Task{}
		for _, m := range v.Members {
			p.task(s, m.Name, m.Value)
		}
	}
}

func (p *parser) task(s *Step, name string, v *match.Value) {
	switch name {
	case "calls":
		p.t.Client.Calls = v.Items
		for _, call := range v.Items {
			if !isCall(call) {
				p.errorf(s.BodyLine, "client: a call has a method and params, and may have progress, cancel, mayFail and listed, each true: not %s", call)
			}
		}
	case "answers":
		p.t.Client.Answers = v
		for _, m := range v.Members {
			if asked[m.Name] == "" {
				p.errorf(s.BodyLine, "client: nobody is asked %q: answer elicitation/create, roots/list or sampling/createMessage", m.Name)
			}
		}
	default:
		p.errorf(s.BodyLine, "client: unknown member %q: write calls and answers", name)
	}
}

func isCall(call *match.Value) bool {
	for _, m := range call.All() {
		switch m.Name {
		case "method", "params":
		case "progress", "cancel", "mayFail", "listed":
			if m.Value.Kind != 't' {
				return false
			}
		default:
			return false
		}
	}
	params := call.Get("params")
	return call.Get("method").Str() != "" && params != nil && params.Kind == '{'
}

// answer reads what a client gets at any time.
func (p *parser) answer(s *Step, body []byte) {
	pattern, err := match.Compile(body)
	if err == nil {
		err = pattern.CheckSendable()
	}
	switch {
	case err != nil:
		p.errorf(s.BodyLine, "answer %s: %v", s.Label, err)
	case p.t.Client == nil:
		p.errorf(s.Line, "answer %s: only a transcript that judges clients has answers: write its client section first", s.Label)
	case s.Label == "" || strings.Contains(s.Label, " "):
		p.errorf(s.Line, "answer %q: write one method", s.Label)
	case p.t.Answers[s.Label] != nil:
		p.errorf(s.Line, "answer %s stands twice", s.Label)
	default:
		p.t.Answers[s.Label] = pattern
	}
}
