package rpc_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/internal/jsonrpc"
	"github.com/parley-mcp/parley/transport/internal/rpc"
)

func TestCallsByModel(t *testing.T) { // against a map, in random order
	type key struct{ session, id string }
	type running struct {
		rpc.Running
		ctx context.Context
	}
	var calls rpc.Calls
	model := map[key]*running{}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		k := key{fmt.Sprint("s", random.IntN(3)), fmt.Sprint(random.IntN(5))}
		id := jsonrpc.StringID(k.id)
		switch random.IntN(8) {
		case 0, 1, 2:
			r := &running{}
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			r.ctx = ctx
			ok := calls.Start(k.session, &r.Running, id, rpc.CancelFunc(cancel))
			require.Equal(t, model[k] == nil, ok)
			if ok {
				model[k] = r
			}
		case 3, 4, 5:
			if r := model[k]; r != nil {
				calls.Done(k.session, &r.Running)
				delete(model, k)
			}
		case 6:
			calls.Cancel(k.session, id)
			calls.Cancel(k.session, jsonrpc.Int64ID(3)) // a number is another id
			if r := model[k]; r != nil {
				require.ErrorIs(t, context.Cause(r.ctx), rpc.ErrCancelled)
				calls.Done(k.session, &r.Running)
				delete(model, k)
			}
		case 7:
			if random.IntN(10) > 0 {
				continue
			}
			calls.Ended(k.session)
			for other, r := range model {
				if other.session != k.session {
					require.NoError(t, r.ctx.Err(), "another session's")
					continue
				}
				require.ErrorIs(t, context.Cause(r.ctx), rpc.ErrSessionEnded)
				calls.Done(other.session, &r.Running)
				delete(model, other)
			}
		}
		busy := false
		for other := range model {
			busy = busy || other.session == k.session
		}
		assert.Equal(t, busy, calls.Busy(k.session))
		assert.Equal(t, model[k] != nil, calls.Runs(k.session, id))
	}
}
