package transporttest

import (
	"context"
	"errors"
	"testing"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
)

// AddTasks adds tools that run as tasks.
func (f *Fixture) AddTasks(tb testing.TB) {
	tb.Helper()
	s := f.Server
	err := errors.Join(
		// job asks once it is a task, and gives the reason back.
		server.AddTool(s, server.Tool{Name: "job", TaskSupport: protocol.TaskOptional}, func(ctx context.Context, c *server.Call, _ struct{}) (string, error) {
			c.Task()
			var r Reason
			if err := errors.Join(c.Progress(server.Progress{Done: 1, Message: "asking"}), c.Elicit(ctx, "sure", "Sure?", &r)); err != nil {
				return "", err
			}
			return "because " + r.Reason, c.Progress(server.Progress{Done: 2})
		}),
		// endless runs until its context ends.
		server.AddTool(s, server.Tool{Name: "endless", TaskSupport: protocol.TaskRequired}, func(ctx context.Context, _ *server.Call, _ struct{}) (string, error) {
			f.Entered <- struct{}{}
			<-ctx.Done()
			f.Ended <- context.Cause(ctx)
			return "", ctx.Err()
		}),
	)
	if err != nil {
		tb.Fatal(err)
	}
}

// EverythingAndTasks is Everything with tasks, where clients declare that they know of them.
const EverythingAndTasks = `{"roots":{},"sampling":{"tools":{},"context":{}},"elicitation":{"form":{},"url":{}},"extensions":{"io.modelcontextprotocol/tasks":{}}}`
