// Command backup has a tool that takes long. A client that knows of tasks gets one at once and comes back for the result; any
// other waits. The handler is the same.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"time"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/transport/streamable"
)

// A vault backs up volumes.
type vault struct {
	// copies backs up one volume, which takes its time.
	copies func(ctx context.Context, volume string) error
}

type volumes struct {
	Names []string `json:"names" jsonschema:"the volumes to back up"`
}

func (v *vault) backUp(ctx context.Context, c *server.Call, in volumes) (string, error) {
	if len(in.Names) == 0 {
		return "", errors.New("name at least one volume") // at once, without a task
	}
	c.Task()
	for i, name := range in.Names {
		_ = c.Progress(server.Progress{Done: float64(i), Total: float64(len(in.Names)), Message: "copying " + name})
		// Once, since a client without tasks may have to make its call again to answer what is asked below.
		_, err := server.Once(ctx, c, name, func() (bool, error) { return true, v.copies(ctx, name) })
		if err != nil { // also when the task is cancelled
			return "", err
		}
	}
	done := fmt.Sprintf("Backed up %d volumes.", len(in.Names))
	// A form without fields: to accept it is to agree.
	switch err := c.Elicit(ctx, "prune", "Delete the backups before?", &struct{}{}); {
	case err == nil:
		return done + " Those before are deleted.", nil
	case server.CannotAsk(err), errors.Is(err, server.ErrDeclined), errors.Is(err, server.ErrCancelled):
		return done + " Those before are kept.", nil
	default:
		return "", err
	}
}

func newServer(v *vault) (*server.Server, error) {
	s, err := server.New(server.Options{
		Info:  protocol.Implementation{Name: "backup", Version: "1.0.0"},
		Tasks: server.TaskOptions{TTL: 6 * time.Hour},
	})
	if err != nil {
		return nil, err
	}
	return s, server.AddTool(s, server.Tool{
		Name:        "back_up",
		Description: "Backs up volumes.",
		TaskSupport: protocol.TaskOptional,
	}, v.backUp)
}

// slowly stands for the real work.
func slowly(ctx context.Context, _ string) error {
	select {
	case <-time.After(10 * time.Second):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func main() {
	s, err := newServer(&vault{slowly})
	if err != nil {
		log.Fatal(err)
	}
	h, err := streamable.New(s, streamable.Options{})
	if err != nil {
		log.Fatal(err)
	}
	http.Handle("/mcp", h)
	log.Fatal(http.ListenAndServe("127.0.0.1:8080", nil))
}
