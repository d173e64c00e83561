package rawjson

import "unicode/utf8"

// Sure reports whether text is certainly one JSON value as jsontext sees it: grammar, UTF-8, no object with two members of
// the same name. It nests no deeper than depth. false means that it is for jsontext to say: because something is wrong, or
// rare, such as an escaped name or an object of many members.
//
// Checking what a peer sent was the largest part of a small call in the profile, and the usual message needs no more than
// this. The fuzz function holds it to the original.
func Sure(text []byte, depth int) bool {
	return utf8.Valid(text) && ends(text, sure(text, space(text, 0), depth))
}

// A Member is a member of an object. Its name has no escapes.
type Member struct{ Name, Value []byte }

// Split is Sure for an object, and appends its members to members. Those of its member within, if that is an object, are
// appended to inner.
func Split(text []byte, depth int, within string, members, inner []Member) (_, _ []Member, ok bool) {
	i := space(text, 0)
	if i >= len(text) || text[i] != '{' || !utf8.Valid(text) {
		return nil, nil, false
	}
	members, inner, end := split(text, i, depth, within, members, inner)
	return members, inner, ends(text, end)
}

// ends reports whether a value that ends at b[end] is all there is.
func ends(b []byte, end int) bool { return end >= 0 && space(b, end) == len(b) }

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

func sureObject(b []byte, i, depth int) int {
	if depth == 0 {
		return unsure
	}
	if i = space(b, i+1); i < len(b) && b[i] == '}' {
		return i + 1
	}
	var seen names
	for {
		if _, i = seen.read(b, i); i == unsure {
			return unsure
		}
		if i = sure(b, i, depth-1); i == unsure {
			return unsure
		}
		var more bool
		if i, more = after(b, i, '}'); !more {
			return i
		}
	}
}

// split is sureObject, and takes down the members.
func split(b []byte, i, depth int, within string, members, inner []Member) (_, _ []Member, end int) {
	if depth == 0 {
		return members, inner, unsure
	}
	if i = space(b, i+1); i < len(b) && b[i] == '}' {
		return members, inner, i + 1
	}
	var seen names
	for {
		name, start := seen.read(b, i)
		switch {
		case start == unsure:
			return members, inner, unsure
		case within != "" && string(name) == within && start < len(b) && b[start] == '{':
			inner, _, end = split(b, start, depth-1, "", inner, nil)
		default:
			end = sure(b, start, depth-1)
		}
		if end == unsure {
			return members, inner, unsure
		}
		members = append(members, Member{name, b[start:end:end]})
		var more bool
		if i, more = after(b, end, '}'); !more {
			return members, inner, i
		}
	}
}

// names are the names of an object's members so far: where they begin and end.
type names struct {
	seen [maxNames][2]int
	n    int
}

// maxNames is up to how many members are compared each with each.
const maxNames = 16

// read reads the name at b[i], which must be a new one, and returns where its value begins, or unsure.
func (ns *names) read(b []byte, i int) (name []byte, value int) {
	if i >= len(b) || b[i] != '"' || ns.n == maxNames {
		return nil, unsure
	}
	end, escaped := sureString(b, i)
	if end == unsure || escaped {
		return nil, unsure
	}
	name = b[i+1 : end-1]
	for _, other := range ns.seen[:ns.n] {
		if other[1]-other[0] == len(name) && string(b[other[0]:other[1]]) == string(name) {
			return nil, unsure
		}
	}
	ns.seen[ns.n] = [2]int{i + 1, end - 1}
	ns.n++
	if i = space(b, end); i >= len(b) || b[i] != ':' {
		return nil, unsure
	}
	return name, space(b, i+1)
}

func sureArray(b []byte, i, depth int) int {
	if depth == 0 {
		return unsure
	}
	if i = space(b, i+1); i < len(b) && b[i] == ']' {
		return i + 1
	}
	for {
		if i = sure(b, i, depth-1); i == unsure {
			return unsure
		}
		var more bool
		if i, more = after(b, i, ']'); !more {
			return i
		}
	}
}

// after looks behind a part, which ends at b[i], of a value that close ends. If more parts follow it returns where the next
// begins, else the index behind the whole, or unsure.
func after(b []byte, i int, close byte) (end int, more bool) {
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
