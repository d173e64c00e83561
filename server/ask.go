package server

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server/internal/schema"
)

// What an ask can fail with, besides a *protocol.Error of KindMissingCapability for a client that did not declare what it
// takes, or speaks a revision that does not have it, and the error of a context.
var (
	// ErrInputRequired: the answer is not there yet. Return it: the client is told what is asked, and its retry runs the
	// handler again from the top, with the answers so far (2026-07-28 basic/patterns/mrtr).
	ErrInputRequired = errors.New("the client has to answer first: the handler must return this error")
	// ErrMalformedAnswer: what the client answered is none that its revision has. It is for transports.
	ErrMalformedAnswer = errors.New("the client's answer is malformed")
	// ErrNoWayBack: nothing can be asked within this request, because nothing but its answer can reach the client.
	ErrNoWayBack = errors.New("there is no way to ask the client within this request")
	// ErrDeclined and ErrCancelled: the user said no, or did not say.
	ErrDeclined  = errors.New("the user declined")
	ErrCancelled = errors.New("the user cancelled")
)

var errNotWanted = errors.New("the answer is not wanted any more")

var errAnswered = errors.New("the request is answered already: nothing can be asked any more")

// CannotAsk reports whether err says that this client cannot be asked: it has not declared what that takes, its revision
// does not have it, or nothing can reach it within this request. A handler then does with what it has, or says what to pass
// instead.
func CannotAsk(err error) bool {
	var e *protocol.Error
	return errors.Is(err, ErrNoWayBack) || errors.Is(err, protocol.ErrNotInRevision) ||
		errors.As(err, &e) && e.Kind == protocol.KindMissingCapability
}

// isAnswer reports whether err is what the client made of a question, and no failure of the server's.
func isAnswer(err error) bool {
	return errors.Is(err, ErrDeclined) || errors.Is(err, ErrCancelled) || CannotAsk(err) || clientError(err) != nil || isInvalid(err)
}

// A ClientError is what a client answered in place of a result.
type ClientError struct {
	Code    int
	Message string
}

// Error returns the client's message, marked as such.
func (e *ClientError) Error() string {
	return fmt.Sprintf("the client answered: %s (%d)", e.Message, e.Code)
}

// clientError returns the client's error in err, or nil.
func clientError(err error) *ClientError {
	var e *ClientError
	if !errors.As(err, &e) {
		return nil
	}
	return e
}

// A Question is something to ask of the client, under a key that names it within the handler: the same key is the same
// question, whenever the handler runs, and is asked once. Make one with Form, Fields, Visit, Sampling or Roots.
type Question struct {
	key  string
	ask  protocol.Question
	err  error
	take func(protocol.Answer) error
}

// Form asks the user to fill in into, a pointer to a struct. Its fields are strings, numbers, booleans and, for a choice
// of several, []string. json tags name them, omitempty or omitzero makes them optional, jsonschema tags describe them, and
// form tags say more, separated by semicolons: title=, default=, format= (email, uri, date, date-time), min= and max= (of a
// number, a length or a count), enum= with choices separated by |, titles= with their titles, and legacy for titles in the
// older form.
//
//	type Deployment struct {
//		Stage string   `json:"stage" form:"enum=dev|prod;titles=Development|Production;default=dev"`
//		Count int      `json:"count,omitempty" form:"min=1;max=9"`
//		Zones []string `json:"zones,omitempty" form:"enum=a|b|c"`
//	}
//
// What the user leaves out keeps the value that into has.
//
// Do not ask for secrets this way (2025-11-25 client/elicitation#user-interaction-model).
func Form(key, message string, into any) Question {
	f, err := formOf(into)
	if err != nil {
		return Question{key: key, err: err}
	}
	return f.question(key, message, func(content jsontext.Value) error {
		return json.Unmarshal(content, into)
	})
}

// Fields is Form with fields made at run time. The content is an object that conforms to them.
func Fields(key, message string, fields []protocol.FormField, content *jsontext.Value) Question {
	f, err := newForm(fields)
	if err != nil {
		return Question{key: key, err: err}
	}
	return f.question(key, message, func(raw jsontext.Value) error {
		*content = raw
		return nil
	})
}

// Sampling asks the client's model for a message.
//
// The newest revision deprecates it (2026-07-28 deprecated).
func Sampling(key string, p *protocol.CreateMessageParams, into **protocol.CreateMessageResult) Question {
	return Question{key: key, ask: p, take: func(a protocol.Answer) error {
		*into = a.(*protocol.CreateMessageResult)
		return nil
	}}
}

// Roots asks for the directories that the user works in.
//
// The newest revision deprecates it (2026-07-28 deprecated).
func Roots(key string, into *[]protocol.Root) Question {
	return Question{key: key, ask: &protocol.ListRootsParams{}, take: func(a protocol.Answer) error {
		*into = a.(*protocol.ListRootsResult).Roots
		return nil
	}}
}

// Elicit asks the user to fill in a form: see Form, and Ask for its errors.
func (c *Call) Elicit(ctx context.Context, key, message string, into any) error {
	return c.Ask(ctx, Form(key, message, into))
}

// Sample asks the client's model for a message: see Sampling, and Ask for its errors.
func (c *Call) Sample(ctx context.Context, key string, p *protocol.CreateMessageParams) (*protocol.CreateMessageResult, error) {
	var r *protocol.CreateMessageResult
	err := c.Ask(ctx, Sampling(key, p, &r))
	return r, err
}

// Roots asks for the directories that the user works in: see Roots, and Ask for its errors.
func (c *Call) Roots(ctx context.Context, key string) ([]protocol.Root, error) {
	var r []protocol.Root
	err := c.Ask(ctx, Roots(key, &r))
	return r, err
}

// Ask asks the client several things at once, and returns when it has answered all of them. Where the server may send
// requests, it does, on the call's own stream, and waits. Where it may not, answers already given come back at once, and
// without all of them the error is ErrInputRequired, which the handler must return.
//
// Nothing is asked that the client did not declare. Side effects that come before an ask are run again with the handler:
// ask first, or wrap them in Once.
func (c *Call) Ask(ctx context.Context, questions ...Question) error {
	if err := c.mayAsk(questions); err != nil {
		return err
	}
	if c.task() != nil {
		return c.askNow(ctx, questions)
	}
	if c.isAnswered() {
		return errAnswered
	}
	if c.in.Codec.Features().ServerRequests.Holds() {
		return c.askNow(ctx, questions)
	}
	return c.askLater(questions)
}

// mayAsk checks the questions and the client's capabilities before anything is sent.
func (c *Call) mayAsk(questions []Question) error {
	var missing protocol.ClientCapabilities
	lacks := false
	for i, q := range questions {
		same := func(other Question) bool { return other.key == q.key }
		switch {
		case q.err != nil:
			return fmt.Errorf("question %q: %w", q.key, q.err)
		case q.key == "" || slices.ContainsFunc(questions[:i], same):
			return fmt.Errorf("question %q: a key is not empty, and names one question", q.key)
		}
		if !c.can(q.ask, &missing) {
			lacks = true
		}
	}
	if lacks {
		return protocol.MissingCapability(&missing)
	}
	for _, q := range questions {
		if err := c.canSay(q); err != nil {
			return err
		}
	}
	return nil
}

// canSay checks that the client's revision has words for a question, so that of several none is asked in vain.
func (c *Call) canSay(q Question) error {
	if _, err := c.in.Codec.Append(nil, q.ask); err != nil {
		return fmt.Errorf("question %q at revision %s: %w", q.key, c.Revision(), err)
	}
	return nil
}

// askNow sends requests, and waits.
func (c *Call) askNow(ctx context.Context, questions []Question) error {
	t := c.task()
	if t == nil && c.in.Stream == nil {
		return ErrNoWayBack
	}
	answers, errs := make([]protocol.Answer, len(questions)), make([]error, len(questions))
	var all sync.WaitGroup
	for i, q := range questions {
		one := func() { answers[i], errs[i] = c.askOne(ctx, t, q) }
		if len(questions) == 1 {
			one()
		} else {
			all.Go(one)
		}
	}
	all.Wait()
	for i, q := range questions { // one after the other: what they fill in may be the same
		for round := 1; errs[i] == nil; round++ {
			err := c.hear(q, answers[i])
			if t == nil || !isInvalid(err) || round >= c.server.options.MaxRounds {
				errs[i] = err
				break
			}
			answers[i], errs[i] = c.askOne(ctx, t, q) // what a task asks may be answered by anybody, at any time
		}
	}
	return errors.Join(errs...)
}

// askOne sends a question, unless it has been answered within this call: so it is with answers that come in rounds, and a
// handler must not notice the difference.
func (c *Call) askOne(ctx context.Context, t *task, q Question) (protocol.Answer, error) {
	c.mu.Lock()
	answer, known := c.rounds.heard[q.name()]
	earlier := c.rounds.Answers[q.key]
	c.mu.Unlock()
	if known {
		return answer, nil
	}
	if t != nil {
		if earlier != nil { // from a round before the call became a task, which found that it fits
			return c.in.Codec.DecodeAnswer(q.ask, earlier)
		}
		return t.ask(ctx, q.key, q.ask)
	}
	return c.in.Stream.Ask(ctx, q.ask)
}

// hear takes an answer, and keeps it if it fits.
func (c *Call) hear(q Question, answer protocol.Answer) error {
	err := q.take(answer)
	if isInvalid(err) {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.rounds.heard == nil {
		c.rounds.heard = map[string]protocol.Answer{}
	}
	c.rounds.heard[q.name()] = answer
	return err
}

func (q Question) name() string { return q.ask.Method() + " " + q.key }

func action(r *protocol.ElicitResult) error {
	switch r.Action {
	case protocol.ActionDecline:
		return ErrDeclined
	case protocol.ActionCancel:
		return ErrCancelled
	}
	return nil
}

// can reports whether the client has declared what a question takes, and adds to missing what it has not.
func (c *Call) can(q protocol.Question, missing *protocol.ClientCapabilities) bool {
	has := c.in.Capabilities
	if has == nil {
		has = &protocol.ClientCapabilities{}
	}
	switch q := q.(type) {
	case *protocol.ElicitParams:
		e := has.Elicitation
		if e != nil && (q.URL == "" && e.Form || q.URL != "" && e.URL) {
			return true
		}
		if missing.Elicitation == nil {
			missing.Elicitation = &protocol.ElicitationCapability{}
		}
		missing.Elicitation.Form = missing.Elicitation.Form || q.URL == ""
		missing.Elicitation.URL = missing.Elicitation.URL || q.URL != ""
	case *protocol.CreateMessageParams:
		need := protocol.SamplingCapability{
			Tools:   len(q.Tools) > 0 || q.ToolChoice != "",
			Context: q.IncludeContext != "" && q.IncludeContext != "none",
		}
		if s := has.Sampling; s != nil && (!need.Tools || s.Tools) && (!need.Context || s.Context) {
			return true
		}
		if missing.Sampling == nil {
			missing.Sampling = &protocol.SamplingCapability{}
		}
		missing.Sampling.Tools = missing.Sampling.Tools || need.Tools
		missing.Sampling.Context = missing.Sampling.Context || need.Context
	case *protocol.ListRootsParams:
		if has.Roots != nil {
			return true
		}
		missing.Roots = &protocol.RootsCapability{}
	}
	return false
}

// A form is a form's fields with the schema of its content.
type form struct {
	fields []protocol.FormField
	schema *schema.Schema
}

func (f *form) question(key, message string, take func(jsontext.Value) error) Question {
	return Question{
		key: key,
		ask: &protocol.ElicitParams{Message: message, Fields: f.fields},
		take: func(a protocol.Answer) error {
			r := a.(*protocol.ElicitResult)
			if err := action(r); err != nil {
				return err
			}
			content := r.Content
			if content == nil {
				content = jsontext.Value("{}")
			}
			if err := f.schema.Validate(content); err != nil {
				return &invalidAnswer{err}
			}
			if err := take(content); err != nil {
				return &invalidAnswer{err}
			}
			return nil
		},
	}
}

func isInvalid(err error) bool {
	var invalid *invalidAnswer
	return errors.As(err, &invalid)
}

// An invalidAnswer is an answer that does not fit its question.
type invalidAnswer struct{ err error }

func (e *invalidAnswer) Error() string {
	return "the client's answer does not fit the form: " + e.err.Error()
}
func (e *invalidAnswer) Unwrap() error { return e.err }
