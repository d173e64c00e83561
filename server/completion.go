package server

import (
	"context"
	"fmt"
	"maps"
	"sync"

	"github.com/parley-mcp/parley/protocol"
)

// A CompletionHandler returns values for an argument that begins with value, the best first. others are the arguments
// that are filled in already; nil if the client did not say. Of more than protocol.MaxCompletions values the rest is cut
// off, and the client told how many there are.
type CompletionHandler func(ctx context.Context, c *Call, value string, others map[string]string) ([]string, error)

// completers are the handlers by prompt or template, and argument.
type completers struct {
	mu sync.RWMutex
	m  map[completion]CompletionHandler
}

type completion struct {
	prompt   bool
	of       string
	argument string
}

// used reports whether there is, or ever was, a handler.
func (l *completers) used() bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.m != nil
}

// drop forgets the handlers of a prompt or template that is removed.
func (l *completers) drop(prompt bool, of string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	maps.DeleteFunc(l.m, func(k completion, _ CompletionHandler) bool { return k.prompt == prompt && k.of == of })
}

func (l *completers) get(k completion) CompletionHandler {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.m[k]
}

// CompletePrompt completes an argument of a prompt that has been added. The error says that there is none.
func (s *Server) CompletePrompt(prompt, argument string, complete CompletionHandler) error {
	p, ok := s.prompts.get(prompt)
	if !ok {
		return fmt.Errorf("completion: there is no prompt %q", prompt)
	}
	for _, a := range p.Arguments {
		if a.Name == argument {
			return s.addCompletion(completion{true, prompt, argument}, complete)
		}
	}
	return fmt.Errorf("completion: prompt %q has no argument %q", prompt, argument)
}

// CompleteTemplate completes a variable of a resource template that has been added. The error says that there is none.
func (s *Server) CompleteTemplate(uriTemplate, variable string, complete CompletionHandler) error {
	t, ok := s.templates.get(uriTemplate)
	if !ok {
		return fmt.Errorf("completion: there is no resource template %q", uriTemplate)
	}
	for _, name := range t.pattern.Varnames() {
		if name == variable {
			return s.addCompletion(completion{false, uriTemplate, variable}, complete)
		}
	}
	return fmt.Errorf("completion: resource template %q has no variable %q", uriTemplate, variable)
}

func (s *Server) addCompletion(k completion, complete CompletionHandler) error {
	if complete == nil {
		return fmt.Errorf("completion of %q: no handler", k.argument)
	}
	s.completes.mu.Lock()
	if s.completes.m == nil {
		s.completes.m = map[completion]CompletionHandler{}
	}
	s.completes.m[k] = complete
	s.completes.mu.Unlock()
	s.changed()
	return nil
}

// complete answers with nothing for an argument that nobody completes.
func (s *Server) complete(ctx context.Context, c *Call, p *protocol.CompleteParams) (protocol.Result, error) {
	if !s.completes.used() {
		return nil, errUndeclared
	}
	if err := s.completions.pass(c.in); err != nil {
		return nil, err
	}
	k := completion{prompt: p.Prompt != "", of: p.Prompt + p.Template, argument: p.Argument}
	if err := s.checkReference(c, p); err != nil {
		return nil, err
	}
	r := &protocol.CompleteResult{Values: []string{}}
	if f := s.completes.get(k); f != nil {
		values, err := f(ctx, c, p.Value, p.Arguments)
		if err != nil {
			return nil, err
		}
		total := int64(len(values))
		r.Values, r.Total = values[:min(len(values), protocol.MaxCompletions)], &total
		r.HasMore = len(values) > protocol.MaxCompletions
	}
	return r, nil
}

// checkReference refuses what the server does not have (2025-11-25 server/utilities/completion#error-handling).
func (s *Server) checkReference(c *Call, p *protocol.CompleteParams) error {
	if p.Prompt != "" {
		_, err := s.findPrompt(c, p.Prompt)
		return err
	}
	if t, ok := s.templates.get(p.Template); ok {
		if v := s.options.Visible.ResourceTemplate; v == nil || v(c.in.Principal, t.ResourceTemplate) {
			return nil
		}
	}
	return protocol.InvalidParams("unknown resource template %q", clip(p.Template))
}
