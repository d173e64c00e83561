package protocol

import (
	"iter"

	"github.com/go-json-experiment/json/jsontext"
)

// A Codec is one revision's vocabulary: it decodes what a client sends and encodes what a server sends. It holds tables,
// and no state. The interface exists so that everybody but the spokes can speak all revisions without naming one.
type Codec interface {
	// Features returns the facts that hold at this revision.
	Features() *Features
	// Methods returns the methods of the requests and notifications that a client may send, in no order.
	Methods() iter.Seq[string]
	// DecodeRequest reads the params of a request; nil params are those of a request without any. The error is an *Error of
	// KindMethodNotFound if a client may not send that request at this revision, else of KindInvalidParams.
	DecodeRequest(method string, params jsontext.Value) (Params, error)
	// DecodeNotification does the same for a notification.
	DecodeNotification(method string, params jsontext.Value) (Params, error)
	// DecodeMeta reads what the protocol itself keeps in a request's _meta, which is nil if the request has none. The
	// error is of KindInvalidParams.
	DecodeMeta(meta jsontext.Value) (RequestMeta, error)
	// Append appends the JSON of a result, or of the params of a notification or question. The error is ErrNotInRevision
	// if the revision has no words for it, not even older ones.
	Append(dst []byte, v Outgoing) ([]byte, error)
	// DecodeAnswer reads a client's result for a question.
	DecodeAnswer(q Question, result jsontext.Value) (Answer, error)
	// Error turns any error into the code and data that this revision has for it. What is not an *Error is internal, and its
	// text is not given away.
	Error(err error) WireError
}

// Params are the decoded params of a request or notification of a client: a pointer to one of the ...Params types.
type Params interface{ params() }

// Outgoing is what a server sends: a Result, a Notification or a Question.
type Outgoing interface{ outgoing() }

// A Result answers a request: a pointer to one of the ...Result types.
type Result interface {
	Outgoing
	// Base returns what all results have.
	Base() *ResultBase
}

// A Notification is a message of the server that gets no answer: a pointer to one of the ...Notification types.
type Notification interface {
	Outgoing
	// Method returns the notification's method.
	Method() string
	// Base returns what all notifications have.
	Base() *NotificationBase
}

// A Question is what a server asks of its client: a request at the handshake revisions, an input request at later ones.
// It is a pointer to one of ElicitParams, CreateMessageParams, ListRootsParams, PingParams.
type Question interface {
	Outgoing
	// Method returns the question's method.
	Method() string
	question()
}

// Tracked is a Question whose asker wants to hear how far the client is with it. Where a server sends no requests, there is
// no such progress, and what is tracked is left out.
type Tracked struct {
	Question
	// ProgressToken is a JSON string or number, or nil.
	ProgressToken jsontext.Value
	// Task is the id of the task on whose behalf the question is asked; empty for none.
	Task string
}

// An Answer is a client's result for a Question: a pointer to ElicitResult, CreateMessageResult, ListRootsResult or EmptyResult.
type Answer interface{ answer() }

// ResultBase holds what every result has.
type ResultBase struct {
	// Meta is the result's _meta, an object, or nil.
	Meta jsontext.Value
	// Server is the server's identity. An InitializeResult needs it; revisions without a handshake repeat it in each result;
	// others ignore it.
	Server *Implementation
	// Shared is set if the result is immutable and given to many: transports then keep its encodings in it.
	Shared *Encodings
}

// Base returns b.
func (b *ResultBase) Base() *ResultBase { return b }
func (*ResultBase) outgoing()           {}

// NotificationBase holds what every notification has.
type NotificationBase struct {
	// Meta is the notification's _meta, an object, or nil.
	Meta jsontext.Value
	// Task is the id of the task on whose behalf the notification is sent; empty for none.
	Task string
	// SubscriptionID is the id of the subscription on whose stream the notification travels, or nil.
	SubscriptionID jsontext.Value
}

// Base returns b.
func (b *NotificationBase) Base() *NotificationBase { return b }
func (*NotificationBase) outgoing()                 {}

// EmptyResult says only that a request was carried out.
type EmptyResult struct{ ResultBase }

func (*EmptyResult) answer() {}
