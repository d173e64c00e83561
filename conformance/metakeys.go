package conformance

import "github.com/parley-mcp/parley/conformance/metakey"

// The checks of the keys of _meta (2025-11-25 basic/index#meta): an optional prefix of labels with a slash behind it, and a name.
var (
	checkMetaPrefix = &check{name: "meta-prefix", story: "The prefix of a key of _meta is a series of labels.", ids: []string{"meta.key-prefix-labels"}}
	checkMetaLabel  = &check{name: "meta-label", story: "A label in a key of _meta begins with a letter and holds letters, digits and hyphens.", ids: []string{"meta.key-label-charset"}}
	checkMetaOwner  = &check{name: "meta-owner", story: "No key of _meta has a prefix that the protocol keeps for itself.", ids: []string{"meta.reserved-prefix-second-label"}}
	checkMetaOwned  = &check{name: "meta-owner-of-all", story: "No key of _meta has a prefix in which the protocol keeps a label for itself.", ids: []string{"base.meta-prefix-reserved-mcp-followed-by-label"}}
	checkMetaTrace  = &check{name: "meta-trace", story: "The keys of _meta that are kept for traces hold traces.", ids: []string{"meta.trace-keys-reserved"}}
	checkMetaName   = &check{name: "meta-name", story: "The name in a key of _meta begins and ends with a letter or a digit.", ids: []string{"meta.key-name-ends-alnum"}}
)

// metaChecks are those checks by the rule that they hold a member to.
var metaChecks = map[metakey.Rule]*check{metakey.Prefix: checkMetaPrefix, metakey.Label: checkMetaLabel, metakey.Owner: checkMetaOwner,
	metakey.Owned: checkMetaOwned, metakey.Name: checkMetaName, metakey.Trace: checkMetaTrace}

// checkMeta holds the members of every _meta in a message against what the revision says of them.
func (p *player) checkMeta(it *item) {
	for _, m := range metakey.Members(it.value) {
		for rule, problem := range metakey.Problems(m) {
			if c := metaChecks[rule]; len(stands(p.options.Manifest, c.ids, p.facts.Version)) > 0 {
				p.object(it, c, problem)
			}
		}
	}
}
