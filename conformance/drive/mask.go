package drive

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Hidden is what stands in evidence for a secret.
const Hidden = "***"

// A Mask hides secrets in evidence: the values of headers that carry them, and those values wherever else they stand. It may
// be used by several goroutines; the zero value hides the headers that always carry a secret.
type Mask struct {
	mu     sync.Mutex
	names  []string
	values []string
}

var secretNames = []string{"authorization", "proxy-authorization", "cookie", "set-cookie", "mcp-session-id", "x-api-key"}

// minSecret is the length below which a value is hidden only behind its header's name: hiding "1" everywhere would hide
// the message.
const minSecret = 6

// Header hides the value of a header from now on.
func (m *Mask) Header(name, value string) {
	m.mu.Lock()
	if name = strings.ToLower(name); !slices.Contains(m.names, name) {
		m.names = append(m.names, name)
	}
	m.mu.Unlock()
	m.Value(value)
	if _, token, ok := strings.Cut(value, " "); ok {
		m.Value(token)
	}
}

// Value hides a text wherever it stands. Texts that are very short are left alone.
func (m *Mask) Value(value string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(value) >= minSecret && !slices.Contains(m.values, value) {
		m.values = append(m.values, value)
		slices.SortFunc(m.values, func(a, b string) int { return len(b) - len(a) })
	}
}

// Secret reports whether the header's value is hidden.
func (m *Mask) Secret(name string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	name = strings.ToLower(name)
	return slices.Contains(secretNames, name) || slices.Contains(m.names, name)
}

var headerLine = regexp.MustCompile(`(?m)^([A-Za-z0-9-]+):[ \t]*([^\r\n]+)`)

// Hide returns the text with every secret replaced.
func (m *Mask) Hide(text string) string {
	head, body, found := strings.Cut(text, "\r\n\r\n")
	if found || strings.Contains(head, "\r\n") {
		head = headerLine.ReplaceAllStringFunc(head, func(line string) string {
			name, _, _ := strings.Cut(line, ":")
			if m.Secret(name) {
				return name + ": " + Hidden
			}
			return line
		})
		if text = head; found {
			text += "\r\n\r\n" + body
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, v := range m.values {
		text = strings.ReplaceAll(text, v, Hidden)
	}
	return text
}

// HideURL returns a URL without its password and without the values of its query.
func HideURL(u *url.URL) string {
	c := *u
	q := c.Query()
	for name := range q {
		q.Set(name, Hidden)
	}
	c.RawQuery = strings.ReplaceAll(q.Encode(), url.QueryEscape(Hidden), Hidden)
	return strings.Replace(c.Redacted(), "xxxxx", Hidden, 1)
}

var secretWord = regexp.MustCompile(`(?i)(token|secret|password|passwd|bearer|api-?_?key|authorization|credential)`)

// HideArgs returns a command line without the values of arguments whose name sounds like a secret.
func HideArgs(args []string) string {
	out := slices.Clone(args)
	for i, arg := range out {
		name, value, pair := strings.Cut(arg, "=")
		switch {
		case pair && value != "" && secretWord.MatchString(name):
			out[i] = name + "=" + Hidden
		case i > 0 && strings.HasPrefix(args[i-1], "-") && !strings.Contains(args[i-1], "=") && secretWord.MatchString(args[i-1]):
			out[i] = Hidden
		}
	}
	return strings.Join(out, " ")
}
