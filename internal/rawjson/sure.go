package rawjson

import (
	"bytes"
	"unicode/utf8"
)

// Sure reports whether text is certainly one JSON value as jsontext sees it: grammar, UTF-8, no object with two members of
// the same name. It nests no deeper than depth. false means that it is for jsontext to say: because something is wrong, or
// rare, such as an escaped name or an object of many members.
//
// Checking what a peer sent was the largest part of a small call in the profile, and the usual message needs no more than
// this. The fuzz function holds it to the original.
func Sure(text []byte, depth int) bool {
	if !utf8.Valid(text) {
		return false
	}
	end := sure(text, space(text, 0), depth)
	return end >= 0 && space(text, end) == len(text)
}

// unsure is the end of a value that may not be one.
const unsure = -1

// sure returns the index behind the value at b[i], or unsure.
func sure(b []byte, i, depth int) int {
	if i >= len(b) {
		return unsure
	}
	switch b[i] {
	case '"':
		end, _ := sureString(b, i)
		return end
	case '{':
		return sureObject(b, i, depth)
	case '[':
		return sureArray(b, i, depth)
	case 't':
		return sureLiteral(b, i, "true")
	case 'f':
		return sureLiteral(b, i, "false")
	case 'n':
		return sureLiteral(b, i, "null")
	}
	return sureNumber(b, i)
}

// maxNames is up to how many members are compared each with each.
const maxNames = 16

func sureObject(b []byte, i, depth int) int {
	if depth == 0 {
		return unsure
	}
	if i = space(b, i+1); i < len(b) && b[i] == '}' {
		return i + 1
	}
	var names [maxNames][2]int // where they begin and end
	for n := 0; n < maxNames; n++ {
		if i >= len(b) || b[i] != '"' {
			return unsure
		}
		end, escaped := sureString(b, i)
		if end == unsure || escaped {
			return unsure
		}
		for _, other := range names[:n] {
			if other[1]-other[0] == end-i && bytes.Equal(b[other[0]:other[1]], b[i:end]) {
				return unsure
			}
		}
		names[n] = [2]int{i, end}
		if i = space(b, end); i >= len(b) || b[i] != ':' {
			return unsure
		}
		var more bool
		if i, more = sureItem(b, space(b, i+1), depth, '}'); !more {
			return i
		}
	}
	return unsure
}

func sureArray(b []byte, i, depth int) int {
	if depth == 0 {
		return unsure
	}
	if i = space(b, i+1); i < len(b) && b[i] == ']' {
		return i + 1
	}
	for {
		var more bool
		if i, more = sureItem(b, i, depth, ']'); !more {
			return i
		}
	}
}

// sureItem reads a value at b[i] that is part of another, which close ends. If more follow it returns where the next begins,
// else the index behind the whole, or unsure.
func sureItem(b []byte, i, depth int, close byte) (end int, more bool) {
	if i = sure(b, i, depth-1); i == unsure {
		return unsure, false
	}
	if i = space(b, i); i >= len(b) {
		return unsure, false
	}
	switch b[i] {
	case ',':
		return space(b, i+1), true
	case close:
		return i + 1, false
	}
	return unsure, false
}

func sureLiteral(b []byte, i int, literal string) int {
	end := i + len(literal)
	if end > len(b) || string(b[i:end]) != literal {
		return unsure
	}
	return end
}

func sureNumber(b []byte, i int) int {
	if i < len(b) && b[i] == '-' {
		i++
	}
	start := i
	if i = digits(b, i); i == start || b[start] == '0' && i > start+1 {
		return unsure
	}
	if i < len(b) && b[i] == '.' {
		start = i + 1
		if i = digits(b, start); i == start {
			return unsure
		}
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		if i++; i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		start = i
		if i = digits(b, start); i == start {
			return unsure
		}
	}
	return i
}

func digits(b []byte, i int) int {
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		i++
	}
	return i
}

// sureString returns the index behind the string at b[i], and whether it has escapes.
func sureString(b []byte, i int) (end int, escaped bool) {
	for i++; ; {
		i = plainEnd(b, i)
		if i >= len(b) {
			return unsure, escaped
		}
		switch b[i] {
		case '"':
			return i + 1, escaped
		case '\\':
			if escaped = true; i+1 == len(b) {
				return unsure, escaped
			}
			switch b[i+1] {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			default:
				return unsure, escaped // \u too: it may be half a character
			}
			i += 2
		default: // a control character
			return unsure, escaped
		}
	}
}
