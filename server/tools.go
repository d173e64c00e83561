package server

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/parley-mcp/parley/internal/mirror"
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server/internal/schema"
)

// A Tool is a function that a model may call.
type Tool = protocol.Tool

// A ToolHandler runs a tool. arguments conform to the tool's input schema; {} stands for none. The result is the server's
// from then on: return another one each time. An error that is not a *protocol.Error becomes a result with IsError, so that
// the model reads it; a *protocol.Error fails the request itself.
type ToolHandler func(ctx context.Context, c *Call, arguments jsontext.Value) (*protocol.CallToolResult, error)

// A tool is what the server keeps of a Tool.
type tool struct {
	*protocol.Tool
	in, out *schema.Schema
	params  []mirror.Param
	run     ToolHandler
}

func (t *tool) key() string          { return t.Name }
func (t *tool) item() *protocol.Tool { return t.Tool }

// AddRawTool adds a tool whose schemas are given as JSON: t.InputSchema is required, t.OutputSchema is not. The error says
// what is wrong with its name (1 to 128 letters, digits, and _ - .), its schemas or its x-mcp-header annotations, or that it
// has Scopes and the server no Options.Allow. t must not be changed afterwards. See AddTool for a tool that is a Go function.
func (s *Server) AddRawTool(t Tool, run ToolHandler) error {
	entry, err := compile(&t, run)
	if err == nil && len(t.Scopes) > 0 && s.options.Allow == nil {
		err = errors.New("it has Scopes, and nothing would ask for them: set Options.Allow")
	}
	if err == nil {
		err = s.tools.add(entry)
	}
	if err != nil {
		return fmt.Errorf("tool %q: %w", t.Name, err)
	}
	if t.TaskSupport != protocol.TaskForbidden {
		s.tasks.offered.Store(true)
	}
	s.changed()
	s.ToolsChanged()
	return nil
}

// RemoveTool removes a tool, and reports whether there was one of that name. Calls that run go on.
func (s *Server) RemoveTool(name string) bool {
	if !s.tools.remove(name) {
		return false
	}
	s.ToolsChanged()
	return true
}

func compile(t *Tool, run ToolHandler) (*tool, error) {
	if err := checkToolName(t.Name); err != nil {
		return nil, err
	}
	if run == nil {
		return nil, errors.New("no handler")
	}
	if t.Meta != nil && !isObject(t.Meta) {
		return nil, errors.New("Meta is no JSON object")
	}
	switch t.TaskSupport {
	case protocol.TaskForbidden, protocol.TaskOptional, protocol.TaskRequired:
	default:
		return nil, fmt.Errorf("TaskSupport %q is none", t.TaskSupport)
	}
	in, err := schema.Compile(t.InputSchema)
	if err != nil {
		return nil, fmt.Errorf("InputSchema: %w", err)
	}
	if !describesObject(t.InputSchema) {
		return nil, errors.New(`InputSchema: its root must have "type": "object"`)
	}
	entry := &tool{Tool: t, in: in, run: run}
	if entry.params, err = mirror.Params(t.InputSchema); err != nil {
		return nil, fmt.Errorf("InputSchema: %w", err)
	}
	if t.OutputSchema != nil {
		if entry.out, err = schema.Compile(t.OutputSchema); err != nil {
			return nil, fmt.Errorf("OutputSchema: %w", err)
		}
	}
	return entry, nil
}

// checkToolName applies 2025-11-25 server/tools#tool-names.
func checkToolName(name string) error {
	if name == "" || len(name) > 128 {
		return errors.New("a name has 1 to 128 characters")
	}
	for _, r := range name {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if !letter && !strings.ContainsRune("_-.", r) {
			return errors.New("a name has only letters, digits, underscores, hyphens and dots")
		}
	}
	return nil
}

func (s *Server) listTools(c *Call, p *protocol.ListToolsParams) (protocol.Result, error) {
	if !s.tools.used() {
		return nil, errUndeclared
	}
	page, err := s.tools.page(p.Cursor, c.in.Principal, s.options.Visible.Tool)
	if err != nil || page.answer != nil {
		return page.answer, err
	}
	return s.keep(page.kept, &protocol.ListToolsResult{
		Cache:      hint(s.options.Cache.Tools, s.options.Visible.Tool != nil),
		Tools:      page.items,
		NextCursor: page.next,
	}), nil
}

func (s *Server) callTool(ctx context.Context, c *Call, p *protocol.CallToolParams) (protocol.Result, error) {
	if !s.tools.used() {
		return nil, errUndeclared
	}
	if err := s.toolCalls.pass(c.in); err != nil {
		return nil, err
	}
	t, ok := s.tools.get(p.Name)
	if !ok || s.options.Visible.Tool != nil && !s.options.Visible.Tool(c.in.Principal, t.Tool) {
		return nil, protocol.InvalidParams("unknown tool %q", clip(p.Name))
	}
	if len(t.Scopes) > 0 {
		if err := s.options.Allow(ctx, t.Scopes); err != nil {
			return nil, err
		}
	}
	arguments := p.Arguments
	if arguments == nil {
		arguments = jsontext.Value("{}")
	}
	if c.in.Header != nil {
		for _, param := range t.params {
			if err := mirror.MatchParam(param, c.in.Header.Values(mirror.Prefix+param.Header), arguments); err != nil {
				return nil, protocol.HeaderMismatch("%v", err)
			}
		}
	}
	if t.TaskSupport != protocol.TaskForbidden || p.Task != nil {
		return s.callTask(ctx, c, t, p, arguments)
	}
	return t.call(ctx, c, arguments)
}

// call runs the tool, if the arguments conform to its schema. Within a task it is the task that fails otherwise: who has asked
// for one is answered with one (2025-11-25 basic/utilities/tasks#result-retrieval).
func (t *tool) call(ctx context.Context, c *Call, arguments jsontext.Value) (protocol.Result, error) {
	if err := t.in.Validate(arguments); err != nil {
		return c.refuse(t.Name, &argumentError{err})
	}
	r, err := t.run(ctx, c, arguments)
	switch {
	case err != nil:
		return t.failed(c, err)
	case r == nil:
		return nil, fmt.Errorf("tool %q returned neither a result nor an error", t.Name)
	}
	if err := t.checkResult(r); err != nil {
		return nil, err
	}
	return r, nil
}

// failed answers for a tool that returned an error.
func (t *tool) failed(c *Call, err error) (protocol.Result, error) {
	var fails *protocol.Error
	var wrong *argumentError
	switch {
	case errors.Is(err, ErrInputRequired):
		return nil, err
	case errors.As(err, &fails):
		return nil, fails
	case errors.As(err, &wrong):
		return c.refuse(t.Name, wrong)
	}
	return toolError(err), nil
}

// An argumentError says what is wrong with a tool's arguments.
type argumentError struct{ error }

// refuse answers a call with arguments that are wrong, in the way of the client's revision.
func (c *Call) refuse(tool string, wrong *argumentError) (protocol.Result, error) {
	if c.in.Codec.Features().ArgumentErrorsInResult.Holds() {
		return toolError(fmt.Errorf("invalid arguments: %w", wrong)), nil
	}
	return nil, protocol.InvalidParams("arguments of tool %q: %v", tool, wrong)
}

// checkResult holds a result to what the tool promised (2025-11-25 server/tools#output-schema). An error result is exempt.
func (t *tool) checkResult(r *protocol.CallToolResult) error {
	if r.Meta != nil && !isObject(r.Meta) {
		return fmt.Errorf("tool %q returned a _meta that is no JSON object", t.Name)
	}
	if r.Structured != nil && !r.Structured.IsValid() {
		return fmt.Errorf("tool %q returned structured content that is not valid JSON", t.Name)
	}
	if t.out != nil && !r.IsError {
		if r.Structured == nil {
			return fmt.Errorf("tool %q has an output schema and returned no structured content", t.Name)
		}
		if err := t.out.Validate(r.Structured); err != nil {
			return fmt.Errorf("tool %q returned structured content that breaks its schema: %w", t.Name, err)
		}
	}
	if r.Structured != nil && len(r.Content) == 0 { // the twin that all clients can read (#structured-content)
		r.Content = []protocol.Content{&protocol.TextContent{Text: string(r.Structured)}}
	}
	return nil
}

func toolError(err error) *protocol.CallToolResult {
	return &protocol.CallToolResult{Content: []protocol.Content{&protocol.TextContent{Text: err.Error()}}, IsError: true}
}
