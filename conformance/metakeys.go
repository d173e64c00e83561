package conformance

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/parley-mcp/parley/conformance/match"
)

// The checks of the keys of _meta (2025-11-25 basic/index#meta): an optional prefix of labels with a slash behind it, and a name.
var (
	checkMetaPrefix = &check{name: "meta-prefix", story: "The prefix of a key of _meta is a series of labels.", ids: []string{"meta.key-prefix-labels"}}
	checkMetaLabel  = &check{name: "meta-label", story: "A label in a key of _meta begins with a letter and holds letters, digits and hyphens.", ids: []string{"meta.key-label-charset"}}
	checkMetaOwner  = &check{name: "meta-owner", story: "No key of _meta has a prefix that the protocol keeps for itself.", ids: []string{"meta.reserved-prefix-second-label"}}
	checkMetaOwned  = &check{name: "meta-owner-of-all", story: "No key of _meta has a prefix in which the protocol keeps a label for itself.", ids: []string{"base.meta-prefix-reserved-mcp-followed-by-label"}}
	checkMetaTrace  = &check{name: "meta-trace", story: "The keys of _meta that are kept for traces hold traces.", ids: []string{"meta.trace-keys-reserved"}}
	checkMetaName   = &check{name: "meta-name", story: "The name in a key of _meta begins and ends with a letter or a digit.", ids: []string{"meta.key-name-ends-alnum"}}
)

// authored are members whose content belongs to the author of a tool, in which _meta is a name like any other.
var authored = []string{"arguments", "capabilities", "inputSchema", "outputSchema", "requestedSchema", "structuredContent"}

var (
	metaLabel = regexp.MustCompile(`^[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?$`)
	metaName  = regexp.MustCompile(`^([A-Za-z0-9](.*[A-Za-z0-9])?)?$`)
)

// checkMeta holds the keys of every _meta in a message against what the revision says of them.
func (p *player) checkMeta(it *item) {
	for _, m := range metaMembers(it.value, nil) {
		problems := keyProblems(m.Name)
		if !isTrace(m) {
			problems[checkMetaTrace] = fmt.Sprintf("_meta has the key %q, which is kept for traces, and another value", m.Name)
		}
		for c, problem := range problems {
			if len(stands(p.options.Manifest, c.ids, p.facts.Version)) > 0 {
				p.object(it, c, problem)
			}
		}
	}
}

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

// metaMembers gathers the members of every _meta.
func metaMembers(v *match.Value, found []match.Member) []match.Member {
	if v == nil {
		return found
	}
	for _, m := range v.Members {
		switch {
		case m.Name == "_meta":
			found = append(found, m.Value.Members...)
		case !slices.Contains(authored, m.Name):
			found = metaMembers(m.Value, found)
		}
	}
	for _, item := range v.Items {
		found = metaMembers(item, found)
	}
	return found
}

// ownPrefix is the prefix of the keys that the protocol and its official extensions define.
const ownPrefix = "io.modelcontextprotocol"

func protocolLabel(label string) bool { return label == "modelcontextprotocol" || label == "mcp" }

// keyProblems says what is wrong with a key, by the check that finds it.
func keyProblems(key string) map[*check]string {
	out := map[*check]string{}
	prefix, name, prefixed := strings.Cut(key, "/")
	if !prefixed {
		name = key
	}
	labels := strings.Split(prefix, ".")
	if prefixed && prefix != ownPrefix && len(labels) > 1 && protocolLabel(labels[1]) {
		out[checkMetaOwner] = fmt.Sprintf("_meta has the key %q, whose second label is reserved", key)
	}
	if prefixed && slices.ContainsFunc(labels[:len(labels)-1], protocolLabel) {
		out[checkMetaOwned] = fmt.Sprintf("_meta has the key %q, in which a reserved label is followed by another", key)
	}
	for _, label := range labels {
		switch {
		case !prefixed:
		case label == "":
			out[checkMetaPrefix] = fmt.Sprintf("_meta has the key %q, in whose prefix a label is missing", key)
		case !metaLabel.MatchString(label):
			out[checkMetaLabel] = fmt.Sprintf("_meta has the key %q, in which %q is no label", key, label)
		}
	}
	if !metaName.MatchString(name) {
		out[checkMetaName] = fmt.Sprintf("_meta has the key %q, whose name does not begin and end with a letter or a digit", key)
	}
	return out
}
