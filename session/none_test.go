// A server without sessions still asks its store. None has an answer to everything, and it is never a session.
package session_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/parley-mcp/parley/session"
)

func TestNoneKeepsNothing(t *testing.T) {
	s := session.None
	s.Watch(nil)
	id, err := s.Open(ctx, &session.State{})
	assert.Empty(t, id)
	assert.ErrorIs(t, err, session.ErrNotSupported)
	_, err = s.Get(ctx, id, "")
	assert.ErrorIs(t, err, session.ErrNotFound)
	assert.ErrorIs(t, s.Save(ctx, id, &session.State{}), session.ErrNotSupported)
	assert.ErrorIs(t, s.Delete(ctx, id, ""), session.ErrNotSupported)
	assert.False(t, s.Remembers())
	assert.NoError(t, s.Close())
}
