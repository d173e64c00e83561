package match

import (
	"slices"
	"strings"
)

// Update returns the JSON of a pattern that accepts v where this one does not: plain values become those of v, members that v
// lacks go, and members that are new come where the object is closed. Holes stay as they are, even if v does not fill them.
func (p *Pattern) Update(v *Value) *Value { return p.root.update(v) }

func (n *node) update(v *Value) *Value {
	switch {
	case n.hole != nil, n.pieces != nil:
		return n.value
	case v == nil || v.Kind != n.value.Kind:
		return v
	case v.Kind == '{':
		return n.updateMembers(v)
	case v.Kind == '[':
		return n.updateItems(v)
	case Equal(n.value, v):
		return n.value
	}
	return v
}

func (n *node) updateMembers(v *Value) *Value {
	out := Object()
	free := 0 // members whose names are captured
	for _, m := range n.members {
		if m.capture != "" {
			out.Members = append(out.Members, Member{"{{$" + m.capture + "}}", m.node.value})
			free++
			continue
		}
		if updated := m.node.update(v.member(m.name)); updated != nil {
			out.Members = append(out.Members, Member{m.name, updated})
		}
	}
	if n.open {
		out.Members = append(out.Members, Member{"...", String("")})
		return out
	}
	for _, m := range v.Members {
		known := func(have namedNode) bool { return have.name == m.Name }
		if !slices.ContainsFunc(n.members, known) {
			if free--; free >= 0 {
				continue
			}
			out.Members = append(out.Members, m)
		}
	}
	return out
}

func (n *node) updateItems(v *Value) *Value {
	if n.head {
		return n.value // which items are meant cannot be told
	}
	out := &Value{Kind: '['}
	for i, item := range v.Items {
		if i < len(n.items) {
			out.Items = append(out.Items, n.items[i].update(item))
		} else if !n.open {
			out.Items = append(out.Items, item)
		}
	}
	if n.open {
		out.Items = append(out.Items, String("..."))
	}
	return out
}

// lineWidth is how long a line of a transcript may be, in bytes.
const lineWidth = 100

// Format lays JSON out as transcripts have it: on one line if it fits, else a member a line where it does not.
func Format(v *Value) string {
	var b strings.Builder
	format(&b, v, "", 0)
	return b.String()
}

func format(b *strings.Builder, v *Value, indent string, before int) {
	one := spaced(v)
	if len(indent)+before+len(one) <= lineWidth || len(v.Members)+len(v.Items) == 0 {
		b.WriteString(one)
		return
	}
	inner := indent + "  "
	if v.Kind == '{' {
		b.WriteString("{\n")
		for i, m := range v.Members {
			name := string(appendString(nil, m.Name)) + ": "
			b.WriteString(inner + name)
			format(b, m.Value, inner, len(name)+1)
			b.WriteString(end(i, len(v.Members), "}"))
		}
		return
	}
	b.WriteString("[\n")
	for i, item := range v.Items {
		b.WriteString(inner)
		format(b, item, inner, 1)
		b.WriteString(end(i, len(v.Items), "]"))
	}
}

func end(i, n int, closing string) string {
	if i+1 < n {
		return ",\n"
	}
	return closing
}

// spaced is the value on one line, with a blank behind each colon and comma.
func spaced(v *Value) string {
	var parts []string
	switch v.Kind {
	case '{':
		for _, m := range v.Members {
			parts = append(parts, string(appendString(nil, m.Name))+": "+spaced(m.Value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case '[':
		for _, item := range v.Items {
			parts = append(parts, spaced(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return v.String()
}
