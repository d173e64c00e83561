package transcript

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/parley-mcp/parley/conformance/match"
)

var (
	statusSet  = regexp.MustCompile(`^[1-5](\d\d|xx)(\|[1-5](\d\d|xx))*$`)
	headerName = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")
)

// httpLine reads what stands behind "http:".
func (s *Step) httpLine(text string) error {
	if s.Kind == Close {
		return fmt.Errorf(">close sends no HTTP request of its own, so that it has no http: lines")
	}
	if directive, ok := strings.CutPrefix(text, "@"); ok {
		return s.directive(directive)
	}
	name, value, isHeader := strings.Cut(text, ":")
	if !isHeader {
		return s.status(text)
	}
	if !headerName.MatchString(name) {
		return fmt.Errorf("%q is no header name", name)
	}
	h := Header{Name: name}
	value = strings.TrimSpace(value)
	if value == "" {
		if !s.Kind.Sends() || s.judgesClient {
			return fmt.Errorf("write a value behind %s:, or {{absent}} if the header must not be there", name)
		}
		s.HTTP.Headers = append(s.HTTP.Headers, h)
		return nil
	}
	if strings.HasPrefix(value, `"`) && s.Kind.Sends() {
		unquoted, err := strconv.Unquote(value)
		if err != nil {
			return fmt.Errorf("the quoted value %s does not end, or has an unknown escape", value)
		}
		value = unquoted
	}
	var err error
	if h.Value, err = s.text(value); err != nil {
		return err
	}
	s.HTTP.Headers = append(s.HTTP.Headers, h)
	return nil
}

func (s *Step) text(value string) (*match.Text, error) {
	t, err := match.CompileText(value)
	if err == nil && s.written() {
		if t.Absent() {
			return nil, fmt.Errorf("leave the value empty to leave a header out")
		}
		if whole, _ := t.Names(); strings.HasPrefix(value, "{{") && len(whole) == 0 && strings.HasSuffix(value, "}}") {
			if _, inside := t.Names(); len(inside) == 0 {
				return nil, fmt.Errorf("%s cannot be sent: only {{$name}} can", value)
			}
		}
	}
	return t, err
}

func (s *Step) status(text string) error {
	switch {
	case s.Kind.Sends():
		return fmt.Errorf("%q is neither a header nor a directive; a status belongs under what the server sends", text)
	case !statusSet.MatchString(text):
		return fmt.Errorf("%q is no status: write 200, 4xx or 400|404", text)
	case s.HTTP.Status != "":
		return fmt.Errorf("there are two status lines: write 400|404 for either")
	}
	s.HTTP.Status = Status(text)
	return nil
}

// directive reads what stands behind "@".
func (s *Step) directive(text string) (err error) {
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	bare := word == "end" || word == "hangup"
	sends := word == "split" || word == "length" || word == "path" || word == "hangup"
	switch {
	case bare && rest != "":
		return fmt.Errorf("nothing stands behind @%s", word)
	case !bare && rest == "":
		return fmt.Errorf("@%s needs a value", word)
	case sends && !s.Kind.Sends():
		return fmt.Errorf("@%s belongs under what the client sends", word)
	case sends && s.judgesClient:
		return fmt.Errorf("@%s is for what the harness sends, and here it judges the client", word)
	case word == "comment" && !s.judgesClient:
		return fmt.Errorf("@comment is for what the harness sends as the server, and here it judges the server")
	case !sends && s.Kind.Sends():
		return fmt.Errorf("@%s is unknown, or belongs under what the server sends", word)
	}
	switch word {
	case "split":
		s.HTTP.Split, err = offsets(rest)
	case "length":
		var n int
		n, err = strconv.Atoi(rest)
		s.HTTP.Length = &n
	case "path":
		s.HTTP.Path, err = s.text(rest)
	case "hangup":
		s.HTTP.Hangup = true
	case "id":
		s.HTTP.EventID, err = match.CompileText(rest)
	case "retry":
		s.HTTP.Retry, err = match.CompileText(rest)
	case "comment":
		s.HTTP.Comments = append(s.HTTP.Comments, rest)
	case "on":
		s.HTTP.On = rest
	case "end":
		s.HTTP.End = true
	case "or":
		if !statusSet.MatchString(rest) {
			return fmt.Errorf("%q is no status: write @or 4xx or @or 400|404", rest)
		}
		s.HTTP.Or = Status(rest)
	default:
		err = fmt.Errorf("unknown directive @%s: write @split, @length, @path, @hangup, @id, @retry, @comment, @on, @end or @or", word)
	}
	return err
}

// set reports whether there is any line.
func (h HTTP) set() bool {
	return h.Status != "" || h.Headers != nil || h.EventID != nil || h.Retry != nil || h.On != "" || h.End || h.Or != ""
}

func offsets(text string) ([]int, error) {
	var out []int
	last := 0
	for _, word := range strings.Fields(text) {
		n, err := strconv.Atoi(word)
		if err != nil || n <= last {
			return nil, fmt.Errorf("@split needs rising numbers of bytes, not %q", word)
		}
		out, last = append(out, n), n
	}
	return out, nil
}
