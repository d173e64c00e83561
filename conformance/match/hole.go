package match

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// A hole is one "{{...}}".
type hole struct {
	word string // any, string, ..., absent, regexp, meta; "$" for a capture
	name string // of a capture
	expr *regexp.Regexp
	text string // what stands behind the word
	meta Meta
	of   []*Value // the choices of oneof
}

// Meta is what "{{meta cap ... key=value ...}}" asks for.
type Meta struct {
	// Capabilities are the client capabilities to declare: dotted paths such as "elicitation.url", or "extensions.ID".
	Capabilities []string
	// Extra are further members of _meta, such as progressToken. The name logLevel stands for the full key.
	Extra []Member
}

var kinds = map[string]string{
	"any": "", "string": "string", "number": "number", "integer": "number",
	"boolean": "boolean", "object": "object", "array": "array", "null": "null",
}

// parseHole reads s if it is one hole from end to end. ok is false if it is an ordinary string.
func parseHole(s string) (h *hole, ok bool, err error) {
	if !strings.HasPrefix(s, "{{") || !strings.HasSuffix(s, "}}") || strings.Count(s, "{{") > 1 && !strings.HasPrefix(s, "{{regexp ") {
		return nil, false, nil
	}
	inner := strings.TrimSpace(s[2 : len(s)-2])
	if name, found := strings.CutPrefix(inner, "$"); found {
		if !validName(name) {
			return nil, true, fmt.Errorf("hole %s: a capture is named by letters, digits, '-' and '_'", s)
		}
		return &hole{word: "$", name: name}, true, nil
	}
	word, rest, _ := strings.Cut(inner, " ")
	h = &hole{word: word, text: strings.TrimSpace(rest)}
	switch {
	case word == "regexp":
		h.expr, err = regexp.Compile(h.text)
		if err == nil && h.text == "" {
			err = fmt.Errorf("hole %s: write the expression behind the word regexp", s)
		}
		return h, true, err
	case word == "meta":
		h.meta, err = parseMeta(h.text)
		return h, true, err
	case word == "oneof":
		for _, choice := range strings.Fields(h.text) {
			h.of = append(h.of, parseWord(choice))
		}
		if len(h.of) < 2 {
			err = fmt.Errorf("hole %s: write at least two values behind the word oneof", s)
		}
		return h, true, err
	case h.text != "":
		return nil, true, fmt.Errorf("hole %s: nothing may stand behind the word %q", s, word)
	case word == "absent":
		return h, true, nil
	}
	for one := range strings.SplitSeq(word, "|") {
		if _, known := kinds[one]; !known {
			return nil, true, fmt.Errorf("unknown hole %s: write any, string, number, integer, boolean, object, array, null, several with | between, oneof, absent, regexp, meta or $name", s)
		}
	}
	return h, true, nil
}

// parseWord reads a value that stands in a hole: JSON, or else text.
func parseWord(word string) *Value {
	if v, err := Parse([]byte(word)); err == nil {
		return v
	}
	return String(word)
}

func validName(s string) bool {
	for _, r := range s {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_') {
			return false
		}
	}
	return s != ""
}

func parseMeta(text string) (Meta, error) {
	var m Meta
	for _, word := range strings.Fields(text) {
		key, value, pair := strings.Cut(word, "=")
		if !pair {
			m.Capabilities = append(m.Capabilities, word)
			continue
		}
		if key == "" {
			return m, fmt.Errorf("hole {{meta %s}}: %q has no name before its '='", text, word)
		}
		m.Extra = append(m.Extra, Member{key, parseWord(value)})
	}
	return m, nil
}

// fits says whether a value is of the hole's kind.
func (h *hole) fits(v *Value) bool {
	if h.word == "oneof" {
		return slices.ContainsFunc(h.of, func(choice *Value) bool { return Equal(choice, v) })
	}
	for word := range strings.SplitSeq(h.word, "|") {
		want := kinds[word]
		if want == "" || kindName(v.Kind) == want && (word != "integer" || isInteger(v.Text)) {
			return true
		}
	}
	return false
}

// want says in words what the hole asks for.
func (h *hole) want() string {
	switch h.word {
	case "any":
		return "any value"
	case "$":
		return "a value to capture as " + h.name
	case "regexp":
		return "a string matching /" + h.text + "/"
	case "absent":
		return "nothing"
	case "oneof":
		return "one of " + h.text
	case "integer":
		return "a whole number"
	case "null":
		return "null"
	case "meta":
		return "the metadata of a request"
	}
	return "a value of kind " + h.word
}

// example is a value that fills the hole.
func (h *hole) example() *Value {
	switch word, _, _ := strings.Cut(h.word, "|"); word {
	case "string", "any":
		return String("example")
	case "$":
		return String("captured:" + h.name) // a URI, which what is captured may have to be
	case "regexp":
		return String(exampleOf(h.text))
	case "oneof":
		return h.of[0].Clone()
	case "integer":
		return Number("1")
	case "number":
		return Number("1.5")
	case "boolean":
		return Bool(true)
	case "object", "meta":
		return Object()
	case "array":
		return &Value{Kind: '['}
	case "null":
		return &Value{Kind: 'n'}
	}
	return nil
}

// piecewise splits a string around the captures inside it: "a {{$x}} b".
func piecewise(s string) (pieces []piece, err error) {
	for {
		i := strings.Index(s, "{{")
		if i < 0 {
			return append(pieces, piece{text: s}), nil
		}
		j := strings.Index(s[i:], "}}")
		if j < 0 {
			return append(pieces, piece{text: s}), nil
		}
		inner := strings.TrimSpace(s[i+2 : i+j])
		name, found := strings.CutPrefix(inner, "$")
		if !found || !validName(name) {
			return nil, fmt.Errorf("hole {{%s}} inside a longer string: only a capture such as {{$name}} may stand there", inner)
		}
		pieces = append(pieces, piece{text: s[:i]}, piece{name: name})
		s = s[i+j+2:]
	}
}

// A piece is either text or the name of a capture.
type piece struct{ text, name string }

func scalarText(v *Value) (string, error) {
	switch v.Kind {
	case '"', '0':
		return v.Text, nil
	case 't', 'f', 'n':
		return v.String(), nil
	}
	return "", fmt.Errorf("an %s cannot stand inside a string", kindName(jsontext.Kind(v.Kind)))
}
