package matrix

import (
	_ "embed" // the reasons
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"sync"

	"github.com/parley-mcp/parley/conformance/internal/yamlfile"
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
	Reason     yamlfile.Located[string]
	ID         string // a pattern of path.Match
	Area       string
	Party      requirements.Party
	Level      string // a regular expression, as is Check
	Observable requirements.Observable
	Check      string

	level, check *regexp.Regexp
}

// ParseReasons reads a file of reasons; the name stands in errors, each of which has file and line.
func ParseReasons(name string, source []byte) (*Reasons, error) {
	var in struct {
		Words []Word
		Rules []rule
	}
	if err := yamlfile.Decode(name, source, &in); err != nil {
		return nil, err
	}
	r := &Reasons{Words: in.Words, file: name, rules: in.Rules}
	var mistakes []error
	for i := range r.rules {
		if err := r.rules[i].compile(r.Words); err != nil {
			mistakes = append(mistakes, fmt.Errorf("%s:%d: %w", name, r.rules[i].Reason.Line, err))
		}
	}
	for _, w := range r.Words {
		if w.Means == "" || !slices.ContainsFunc(r.rules, func(u rule) bool { return u.Reason.Value == w.Word }) {
			mistakes = append(mistakes, fmt.Errorf("%s:1: the word %q needs a meaning, and a rule that uses it", name, w.Word))
		}
	}
	return r, errors.Join(mistakes...)
}

func (u *rule) compile(words []Word) error {
	var err error
	if !slices.ContainsFunc(words, func(w Word) bool { return w.Word == u.Reason.Value }) {
		err = fmt.Errorf("%q is none of the words above", u.Reason.Value)
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
				"%s:%d: this decides nothing: what it fits does not exist, is proven, or is decided above", r.file, u.Reason.Line))
		}
	}
	return errors.Join(mistakes...)
}
