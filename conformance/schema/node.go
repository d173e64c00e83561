package schema

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A node is one schema of a file, with the keywords that the files use. Reading a file rejects every other
// keyword, so that a misspelt one cannot silently check nothing.
type node struct {
	Description          string           `json:"description"`
	Ref                  string           `json:"$ref"`
	Type                 oneOrMore        `json:"type"`
	Const                any              `json:"const"`
	Enum                 []string         `json:"enum"`
	Format               string           `json:"format"`
	Minimum              *float64         `json:"minimum"`
	Maximum              *float64         `json:"maximum"`
	MaxItems             *int             `json:"maxItems"`
	Properties           map[string]*node `json:"properties"`
	AdditionalProperties *node            `json:"additionalProperties"`
	Items                *node            `json:"items"`
	Required             []string         `json:"required"`
	AnyOf                []*node          `json:"anyOf"`
	AllOf                []*node          `json:"allOf"`

	// AuthorOwned marks a value whose members the protocol leaves to its author.
	AuthorOwned bool `json:"authorOwned"`
	// Tolerated names members that only other revisions define and that still do no harm here.
	Tolerated []string `json:"tolerated"`
	// Embeds is "request" or "result" where such a message travels without its envelope.
	Embeds string `json:"embeds"`

	target *node // what Ref points at
}

// oneOrMore is the value of the keyword type.
type oneOrMore []string

func (t *oneOrMore) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if dec.PeekKind() == '[' {
		return jsonv2.UnmarshalDecode(dec, (*[]string)(t))
	}
	*t = make(oneOrMore, 1)
	return jsonv2.UnmarshalDecode(dec, &(*t)[0])
}

// children calls yield for every schema directly inside n.
func (n *node) children(yield func(*node)) {
	for _, child := range n.Properties {
		yield(child)
	}
	for _, child := range []*node{n.AdditionalProperties, n.Items} {
		if child != nil {
			yield(child)
		}
	}
	for _, child := range slices.Concat(n.AnyOf, n.AllOf) {
		yield(child)
	}
}

// link resolves every reference in n, merges allOf into one object, and reports references that lead nowhere.
func (n *node) link(defs map[string]*node) error {
	var failed error
	n.children(func(child *node) {
		if err := child.link(defs); err != nil {
			failed = err
		}
	})
	if failed != nil || n.Ref == "" {
		return failed
	}
	const prefix = "#/$defs/"
	if len(n.Ref) > len(prefix) {
		n.target = defs[n.Ref[len(prefix):]]
	}
	if n.target == nil {
		return fmt.Errorf("reference %q names no definition", n.Ref)
	}
	return nil
}

// merge folds the objects of allOf into n. All references must be linked.
func (n *node) merge() {
	n.children((*node).merge)
	for _, part := range n.AllOf {
		part = part.resolve()
		part.merge()
		if n.Properties == nil {
			n.Properties = map[string]*node{}
		}
		for name, property := range part.Properties {
			n.Properties[name] = property
		}
		n.Required = append(n.Required, part.Required...)
		n.Type = part.Type
	}
	n.AllOf = nil
}

// resolve follows references.
func (n *node) resolve() *node {
	for n.target != nil {
		n = n.target
	}
	return n
}

// union reports whether n is nothing but a choice between other schemas.
func (n *node) union() bool { return len(n.AnyOf) > 0 && n.Properties == nil }

// mismatch is why a value cannot be meant for a schema: another kind of value, or another discriminator.
type mismatch struct {
	member string // the discriminating member, or "" for the value itself
	value  any
}

// A fit is how well a value suits a schema.
type fit int

const (
	misfit    fit = iota // another kind of value, or another constant
	undecided            // a constant that would decide is not there
	fitting
)

// meets reports whether value is meant for n, which is less than being valid: it has the right kind of value,
// and its constants, and the enumerations among its required members, are those of n.
func (n *node) meets(value any) (fit, mismatch) {
	if n = n.resolve(); !n.meetsItself(value) {
		return misfit, mismatch{value: value}
	}
	object, ok := value.(map[string]any)
	if !ok {
		return fitting, mismatch{}
	}
	result := fitting
	for name, property := range n.Properties {
		property = property.resolve()
		required := slices.Contains(n.Required, name)
		if property.Const == nil && (property.Enum == nil || !required) {
			continue
		}
		if member, present := object[name]; present && !property.meetsItself(member) {
			return misfit, mismatch{member: name, value: member}
		} else if !present && required {
			result = undecided
		}
	}
	return result, mismatch{}
}

// meetsItself is meets without a look at the members.
func (n *node) meetsItself(value any) bool {
	if n.Const != nil && !sameScalar(n.Const, value) {
		return false
	}
	if n.Enum != nil {
		text, ok := value.(string)
		return ok && slices.Contains(n.Enum, text)
	}
	if len(n.Type) == 0 {
		return true
	}
	kind := kindOf(value)
	return slices.Contains(n.Type, kind) || kind == "integer" && slices.Contains(n.Type, "number")
}

// complete reports whether object has every required member of n.
func (n *node) complete(object map[string]any) bool {
	for _, name := range n.resolve().Required {
		if _, ok := object[name]; !ok {
			return false
		}
	}
	return true
}

// branches gives the schemas, among nodes and the branches of their unions, for which value is meant, or may be
// meant if nothing decides. Where several remain, those that miss no required member go before those that do.
// When none remains, the mismatch is the one that all schemas share, if they share one.
func branches(nodes []*node, value any) ([]*node, mismatch) {
	var meant, perhaps []*node
	var misses []mismatch
	var visit func(n *node)
	visit = func(n *node) {
		if n = n.resolve(); n.union() {
			for _, branch := range n.AnyOf {
				visit(branch)
			}
			return
		}
		switch suits, miss := n.meets(value); suits {
		case fitting:
			meant = append(meant, n)
		case undecided:
			perhaps = append(perhaps, n)
		default:
			misses = append(misses, miss)
		}
	}
	for _, n := range nodes {
		visit(n)
	}
	if len(meant) == 0 {
		meant = perhaps
	}
	if object, ok := value.(map[string]any); ok && len(meant) > 1 {
		whole := slices.DeleteFunc(slices.Clone(meant), func(n *node) bool { return !n.complete(object) })
		if len(whole) > 0 {
			meant = whole
		}
	}
	return meant, common(misses, value)
}

func common(misses []mismatch, value any) mismatch {
	for _, miss := range misses {
		if miss.member == "" || miss.member != misses[0].member {
			return mismatch{value: value}
		}
	}
	if len(misses) == 0 {
		return mismatch{value: value}
	}
	return misses[0]
}

// member gives the schemas that nodes hold for a member: declared by name, or failing that as a map's value.
func member(nodes []*node, name string) []*node {
	var declared, anyName []*node
	for _, n := range nodes {
		if property, ok := n.Properties[name]; ok {
			declared = append(declared, property)
		} else if n.AdditionalProperties != nil {
			anyName = append(anyName, n.AdditionalProperties)
		}
	}
	if declared != nil {
		return declared
	}
	return anyName
}

// kindOf names the JSON Schema type of a decoded value.
func kindOf(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case json.Number:
		if integral(v.String()) {
			return "integer"
		}
		return "number"
	case []any:
		return "array"
	default:
		return "object"
	}
}

// integral reports whether a JSON number, of bounded exponent, has no fractional part.
func integral(number string) bool {
	rational, ok := new(big.Rat).SetString(number)
	return ok && rational.IsInt()
}

// sameScalar compares a constant of a schema file with a decoded value.
func sameScalar(constant, value any) bool {
	if number, ok := value.(json.Number); ok {
		want, ok := constant.(float64)
		got, err := number.Float64()
		return ok && err == nil && got == want
	}
	return constant == value
}
