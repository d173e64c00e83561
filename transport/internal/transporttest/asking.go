package transporttest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/parley-mcp/parley/server"
)

// Reason is a form.
type Reason struct {
	Sure   bool   `json:"sure"`
	Reason string `json:"reason,omitempty"`
}

// Count is an argument.
type Count struct {
	Count int `json:"count"`
}

// AddAsking adds the tools that ask the client, and one that hangs up on it.
func (f *Fixture) AddAsking(tb testing.TB) {
	tb.Helper()
	s := f.Server
	err := errors.Join(
		server.AddTool(s, server.Tool{Name: "where"}, func(ctx context.Context, c *server.Call, _ struct{}) (string, error) {
			roots, err := c.Roots(ctx, "roots")
			if err != nil {
				return "", err
			}
			return fmt.Sprint(roots), nil
		}),
		server.AddTool(s, server.Tool{Name: "confirm"}, func(ctx context.Context, c *server.Call, in Text) (string, error) {
			var r Reason
			err := c.Elicit(ctx, "confirm", "Sure?", &r)
			return "because " + r.Reason, err
		}),
		// three asks three things at once.
		server.AddTool(s, server.Tool{Name: "three"}, func(ctx context.Context, c *server.Call, _ struct{}) (string, error) {
			var r [3]Reason
			err := c.Ask(ctx, server.Form("a", "a", &r[0]), server.Form("b", "b", &r[1]), server.Form("c", "c", &r[2]))
			return r[0].Reason + r[1].Reason + r[2].Reason, err
		}),
		// wizard asks two things, writes a row in between, and talks all the time.
		server.AddTool(s, server.Tool{Name: "wizard"}, func(ctx context.Context, c *server.Call, in Count) (string, error) {
			var first, second Reason
			says := func(from float64) error {
				for i := range in.Count {
					if err := c.Progress(server.Progress{Done: from + float64(i)}); err != nil {
						return err
					}
				}
				return nil
			}
			if err := errors.Join(says(1), c.Elicit(ctx, "first", "First?", &first)); err != nil {
				return "", err
			}
			row, err := server.Once(ctx, c, "row", func() (int64, error) { return f.Rows.Add(1), nil })
			if err != nil {
				return "", err
			}
			if err := errors.Join(says(1000), c.Elicit(ctx, "second", "Second?", &second)); err != nil {
				return "", err
			}
			return fmt.Sprintf("%s %s %d", first.Reason, second.Reason, row), says(2000)
		}),
		// chatty reports progress and is done.
		server.AddTool(s, server.Tool{Name: "chatty"}, func(_ context.Context, c *server.Call, in Count) (string, error) {
			for i := range in.Count {
				if err := c.Progress(server.Progress{Done: float64(i + 1)}); err != nil {
					return "", err
				}
			}
			return "done", nil
		}),
		// absent says something, hangs up, and says the rest when it is released.
		server.AddTool(s, server.Tool{Name: "absent"}, func(_ context.Context, c *server.Call, _ struct{}) (string, error) {
			before := c.Progress(server.Progress{Done: 1})
			hungUp := c.Detach(250 * time.Millisecond)
			f.Entered <- struct{}{}
			<-f.release
			return fmt.Sprint(hungUp), errors.Join(before, c.Progress(server.Progress{Done: 2}))
		}),
	)
	if err != nil {
		tb.Fatal(err)
	}
}

// Everything is what a client declares that can do all.
const Everything = `{"roots":{"listChanged":true},"sampling":{"tools":{},"context":{}},"elicitation":{"form":{},"url":{}}}`
