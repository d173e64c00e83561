package match

import "fmt"

// A Mutant is a wrong message made from a right one: it must not match.
type Mutant struct {
	// Name says what was done, such as "result.tools removed".
	Name  string
	Value *Value
}

// Mutants makes, from a message that the pattern accepts, every message in which one pinned member is removed, one pinned
// value is changed, or one foreign member or item is added to something closed.
//
// env knows the captures, as the example has them. Captures that stand in first hold the names that this pattern itself captures: such a value cannot be changed so that the
// pattern sees it, only removed.
func (p *Pattern) Mutants(example *Value, env *Env, first map[string]bool) []Mutant {
	m := &mutation{example: example, first: first, seen: map[string]bool{}, env: env}
	m.node("", p.root, nil)
	return m.out
}

type mutation struct {
	example *Value
	first   map[string]bool
	seen    map[string]bool
	env     *Env
	out     []Mutant
}

// at is the way from the root of the example to a value: member names and item numbers.
type at struct {
	up   *at
	name string
	item int
}

func (m *mutation) emit(name string, where *at, change func(*Value)) {
	c := m.example.Clone()
	change(find(c, where))
	m.out = append(m.out, Mutant{name, c})
}

func find(v *Value, where *at) *Value {
	if where == nil {
		return v
	}
	parent := find(v, where.up)
	if parent.Kind == '{' {
		return parent.member(where.name)
	}
	return parent.Items[where.item]
}

func (m *mutation) node(path string, n *node, where *at) {
	if n.hole != nil {
		m.hole(path, n.hole, where)
		return
	}
	switch n.value.Kind {
	case '{':
		m.object(path, n, where)
	case '[':
		m.array(path, n, where)
	default:
		m.emit(named(path)+" changed", where, change)
	}
}

func named(path string) string {
	if path == "" {
		return "message"
	}
	return path
}

// change makes a plain value another one of the same kind.
func change(v *Value) {
	switch v.Kind {
	case '"':
		v.Text += "-changed"
	case '0':
		v.Text = "987654321"
	case 't':
		v.Kind = 'f'
	case 'f':
		v.Kind = 't'
	case 'n':
		*v = *Number("0")
	}
}

func (m *mutation) hole(path string, h *hole, where *at) {
	switch h.word {
	case "any":
		return
	case "$":
		if m.first[h.name] && !m.seen[h.name] {
			m.seen[h.name] = true
			return
		}
		m.emit(path+" changed", where, func(v *Value) { *v = *String("not what was captured") })
	case "regexp":
		m.emit(path+" changed to a number", where, func(v *Value) { *v = *Number("7") })
	case "oneof":
		m.emit(path+" changed", where, change)
	default:
		for _, other := range []*Value{Number("1.5"), String("of another kind"), Bool(true), Object()} {
			if !h.fits(other) {
				m.emit(path+" changed to "+other.String(), where, func(v *Value) { *v = *other.Clone() })
				return
			}
		}
	}
}

func (m *mutation) object(path string, n *node, where *at) {
	for _, member := range n.members {
		if member.capture != "" {
			member.name = m.env.lookup(member.capture).Str()
			if !member.node.absent() && (!m.first[member.capture] || m.seen[member.capture]) {
				m.emit(join(path, member.name)+" renamed", where, func(v *Value) { v.rename(member.name, "not-what-was-captured") })
			}
			m.seen[member.capture] = true
		}
		inner := join(path, member.name)
		if member.node.hole != nil && member.node.hole.word == "absent" {
			m.emit(inner+" added", where, func(v *Value) { v.Set(member.name, String("unwanted")) })
			continue
		}
		m.emit(inner+" removed", where, func(v *Value) { v.remove(member.name) })
		m.node(inner, member.node, &at{up: where, name: member.name})
	}
	if !n.open {
		m.emit(named(path)+" with a foreign member", where, func(v *Value) { v.Set("foreignMember", Bool(true)) })
	}
}

func (v *Value) rename(from, to string) {
	for i := range v.Members {
		if v.Members[i].Name == from {
			v.Members[i].Name = to
		}
	}
}

func (v *Value) remove(name string) {
	for i := range v.Members {
		if v.Members[i].Name == name {
			v.Members = append(v.Members[:i:i], v.Members[i+1:]...)
			return
		}
	}
}

func (m *mutation) array(path string, n *node, where *at) {
	for i, item := range n.items {
		inner := fmt.Sprintf("%s[%d]", path, i)
		m.emit(inner+" removed", where, func(v *Value) { v.Items = append(v.Items[:i:i], v.Items[i+1:]...) })
		m.node(inner, item, &at{up: where, item: i})
	}
	if !n.open && !n.head {
		m.emit(named(path)+" with a foreign item", where, func(v *Value) { v.Items = append(v.Items, Bool(true)) })
	}
}
