package protocol

import "github.com/go-json-experiment/json/jsontext"

// ElicitParams ask the user something: to fill in a form, or to visit a URL.
type ElicitParams struct {
	Message string
	// Fields are the form's fields, in order. They must be empty if URL is set.
	Fields []FormField
	// URL is where the user should go.
	URL string
	// ID names a URL elicitation at revisions that announce its completion.
	ID string
}

// A FieldKind is what a form field takes.
type FieldKind uint8

// The kinds of fields.
const (
	FieldString FieldKind = iota + 1
	FieldNumber
	FieldInteger
	FieldBoolean
	// FieldChoice takes one of Options.
	FieldChoice
	// FieldChoices takes any of Options.
	FieldChoices
)

// A FormField is one field of a form. Only Name and Kind are required, and Options for choices.
type FormField struct {
	Name, Title, Description string
	Kind                     FieldKind
	Required                 bool
	// Default is a JSON value of the field's kind, or nil.
	Default jsontext.Value
	// Format, MinLength and MaxLength belong to FieldString. Format is email, uri, date or date-time.
	Format               string
	MinLength, MaxLength *int64
	// Minimum and Maximum belong to FieldNumber and FieldInteger.
	Minimum, Maximum *float64
	// Options belong to FieldChoice and FieldChoices. Either all of them have a title or none.
	Options []Option
	// LegacyTitles gives the titles of a FieldChoice in the older way even where there is a newer one.
	LegacyTitles bool
	// MinItems and MaxItems belong to FieldChoices.
	MinItems, MaxItems *int64
}

// An Option is a choice in a form.
type Option struct{ Value, Title string }

// ElicitResult is the user's answer.
type ElicitResult struct {
	// Action is accept, decline or cancel.
	Action string
	// Content holds the form's fields, an object, or nil.
	Content jsontext.Value
	Meta    jsontext.Value
}

// The actions of an ElicitResult.
const (
	ActionAccept  = "accept"
	ActionDecline = "decline"
	ActionCancel  = "cancel"
)

// ElicitationCompleteNotification says that the URL elicitation ID is over.
type ElicitationCompleteNotification struct {
	NotificationBase
	ID string
}

func (*ElicitParams) outgoing() {}
func (*ElicitParams) question() {}
func (*ElicitResult) answer()   {}

// Method returns MethodElicit.
func (*ElicitParams) Method() string { return MethodElicit }

// Method returns NotificationElicitationComplete.
func (*ElicitationCompleteNotification) Method() string { return NotificationElicitationComplete }
