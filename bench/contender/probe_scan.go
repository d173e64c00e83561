package contender

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A probeMessage holds spans of a request. Texts are without their quotes, and as they came, but for message.
type probeMessage struct {
	id, method, name, uri, message, version, capabilities []byte
}

// parse finds the members in one pass. It accepts much that is no JSON.
func (m *probeMessage) parse(body []byte) bool {
	s := scanner{text: body}
	return s.value(func(key []byte) bool {
		switch string(key) {
		case "id":
			m.id = s.value(nil)
		case "method":
			m.method = unquote(s.value(nil))
		case "params":
			s.value(func(key []byte) bool { return m.param(&s, key) })
		default:
			return false
		}
		return true
	}) != nil
}

func (m *probeMessage) param(s *scanner, key []byte) bool {
	switch string(key) {
	case "name":
		m.name = unquote(s.value(nil))
	case "uri":
		m.uri = unquote(s.value(nil))
	case "arguments":
		s.value(func(key []byte) bool {
			if string(key) != "message" {
				return false
			}
			m.message = s.value(nil)
			return true
		})
	case "_meta":
		s.value(func(key []byte) bool {
			switch string(key) {
			case "io.modelcontextprotocol/protocolVersion":
				m.version = unquote(s.value(nil))
			case "io.modelcontextprotocol/clientCapabilities":
				m.capabilities = s.value(nil)
			default:
				return false
			}
			return true
		})
	default:
		return false
	}
	return true
}

// A scanner goes over a text once.
type scanner struct {
	text []byte
	at   int
}

func (s *scanner) space() {
	for s.at < len(s.text) && strings.IndexByte(" \n\t\r", s.text[s.at]) >= 0 {
		s.at++
	}
}

// next reports whether c comes next, and goes past it.
func (s *scanner) next(c byte) bool {
	s.space()
	if s.at >= len(s.text) || s.text[s.at] != c {
		return false
	}
	s.at++
	return true
}

// value returns the span of a value, nil if there is none. member is called for each member of an object, and reports
// whether it has consumed its value.
func (s *scanner) value(member func(key []byte) bool) []byte {
	s.space()
	if s.at >= len(s.text) {
		return nil
	}
	from := s.at
	switch s.text[from] {
	case '"':
		return s.string()
	case '{':
		s.at++
		return s.rest(from, '}', func() bool {
			s.space()
			key := s.string()
			return key != nil && s.next(':') && (member != nil && member(unquote(key)) || s.value(nil) != nil)
		})
	case '[':
		s.at++
		return s.rest(from, ']', func() bool { return s.value(nil) != nil })
	}
	for s.at < len(s.text) && strings.IndexByte(",}] \n\t\r", s.text[s.at]) < 0 {
		s.at++
	}
	if s.at == from {
		return nil
	}
	return s.text[from:s.at]
}

// rest returns the span of what is made of elements, begins at from and ends with end.
func (s *scanner) rest(from int, end byte, element func() bool) []byte {
	if s.next(end) {
		return s.text[from:s.at]
	}
	for element() {
		if s.next(end) {
			return s.text[from:s.at]
		}
		if !s.next(',') {
			return nil
		}
	}
	return nil
}

func (s *scanner) string() []byte {
	if s.at >= len(s.text) || s.text[s.at] != '"' {
		return nil
	}
	from := s.at
	s.at++
	for {
		i := bytes.IndexByte(s.text[s.at:], '"')
		if i < 0 {
			return nil
		}
		end, escapes := s.at+i, 0
		for end-1-escapes > from && s.text[end-1-escapes] == '\\' {
			escapes++
		}
		s.at = end + 1
		if escapes%2 == 0 {
			return s.text[from:s.at]
		}
	}
}

func unquote(text []byte) []byte {
	if len(text) < 2 {
		return nil
	}
	return text[1 : len(text)-1]
}

var unescaped = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f'}

func unescape(dst, src []byte) []byte {
	for {
		i := bytes.IndexByte(src, '\\')
		if i < 0 || i+1 >= len(src) {
			return append(dst, src...)
		}
		dst = append(dst, src[:i]...)
		c := src[i+1]
		if c == 'u' {
			end := min(i+6, len(src))
			r, _ := strconv.ParseUint(string(src[i+2:end]), 16, 32)
			dst, src = utf8.AppendRune(dst, rune(r)), src[end:]
			continue
		}
		if plain, ok := unescaped[c]; ok {
			c = plain
		}
		dst, src = append(dst, c), src[i+2:]
	}
}

func quote(dst []byte, text string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	from := 0
	for i := range len(text) {
		c := text[i]
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, text[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(append(dst, text[from:]...), '"')
}
