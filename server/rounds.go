package server

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/parley-mcp/parley/internal/rawjson"
	"github.com/parley-mcp/parley/protocol"
)

// Rounds: where a server may not send requests, a call that asks is answered with what it asks, and the client's retry runs
// the handler again. What the handler must not forget in between travels in the request state, sealed: only this server
// and its replicas can read it, and only for the same principal, method and arguments (2026-07-28
// basic/patterns/mrtr#server-requirements-basic-workflow).

// A memory is what a call carries from round to round.
type memory struct {
	// Until is when the state expires, in seconds since 1970.
	Until int64 `json:"until"`
	// Round counts the answers that asked for input.
	Round int `json:"round"`
	// Answers are the client's answers by key, Once the kept results of side effects.
	Answers map[string]jsontext.Value `json:"answers,omitempty"`
	Once    map[string]jsontext.Value `json:"once,omitempty"`
}

// rounds is the part of a Call that has to do with them.
type rounds struct {
	memory
	// given are the answers that came with this request.
	given map[string]jsontext.Value
	// pending are the questions that this round leaves open.
	pending map[string]protocol.Question
	// heard are the answers to requests, where the server sends them.
	heard map[string]protocol.Answer
}

// statePurpose tells request states from whatever else is sealed with the same keys.
const statePurpose = "parley request state\x00"

// input returns what a request brings along, or nil for methods that cannot ask (#supported-requests).
func input(p protocol.Params) *protocol.Input {
	switch p := p.(type) {
	case *protocol.CallToolParams:
		return &p.Input
	case *protocol.GetPromptParams:
		return &p.Input
	case *protocol.ReadResourceParams:
		return &p.Input
	}
	return nil
}

// resume takes up what a request brings along. A state that does not open is an error, also if nothing asks.
func (c *Call) resume() error {
	in := input(c.in.Params)
	if in == nil {
		return nil
	}
	c.rounds.given = in.Responses
	if !in.HasState {
		return nil
	}
	plain, err := c.server.ring.Open(in.State, c.stateContext())
	if err == nil {
		err = json.Unmarshal(plain, &c.rounds.memory)
	}
	if err == nil && time.Now().Unix() > c.rounds.Until {
		err = errors.New("expired")
	}
	if err != nil {
		return protocol.InvalidParams("requestState is not valid, or no longer, or not for this request: send the request without it")
	}
	return nil
}

// stateContext is what a state is bound to. The arguments count whatever the order of their members; _meta and what only a
// retry has does not.
func (c *Call) stateContext() []byte {
	digest := sha256.Sum256(rawjson.AppendSorted(nil, c.in.RawParams, "_meta", "inputResponses", "requestState"))
	b := append([]byte(statePurpose), c.in.Principal...)
	b = append(b, 0)
	b = append(b, c.in.Method...)
	b = append(b, 0)
	return append(b, digest[:]...)
}

// askLater answers questions from what was brought along, and leaves open what is missing or does not fit.
func (c *Call) askLater(questions []Question) error {
	if input(c.in.Params) == nil {
		return ErrNoWayBack
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var refused error
	open := false
	for _, q := range questions {
		ok, err := c.recall(q)
		switch {
		case err != nil:
			refused = errors.Join(refused, err)
		case !ok:
			if c.rounds.pending == nil {
				c.rounds.pending = map[string]protocol.Question{}
			}
			c.rounds.pending[q.key] = q.ask
			open = true
		}
	}
	if open {
		return ErrInputRequired
	}
	return refused
}

// recall gives a question its answer; ok is false if there is none that fits. The error is the user's no.
func (c *Call) recall(q Question) (ok bool, err error) {
	raw, known := c.rounds.Answers[q.key]
	if !known {
		if raw, known = c.rounds.given[q.key]; !known {
			return false, nil
		}
	}
	answer, err := c.in.Codec.DecodeAnswer(q.ask, raw)
	if err != nil {
		return false, nil // ask again
	}
	err = q.take(answer)
	var invalid *invalidAnswer
	if errors.As(err, &invalid) {
		return false, nil
	}
	if c.rounds.Answers == nil {
		c.rounds.Answers = map[string]jsontext.Value{}
	}
	c.rounds.Answers[q.key] = raw
	return err == nil, err
}

// awaits reports whether a question is left open.
func (c *Call) awaits() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.rounds.pending) > 0
}

// required returns the result that asks the client for what is pending.
func (c *Call) required() (protocol.Result, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.rounds.pending) == 0 {
		return nil, errors.New("a handler returned ErrInputRequired and has asked for nothing")
	}
	c.rounds.Round++
	if most := c.server.options.MaxRounds; c.rounds.Round > most {
		return nil, protocol.InvalidRequest("more than %d rounds of questions", most)
	}
	c.rounds.Until = time.Now().Add(c.server.options.StateTTL).Unix()
	plain, err := json.Marshal(&c.rounds.memory, json.Deterministic(true))
	if err != nil {
		return nil, fmt.Errorf("request state: %w", err)
	}
	if len(plain) > maxState {
		return nil, fmt.Errorf("request state: what is to be remembered has %d bytes, at most %d can travel", len(plain), maxState)
	}
	return &protocol.InputRequiredResult{
		Requests: c.rounds.pending,
		State:    c.server.ring.Seal(plain, c.stateContext()),
	}, nil
}

// maxState bounds what travels in a request state, in bytes.
const maxState = 64 << 10

// Once runs f the first time that the handler comes by, and returns the same result whenever it is run again for the same
// request: in a later round (see Call.Ask) the result is brought back by the client, sealed. key names the side effect
// within the handler. T must survive JSON. An error of f is not kept. A call that is cancelled runs f no more.
func Once[T any](ctx context.Context, c *Call, key string, f func() (T, error)) (T, error) {
	var result T
	if err := ctx.Err(); err != nil {
		return result, err
	}
	c.mu.Lock()
	raw, done := c.rounds.Once[key]
	c.mu.Unlock()
	if done {
		err := json.Unmarshal(raw, &result)
		return result, err
	}
	result, err := f()
	if err != nil {
		return result, err
	}
	if raw, err = json.Marshal(result, json.Deterministic(true)); err != nil {
		return result, fmt.Errorf("once %q: %w", key, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.rounds.Once == nil {
		c.rounds.Once = map[string]jsontext.Value{}
	}
	c.rounds.Once[key] = raw
	return result, nil
}
