package server

import (
	"context"
	"errors"
	"fmt"

	"github.com/parley-mcp/parley/protocol"
)

// A Prompt is a template of messages that a user may pick.
type Prompt = protocol.Prompt

// A PromptHandler fills in a prompt. All required arguments are there. The result is the server's from then on. An error
// that is no *protocol.Error is internal.
type PromptHandler func(ctx context.Context, c *Call, arguments map[string]string) (*protocol.GetPromptResult, error)

type prompt struct {
	*protocol.Prompt
	get PromptHandler
}

func (p *prompt) key() string            { return p.Name }
func (p *prompt) item() *protocol.Prompt { return p.Prompt }

// AddPrompt adds a prompt. The error says what is wrong with its name or arguments.
func (s *Server) AddPrompt(p Prompt, get PromptHandler) error {
	err := checkPrompt(&p, get)
	if err == nil {
		err = s.prompts.add(&prompt{&p, get})
	}
	if err != nil {
		return fmt.Errorf("prompt %q: %w", p.Name, err)
	}
	s.changed()
	s.PromptsChanged()
	return nil
}

// RemovePrompt removes a prompt, and reports whether there was one of that name.
func (s *Server) RemovePrompt(name string) bool {
	s.completes.drop(true, name)
	if !s.prompts.remove(name) {
		return false
	}
	s.PromptsChanged()
	return true
}

func checkPrompt(p *Prompt, get PromptHandler) error {
	switch {
	case p.Name == "":
		return errors.New("it needs a Name")
	case get == nil:
		return errors.New("no handler")
	case p.Meta != nil && !isObject(p.Meta):
		return errors.New("Meta is no JSON object")
	}
	seen := map[string]bool{}
	for _, a := range p.Arguments {
		if a.Name == "" || seen[a.Name] {
			return fmt.Errorf("argument %q: names are not empty and differ", a.Name)
		}
		seen[a.Name] = true
	}
	return nil
}

func (s *Server) listPrompts(c *Call, p *protocol.ListPromptsParams) (protocol.Result, error) {
	if !s.prompts.used() {
		return nil, errUndeclared
	}
	page, err := s.prompts.page(p.Cursor, c.in.Principal, s.options.Visible.Prompt)
	if err != nil || page.answer != nil {
		return page.answer, err
	}
	return s.keep(page.kept, &protocol.ListPromptsResult{
		Cache:      hint(s.options.Cache.Prompts, s.options.Visible.Prompt != nil),
		Prompts:    page.items,
		NextCursor: page.next,
	}), nil
}

func (s *Server) findPrompt(c *Call, name string) (*prompt, error) {
	p, ok := s.prompts.get(name)
	if !ok || s.options.Visible.Prompt != nil && !s.options.Visible.Prompt(c.in.Principal, p.Prompt) {
		return nil, protocol.InvalidParams("unknown prompt %q", clip(name))
	}
	return p, nil
}

func (s *Server) getPrompt(ctx context.Context, c *Call, p *protocol.GetPromptParams) (protocol.Result, error) {
	if !s.prompts.used() {
		return nil, errUndeclared
	}
	found, err := s.findPrompt(c, p.Name)
	if err != nil {
		return nil, err
	}
	for _, a := range found.Arguments {
		if _, given := p.Arguments[a.Name]; a.Required && !given {
			return nil, protocol.InvalidParams("prompt %q: argument %q is required", p.Name, a.Name)
		}
	}
	r, err := found.get(ctx, c, p.Arguments)
	if err == nil && r == nil {
		err = fmt.Errorf("prompt %q returned neither a result nor an error", p.Name)
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}
