package server

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"runtime/debug"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/parley-mcp/parley/protocol"
)

// A work is a call whose handler runs on a goroutine of its own, because it is a task, or may become one.
type work struct {
	request context.Context
	// life is the handler's context. It ends with request until there is a task, and then with that.
	life context.Context
	stop context.CancelCauseFunc
	// scopes are those of the tool.
	scopes []string
	// bound ties life to request; calling it unties them, and reports whether they were tied.
	bound func() bool
	// task is nil until there is one, and guarded by the lock of the call. became is closed then.
	task   *task
	became chan struct{}
}

// Task lets a call go on as a task, if its tool may run as one and its client can follow one: the request is answered
// with the task at once, and what the handler returns is the task's result. It reports whether the call is a task now.
// If not, the handler goes on within the request, and the client waits.
//
// Call it before the work that takes long, and after the questions without whose answers there is no such work: where the
// server decides what becomes a task, questions asked before are asked within the call (extensions/tasks/overview), later
// ones of the task's client. Where clients decide (2025-11-25 basic/utilities/tasks#creating-tasks), and for tools that
// require it, the call has been a task from the start.
//
// Within a task, Progress sets the words that describe its status, and the handler's context ends when the task is
// cancelled or its time is over. Log messages and progress reach the client where its revision has them for tasks.
func (c *Call) Task() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := c.work
	switch {
	case w == nil:
		return false
	case w.task != nil:
		return true
	case len(c.rounds.pending) > 0: // what it has asked comes first
		return false
	case !w.bound():
		return false // the client does not want the answer any more
	}
	t, err := c.server.tasks.begin(c, nil, w)
	if err != nil {
		w.bind()
		return false
	}
	c.sayLast() // before the request is answered
	c.pace = nil
	w.task = t
	close(w.became)
	return true
}

// task returns the task that the call is, or nil.
func (c *Call) task() *task {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.work == nil {
		return nil
	}
	return c.work.task
}

// life returns the context of the handler.
func (c *Call) life() context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ctx
}

// bind ends life with request.
func (w *work) bind() {
	w.bound = context.AfterFunc(w.request, func() { w.stop(context.Cause(w.request)) })
}

// callTask calls a tool that can run as a task, or that the client would like to.
func (s *Server) callTask(ctx context.Context, c *Call, t *tool, p *protocol.CallToolParams, arguments jsontext.Value) (protocol.Result, error) {
	f := c.in.Codec.Features()
	required := t.TaskSupport == protocol.TaskRequired
	switch {
	case !s.tasks.offered.Load():
	case f.TasksOnRequest.Holds() && p.Task != nil && t.TaskSupport == protocol.TaskForbidden: // 2025-11-25 basic/utilities/tasks#tool-level-negotiation
		return nil, &protocol.Error{Kind: protocol.KindMethodNotFound, Message: "this tool does not run as a task: call it without"}
	case f.TasksOnRequest.Holds() && p.Task == nil && required:
		return nil, &protocol.Error{Kind: protocol.KindMethodNotFound, Message: "this tool runs as a task only: call it with one"}
	case f.TasksOnRequest.Holds() && p.Task != nil:
		return s.beginTask(ctx, c, t, p.Task.TTLMs)
	case f.TasksByServer.Holds() && required:
		if err := c.needsTasks(); err != nil {
			return nil, err
		}
		return s.beginTask(ctx, c, t, nil)
	case f.TasksByServer.Holds() && c.needsTasks() == nil:
		return s.mayBecomeTask(ctx, c, t)
	}
	return t.call(ctx, c, arguments)
}

// needsTasks returns the error for a client that has not declared, with this very request, that it can follow tasks.
func (c *Call) needsTasks() error {
	if can := c.in.Capabilities; can != nil && can.Extensions[protocol.TaskExtension] != nil {
		return nil
	}
	return protocol.MissingCapability(&protocol.ClientCapabilities{
		Extensions: map[string]jsontext.Value{protocol.TaskExtension: jsontext.Value("{}")},
	})
}

// beginTask runs a tool as a task from the start.
func (s *Server) beginTask(ctx context.Context, c *Call, tool *tool, ttl *int64) (protocol.Result, error) {
	w, arguments := c.detach(ctx, tool)
	t, err := s.tasks.begin(c, ttl, w)
	if err != nil {
		return nil, err
	}
	c.setWork(w, t)
	err = s.tasks.run(func() {
		defer w.stop(nil)
		r, err := s.guarded(c, tool, arguments)
		s.finishTask(c, t, r, err)
	})
	if err != nil {
		t.finish(nil, protocol.Internal())
		return nil, err
	}
	return &protocol.CreateTaskResult{Task: t.begun}, nil
}

// mayBecomeTask runs a tool that decides itself whether it goes on as a task.
func (s *Server) mayBecomeTask(ctx context.Context, c *Call, tool *tool) (protocol.Result, error) {
	w, arguments := c.detach(ctx, tool)
	w.became = make(chan struct{})
	w.bind()
	c.setWork(w, nil)
	type outcome struct {
		result protocol.Result
		err    error
	}
	returned := make(chan outcome, 1)
	err := s.tasks.run(func() {
		r, err := s.guarded(c, tool, arguments)
		if t := c.closeWork(); t != nil {
			s.finishTask(c, t, r, err)
		} else {
			returned <- outcome{r, err}
		}
		w.bound()
		w.stop(nil)
	})
	if err != nil {
		w.bound()
		return nil, err
	}
	select {
	case o := <-returned:
		return o.result, o.err
	case <-w.became:
		return &protocol.CreateTaskResult{Task: c.task().begun}, nil
	}
}

// detach makes what is known of a request outlast it, and returns the work that goes on with it and the tool's arguments.
// The transport's memory may be used again for what comes next.
func (c *Call) detach(ctx context.Context, tool *tool) (*work, jsontext.Value) {
	in := *c.in
	in.ID, in.RawParams, in.RawMeta = bytes.Clone(in.ID), bytes.Clone(in.RawParams), bytes.Clone(in.RawMeta)
	in.Header = nil
	if m, err := in.Codec.DecodeMeta(in.RawMeta); err == nil {
		if in.Meta = m; m.Capabilities != nil {
			in.Client, in.Capabilities = m.Client, m.Capabilities
		}
	}
	if in.Session != nil {
		in.Session = pastSession{name: in.Session.Name()}
	}
	arguments := jsontext.Value("{}")
	if params, err := in.Codec.DecodeRequest(in.Method, in.RawParams); err == nil {
		in.Params = params
		if p, ok := params.(*protocol.CallToolParams); ok && p.Arguments != nil {
			arguments = p.Arguments
		}
	}
	w := &work{request: ctx, scopes: tool.Scopes}
	w.life, w.stop = context.WithCancelCause(context.WithoutCancel(ctx))
	c.in = &in
	return w, arguments
}

// A pastSession stands for the session of a request that is over: there was one, and nobody changes it any more.
type pastSession struct {
	Session
	name string
}

// Name implements Session.
func (s pastSession) Name() string { return s.name }

func (c *Call) setWork(w *work, t *task) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w.task = t
	c.work, c.ctx = w, w.life
}

// closeWork lets a call become no task any more, and returns the task that it is, or nil.
func (c *Call) closeWork() *task {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.work.task
	if t == nil {
		c.work = nil
	}
	return t
}

// guarded runs a handler. A panic becomes an internal error, its stack goes to the log.
func (s *Server) guarded(c *Call, tool *tool, arguments jsontext.Value) (r protocol.Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.options.Logger.LogAttrs(c.ctx, slog.LevelError, "a handler panicked", slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
			r, err = nil, protocol.Internal()
		}
	}()
	return tool.call(c.ctx, c, arguments)
}

// finishTask ends a task with what its call would be answered with.
func (s *Server) finishTask(c *Call, t *task, r protocol.Result, err error) {
	c.endPace(t)
	if errors.Is(err, ErrInputRequired) {
		err = errors.New("a handler has returned ErrInputRequired from within a task")
	}
	if err != nil {
		t.finish(nil, protocol.AsError(s.translate(c.life(), err)))
		return
	}
	r.Base().Server = &s.options.Info
	t.finish(r, nil)
}

// endPace lets a task say what was held back.
func (c *Call) endPace(t *task) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pace == nil {
		return
	}
	for _, last := range c.pace.end() {
		t.say(last)
	}
}
