package rawjson

import "unicode/utf8"

// AppendString appends s as a JSON string, with no more escapes than must be. Invalid UTF-8 becomes U+FFFD.
//
// It is what jsontext.AppendQuote does, eight bytes at a time: quoting was half of what a text of some KiB cost in the
// profile. The fuzz function holds it to the original.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0 // of what is to be copied as it is
	for i := 0; i < len(s); {
		if i+8 <= len(s) && plain(s[i:i+8]) {
			i += 8
			continue
		}
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		width := 1
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if width = n; r != utf8.RuneError || n > 1 {
				i += n
				continue
			}
		}
		dst = appendEscaped(append(dst, s[start:i]...), c)
		i += width
		start = i
	}
	return append(append(dst, s[start:]...), '"')
}

// plain reports whether none of the eight bytes of s needs a closer look.
func plain(s string) bool {
	_ = s[7]
	x := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	// The top bit of a byte is set by: 0x80 and above; below a blank; a quote; a backslash. A borrow from the byte below can
	// only set one too many.
	return (x|(x-ones*' ')|((x^ones*'"')-ones)|((x^ones*'\\')-ones))&tops == 0
}

// appendEscaped appends a byte that cannot stand as it is, or the mark for one that is no UTF-8.
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
	if c >= utf8.RuneSelf {
		return append(dst, "\ufffd"...)
	}
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}
