package streamable

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

// A life behaves like a context of package context, whether or not somebody looked at it before it ended.

type lifeKey struct{}

var errParent, errOwn = errors.New("parent's"), errors.New("own")

func TestLife(t *testing.T) {
	for _, waited := range []bool{false, true} {
		for _, alone := range []bool{false, true} {
			live := func(t *testing.T) (l *life, endParent context.CancelCauseFunc) {
				parent, endParent := context.WithCancelCause(context.WithValue(t.Context(), lifeKey{}, "value"))
				t.Cleanup(func() { endParent(nil) })
				l = &life{}
				l.begin(parent, alone)
				if waited {
					l.Done()
				}
				assert.NoError(t, l.Err())
				assert.NoError(t, context.Cause(l))
				assert.Equal(t, "value", l.Value(lifeKey{}))
				return l, endParent
			}
			over := func(t *testing.T, l *life, cause error) {
				assert.Equal(t, context.Canceled, l.Err())
				assert.Equal(t, cause, context.Cause(l))
				<-l.Done()
				assert.Equal(t, cause, context.Cause(l))
				assert.Equal(t, "value", l.Value(lifeKey{}))
				child, cancel := context.WithTimeout(l, time.Hour)
				defer cancel()
				assert.Equal(t, cause, context.Cause(child))
			}
			t.Run("cancelled", func(t *testing.T) {
				l, _ := live(t)
				l.Cancel(errOwn)
				l.Cancel(errParent)
				over(t, l, errOwn)
				l.end()
				over(t, l, errOwn)
			})
			t.Run("ended", func(t *testing.T) {
				l, endParent := live(t)
				l.end()
				over(t, l, context.Canceled)
				endParent(errParent)
				over(t, l, context.Canceled)
			})
			t.Run("ended after its parent", func(t *testing.T) {
				l, endParent := live(t)
				endParent(errParent)
				l.end()
				if alone {
					over(t, l, context.Canceled)
				} else {
					over(t, l, errParent)
				}
			})
			t.Run("its parent's end", func(t *testing.T) {
				l, endParent := live(t)
				endParent(errParent)
				if alone {
					assert.NoError(t, l.Err())
				} else {
					over(t, l, errParent)
				}
				l.end()
			})
			t.Run("a child's end", func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					l, _ := live(t)
					ended := make(chan error, 1)
					stop := context.AfterFunc(l, func() { ended <- context.Cause(l) })
					defer stop()
					synctest.Wait()
					assert.Empty(t, ended)
					l.Cancel(errOwn)
					assert.Equal(t, errOwn, <-ended)
					l.end()
				})
			})
		}
	}
}

// Many who wait for one life at the same time wait for the same.
func TestLifeIsOne(t *testing.T) {
	var l life
	l.begin(t.Context(), true)
	done := make(chan (<-chan struct{}), 8)
	for range cap(done) {
		go func() { done <- l.Done() }()
	}
	for range cap(done) {
		assert.Equal(t, l.Done(), <-done)
	}
	l.end()
	<-l.Done()
}
