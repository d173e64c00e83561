package watch

import (
	"slices"

	"github.com/parley-mcp/parley/conformance/revision"
)

// A Check looks at everything that a client sends.
type Check struct {
	// Name tells it from the others, such as "id-unique"; Story says in a sentence what it holds the client to.
	Name, Story string
	// Requirements are those that it proves, each at the revisions at which the manifest has it.
	Requirements []string
	// transport is the only one it is about; empty for both.
	transport string
	// when says of a revision whether the check is about it; nil stands for every one.
	when func(revision.Facts) bool
	// look says what is wrong with something that the client sent; ok is false if the check is not about it.
	look func(w *Watcher, m *message) (problem string, ok bool)
}

// The transports.
const (
	overHTTP  = "http"
	overStdio = "stdio"
)

func handshake(f revision.Facts) bool  { return f.Handshake }
func perRequest(f revision.Facts) bool { return !f.Handshake }

// Checks lists every check, by name.
func Checks() []*Check { return slices.Clone(checks) }

// checks are put together once: the table of the schema is long, and its checks are alike.
var checks = gather()

func gather() []*Check {
	all := slices.Concat(messageChecks, metaKeyChecks, openingChecks, requestChecks, answerChecks, roundChecks, headerChecks, parameterChecks, schemaChecks())
	slices.SortFunc(all, func(a, b *Check) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return all
}

// Revisions are those that the check is about, newest first.
func (c *Check) Revisions() []string {
	var out []string
	for _, f := range revision.All() {
		if c.when == nil || c.when(f) {
			out = append(out, f.Version)
		}
	}
	return out
}

// about reports whether a check has a say at a revision over a transport.
func (c *Check) about(f revision.Facts, transport string) bool {
	return (c.transport == "" || c.transport == transport) && (c.when == nil || c.when(f))
}
