package server

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"

	"github.com/parley-mcp/parley/protocol"
)

// Dispatch handles a request: it runs the middleware and then what the author registered. A panic becomes an internal
// error, its stack goes to the log. It is for transports.
func (s *Server) Dispatch(ctx context.Context, c *Call) (result protocol.Result, err error) {
	c.ctx = ctx
	defer c.finish()
	defer func() {
		if p := recover(); p != nil {
			s.options.Logger.LogAttrs(ctx, slog.LevelError, "a handler panicked", slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
			result, err = nil, protocol.Internal()
		}
	}()
	if err := c.resume(); err != nil {
		return nil, err
	}
	result, err = s.handler(ctx, c)
	if err == nil && c.awaits() {
		s.options.Logger.LogAttrs(ctx, slog.LevelWarn, "a handler has asked, and has not returned ErrInputRequired", slog.String("method", c.in.Method))
		err = ErrInputRequired // what it made of missing answers is no result
	}
	if errors.Is(err, ErrInputRequired) {
		result, err = c.required()
	}
	if err != nil {
		if result, err = tooOften(c, err); err != nil {
			return nil, s.translate(ctx, err)
		}
	}
	if result == nil {
		s.options.Logger.LogAttrs(ctx, slog.LevelError, "a handler or middleware returned neither a result nor an error")
		return nil, protocol.Internal()
	}
	if b := result.Base(); b.Server == nil { // what is kept has it, and is not to be touched
		b.Server = &s.options.Info
	}
	return result, nil
}

// AnswersAtOnce reports whether the server answers a method by itself, without waiting, and without showing the Call to
// anybody. It is for transports, which then need not be ready for more.
func (s *Server) AnswersAtOnce(method string) bool {
	if s.options.changesResults() {
		return false
	}
	switch method {
	case protocol.MethodPing, protocol.MethodToolsList, protocol.MethodPromptsList, protocol.MethodResourcesList,
		protocol.MethodResourceTemplatesList:
		return true
	case protocol.MethodInitialize, protocol.MethodDiscover:
		return s.options.InstructionsFor == nil
	}
	return false
}

// translate returns err as a protocol error. What is none is logged, and its text kept back, unless it is about what the
// client has answered.
func (s *Server) translate(ctx context.Context, err error) error {
	var e *protocol.Error
	if errors.As(err, &e) {
		return e
	}
	if isAnswer(err) {
		return &protocol.Error{Kind: protocol.KindInternal, Message: err.Error()}
	}
	if ctx.Err() == nil {
		s.options.Logger.LogAttrs(ctx, slog.LevelError, "a handler failed", slog.Any("error", err))
	}
	return protocol.Internal()
}

// dispatch is the innermost handler.
func (s *Server) dispatch(ctx context.Context, c *Call) (protocol.Result, error) {
	switch p := c.in.Params.(type) {
	case *protocol.InitializeParams:
		return s.initialize(ctx, c)
	case *protocol.DiscoverParams:
		return s.discover(ctx, c)
	case *protocol.PingParams:
		return s.ping(), nil
	case *protocol.ListToolsParams:
		return s.listTools(c, p)
	case *protocol.CallToolParams:
		return s.callTool(ctx, c, p)
	case *protocol.ListResourcesParams:
		return s.listResources(c, p)
	case *protocol.ListResourceTemplatesParams:
		return s.listTemplates(c, p)
	case *protocol.ReadResourceParams:
		return s.readResource(ctx, c, p)
	case *protocol.ListPromptsParams:
		return s.listPrompts(c, p)
	case *protocol.GetPromptParams:
		return s.getPrompt(ctx, c, p)
	case *protocol.CompleteParams:
		return s.complete(ctx, c, p)
	case *protocol.SetLevelParams:
		return s.setLevel(ctx, c, p)
	case *protocol.SubscribeParams:
		return s.subscribe(ctx, c, p)
	case *protocol.UnsubscribeParams:
		return s.unsubscribe(ctx, c, p)
	case *protocol.ListenParams:
		return s.listen(ctx, c, p)
	case *protocol.GetTaskParams:
		return s.getTask(ctx, c, p)
	case *protocol.TaskResultParams:
		return s.taskResult(ctx, c, p)
	case *protocol.ListTasksParams:
		return s.listTasks(ctx, c, p)
	case *protocol.UpdateTaskParams:
		return s.updateTask(ctx, c, p)
	case *protocol.CancelTaskParams:
		return s.cancelTask(ctx, c, p)
	}
	return nil, errUndeclared
}

// errUndeclared answers a method that the revision has and this server does not offer
// (2025-11-25 basic/lifecycle#capability-negotiation).
var errUndeclared = &protocol.Error{Kind: protocol.KindMethodNotFound, Message: "this server does not offer that"}
