package schema

import (
	"maps"
	"slices"
	"strconv"
)

// A place is a position in a message: the schemas that this revision has there, and those of the others.
type place struct {
	own    []*node
	others []foreign
}

// foreign is what another revision has at a place.
type foreign struct {
	document *document
	nodes    []*node
}

// A walker goes through a value with the schemas of all revisions side by side.
type walker struct {
	schema *Schema
	found  []Problem
	// scopes are the paths of values that are foreign as a whole.
	scopes []string
}

func (w *walker) report(path, text string) {
	w.found = append(w.found, Problem{Path: path, Kind: KindForeign, Text: text})
}

func (w *walker) walk(path string, value any, here place) {
	here.others = append(here.others, w.embedded(value, here.own)...)
	own, miss := branches(here.own, value)
	others := w.step(here.others, func(nodes []*node) []*node {
		meant, _ := branches(nodes, value)
		return meant
	})
	if len(own) == 0 {
		w.foreignValue(path, miss, others)
		return
	}
	if authorOwned(own, others) {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			w.member(path, name, value[name], place{own, others})
		}
	case []any:
		next := place{own: items(own), others: w.step(others, items)}
		if len(next.own) == 0 {
			return
		}
		for i, item := range value {
			w.walk(at(path, strconv.Itoa(i)), item, next)
		}
	}
}

// foreignValue reports a value that no schema of this revision is meant for, if others have one that is.
func (w *walker) foreignValue(path string, miss mismatch, others []foreign) {
	revisions := revisionsOf(others, func(n *node) bool { return miss.member == "" || n.Properties[miss.member] != nil })
	if len(revisions) == 0 {
		return
	}
	w.scopes = append(w.scopes, path)
	if miss.member != "" {
		path = at(path, miss.member)
	}
	what, which := "value", quote(miss.value)
	switch kind := kindOf(miss.value); kind {
	case "object", "array":
		what, which = "a value of type", kind
	}
	w.report(path, w.schema.belongs(what, which, revisions))
}

// member walks into a declared member and reports one that only others declare.
func (w *walker) member(path, name string, value any, parent place) {
	own := member(parent.own, name)
	if len(own) > 0 {
		others := w.step(parent.others, func(nodes []*node) []*node { return member(nodes, name) })
		w.walk(at(path, name), value, place{own, others})
		return
	}
	if slices.ContainsFunc(parent.own, func(n *node) bool { return slices.Contains(n.Tolerated, name) }) {
		return
	}
	if revisions := revisionsOf(parent.others, func(n *node) bool { return n.Properties[name] != nil }); len(revisions) > 0 {
		w.report(at(path, name), w.schema.belongs("member", strconv.Quote(name), revisions))
	}
}

// revisionsOf names the revisions in which one of the schemas holds to a condition.
func revisionsOf(others []foreign, holds func(*node) bool) []string {
	var revisions []string
	for _, other := range others {
		if slices.ContainsFunc(other.nodes, holds) {
			revisions = append(revisions, other.document.Revision)
		}
	}
	return slices.Compact(revisions)
}

// step moves the schemas of the other revisions one level down and drops the revisions that have none there.
func (w *walker) step(others []foreign, down func([]*node) []*node) []foreign {
	var next []foreign
	for _, other := range others {
		if nodes := down(other.nodes); len(nodes) > 0 {
			next = append(next, foreign{other.document, nodes})
		}
	}
	return next
}

// embedded finds the counterparts of a message that travels inside another in this revision and on its own in
// the others (2026-07-28 basic/patterns/mrtr).
func (w *walker) embedded(value any, own []*node) []foreign {
	object, isObject := value.(map[string]any)
	if !isObject {
		return nil
	}
	var all []foreign
	for _, n := range own {
		switch embeds := n.resolve().Embeds; embeds {
		case "request":
			method, _ := object["method"].(string)
			all = append(all, w.schema.elsewhere(func(d *document) []*node { return bare(d, method) })...)
		case "result":
			all = append(all, w.schema.elsewhere(func(d *document) []*node { return clientResults(d, object) })...)
		}
	}
	return all
}

// bare is a server's request without envelope.
func bare(d *document, method string) []*node {
	row, ok := d.Messages[server].Requests[method]
	if !ok {
		return nil
	}
	return []*node{{Type: oneOrMore{"object"}, Properties: map[string]*node{"method": {Const: method}, "params": row.Params.node}}}
}

// clientResults are the results that a client may give to a request for input, as far as object could be one.
func clientResults(d *document, object map[string]any) []*node {
	var nodes []*node
	for _, method := range slices.Sorted(maps.Keys(d.Messages[server].Requests)) {
		for _, result := range d.Messages[server].Requests[method].Results {
			if len(result.node.Required) > 0 && result.node.complete(object) {
				nodes = append(nodes, result.node)
			}
		}
	}
	return nodes
}

func items(nodes []*node) []*node {
	var all []*node
	for _, n := range nodes {
		if n.Items != nil {
			all = append(all, n.Items)
		}
	}
	return all
}

// authorOwned reports whether some revision leaves the value to its author; then no name in it can be foreign.
func authorOwned(own []*node, others []foreign) bool {
	owned := func(n *node) bool { return n.AuthorOwned }
	return slices.ContainsFunc(own, owned) || slices.ContainsFunc(others, func(other foreign) bool {
		return slices.ContainsFunc(other.nodes, owned)
	})
}
