// Package metakey reads the members of _meta (2025-11-25 basic/index#meta): a key is an optional prefix of labels with a slash behind
// it, and a name.
package metakey

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/parley-mcp/parley/conformance/match"
)

// A Rule is one thing that is said of a member of _meta.
type Rule string

// The rules.
const (
	Prefix Rule = "prefix" // the prefix is a series of labels
	Label  Rule = "label"  // a label begins with a letter, and holds letters, digits and hyphens
	Owner  Rule = "owner"  // the second label is not one that the protocol keeps for itself
	Owned  Rule = "owned"  // no label that the protocol keeps for itself is followed by another
	Name   Rule = "name"   // the name begins and ends with a letter or a digit
	Trace  Rule = "trace"  // what is kept for traces holds a trace
)

// authored are members whose content belongs to the author of a tool, in which _meta is a name like any other.
var authored = []string{"arguments", "capabilities", "inputSchema", "outputSchema", "requestedSchema", "structuredContent"}

var (
	metaLabel = regexp.MustCompile(`^[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?$`)
	metaName  = regexp.MustCompile(`^([A-Za-z0-9](.*[A-Za-z0-9])?)?$`)
)

// traces are the forms of what is kept for traces (2026-07-28 basic/index#meta): those of W3C Trace Context and W3C Baggage.
var traces = map[string]*regexp.Regexp{
	"traceparent": regexp.MustCompile(`^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$`),
	"tracestate":  regexp.MustCompile(`^([\t ]*([a-z0-9][^=,]*=[^=,]+)?[\t ]*(,|$))*$`),
	"baggage":     regexp.MustCompile(`^([\t ]*[^=,;\s]+[\t ]*=[^,]*(,|$))+$`),
}

// isTrace reports whether a member of _meta that is kept for traces holds one, as any other does.
func isTrace(m match.Member) bool {
	form, kept := traces[m.Name]
	return !kept || m.Value.Kind == '"' && form.MatchString(m.Value.Text)
}

// Members gathers the members of every _meta in a message.
func Members(v *match.Value) []match.Member { return gather(v, nil) }

func gather(v *match.Value, found []match.Member) []match.Member {
	if v == nil {
		return found
	}
	for _, m := range v.Members {
		switch {
		case m.Name == "_meta":
			found = append(found, m.Value.Members...)
		case !slices.Contains(authored, m.Name):
			found = gather(m.Value, found)
		}
	}
	for _, item := range v.Items {
		found = gather(item, found)
	}
	return found
}

// ownPrefix is the prefix of the keys that the protocol and its official extensions define.
const ownPrefix = "io.modelcontextprotocol"

func protocolLabel(label string) bool { return label == "modelcontextprotocol" || label == "mcp" }

// Problems says what is wrong with a member, by the rule that it breaks.
func Problems(m match.Member) map[Rule]string {
	out, key := map[Rule]string{}, m.Name
	if !isTrace(m) {
		out[Trace] = fmt.Sprintf("_meta has the key %q, which is kept for traces, and another value", key)
	}
	prefix, name, prefixed := strings.Cut(key, "/")
	if !prefixed {
		name = key
	}
	labels := strings.Split(prefix, ".")
	if prefixed && prefix != ownPrefix && len(labels) > 1 && protocolLabel(labels[1]) {
		out[Owner] = fmt.Sprintf("_meta has the key %q, whose second label is reserved", key)
	}
	if prefixed && slices.ContainsFunc(labels[:len(labels)-1], protocolLabel) {
		out[Owned] = fmt.Sprintf("_meta has the key %q, in which a reserved label is followed by another", key)
	}
	for _, label := range labels {
		switch {
		case !prefixed:
		case label == "":
			out[Prefix] = fmt.Sprintf("_meta has the key %q, in whose prefix a label is missing", key)
		case !metaLabel.MatchString(label):
			out[Label] = fmt.Sprintf("_meta has the key %q, in which %q is no label", key, label)
		}
	}
	if !metaName.MatchString(name) {
		out[Name] = fmt.Sprintf("_meta has the key %q, whose name does not begin and end with a letter or a digit", key)
	}
	return out
}
