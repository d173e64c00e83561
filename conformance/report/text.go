package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// visible makes text from a server harmless to show: what would act on a terminal, reorder a line, or hide is spelled out
// as ‹U+001B›, and a byte that is not UTF-8 as ‹0xFF›. Those brackets have no meaning in JSON, so that a raw control
// character and its JSON escape look different. Line feeds and tabs stay; CR LF becomes LF.
func visible(s string) string {
	return spell(strings.ReplaceAll(s, "\r\n", "\n"), hidden)
}

// validUTF8 spells out only the bytes that are not UTF-8, for forms that have escapes of their own for the rest.
func validUTF8(s string) string {
	return spell(s, func(rune) bool { return false })
}

// spell spells out the bytes that are not UTF-8 and the characters that are to be.
func spell(s string, out func(rune) bool) string {
	if utf8.ValidString(s) && !strings.ContainsFunc(s, out) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, "‹0x%02X›", s[0])
		case out(r):
			fmt.Fprintf(&b, "‹U+%04X›", r)
		default:
			b.WriteString(s[:size])
		}
		s = s[size:]
	}
	return b.String()
}

// hidden tells the characters that a reader cannot see, or that change how others are seen. The two joiners are spared:
// emoji and several scripts are written with them.
func hidden(r rune) bool {
	switch r {
	case '\n', '\t', '\u200c', '\u200d':
		return false
	case '\ufffe', '\uffff':
		return true
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// oneLine is visible text with every run of white space made one space.
func oneLine(s string) string {
	return strings.Join(strings.Fields(visible(s)), " ")
}

// cut shortens text to so many lines of so many characters each, and says what it left out.
func cut(s string, lines, width int) string {
	all := strings.Split(strings.TrimRight(s, "\n"), "\n")
	left := len(all) - lines
	if left > 0 {
		all = all[:lines]
	}
	for i, line := range all {
		if n := utf8.RuneCountInString(line); n > width {
			runes := []rune(line)
			all[i] = fmt.Sprintf("%s … %s", string(runes[:width]), plural(n-width, "more character", "more characters"))
		}
	}
	if left > 0 {
		all = append(all, "… "+plural(left, "more line", "more lines"))
	}
	return strings.Join(all, "\n")
}

// plural writes a number with the noun that fits it.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
