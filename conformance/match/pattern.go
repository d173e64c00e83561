package match

import (
	"fmt"
	"sort"
	"strings"
)

// A Pattern is compiled JSON with holes.
type Pattern struct {
	root *node
	// Source is the JSON it was compiled from.
	Source *Value
}

// node is one value of a pattern: a hole, a string with captures inside, or a plain value.
type node struct {
	hole    *hole
	pieces  []piece // a string around captures
	value   *Value  // kind and text of a plain value
	members []namedNode
	items   []*node
	open    bool // object: further members; array: further items at the end
	head    bool // array: further items at the beginning
}

// namedNode is a member. If capture is set, the name is whatever has been, or is, captured under it.
type namedNode struct {
	name    string
	capture string
	node    *node
}

// Compile reads a pattern. An unknown hole, or one in a place where it means nothing, is an error.
func Compile(data []byte) (*Pattern, error) {
	v, err := Parse(data)
	if err != nil {
		return nil, err
	}
	n, err := compile(v, false)
	if err != nil {
		return nil, err
	}
	return &Pattern{root: n, Source: v}, nil
}

func compile(v *Value, member bool) (*node, error) {
	n := &node{value: v}
	var err error
	switch v.Kind {
	case '"':
		err = n.compileString(v.Text, member)
	case '{':
		err = n.compileMembers(v)
	case '[':
		err = n.compileItems(v)
	}
	return n, err
}

func (n *node) compileString(text string, member bool) error {
	h, ok, err := parseHole(text)
	if err != nil {
		return err
	}
	if ok {
		if h.word == "absent" && !member {
			return fmt.Errorf("hole {{absent}} may only be the value of a member")
		}
		n.hole = h
		return nil
	}
	if strings.Contains(text, "{{") {
		n.pieces, err = piecewise(text)
	}
	return err
}

func (n *node) compileMembers(v *Value) error {
	for _, m := range v.Members {
		if m.Name == "..." {
			if m.Value.Kind != '"' || m.Value.Text != "" {
				return fmt.Errorf(`the member "..." opens an object: its value must be ""`)
			}
			n.open = true
			continue
		}
		child, err := compile(m.Value, true)
		if err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
		member := namedNode{name: m.Name, node: child}
		if strings.Contains(m.Name, "{{") {
			if member, err = capturedName(m.Name, child); err != nil {
				return err
			}
		}
		n.members = append(n.members, member)
	}
	return nil
}

// capturedName reads a hole that is the name of a member.
func capturedName(text string, child *node) (namedNode, error) {
	h, ok, err := parseHole(text)
	if err != nil || !ok || h.word != "$" {
		return namedNode{}, fmt.Errorf("member name %q: only a capture such as {{$name}} can be a name", text)
	}
	return namedNode{capture: h.name, node: child}, nil
}

func (n *node) compileItems(v *Value) error {
	last := len(v.Items) - 1
	for i, item := range v.Items {
		if item.Kind == '"' && item.Text == "..." {
			switch i {
			case last:
				n.open = true
			case 0:
				n.head = true
			default:
				return fmt.Errorf(`the item "..." opens an array: it may only be the first or the last`)
			}
			continue
		}
		child, err := compile(item, false)
		if err != nil {
			return fmt.Errorf("[%d]: %w", i, err)
		}
		n.items = append(n.items, child)
	}
	return nil
}

// Names returns the captures that the pattern mentions, sorted. whole holds those that stand alone, so that they can
// capture; inside holds those in longer strings, which can only be filled.
func (p *Pattern) Names() (whole, inside []string) {
	a, b := map[string]bool{}, map[string]bool{}
	p.root.names(a, b)
	return keys(a), keys(b)
}

func (n *node) names(whole, inside map[string]bool) {
	if n.hole != nil && n.hole.word == "$" {
		whole[n.hole.name] = true
	}
	for _, p := range n.pieces {
		if p.name != "" {
			inside[p.name] = true
		}
	}
	for _, m := range n.members {
		switch {
		case m.capture != "" && m.node.absent():
			inside[m.capture] = true // it must be known which member is not there
		case m.capture != "":
			whole[m.capture] = true
		}
		m.node.names(whole, inside)
	}
	for _, item := range n.items {
		item.names(whole, inside)
	}
}

func (n *node) absent() bool { return n.hole != nil && n.hole.word == "absent" }

func keys(m map[string]bool) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// Metas returns what the {{meta ...}} holes of the pattern ask for.
func (p *Pattern) Metas() []Meta {
	var out []Meta
	p.root.walk(func(n *node) {
		if n.hole != nil && n.hole.word == "meta" {
			out = append(out, n.hole.meta)
		}
	})
	return out
}

// CheckSendable returns an error if the pattern has a hole that nothing can fill when it is sent: only captures and meta
// may stand in what a client sends.
func (p *Pattern) CheckSendable() error {
	var err error
	p.root.walk(func(n *node) {
		switch {
		case n.hole != nil && n.hole.word != "$" && n.hole.word != "meta":
			err = fmt.Errorf("hole {{%s}} cannot be sent: only {{$name}} and {{meta ...}} may stand in what the client sends", n.hole.word)
		case n.open || n.head:
			err = fmt.Errorf(`"..." cannot be sent: write what the client sends in full`)
		}
	})
	return err
}

// CheckReceivable returns an error if the pattern has a hole that makes no sense in what a server sends.
func (p *Pattern) CheckReceivable() error {
	var err error
	p.root.walk(func(n *node) {
		if n.hole != nil && n.hole.word == "meta" {
			err = fmt.Errorf("hole {{meta ...}} belongs to what the client sends")
		}
	})
	return err
}

func (n *node) walk(f func(*node)) {
	f(n)
	for _, m := range n.members {
		m.node.walk(f)
	}
	for _, item := range n.items {
		item.walk(f)
	}
}

// Kind is the kind of the pattern's outermost value.
func (p *Pattern) Kind() byte { return byte(p.root.value.Kind) }

// Items splits a pattern of an array into the patterns of its items; open says whether further items may follow.
func (p *Pattern) Items() (items []*Pattern, open bool) {
	for _, n := range p.root.items {
		items = append(items, &Pattern{root: n, Source: n.value})
	}
	return items, p.root.open || p.root.head
}

// Pinned returns the plain value at a path of member names, or nil if there is none or a hole stands there.
func (p *Pattern) Pinned(names ...string) *Value {
	n := p.at(names)
	if n == nil || n.hole != nil || n.pieces != nil {
		return nil
	}
	return n.value
}

// Has reports whether the pattern mentions a member at a path of names, be it plain or a hole other than absent.
func (p *Pattern) Has(names ...string) bool {
	n := p.at(names)
	return n != nil && (n.hole == nil || n.hole.word != "absent")
}

func (p *Pattern) at(names []string) *node {
	n := p.root
next:
	for _, name := range names {
		for _, m := range n.members {
			if m.name == name && m.capture == "" {
				n = m.node
				continue next
			}
		}
		return nil
	}
	return n
}
