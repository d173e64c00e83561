package server

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/parley-mcp/parley/internal/rawjson"
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/revisions"
	"github.com/parley-mcp/parley/server/internal/schema"
)

// forms keeps the forms of Go types, which are worked out once.
var forms sync.Map // reflect.Type → *form or error

// formOf returns the form of a pointer to a struct.
func formOf(into any) (*form, error) {
	t := reflect.TypeOf(into)
	if t == nil || t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct {
		return nil, fmt.Errorf("form: %T is no pointer to a struct", into)
	}
	known, ok := forms.Load(t)
	if !ok {
		f, err := inferForm(t.Elem())
		if known = f; err != nil {
			known = fmt.Errorf("form %v: %w", t.Elem(), err)
		}
		forms.Store(t, known)
	}
	if err, bad := known.(error); bad {
		return nil, err
	}
	return known.(*form), nil
}

func inferForm(t reflect.Type) (*form, error) {
	var fields []protocol.FormField
	for _, f := range reflect.VisibleFields(t) {
		if !f.IsExported() || f.Anonymous || f.Tag.Get("json") == "-" {
			continue
		}
		field, err := inferField(f)
		if err != nil {
			return nil, fmt.Errorf("field %s: %w", f.Name, err)
		}
		fields = append(fields, field)
	}
	return newForm(fields)
}

// newForm checks fields and compiles the schema of their content, as the newest revision words it.
func newForm(fields []protocol.FormField) (*form, error) {
	names := map[string]bool{}
	for i := range fields {
		f := &fields[i]
		err := checkField(f)
		if err == nil && names[f.Name] {
			err = errors.New("it is there twice")
		}
		if err != nil {
			return nil, fmt.Errorf("field %q: %w", f.Name, err)
		}
		names[f.Name] = true
	}
	compiled, err := formSchema(fields)
	if err != nil {
		return nil, err
	}
	return &form{fields, compiled}, nil
}

func formSchema(fields []protocol.FormField) (*schema.Schema, error) {
	params, err := revisions.Newest().Append(nil, &protocol.ElicitParams{Fields: fields})
	if err != nil {
		return nil, err
	}
	requested, _ := rawjson.Lookup(params, "requestedSchema")
	return schema.Compile(requested)
}

// formats are those of 2025-11-25 client/elicitation#requested-schema; "" is none.
var formats = []string{"", "email", "uri", "date", "date-time"}

func checkField(f *protocol.FormField) error {
	isText := f.Kind == protocol.FieldString
	isChoice := f.Kind == protocol.FieldChoice || f.Kind == protocol.FieldChoices
	switch {
	case f.Name == "" || f.Kind < protocol.FieldString || f.Kind > protocol.FieldChoices:
		return errors.New("it needs a Name and a Kind")
	case isChoice != (len(f.Options) > 0):
		return errors.New("choices need Options, and nothing else has them")
	case !slices.Contains(formats, f.Format) || !isText && f.Format != "":
		return fmt.Errorf("there is no format %q for it", f.Format)
	case !isText && (f.MinLength != nil || f.MaxLength != nil):
		return errors.New("only a text has bounds of its length")
	case !ordered(f.MinLength, f.MaxLength) || !ordered(f.Minimum, f.Maximum) || !ordered(f.MinItems, f.MaxItems):
		return errors.New("its bounds leave nothing between them")
	}
	for _, o := range f.Options {
		if (o.Title == "") != (f.Options[0].Title == "") {
			return errors.New("either all options have a title or none")
		}
	}
	if f.Default == nil {
		return nil
	}
	return checkDefault(f)
}

// ordered reports whether something can lie between two bounds, each of which may be missing.
func ordered[T int64 | float64](low, high *T) bool {
	finite := func(n *T) bool { return n == nil || !math.IsNaN(float64(*n)) && !math.IsInf(float64(*n), 0) }
	return finite(low) && finite(high) && (low == nil || high == nil || *low <= *high)
}

// checkDefault checks that a default is what its field takes.
func checkDefault(f *protocol.FormField) error {
	if !f.Default.IsValid() {
		return errors.New("its default is no JSON")
	}
	alone, err := formSchema([]protocol.FormField{*f})
	if err != nil {
		return err
	}
	content := append(rawjson.AppendString([]byte("{"), f.Name), ':')
	content = append(append(content, f.Default...), '}')
	if err := alone.Validate(content); err != nil {
		return fmt.Errorf("its default does not fit: %w", err)
	}
	return nil
}

func inferField(f reflect.StructField) (protocol.FormField, error) {
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "" {
		name = f.Name
	}
	field := protocol.FormField{
		Name:        name,
		Description: f.Tag.Get("jsonschema"),
		Required:    !strings.Contains(options, "omitempty") && !strings.Contains(options, "omitzero"),
	}
	switch f.Type.Kind() {
	case reflect.String:
		field.Kind = protocol.FieldString
	case reflect.Bool:
		field.Kind = protocol.FieldBoolean
	case reflect.Float32, reflect.Float64:
		field.Kind = protocol.FieldNumber
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		field.Kind = protocol.FieldInteger
	case reflect.Slice:
		if f.Type.Elem().Kind() != reflect.String {
			return field, errors.New("a list must be []string")
		}
		field.Kind = protocol.FieldChoices
	default:
		return field, fmt.Errorf("a form has no fields of type %v", f.Type)
	}
	return field, readTag(&field, f.Tag.Get("form"))
}

// readTag adds what a form tag says.
func readTag(f *protocol.FormField, tag string) error {
	var values, titles []string
	for part := range strings.SplitSeq(tag, ";") {
		key, value, _ := strings.Cut(part, "=")
		var err error
		switch strings.TrimSpace(key) {
		case "":
		case "title":
			f.Title = value
		case "format":
			f.Format = value
		case "default":
			f.Default, err = defaultOf(f.Kind, value)
		case "min":
			err = bound(f, value, &f.MinLength, &f.Minimum, &f.MinItems)
		case "max":
			err = bound(f, value, &f.MaxLength, &f.Maximum, &f.MaxItems)
		case "enum":
			values = strings.Split(value, "|")
		case "titles":
			titles = strings.Split(value, "|")
		case "legacy":
			f.LegacyTitles = true
		default:
			err = errors.New("unknown key")
		}
		if err != nil {
			return fmt.Errorf("form tag %q: %w", part, err)
		}
	}
	return setOptions(f, values, titles)
}

func setOptions(f *protocol.FormField, values, titles []string) error {
	if titles != nil && len(titles) != len(values) {
		return errors.New("form tag: titles= must have as many entries as enum=")
	}
	for i, v := range values {
		o := protocol.Option{Value: v}
		if titles != nil {
			o.Title = titles[i]
		}
		f.Options = append(f.Options, o)
	}
	if f.Kind == protocol.FieldString && values != nil {
		f.Kind = protocol.FieldChoice
	}
	return nil
}

func bound(f *protocol.FormField, value string, length **int64, number **float64, items **int64) error {
	if f.Kind == protocol.FieldNumber || f.Kind == protocol.FieldInteger {
		n, err := strconv.ParseFloat(value, 64)
		*number = &n
		return err
	}
	n, err := strconv.ParseInt(value, 10, 64)
	switch f.Kind {
	case protocol.FieldString:
		*length = &n
	case protocol.FieldChoices:
		*items = &n
	default:
		return errors.New("a boolean has no bounds")
	}
	return err
}

func defaultOf(kind protocol.FieldKind, value string) (jsontext.Value, error) {
	switch kind {
	case protocol.FieldString, protocol.FieldChoice:
		return json.Marshal(value)
	case protocol.FieldChoices:
		return json.Marshal(strings.Split(value, "|"))
	}
	return jsontext.Value(value), nil
}
