package match

import (
	"errors"
	"fmt"
	"strings"
)

// ErrUnknown is the error of a capture that has no value.
var ErrUnknown = errors.New("nothing was captured")

func unknown(name string) error { return fmt.Errorf("{{$%s}}: %w", name, ErrUnknown) }

// Expand fills the holes of what a client sends. A name without a value is [ErrUnknown].
func (p *Pattern) Expand(env *Env) (*Value, error) { return p.root.expand(env) }

func (n *node) expand(env *Env) (*Value, error) {
	switch {
	case n.hole != nil && n.hole.word == "meta":
		return env.meta(n.hole.meta), nil
	case n.hole != nil:
		if v := env.lookup(n.hole.name); v != nil {
			return v, nil
		}
		return nil, unknown(n.hole.name)
	case n.pieces != nil:
		text, err := fill(n.pieces, env.lookup)
		return String(text), err
	}
	out := &Value{Kind: n.value.Kind, Text: n.value.Text}
	for _, m := range n.members {
		v, err := m.node.expand(env)
		if err != nil {
			return nil, err
		}
		name := m.name
		if m.capture != "" {
			if name, err = fill([]piece{{name: m.capture}}, env.lookup); err != nil {
				return nil, err
			}
		}
		if v != nil {
			out.Members = append(out.Members, Member{name, v})
		}
	}
	for _, item := range n.items {
		v, err := item.expand(env)
		if err != nil {
			return nil, err
		}
		out.Items = append(out.Items, v)
	}
	return out, nil
}

func fill(pieces []piece, lookup func(string) *Value) (string, error) {
	var b strings.Builder
	for _, p := range pieces {
		if p.name == "" {
			b.WriteString(p.text)
			continue
		}
		v := lookup(p.name)
		if v == nil {
			return "", unknown(p.name)
		}
		text, err := scalarText(v)
		if err != nil {
			return "", fmt.Errorf("{{$%s}}: %w", p.name, err)
		}
		b.WriteString(text)
	}
	return b.String(), nil
}

// Example builds a message that the pattern accepts: what a server would send that holds to it and sends nothing more.
// Captures that are new are kept in env.
func (p *Pattern) Example(env *Env) (*Value, error) { return p.root.example(env) }

func (n *node) example(env *Env) (*Value, error) {
	switch {
	case n.hole != nil:
		if n.hole.word != "$" {
			return n.hole.example(), nil
		}
		if v := env.lookup(n.hole.name); v != nil {
			return v, nil
		}
		v := n.hole.example()
		env.Set(n.hole.name, v)
		return v, nil
	case n.pieces != nil:
		text, err := fill(n.pieces, env.lookup)
		return String(text), err
	}
	out := &Value{Kind: n.value.Kind, Text: n.value.Text}
	for _, m := range n.members {
		v, err := m.node.example(env)
		if err != nil {
			return nil, err
		}
		name := m.name
		if m.capture != "" {
			if env.lookup(m.capture) == nil {
				env.Set(m.capture, String("captured-"+m.capture))
			}
			name = env.lookup(m.capture).Str()
		}
		if v != nil {
			out.Members = append(out.Members, Member{name, v})
		}
	}
	for _, item := range n.items {
		v, err := item.example(env)
		if err != nil {
			return nil, err
		}
		out.Items = append(out.Items, v)
	}
	return out, nil
}

// A Text is a pattern of one line of text, such as the value of an HTTP header: a hole from end to end, or text with
// captures inside.
type Text struct{ node *node }

// CompileText reads the pattern of a text.
func CompileText(s string) (*Text, error) {
	n := &node{value: String(s)}
	if err := n.compileString(s, true); err != nil {
		return nil, err
	}
	if n.hole != nil && n.hole.word == "meta" {
		return nil, fmt.Errorf("hole {{meta ...}} belongs into the JSON of what the client sends")
	}
	return &Text{n}, nil
}

// Source is the text as it was written.
func (t *Text) Source() string { return t.node.value.Text }

// Absent reports whether the text is the hole {{absent}}.
func (t *Text) Absent() bool { return t.node.hole != nil && t.node.hole.word == "absent" }

// Plain returns the text if it has no holes.
func (t *Text) Plain() (string, bool) {
	return t.node.value.Text, t.node.hole == nil && t.node.pieces == nil
}

// Names is like [Pattern.Names].
func (t *Text) Names() (whole, inside []string) { return (&Pattern{root: t.node}).Names() }

// Match compares a text that came; present is false if there was none.
func (t *Text) Match(path, s string, present bool, env *Env) Differences {
	c := &comparison{env: env, fresh: map[string]*Value{}}
	var v *Value
	if present {
		v = String(s)
	}
	c.node(path, t.node, v)
	if len(c.diffs) == 0 {
		for name, value := range c.fresh {
			env.Set(name, value)
		}
	}
	return c.diffs
}

// Expand fills the captures of a text that is sent.
func (t *Text) Expand(env *Env) (string, error) {
	v, err := t.node.expand(env)
	if err != nil {
		return "", err
	}
	return scalarText(v)
}

// Example builds a text that the pattern accepts.
func (t *Text) Example(env *Env) (string, error) {
	v, err := t.node.example(env)
	if err != nil || v == nil {
		return "", err
	}
	return scalarText(v)
}
