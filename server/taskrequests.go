package server

import (
	"context"
	"errors"

	"github.com/parley-mcp/parley/protocol"
)

// noTask answers who asks for a task that is not there, or not his: nobody is told which.
func noTask() *protocol.Error {
	return protocol.InvalidParams("there is no such task, or no longer")
}

// findTask returns the client's own task, if the request has what its tool demands (2025-11-25
// basic/utilities/tasks#task-isolation-and-access-control).
func (s *Server) findTask(ctx context.Context, c *Call, id string) (*task, error) {
	if err := s.mayFollow(c); err != nil {
		return nil, err
	}
	t := s.tasks.find(c.in.Principal, id)
	if t == nil {
		return nil, noTask()
	}
	return t, s.allowTask(ctx, t)
}

// allowTask asks for the scopes of a task's tool.
func (s *Server) allowTask(ctx context.Context, t *task) error {
	if len(t.scopes) == 0 {
		return nil
	}
	return s.options.Allow(ctx, t.scopes)
}

// mayFollow refuses requests about tasks where there are none, where the client has not said that it knows of them, and that
// come too often.
func (s *Server) mayFollow(c *Call) error {
	switch {
	case !s.tasks.offered.Load():
		return errUndeclared
	case c.in.Codec.Features().TasksByServer.Holds():
		if err := c.needsTasks(); err != nil {
			return err
		}
	}
	return s.toolCalls.pass(c.in)
}

func (s *Server) getTask(ctx context.Context, c *Call, p *protocol.GetTaskParams) (protocol.Result, error) {
	t, err := s.findTask(ctx, c, p.ID)
	if err != nil {
		return nil, err
	}
	return &protocol.GetTaskResult{Task: t.now()}, nil
}

// taskResult waits for the end of a task, and answers what the request which began it would have been answered with
// (2025-11-25 basic/utilities/tasks#result-retrieval). On the way it puts the task's questions.
func (s *Server) taskResult(ctx context.Context, c *Call, p *protocol.TaskResultParams) (protocol.Result, error) {
	t, err := s.findTask(ctx, c, p.ID)
	if err != nil {
		return nil, err
	}
	if !t.now().Status.Ended() {
		if err := t.attend(ctx, c); errors.Is(err, context.DeadlineExceeded) {
			return nil, &protocol.Error{Kind: protocol.KindInternal, Message: "the task goes on: ask for its result again"}
		} else if err != nil {
			return nil, err
		}
	}
	r, err := t.outcome()
	if err != nil {
		return nil, err
	}
	return &protocol.TaskResult{ID: t.id, Result: r.(*protocol.CallToolResult)}, nil // nothing else can run as a task
}

// listTasks serves only clients that the server can tell from others (2025-11-25
// basic/utilities/tasks#task-isolation-and-access-control).
func (s *Server) listTasks(ctx context.Context, c *Call, p *protocol.ListTasksParams) (protocol.Result, error) {
	if err := s.mayFollow(c); err != nil {
		return nil, err
	}
	if !c.isSomebody() {
		return nil, errUndeclared
	}
	page, next, err := s.tasks.page(c.in.Principal, p.Cursor, s.options.PageSize)
	if err != nil {
		return nil, err
	}
	r := &protocol.ListTasksResult{NextCursor: next}
	for _, t := range page {
		if s.allowTask(ctx, t) == nil {
			r.Tasks = append(r.Tasks, new(t.now()))
		}
	}
	return r, nil
}

// isSomebody reports whether the client can be told from others.
func (c *Call) isSomebody() bool { return c.in.Principal != "" }

// updateTask takes answers. Those that nobody asked for, or that are there already, are ignored, and so are those that
// cannot be understood: they are still asked for.
func (s *Server) updateTask(ctx context.Context, c *Call, p *protocol.UpdateTaskParams) (protocol.Result, error) {
	t, err := s.findTask(ctx, c, p.ID)
	if err != nil {
		return nil, err
	}
	for key, raw := range p.Responses {
		q := t.asked(key)
		if q == nil {
			continue
		}
		if answer, err := c.in.Codec.DecodeAnswer(q.ask, raw); err == nil {
			t.resolve(q, answer, nil)
		}
	}
	return &protocol.EmptyResult{}, nil
}

// cancelTask ends a task for its client at once; the handler ends when it heeds its context. Where a client asks for
// tasks, it is told that one is over already (2025-11-25 basic/utilities/tasks#task-cancellation); elsewhere it is only
// told that it was heard.
func (s *Server) cancelTask(ctx context.Context, c *Call, p *protocol.CancelTaskParams) (protocol.Result, error) {
	t, err := s.findTask(ctx, c, p.ID)
	if err != nil {
		return nil, err
	}
	if !t.cancel() && c.in.Codec.Features().TasksOnRequest.Holds() {
		return nil, protocol.InvalidParams("the task is over already, and cannot be cancelled")
	}
	return &protocol.CancelTaskResult{Task: t.now()}, nil
}
