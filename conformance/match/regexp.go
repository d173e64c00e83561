package match

import (
	"regexp/syntax"
	"strings"
)

// exampleOf builds a short string in which the expression matches. It follows the first alternative and the fewest
// repetitions, which is enough for the expressions that transcripts hold; their tests check that it matches.
func exampleOf(expr string) string {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return ""
	}
	var b strings.Builder
	exampleNode(&b, re.Simplify())
	return b.String()
}

func exampleNode(b *strings.Builder, re *syntax.Regexp) {
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		b.WriteRune(exampleRune(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteRune('x')
	case syntax.OpConcat, syntax.OpCapture, syntax.OpPlus:
		for _, sub := range re.Sub {
			exampleNode(b, sub)
		}
	case syntax.OpAlternate:
		exampleNode(b, re.Sub[0])
	case syntax.OpRepeat:
		for range re.Min {
			exampleNode(b, re.Sub[0])
		}
	}
}

// exampleRune prefers a letter or digit of the class, so that examples can be read.
func exampleRune(ranges []rune) rune {
	for i := 0; i+1 < len(ranges); i += 2 {
		for _, r := range "a0A" {
			if ranges[i] <= r && r <= ranges[i+1] {
				return r
			}
		}
	}
	return ranges[0]
}
