package match

import (
	"math/big"
	"strings"
)

// Equal reports whether two JSON values are the same: members in any order, numbers by value.
func Equal(a, b *Value) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.Kind != b.Kind || len(a.Members) != len(b.Members) || len(a.Items) != len(b.Items) {
		return false
	}
	switch a.Kind {
	case '"':
		return a.Text == b.Text
	case '0':
		return sameNumber(a.Text, b.Text)
	}
	for _, m := range a.Members {
		if !Equal(m.Value, b.member(m.Name)) {
			return false
		}
	}
	for i := range a.Items {
		if !Equal(a.Items[i], b.Items[i]) {
			return false
		}
	}
	return true
}

// maxExact bounds the literals that are compared as fractions: a long exponent must not cost memory.
const maxExact = 64

// sameNumber compares two literals by value, exactly. Literals that are too long or have a large exponent are the same
// only if they are written the same.
func sameNumber(a, b string) bool {
	if a == b {
		return true
	}
	x, ok := rational(a)
	if !ok {
		return false
	}
	y, ok := rational(b)
	return ok && x.Cmp(y) == 0
}

func rational(s string) (*big.Rat, bool) {
	if len(s) > maxExact {
		return nil, false
	}
	if i := strings.IndexAny(s, "eE"); i >= 0 && len(strings.TrimLeft(s[i+1:], "+-0")) > 2 {
		return nil, false
	}
	return new(big.Rat).SetString(s)
}

// isInteger reports whether a number literal has an integral value.
func isInteger(s string) bool {
	r, ok := rational(s)
	if !ok {
		return !strings.ContainsAny(s, ".eE")
	}
	return r.IsInt()
}
