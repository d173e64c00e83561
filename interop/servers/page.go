package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/parley-mcp/parley/conformance"
	"github.com/parley-mcp/parley/conformance/report"
)

const pageHead = `# Servers of others

<!-- Written by: go run ./interop/servers -write -->

What the harness finds out about MCP servers that others wrote, in pinned versions. Every transcript is played against every
server at every revision that it speaks, over each transport; ` + "`make interop`" + ` does it again. A transcript passes, fails
(something of level MUST is broken), warns (only something of level SHOULD is), or is not applicable, since the server lacks
what it is about: a capability, a session, a tool of the reference fixture. Open is what the specification leaves open.

Many findings are about malformed messages. There the specification binds the sender, and JSON-RPC 2.0, on which it builds, has
an error for the receiver to answer with. They matter where something goes wrong, and to no client that does right.

Each finding below was read, exchange by exchange, against the requirement that it names. It says what was seen of one version, started in one
way; the files from which this page is written are in ` + "`conformance/known`" + `, and a run fails if one of the findings is
no longer true. Some findings are of the example server rather than of the library under it, and say so.

`

// writePage writes the page that shows what was found. Where the clone lies is nobody's business.
func writePage(root, file string, found []outcome) error {
	requirements, err := conformance.Describe()
	if err != nil {
		return err
	}
	text := strings.ReplaceAll(page(found, requirements), root+string(filepath.Separator), "")
	return os.WriteFile(filepath.Join(root, file), []byte(text), 0o644)
}

func page(found []outcome, requirements report.Requirements) string {
	var b strings.Builder
	b.WriteString(pageHead)
	b.WriteString("| server | version | revision | transport |")
	for _, c := range columns {
		fmt.Fprintf(&b, " %s |", c.heading)
	}
	b.WriteString("\n|---|---|---|---|" + strings.Repeat("---:|", len(columns)) + "\n")
	for i := range found {
		for _, r := range found[i].rows() {
			spoken := strings.Join(r.cells(), " | ")
			fmt.Fprintf(&b, "| [%s](#%s) | %s | %s | %s | %s |\n", r.server, r.server, found[i].target.version, r.revision, r.transport, spoken)
		}
	}
	b.WriteString("\nA dash: the server does not speak this revision over this transport.\n")
	for i := range found {
		section(&b, &found[i], requirements)
	}
	return b.String()
}

// section is what the page says of one server.
func section(b *strings.Builder, f *outcome, requirements report.Requirements) {
	t := f.target
	fmt.Fprintf(b, "\n## %s\n\n%s: %s %s, %s.\n", t.name, t.title, code(t.source), t.version, t.what)
	for _, over := range []struct{ transport, name string }{{"http", "HTTP"}, {"stdio", "stdio"}} {
		if spoken, tested := f.report.Target.Revisions[over.transport]; tested {
			fmt.Fprintf(b, "Over %s it speaks %s.\n", over.name, orNone(spoken))
		}
	}
	for i, one := range f.findings() {
		fmt.Fprintf(b, "\n### %s: %d\n\n%s\n\n", t.name, i+1, one.reason)
		one.write(b, requirements)
	}
}

func orNone(list []string) string {
	if len(list) == 0 {
		return "no revision that is tested"
	}
	return strings.Join(list, ", ")
}

// write shows a finding: the transcripts, the clauses, and the exchange, folded up.
func (f finding) write(b *strings.Builder, requirements report.Requirements) {
	names, where := f.transcripts()
	for _, name := range names {
		fmt.Fprintf(b, "- %s at %s\n", code(name), strings.Join(where[name], ", "))
	}
	r, step := f.evidence()
	for _, id := range step.Requirements {
		text, _ := requirements.Describe(id)
		fmt.Fprintf(b, "- %s, %s: %s ([clause](%s))\n", code(id), requirements.Level(id, r.Revision), text, requirements.Clause(id, r.Revision))
	}
	fmt.Fprintf(b, "\n<details><summary>The exchange at %s over %s</summary>\n\n", r.Revision, r.Transport)
	for _, part := range []struct {
		title, text string
		lines       int
	}{{"Sent", step.Sent, 12}, {"Received", step.Received, 10}, {"Found", step.Problem, 3}} {
		if text := shorten(part.text, part.lines); text != "" {
			fmt.Fprintf(b, "%s:\n\n~~~~~~text\n%s\n~~~~~~\n\n", part.title, strings.ReplaceAll(text, "~~~~~~", "~~~~~"))
		}
	}
	b.WriteString("</details>\n")
}

func code(s string) string { return "`" + s + "`" }
