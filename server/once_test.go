package server_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/parley-mcp/parley/server"
)

// A side effect happens once, however often its handler runs.

func TestOnce(t *testing.T) {
	s := newServer(t, server.Options{})
	runs := 0
	var fails error
	addTool(t, s, "once", func(ctx context.Context, c *server.Call) (string, error) {
		do := func() (map[string]int, error) {
			return server.Once(ctx, c, "k", func() (map[string]int, error) {
				runs++
				return map[string]int{"run": runs}, fails
			})
		}
		first, err := do()
		if err != nil {
			return "", err
		}
		second, err := do()
		if err != nil {
			return "", err
		}
		if err := c.Elicit(ctx, "a", "?", &confirmation{}); err != nil {
			return "", err
		}
		return fmt.Sprint(first["run"], second["run"], runs), nil
	})
	eachAsking(t, s, func(t *testing.T, p *peer) {
		runs, fails = 0, nil
		result, _ := p.converse("once", `{}`, accept(`{"sure":true}`))
		assert.Equal(t, "1 1 1", text(t, result))

		fails = errors.New("no tickets left")
		result, _ = p.converse("once", `{}`, accept(`{"sure":true}`))
		assert.Equal(t, "no tickets left", text(t, result), "an error is not kept")
		fails = nil
		result, _ = p.converse("once", `{}`, accept(`{"sure":true}`))
		assert.Equal(t, "3 3 3", text(t, result))
	})
}

func TestOnceIsCancelled(t *testing.T) {
	s := newServer(t, server.Options{})
	ran := false
	addTool(t, s, "once", func(ctx context.Context, c *server.Call) (string, error) {
		ctx, cancel := context.WithCancel(ctx)
		cancel()
		_, err := server.Once(ctx, c, "k", func() (int, error) {
			ran = true
			return 0, nil
		})
		assert.ErrorIs(t, err, context.Canceled)
		return "", err
	})
	eachRevision(t, s, func(t *testing.T, p *peer) { p.call("once", `{}`) })
	assert.False(t, ran)
}

func TestOnceWithWhatIsNoJSON(t *testing.T) {
	s := newServer(t, server.Options{})
	addTool(t, s, "once", func(ctx context.Context, c *server.Call) (string, error) {
		_, err := server.Once(ctx, c, "k", func() (chan int, error) { return make(chan int), nil })
		return "", err
	})
	assert.Contains(t, newest(t, s).call("once", `{}`), `once \"k\"`)
}
