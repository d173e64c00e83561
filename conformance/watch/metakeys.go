package watch

import "github.com/parley-mcp/parley/conformance/metakey"

// metaKeyChecks are about the members of _meta.
var metaKeyChecks = []*Check{
	metaKeys(metakey.Prefix, "The prefix of a key of _meta is a series of labels.", "meta.key-prefix-labels"),
	metaKeys(metakey.Label, "A label in a key of _meta begins with a letter and holds letters, digits and hyphens.", "meta.key-label-charset"),
	metaKeys(metakey.Owner, "No key of _meta has a prefix that the protocol keeps for itself.", "meta.reserved-prefix-second-label"),
	metaKeys(metakey.Owned, "No key of _meta has a prefix in which the protocol keeps a label for itself.", "base.meta-prefix-reserved-mcp-followed-by-label"),
	metaKeys(metakey.Name, "The name in a key of _meta begins and ends with a letter or a digit.", "meta.key-name-ends-alnum"),
	metaKeys(metakey.Trace, "The keys of _meta that are kept for traces hold traces.", "meta.trace-keys-reserved", "meta.trace-context-format"),
}

func metaKeys(rule metakey.Rule, story string, ids ...string) *Check {
	return &Check{Name: "meta-key-" + string(rule), Story: story, Requirements: ids,
		look: func(_ *Watcher, m *message) (string, bool) {
			members := metakey.Members(m.value)
			for _, member := range members {
				if problem := metakey.Problems(member)[rule]; problem != "" {
					return problem, true
				}
			}
			return "", len(members) > 0
		}}
}
