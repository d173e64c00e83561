package requirements

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestClauseURL(t *testing.T) {
	const newest = "https://modelcontextprotocol.io/specification/2026-07-28/schema"
	const oldest = "https://github.com/modelcontextprotocol/modelcontextprotocol/blob/main/schema/2025-03-26/schema.ts"
	tests := []struct{ clause, schema, want string }{
		{"basic/transports#session-management", newest, "https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#session-management"},
		{"basic/index#messages", newest, "https://modelcontextprotocol.io/specification/2026-07-28/basic#messages"},
		{"index", newest, "https://modelcontextprotocol.io/specification/2026-07-28"},
		{"changelog", newest, "https://modelcontextprotocol.io/specification/2026-07-28/changelog"},
		{"schema#CallToolResult", newest, "https://modelcontextprotocol.io/specification/2026-07-28/schema#calltoolresult"},
		{"schema.ts#CallToolResult", newest, "https://modelcontextprotocol.io/specification/2026-07-28/schema#calltoolresult"},
		{"schema#CallToolResult", oldest, oldest},
		{"docs/tutorials/security/security_best_practices#session-hijacking", newest, "https://modelcontextprotocol.io/docs/tutorials/security/security_best_practices#session-hijacking"},
		{"docs/extensions/tasks/overview", newest, "https://modelcontextprotocol.io/extensions/tasks/overview"},
		{"seps/2663-tasks-extension#response", newest, "https://modelcontextprotocol.io/seps/2663-tasks-extension#response"},
		{"ext-tasks:specification/draft/tasks#task-status", newest, "https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/draft/tasks.mdx#task-status"},
		{"ext-tasks:schema/draft/schema.ts#Task", newest, "https://github.com/modelcontextprotocol/ext-tasks/blob/main/schema/draft/schema.ts#Task"},
	}
	for _, test := range tests {
		c := parseClause(test.clause)
		c.Revision, c.schema = "2026-07-28", test.schema
		assert.Equal(t, test.want, c.URL(), test.clause)
	}
}

func TestClauseString(t *testing.T) {
	assert.Equal(t, "server/tools#calling-tools", parseClause("server/tools#calling-tools").String())
	assert.Equal(t, "server/tools", parseClause("server/tools").String())
}

// Every clause of the manifest has a link.
func TestEveryClauseHasURL(t *testing.T) {
	m, err := Load()
	require.NoError(t, err)
	for e := range m.All() {
		for _, s := range e.Statements {
			for _, c := range s.Clauses {
				assert.Regexp(t, `^https://(modelcontextprotocol\.io|github\.com/modelcontextprotocol)/[\w./-]+(#\S+)?$`, c.URL(), e.ID)
			}
		}
	}
}
