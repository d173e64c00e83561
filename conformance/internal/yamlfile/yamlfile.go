package yamlfile

import (
	"errors"
	"fmt"
	"regexp"

	"go.yaml.in/yaml/v4"
)

// Located is a value with the line on which it stands. Its zero value is one that the file does not give.
type Located[T any] struct {
	Value T
	Line  int
}

// UnmarshalYAML keeps the line of the node.
func (l *Located[T]) UnmarshalYAML(node *yaml.Node) error {
	l.Line = node.Line
	return node.Load(&l.Value, strict...)
}

var strict = []yaml.Option{yaml.WithKnownFields(), yaml.WithUniqueKeys()}

// A Mistake is what is wrong on a line of a file.
type Mistake struct {
	File string
	Line int
	Text string
}

func (m *Mistake) Error() string { return fmt.Sprintf("%s:%d: %s", m.File, m.Line, m.Text) }

// Decode reads the text of a file into value, which is a pointer. A key goes to the field of the same name in lower
// case. The error is one or more of *Mistake, joined; the name stands in each.
func Decode(name string, text []byte, value any) error {
	var document yaml.Node
	err := yaml.Load(text, &document)
	if err == nil {
		err = plain(&document)
	}
	if err == nil {
		err = document.Load(value, strict...)
	}
	return locate(name, err)
}

// plain finds a node that is more than a mapping, a sequence, or a scalar with a value.
func plain(node *yaml.Node) error {
	var wrong string
	switch {
	case node.Anchor != "": // without which there is no alias
		wrong = "an anchor: write out the value in each place"
	case node.Style&yaml.TaggedStyle != 0, node.Tag == "!":
		wrong = "a tag: quote a text that looks like one"
	case node.ShortTag() == "!!null":
		wrong = "an empty value: give it one, or leave out its key"
	case node.ShortTag() == "!!merge":
		wrong = "a merge key: write out what it merges"
	}
	if wrong != "" {
		return &Mistake{Line: node.Line, Text: wrong}
	}
	for _, child := range node.Content {
		if err := plain(child); err != nil {
			return err
		}
	}
	return nil
}

// locate gives each mistake in an error of the library its file and line.
func locate(name string, err error) error {
	var own *Mistake
	var several *yaml.LoadErrors
	var one *yaml.LoadError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &own):
		own.File = name
		return own
	case errors.As(err, &several):
		mistakes := make([]error, len(several.Errors))
		for i, e := range several.Errors {
			mistakes[i] = mistake(name, e)
		}
		return errors.Join(mistakes...)
	case errors.As(err, &one):
		return mistake(name, one)
	}
	return &Mistake{name, 1, err.Error()}
}

// What the library says of the types of ours, which the author of a file does not know.
var (
	unknownField = regexp.MustCompile(`(?s)^field (.*) not found in type .*$`)
	otherKind    = regexp.MustCompile("(?s)^cannot construct !!([a-z]+)( `.*`)? into .*$")
)

func mistake(name string, err *yaml.LoadError) *Mistake {
	text := unknownField.ReplaceAllString(err.Message, `unknown field "$1"`)
	text = otherKind.ReplaceAllString(text, "a value of the kind $1 cannot stand here$2")
	return &Mistake{name, max(err.Mark.Line, 1), text}
}
