package transcript

import (
	"sort"

	"github.com/parley-mcp/parley/conformance/match"
)

// uses checks that every name is known where it is needed, that every capture and constant is used, and that labels which
// other steps name exist.
func (p *parser) uses() {
	u := &usage{p: p, line: map[string]int{}, count: map[string]int{}}
	for _, name := range Predefined {
		if p.t.Lets[name] != nil {
			p.errorf(1, "let %s: the name is taken: {{$%s}} is known in every transcript", name, name)
		}
		p.t.Lets[name] = &match.Value{Kind: 'n'}
		defer delete(p.t.Lets, name)
	}
	labels := map[string]bool{}
	for i, s := range p.t.Steps {
		u.step(s)
		if s.Kind == Again {
			p.again(i)
		}
		if s.Kind == Close && !labels[s.Label] {
			p.errorf(s.Line, ">close %s: no step before it that sends has this label", s.Label)
		}
		if s.HTTP.On != "" && !labels[s.HTTP.On] {
			p.errorf(s.Line, "http: @on %s: no step before it that sends has this label", s.HTTP.On)
		}
		if s.Kind.Sends() && s.Kind != Close {
			labels[s.Label] = true
		}
	}
	for _, pattern := range p.t.Answers {
		whole, inside := pattern.Names()
		for _, name := range append(whole, inside...) {
			u.count[name]++
		}
	}
	for _, name := range sortedNames(u.line) {
		if u.count[name] < 2 {
			p.errorf(u.line[name], "{{$%s}} is captured and never used: use it, or write {{any}} or a kind", name)
		}
	}
	for name := range p.t.Lets {
		if u.count[name] == 0 && !Holds(Predefined, name) {
			p.errorf(1, "let %s is never used", name)
		}
	}
	p.ends()
}

// again checks that a <~ step stands where it can ask once more, and that something is to come in the end.
func (p *parser) again(i int) {
	s, asked := p.t.Steps[i], i
	for asked > 0 && p.t.Steps[asked].Kind == Again {
		asked--
	}
	request := p.t.Steps[asked]
	switch id := pinned(request, "id"); {
	case request.Kind != Send || id == nil || pinned(request, "method") == nil:
		p.errorf(s.Line, "<~ asks once more what the > step right before it has asked: put it behind a request with an id")
	case s.Pattern != nil && !match.Equal(id, pinned(s, "id")):
		p.errorf(s.Line, "<~ is an answer to the > step before it: give it the same id")
	case s.HTTP.set():
		p.errorf(s.Line, "<~ has no http: lines: put them under the < step that it leads to")
	}
	for _, next := range p.t.Steps[i:] {
		if next.Kind == Expect && next.Pattern != nil {
			return
		}
		if next.Kind.Sends() {
			break
		}
	}
	p.errorf(s.Line, "<~ needs a < step behind it: the answer that ends the asking")
}

func pinned(s *Step, name string) *match.Value {
	if s.Pattern == nil {
		return nil
	}
	return s.Pattern.Pinned(name)
}

// ends checks that there is something to judge.
func (p *parser) ends() {
	for _, s := range p.t.Steps {
		if !s.written() {
			return
		}
	}
	if len(p.t.Steps) > 0 && p.t.Client != nil {
		p.errorf(p.t.Steps[0].Line, "nothing is expected of the client: add a > section")
	} else if len(p.t.Steps) > 0 {
		p.errorf(p.t.Steps[0].Line, "nothing is expected of the server: add a < section")
	}
}

type usage struct {
	p     *parser
	line  map[string]int // where a capture is first seen
	count map[string]int
}

func (u *usage) step(s *Step) {
	var whole, inside []string
	add := func(w, i []string) { whole, inside = append(whole, w...), append(inside, i...) }
	if s.Pattern != nil {
		add(s.Pattern.Names())
	}
	if s.Raw != nil {
		add(nil, s.Raw.names())
	}
	texts := []*match.Text{s.HTTP.EventID, s.HTTP.Retry, s.HTTP.Path}
	for _, h := range s.HTTP.Headers {
		texts = append(texts, h.Value)
	}
	for _, t := range texts {
		if t != nil {
			add(t.Names())
		}
	}
	for _, name := range whole {
		if s.written() || s.Kind == Forbid || s.Kind == Never {
			u.need(s, name)
		} else if u.line[name] == 0 && u.p.t.Lets[name] == nil {
			u.line[name] = s.Line
		}
		u.count[name]++
	}
	for _, name := range inside {
		u.need(s, name)
		u.count[name]++
	}
}

func (u *usage) need(s *Step, name string) {
	if u.line[name] == 0 && u.p.t.Lets[name] == nil {
		side := "<"
		if s.judgesClient {
			side = ">"
		}
		u.p.errorf(s.Line, "{{$%s}} is not known here: capture it in a %s section above, or write a let section", name, side)
	}
}

func sortedNames(m map[string]int) []string {
	var out []string
	for name := range m {
		out = append(out, name)
	}
	sort.Strings(out)
	return out
}
