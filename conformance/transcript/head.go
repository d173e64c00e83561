package transcript

import (
	"regexp"
	"strings"

	"github.com/parley-mcp/parley/conformance/revision"
)

var keyLine = regexp.MustCompile(`^([a-z][a-z-]*):(?:\s+(.*))?$`)

// condition is what may stand beside the names of capabilities.
var condition = regexp.MustCompile(`^(no:.+|http:session|http:authorization|http:metadata|token:(` +
	strings.Join(Tokens, "|") + `)|only:stateless|(entries|pages):[a-z/]+/list)$`)

// head reads the prose and the keys below it.
func (p *parser) head(comment []byte) {
	lines := strings.Split(strings.TrimRight(strings.ReplaceAll(string(comment), "\r\n", "\n"), "\n \t"), "\n")
	first := len(lines)
	for first > 0 && strings.TrimSpace(lines[first-1]) != "" {
		first--
	}
	p.t.Story = strings.TrimSpace(strings.Join(lines[:first], "\n"))
	if p.t.Story == "" {
		p.errorf(1, "tell the story in prose first, then leave a line free, then write the keys")
	}
	seen := map[string]bool{}
	for i, line := range lines[first:] {
		at := first + i + 1
		m := keyLine.FindStringSubmatch(line)
		if m == nil {
			p.errorf(at, "%q is not a key: the last paragraph before the first section holds only \"key: value\" lines", line)
			continue
		}
		if seen[m[1]] {
			p.errorf(at, "key %s stands twice", m[1])
		}
		seen[m[1]] = true
		p.key(at, m[1], strings.TrimSpace(m[2]))
	}
	if !seen["revisions"] {
		p.errorf(max(first, 1), "the key revisions is missing: name those for which the conversation holds")
	}
	if p.t.Transports == nil {
		p.t.Transports = []string{"http", "stdio"}
	}
}

func (p *parser) key(at int, key, value string) {
	words := strings.Fields(value)
	if len(words) == 0 {
		p.errorf(at, "key %s has no value: write one, or drop the line", key)
		return
	}
	switch key {
	case "revisions":
		p.t.Revisions = p.each(at, words, "revision", known, strings.Join(revision.Versions(), ", "))
	case "transports":
		p.t.Transports = p.each(at, words, "transport",
			func(s string) bool { return s == "http" || s == "stdio" }, "http, stdio")
	case "fixture":
		p.t.Fixtures = words
	case "capability":
		p.t.Capabilities = p.each(at, words, "capability", func(s string) bool {
			return !strings.Contains(s, ":") || condition.MatchString(s)
		}, "those that servers declare, no:NAME, http:session, http:authorization, http:metadata, token:KIND, only:stateless, entries:METHOD, pages:METHOD")
	case "open":
		p.t.Opens = p.yesNo(at, key, value)
	case "parallel":
		p.t.Parallel = p.yesNo(at, key, value)
	case "also":
		p.t.Also = value
	case "control":
		if len(words) != 1 || !strings.Contains(value, "/") {
			p.errorf(at, "control: write the name of one transcript, its area included, such as tools/call")
			return
		}
		p.t.Control = value
	default:
		p.errorf(at, "unknown key %q: write revisions, transports, fixture, capability, open, control, parallel or also", key)
	}
}

// each checks a list of words, each of which may stand once.
func (p *parser) each(at int, words []string, what string, ok func(string) bool, all string) []string {
	seen := map[string]bool{}
	for _, w := range words {
		if !ok(w) {
			p.errorf(at, "unknown %s %q: write some of %s, with blanks between", what, w, all)
		}
		if seen[w] {
			p.errorf(at, "%s %s stands twice", what, w)
		}
		seen[w] = true
	}
	return words
}

func (p *parser) yesNo(at int, key, value string) bool {
	if value != "yes" && value != "no" {
		p.errorf(at, "%s: write yes or no, not %q", key, value)
	}
	return value == "yes"
}
