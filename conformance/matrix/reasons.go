package matrix

import (
	_ "embed" // the reasons
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"sync"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/parley-mcp/parley/conformance/requirements"
)

//go:embed reasons.yaml
var reasonsYAML []byte

const reasonsFile = "conformance/matrix/reasons.yaml"

var builtinReasons = sync.OnceValues(func() (*Reasons, error) { return ParseReasons(reasonsFile, reasonsYAML) })

// A Word is a reason for which nothing proves a requirement.
type Word struct{ Word, Means string }

// Reasons say in one word each why requirements are not proven. The first line that fits decides.
type Reasons struct {
	Words []Word
	file  string
	rules []rule
}

// A rule fits the requirements for which everything holds that it says. What is empty says nothing.
type rule struct {
	Reason     located
	ID         string // a pattern of path.Match
	Area       string
	Party      requirements.Party
	Level      string // a regular expression, as is Check
	Observable requirements.Observable
	Check      string

	level, check *regexp.Regexp
}

// located is a text with the line on which it stands.
type located struct {
	value string
	line  int
}

// UnmarshalYAML keeps the line of the node.
func (l *located) UnmarshalYAML(node ast.Node) error {
	l.line = node.GetToken().Position.Line
	return yaml.NodeToValue(node, &l.value, yaml.Strict())
}

// ParseReasons reads a file of reasons; the name stands in errors, each of which has file and line.
func ParseReasons(name string, source []byte) (*Reasons, error) {
	var in struct {
		Words []Word
		Rules []rule
	}
	parsed, err := parser.ParseBytes(source, 0)
	if err == nil && (len(parsed.Docs) != 1 || parsed.Docs[0].Body == nil) {
		err = errors.New("it must hold one YAML document")
	}
	if err == nil {
		err = yaml.NodeToValue(parsed.Docs[0].Body, &in, yaml.Strict())
	}
	if err != nil {
		line, text := 1, err.Error()
		var positioned yaml.Error
		if errors.As(err, &positioned) && positioned.GetToken() != nil {
			line, text = positioned.GetToken().Position.Line, positioned.GetMessage()
		}
		return nil, fmt.Errorf("%s:%d: %s", name, line, text)
	}
	r := &Reasons{Words: in.Words, file: name, rules: in.Rules}
	var mistakes []error
	for i := range r.rules {
		if err := r.rules[i].compile(r.Words); err != nil {
			mistakes = append(mistakes, fmt.Errorf("%s:%d: %w", name, r.rules[i].Reason.line, err))
		}
	}
	for _, w := range r.Words {
		if w.Means == "" || !slices.ContainsFunc(r.rules, func(u rule) bool { return u.Reason.value == w.Word }) {
			mistakes = append(mistakes, fmt.Errorf("%s:1: the word %q needs a meaning, and a rule that uses it", name, w.Word))
		}
	}
	return r, errors.Join(mistakes...)
}

func (u *rule) compile(words []Word) error {
	var err error
	if !slices.ContainsFunc(words, func(w Word) bool { return w.Word == u.Reason.value }) {
		err = fmt.Errorf("%q is none of the words above", u.Reason.value)
	}
	if _, bad := path.Match(u.ID, ""); bad != nil {
		err = errors.Join(err, fmt.Errorf("id %q: %w", u.ID, bad))
	}
	var bad error
	if u.level, bad = regexp.Compile(u.Level); bad != nil {
		err = errors.Join(err, bad)
	}
	if u.check, bad = regexp.Compile(u.Check); bad != nil {
		err = errors.Join(err, bad)
	}
	return err
}

// find returns the place of the line that decides, or -1.
func (r *Reasons) find(e requirements.Entry, s requirements.Statement) int {
	return slices.IndexFunc(r.rules, func(u rule) bool { return u.fits(e, s) })
}

func (u rule) fits(e requirements.Entry, s requirements.Statement) bool {
	id, _ := path.Match(u.ID, e.ID)
	return (u.ID == "" || id) &&
		(u.Area == "" || u.Area == e.Area) &&
		(u.Party == "" || u.Party == s.Party) &&
		(u.Observable == "" || u.Observable == e.Observable) &&
		u.level.MatchString(string(s.Level)) && u.check.MatchString(e.Check)
}

// unused reports the lines that decide nothing: what they name does not exist, is proven by now, or is decided above them.
func (r *Reasons) unused(used map[int]bool) error {
	var mistakes []error
	for i, u := range r.rules {
		if !used[i] {
			mistakes = append(mistakes, fmt.Errorf(
				"%s:%d: this decides nothing: what it fits does not exist, is proven, or is decided above", r.file, u.Reason.line))
		}
	}
	return errors.Join(mistakes...)
}
