package transcript

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/parley-mcp/parley/conformance/match"
	"github.com/parley-mcp/parley/conformance/revision"
)

// An Error is one mistake in a transcript.
type Error struct {
	File string
	Line int
	Msg  string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg) }

// Parse reads a transcript. The name is its area, a slash and the file's name without its ending, taken from the end of the
// path. All mistakes are reported, joined, each an *[Error].
func Parse(file string, source []byte) (*Transcript, error) {
	if len(source) > 0 && source[len(source)-1] != '\n' {
		source = append(bytes.Clone(source), '\n')
	}
	name := strings.TrimSuffix(path.Base(file), ".txtar")
	area := path.Base(path.Dir(file))
	if area == "." || area == "/" {
		area = "local"
	}
	p := &parser{t: &Transcript{
		Name: area + "/" + name, Area: area, File: file, Source: source,
		Opens: true, Parallel: true, Lets: map[string]*match.Value{}, Answers: map[string]*match.Pattern{},
	}}
	archive := txtar.Parse(source)
	p.head(archive.Comment)
	p.line = 1 + bytes.Count(archive.Comment, []byte("\n"))
	p.offset = len(archive.Comment)
	if len(archive.Files) == 0 {
		p.errorf(1, `there is no section: write "-- > label --" and "-- < label --" lines below the keys`)
	}
	for _, f := range archive.Files {
		p.section(f)
	}
	p.uses()
	return p.t, errors.Join(p.errs...)
}

type parser struct {
	t      *Transcript
	line   int // of the next byte to read
	offset int
	errs   []error
}

func (p *parser) errorf(line int, format string, args ...any) {
	p.errs = append(p.errs, &Error{p.t.File, line, fmt.Sprintf(format, args...)})
}

var marker = regexp.MustCompile(`^(>raw|>http|>close|>!|>|<\?|<~|<!|<|let|client|answer)(?:\s+(.*?))?(?:\s*\[([^\]]*)\])?$`)

// section reads one section; p.line and p.offset stand on its marker.
func (p *parser) section(f txtar.File) {
	at := p.line
	markerLen := bytes.IndexByte(p.t.Source[p.offset:], '\n') + 1
	if markerLen == 0 {
		markerLen = len(p.t.Source) - p.offset
	}
	s := &Step{Line: at, BodyStart: p.offset + markerLen, BodyLine: at + 1}
	s.BodyEnd = min(s.BodyStart+len(f.Data), len(p.t.Source))
	p.line = at + 1 + bytes.Count(f.Data, []byte("\n"))
	p.offset = s.BodyEnd

	m := marker.FindStringSubmatch(f.Name)
	if m == nil {
		p.errorf(at, "unknown section %q: write >, >raw, >http METHOD, >close, >!, <, <?, <~ or <! and a label, let and a name, client, or answer and a method", f.Name)
		return
	}
	s.Kind, s.Label, s.judgesClient = Kind(m[1]), strings.TrimSpace(m[2]), p.t.Client != nil
	switch s.Kind {
	case let:
		p.let(s, f.Data)
		return
	case client:
		p.client(s, f.Data)
		return
	case answer:
		p.answer(s, f.Data)
		return
	}
	if problem := s.misplaced(); problem != "" {
		p.errorf(at, "%s", problem)
		return
	}
	if s.Kind == SendHTTP {
		s.Method, s.Label, _ = strings.Cut(s.Label, " ")
		if s.Method == "" || s.Method != strings.ToUpper(s.Method) {
			p.errorf(at, "section %q: write the HTTP method behind >http, in capitals", f.Name)
		}
	}
	if s.Label = strings.TrimSpace(s.Label); s.Label == "" {
		p.errorf(at, "section %q has no label: say in a few words what happens", f.Name)
	}
	p.ids(s, m[3], strings.HasSuffix(f.Name, "]"))
	p.body(s, f.Data)
	p.t.Steps = append(p.t.Steps, s)
}

func (p *parser) ids(s *Step, list string, present bool) {
	if !present {
		return
	}
	if s.written() {
		judged, side := "server", "<"
		if s.judgesClient {
			judged, side = "client", ">"
		}
		p.errorf(s.Line, "requirements belong to what the %s sends: move [%s] to a %s section", judged, list, side)
		return
	}
	for _, id := range strings.Fields(list) {
		id, open := strings.CutSuffix(id, "?")
		s.IDs = append(s.IDs, id)
		if open {
			s.OpenIDs = append(s.OpenIDs, id)
		}
	}
	if s.Kind == Again {
		p.errorf(s.Line, "<~ need not come, so that it proves nothing: drop [%s]", list)
	}
	if len(s.IDs) == 0 {
		p.errorf(s.Line, "the list of requirements is empty: name some or drop the brackets")
	}
	seen := map[string]bool{}
	for _, id := range s.IDs {
		if seen[id] {
			p.errorf(s.Line, "requirement %s is named twice", id)
		}
		seen[id] = true
	}
}

func (p *parser) let(s *Step, body []byte) {
	v, err := match.Parse(body)
	switch {
	case !regexp.MustCompile(`^[A-Za-z0-9_-]+$`).MatchString(s.Label):
		p.errorf(s.Line, "let %q: write one name of letters, digits, '-' and '_'", s.Label)
	case p.t.Lets[s.Label] != nil:
		p.errorf(s.Line, "let %s stands twice", s.Label)
	case err != nil:
		p.errorf(s.BodyLine, "let %s: %v: a constant is JSON, so that text stands in quotes", s.Label, err)
		p.t.Lets[s.Label] = &match.Value{Kind: 'n'}
	default:
		p.t.Lets[s.Label] = v
	}
}

// body reads the http: lines and what follows them.
func (p *parser) body(s *Step, data []byte) {
	line := s.BodyLine
	for {
		text, rest, _ := bytes.Cut(data, []byte("\n"))
		value, ok := strings.CutPrefix(strings.TrimSuffix(string(text), "\r"), "http:")
		if !ok {
			break
		}
		if err := s.httpLine(strings.TrimSpace(value)); err != nil {
			p.errorf(line, "http: line: %v", err)
		}
		s.BodyStart += len(data) - len(rest)
		data, line = rest, line+1
	}
	s.BodyLine = line
	if len(bytes.TrimSpace(data)) == 0 && s.Kind != SendRaw {
		p.empty(s)
		return
	}
	switch s.Kind {
	case SendRaw, SendHTTP:
		raw, err := parseRaw(string(bytes.TrimSuffix(data, []byte("\n"))))
		if err != nil {
			p.errorf(line, "%v", err)
		}
		s.Raw = raw
	case Close:
		p.errorf(line, ">close has no body")
	default:
		p.json(s, data)
	}
}

func (p *parser) empty(s *Step) {
	switch s.Kind {
	case Send:
		p.errorf(s.Line, "there is nothing to send: write the message below, or use >raw or >http")
	case Optional, Again, Forbid, Never:
		p.errorf(s.Line, "section %s needs a message below it", s.Kind)
	}
}

func (p *parser) json(s *Step, data []byte) {
	pattern, err := match.Compile(data)
	if err != nil {
		p.jsonError(s, data, err)
		return
	}
	check := pattern.CheckReceivable
	if s.written() {
		check = pattern.CheckSendable
	}
	if err := check(); err != nil {
		p.errorf(s.BodyLine, "%v", err)
	}
	if k := pattern.Kind(); k != '{' && k != '[' {
		p.errorf(s.BodyLine, "a message is an object, or an array for a batch")
	}
	s.Pattern = pattern
}

func (p *parser) jsonError(s *Step, data []byte, err error) {
	line, hint := s.BodyLine, ""
	var syntax *match.SyntaxError
	if errors.As(err, &syntax) {
		upTo := data[:min(int(syntax.Offset), len(data))]
		line += bytes.Count(upTo, []byte("\n"))
		if hint = ": correct it"; s.Kind == Send {
			hint += ", or use >raw for bytes that are meant to be no JSON"
		}
		for i, l := range bytes.Split(data, []byte("\n")) {
			if bytes.HasPrefix(l, []byte("--")) || bytes.HasPrefix(l, []byte("http:")) {
				line, hint = s.BodyLine+i, `: a section begins with a line "-- > label --", and http: lines stand before the body`
				break
			}
		}
	}
	p.errorf(line, "%v%s", err, hint)
}

func itoa(n int) string { return strconv.Itoa(n) }

// known reports whether a revision is one of ours.
func known(version string) bool {
	_, ok := revision.Lookup(version)
	return ok
}
