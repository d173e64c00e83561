package schema

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Kind says which of the three checks a message failed.
type Kind string

const (
	// KindShape means that it is not one well-formed JSON-RPC message.
	KindShape Kind = "shape"
	// KindSchema means that it does not fit the schema of its revision, or comes from the wrong side.
	KindSchema Kind = "schema"
	// KindForeign means that it uses vocabulary that only other revisions define.
	KindForeign Kind = "foreign"
)

// Problem is one thing wrong with a message.
type Problem struct {
	// Path is a JSON pointer (RFC 6901) into the message; it is empty for the message itself.
	Path string
	// Kind is the check that failed.
	Kind Kind
	// Text says what is wrong, without repeating the path.
	Text string
}

// String gives the problem on one line.
func (p Problem) String() string {
	where := p.Path
	if where == "" {
		where = "message"
	}
	return fmt.Sprintf("%s: %s (%s)", where, p.Text, p.Kind)
}

var escapePointer = strings.NewReplacer("~", "~0", "/", "~1")

// at extends the JSON pointer path by one member.
func at(path, member string) string { return path + "/" + escapePointer.Replace(member) }

// within reports whether path is scope or lies below it.
func within(path, scope string) bool {
	return path == scope || strings.HasPrefix(path, scope+"/")
}

// list joins words as prose does: "a, b and c".
func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// sorted puts the problems into the order of their paths, shape before schema before foreign at the same path.
func sorted(problems []Problem) []Problem {
	rank := []Kind{KindShape, KindSchema, KindForeign}
	slices.SortFunc(problems, func(a, b Problem) int {
		return cmp.Or(
			strings.Compare(a.Path, b.Path),
			slices.Index(rank, a.Kind)-slices.Index(rank, b.Kind),
			strings.Compare(a.Text, b.Text),
		)
	})
	return problems
}
