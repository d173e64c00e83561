package match

import (
	"fmt"
	"strings"
)

// A Difference is one place where what came is not what was pinned.
type Difference struct {
	// Path leads to the place, such as result.content[0].text. It is empty for the whole message.
	Path string
	Want string
	Got  string
}

func (d Difference) String() string {
	path := d.Path
	if path == "" {
		path = "message"
	}
	return fmt.Sprintf("%s: want %s, got %s", path, d.Want, d.Got)
}

// Differences are the places at which a value differs from a pattern, in the order of the pattern.
type Differences []Difference

// maxShown bounds the differences that String prints.
const maxShown = 12

// String prints one difference a line.
func (ds Differences) String() string {
	var lines []string
	for i, d := range ds {
		if i == maxShown {
			lines = append(lines, fmt.Sprintf("... and %d more", len(ds)-i))
			break
		}
		lines = append(lines, d.String())
	}
	return strings.Join(lines, "\n")
}

// Match compares v with the pattern. If there is no difference, the captures that were seen for the first time are kept in
// env; otherwise env stays as it was.
func (p *Pattern) Match(v *Value, env *Env) Differences {
	c := &comparison{env: env, fresh: map[string]*Value{}}
	c.node("", p.root, v)
	if len(c.diffs) == 0 && env != nil {
		for name, value := range c.fresh {
			env.Set(name, value)
		}
	}
	return c.diffs
}

type comparison struct {
	env   *Env
	fresh map[string]*Value
	diffs Differences
}

func (c *comparison) add(path, want string, got *Value) {
	c.diffs = append(c.diffs, Difference{path, want, show(got)})
}

func (c *comparison) lookup(name string) *Value {
	if v := c.env.lookup(name); v != nil {
		return v
	}
	return c.fresh[name]
}

func (c *comparison) node(path string, n *node, v *Value) {
	switch {
	case n.hole != nil:
		c.hole(path, n.hole, v)
	case v == nil:
		c.add(path, show(n.value), nil)
	case n.pieces != nil:
		want, err := fill(n.pieces, c.lookup)
		if err != nil {
			c.add(path, err.Error(), v)
		} else if v.Kind != '"' || v.Text != want {
			c.add(path, show(String(want)), v)
		}
	case n.value.Kind != v.Kind:
		c.add(path, show(n.value), v)
	case v.Kind == '{':
		c.object(path, n, v)
	case v.Kind == '[':
		c.array(path, n, v)
	case !Equal(n.value, v):
		c.add(path, show(n.value), v)
	}
}

func (c *comparison) hole(path string, h *hole, v *Value) {
	if h.word == "absent" {
		if v != nil {
			c.add(path, "the member to be absent", v)
		}
		return
	}
	if h.word == "meta" {
		c.meta(path, h.meta, v)
		return
	}
	if v == nil {
		c.add(path, h.want(), nil)
		return
	}
	switch h.word {
	case "$":
		if known := c.lookup(h.name); known == nil {
			c.fresh[h.name] = v
		} else if !Equal(known, v) {
			c.add(path, show(known)+" as captured in "+h.name, v)
		}
	case "regexp":
		if v.Kind != '"' || !h.expr.MatchString(v.Text) {
			c.add(path, h.want(), v)
		}
	default:
		if !h.fits(v) {
			c.add(path, h.want(), v)
		}
	}
}

// meta judges the metadata of a client: what the hole would build must be there, with the same version and the same
// further members; the client's name and its capabilities are its own.
func (c *comparison) meta(path string, m Meta, v *Value) {
	want := c.env.meta(m)
	if want == nil {
		return
	}
	if v == nil || v.Kind != '{' {
		c.add(path, "the metadata of a request", v)
		return
	}
	for _, member := range want.Members {
		got := v.Get(member.Name)
		if got == nil || got.Kind != member.Value.Kind || got.Kind != '{' && !Equal(got, member.Value) {
			c.add(join(path, member.Name), show(member.Value), got)
		}
	}
}

func (c *comparison) object(path string, n *node, v *Value) {
	named := map[string]bool{}
	for _, m := range n.members {
		if m.capture == "" {
			named[m.name] = true
			c.node(join(path, m.name), m.node, v.member(m.name))
		}
	}
	for _, m := range n.members {
		if m.capture != "" {
			named[c.named(path, m, v, named)] = true
		}
	}
	if n.open || c.env != nil && c.env.Open {
		return
	}
	for _, m := range v.Members {
		if !named[m.Name] {
			c.add(join(path, m.Name), "no such member (the object is closed)", m.Value)
		}
	}
}

// named finds the member whose name was captured, or is to be, and returns the name; those in taken are others. The first that
// fits is it; if none does, what is wrong with the first is reported.
func (c *comparison) named(path string, m namedNode, v *Value, taken map[string]bool) string {
	known := c.lookup(m.capture)
	if m.node.absent() {
		c.node(join(path, known.Str()), m.node, v.member(known.Str()))
		return known.Str()
	}
	name := "{{$" + m.capture + "}}"
	if known != nil {
		name = known.Str()
	}
	var first *comparison
	for _, candidate := range v.Members {
		if taken[candidate.Name] || known != nil && name != candidate.Name {
			continue
		}
		try := &comparison{env: c.env, fresh: clone(c.fresh)}
		if known == nil {
			try.fresh[m.capture] = String(candidate.Name)
		}
		try.node(join(path, candidate.Name), m.node, candidate.Value)
		if len(try.diffs) == 0 {
			c.fresh = try.fresh
			return candidate.Name
		}
		if first == nil {
			first, name = try, candidate.Name
		}
	}
	if first == nil {
		c.add(join(path, name), "a member of that name", nil)
		return name
	}
	c.diffs = append(c.diffs, first.diffs...)
	return name
}

func (c *comparison) array(path string, n *node, v *Value) {
	if n.head {
		c.window(path, n, v)
		return
	}
	for i, item := range n.items {
		var got *Value
		if i < len(v.Items) {
			got = v.Items[i]
		}
		c.node(fmt.Sprintf("%s[%d]", path, i), item, got)
	}
	if n.open {
		return
	}
	for i := len(n.items); i < len(v.Items); i++ {
		c.add(fmt.Sprintf("%s[%d]", path, i), "no such item (the array is closed)", v.Items[i])
	}
}

// window looks for the items somewhere in an array that is open at its beginning, and reports the nearest place if none fits.
func (c *comparison) window(path string, n *node, v *Value) {
	last := len(v.Items) - len(n.items)
	first := 0
	if !n.open {
		first = last
	}
	var best *comparison
	for at := max(first, 0); at <= last; at++ {
		try := &comparison{env: c.env, fresh: clone(c.fresh)}
		for i, item := range n.items {
			try.node(fmt.Sprintf("%s[%d]", path, at+i), item, v.Items[at+i])
		}
		if best == nil || len(try.diffs) < len(best.diffs) {
			best = try
		}
		if len(try.diffs) == 0 {
			break
		}
	}
	if best == nil {
		c.add(path, fmt.Sprintf("an array with at least %d items", len(n.items)), v)
		return
	}
	c.fresh = best.fresh
	c.diffs = append(c.diffs, best.diffs...)
}

func clone(m map[string]*Value) map[string]*Value {
	out := make(map[string]*Value, len(m))
	for k, v := range m {
		out[k] = v
	}
	return out
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// maxValue bounds how much of a value a difference shows, in bytes.
const maxValue = 160

func show(v *Value) string {
	if v == nil {
		return "nothing"
	}
	s := v.String()
	if len(s) > maxValue {
		s = strings.ToValidUTF8(s[:maxValue], "") + "..."
	}
	return s
}
