package drive

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"
)

// maxCurl bounds the body that a curl line holds, in bytes.
const maxCurl = 4 << 10

// Curl returns a line for a POSIX shell that repeats the request, secrets hidden, or "" if no line can.
func Curl(endpoint *url.URL, r Request, mask *Mask) string {
	if len(r.Body) > maxCurl || r.Length != nil || r.Hangup {
		return ""
	}
	u := *endpoint
	if r.Path != "" {
		u.Path, u.RawQuery, _ = strings.Cut(r.Path, "?")
	}
	parts := []string{"curl -sSiN"}
	switch r.Method {
	case http.MethodHead:
		parts = append(parts, "-I")
	case http.MethodPost, "":
		if len(r.Body) == 0 {
			parts = append(parts, "-X POST")
		}
	default:
		parts = append(parts, "-X "+r.Method)
	}
	for _, f := range r.Header {
		value := f.Value
		if mask.Secret(f.Name) {
			value = Hidden
		}
		parts = append(parts, "-H "+quote(f.Name+": "+value))
	}
	if len(r.Body) > 0 {
		parts = append(parts, "--data-binary "+quote(string(r.Body)))
	}
	return mask.Hide(strings.Join(append(parts, quote(HideURL(&u))), " "))
}

// quote makes one word of a shell. Bytes that are no text are written as escapes, which bash and zsh understand.
func quote(s string) string {
	odd := !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' })
	if !odd {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	var b strings.Builder
	b.WriteString("$'")
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\'' || c == '\\':
			b.WriteString(`\` + string(rune(c)))
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + "'"
}
