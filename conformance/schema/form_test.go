package schema

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The comparison with the official schemas works on a normal form, so that it sees what a schema means and not
// how it is built: references are followed, allOf is merged, unions are flattened, and words are left out.

// book is a schema file read without any assumption about its layout.
type book struct {
	defs    map[string]any
	ourName func(string) string // our name of one of its definitions
	visited map[string]bool     // definitions that the comparison has come across
}

func newBook(file map[string]any, ourName func(string) string) book {
	defs, ok := file["$defs"].(map[string]any)
	if !ok {
		defs = file["definitions"].(map[string]any) // draft-07
	}
	return book{defs: defs, ourName: ourName, visited: map[string]bool{}}
}

// form is the normal form of a schema.
type form struct {
	facts    map[string]string // scalar keywords, printed
	required []string
	members  map[string]any
	anyName  any   // additionalProperties, nil if open
	items    any   // nil if open
	choices  []any // the branches of a union, flattened; nil if there is no choice
}

func (b book) def(name string) map[string]any {
	b.visited[name] = true
	return b.defs[name].(map[string]any)
}

// open gives the schema that a reference leads to, and the name of the last definition on the way.
func (b book) open(schema any) (s map[string]any, name string) {
	s, _ = schema.(map[string]any)
	for {
		ref, ok := s["$ref"].(string)
		if !ok {
			return s, name
		}
		name = ref[strings.LastIndexByte(ref, '/')+1:]
		s = b.def(name)
	}
}

func (b book) normal(schema any) form {
	s, _ := b.open(schema)
	f := form{facts: map[string]string{}, members: map[string]any{}}
	b.absorb(&f, s)
	slices.Sort(f.required)
	f.required = slices.Compact(f.required)
	return f
}

func (b book) absorb(f *form, s map[string]any) {
	for _, keyword := range []string{"const", "format", "minimum", "maximum", "minItems", "maxItems"} {
		if value, ok := s[keyword]; ok {
			f.facts[keyword] = fmt.Sprint(value)
		}
	}
	if enum, ok := s["enum"].([]any); ok {
		f.facts["enum"] = strings.Join(sortedStrings(enum), ",")
	}
	if kind, ok := s["type"]; ok && s["const"] == nil && s["enum"] == nil {
		f.facts["type"] = strings.Join(sortedStrings(kind), ",")
	}
	f.required = append(f.required, sortedStrings(s["required"])...)
	if members, ok := s["properties"].(map[string]any); ok {
		maps.Copy(f.members, members)
	}
	if extra, ok := s["additionalProperties"].(map[string]any); ok && len(extra) > 0 {
		f.anyName = extra
	}
	if items, ok := s["items"]; ok {
		f.items = items
	}
	for _, part := range asList(s["allOf"]) {
		opened, _ := b.open(part)
		b.absorb(f, opened)
	}
	for _, branch := range asList(s["anyOf"]) {
		opened, _ := b.open(branch)
		if nested := asList(opened["anyOf"]); nested != nil && opened["properties"] == nil {
			f.choices = append(f.choices, nested...)
		} else {
			f.choices = append(f.choices, branch)
		}
	}
}

// key identifies a branch of a union in both files: by its definition, or else by its kind.
func (b book) key(branch any) string {
	s, name := b.open(branch)
	if name != "" {
		return b.ourName(name)
	}
	if kinds := sortedStrings(s["type"]); len(kinds) != 1 {
		return "scalar"
	} else {
		return kinds[0]
	}
}

func sortedStrings(value any) []string {
	var all []string
	switch v := value.(type) {
	case string:
		return []string{v}
	case []any:
		for _, item := range v {
			all = append(all, fmt.Sprint(item))
		}
	}
	slices.Sort(all)
	return all
}

func asList(value any) []any {
	l, _ := value.([]any)
	return l
}

// A comparison collects what two schemas disagree on.
type comparison struct {
	official, ours book
	differences    []string
	pairs          map[string]bool // pairs of definitions that are being compared or have been
}

func (c *comparison) differ(path, format string, args ...any) {
	c.differences = append(c.differences, path+": "+fmt.Sprintf(format, args...))
}

func (c *comparison) compare(path string, official, ours any) {
	_, officialName := c.official.open(official)
	_, oursName := c.ours.open(ours)
	if officialName != "" && oursName != "" {
		pair := officialName + " " + oursName
		if c.pairs[pair] {
			return
		}
		c.pairs[pair] = true
	}
	o, m := c.official.normal(official), c.ours.normal(ours)
	for _, keyword := range union(o.facts, m.facts) {
		if o.facts[keyword] != m.facts[keyword] {
			c.differ(path, "%s is %q, ours %q", keyword, o.facts[keyword], m.facts[keyword])
		}
	}
	if !slices.Equal(o.required, m.required) {
		c.differ(path, "required is %v, ours %v", o.required, m.required)
	}
	for _, name := range union(o.members, m.members) {
		c.both(path+"/"+name, "the member", o.members[name], m.members[name])
	}
	c.both(path+"/*", "a schema for every member", o.anyName, m.anyName)
	c.both(path+"/0", "a schema for every item", o.items, m.items)
	c.compareChoices(path, o.choices, m.choices)
}

func (c *comparison) both(path, what string, official, ours any) {
	switch {
	case official == nil && ours == nil:
	case official == nil:
		c.differ(path, "only we have %s", what)
	case ours == nil:
		c.differ(path, "we lack %s", what)
	default:
		c.compare(path, official, ours)
	}
}

func (c *comparison) compareChoices(path string, official, ours []any) {
	o, m := map[string]any{}, map[string]any{}
	for _, branch := range official {
		o[c.official.key(branch)] = branch
	}
	for _, branch := range ours {
		m[c.ours.key(branch)] = branch
	}
	for _, key := range union(o, m) {
		c.both(path+"|"+key, "the choice", o[key], m[key])
	}
}

func union[V any](a, b map[string]V) []string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return slices.Sorted(maps.Keys(all))
}
