package rawjson

import "unicode/utf8"

// AppendString appends s as a JSON string, with no more escapes than must be. Invalid UTF-8 becomes U+FFFD.
//
// It is what jsontext.AppendQuote does, many bytes at a time: quoting was half of what a text of some KiB cost in the
// profile. The fuzz function holds it to the original.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	b := []byte(s) // no copy is made, since nothing changes it
	start := 0     // of what is to be copied as it is
	for i := asciiEnd(b, 0); i < len(b); i = asciiEnd(b, i) {
		for i < len(b) && b[i] >= utf8.RuneSelf { // one is seldom alone
			r, n := utf8.DecodeRune(b[i:])
			if r == utf8.RuneError && n == 1 {
				dst = append(append(dst, s[start:i]...), "\ufffd"...)
				start = i + 1
			}
			i += n
		}
		if i < len(b) && !stands(b[i]) {
			dst = appendEscaped(append(dst, s[start:i]...), b[i])
			i++
			start = i
		}
	}
	return append(append(dst, s[start:]...), '"')
}

// stands reports whether an ASCII byte can stand as it is.
func stands(c byte) bool { return c >= ' ' && c != '"' && c != '\\' }

// appendEscaped appends a byte that cannot.
func appendEscaped(dst []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	}
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}
