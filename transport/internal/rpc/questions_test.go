package rpc_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/internal/jsonrpc"
	"github.com/parley-mcp/parley/internal/rawjson"
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/revisions"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/transport/internal/rpc"
)

// Questions wait for answers, each in its session.

// An outcome is what an Ask came to.
type outcome struct {
	answer protocol.Answer
	err    error
}

// ask asks for roots, and returns the question's id and what will become of it.
func ask(ctx context.Context, t testing.TB, q *rpc.Questions, session string) (jsonrpc.ID, <-chan outcome, <-chan string) {
	t.Helper()
	codec, ok := revisions.Lookup("2025-11-25")
	require.True(t, ok)
	sent, done := make(chan string, 2), make(chan outcome, 1)
	go func() {
		a, err := q.Ask(ctx, rpc.Asker{Session: session, Codec: codec, Timeout: time.Minute, Send: func(message []byte) error {
			sent <- string(message)
			return nil
		}}, &protocol.ListRootsParams{})
		done <- outcome{a, err}
	}()
	raw, ok := rawjson.Lookup([]byte(<-sent), "id")
	require.True(t, ok)
	id, ok := jsonrpc.ParseID(raw)
	require.True(t, ok)
	return id, done, sent
}

func answer(id jsonrpc.ID, result, failed string) *jsonrpc.Message {
	m := &jsonrpc.Message{Kind: jsonrpc.Response, ID: id}
	if failed != "" {
		m.Err = jsontext.Value(failed)
	} else {
		m.Result = jsontext.Value(result)
	}
	return m
}

// A client that gets many questions at once, from several sessions, can tell by the token whose progress it reports.
//
// Proves: progress.token-unique 2025-03-26 2025-06-18 2025-11-25
func TestTokensOfQuestionsAreUnique(t *testing.T) {
	const questions = 50 // of each session at a time
	for _, codec := range revisions.All() {
		if !codec.Features().ServerRequests.Holds() {
			continue // nothing is sent that could have one
		}
		t.Run(string(codec.Features().Revision), func(t *testing.T) {
			var q rpc.Questions
			ctx, cancel := context.WithCancel(t.Context())
			sent := make(chan string)
			var asking sync.WaitGroup
			for _, session := range []string{"a", "b"} {
				for range questions {
					asking.Go(func() {
						_, _ = q.Ask(ctx, rpc.Asker{Session: session, Codec: codec, Timeout: time.Hour, Send: func(message []byte) error {
							select {
							case sent <- string(message):
							case <-ctx.Done(): // what is sent then cancels the question
							}
							return nil
						}}, &protocol.ListRootsParams{})
					})
				}
			}
			tokens := map[string]bool{}
			for range 2 * questions {
				params, _ := rawjson.Lookup([]byte(<-sent), "params")
				meta, _ := rawjson.Lookup(params, "_meta")
				token, ok := rawjson.Lookup(meta, "progressToken")
				require.True(t, ok)
				assert.False(t, tokens[string(token)], "%s is another's", token)
				tokens[string(token)] = true
			}
			cancel()
			asking.Wait()
		})
	}
}

func TestQuestions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var q rpc.Questions
		mine, done, _ := ask(t.Context(), t, &q, "a")
		theirs, other, _ := ask(t.Context(), t, &q, "b")
		require.NotEqual(t, mine.Key(), theirs.Key())
		q.Answered("b", answer(mine, `{"roots":[]}`, ""))
		q.Answered("a", answer(theirs, `{"roots":[]}`, ""))
		synctest.Wait()
		assert.Empty(t, done)
		assert.Empty(t, other)
		q.Answered("a", answer(mine, `{"roots":[{"uri":"file:///first"}]}`, ""))
		q.Answered("a", answer(mine, `{"roots":[{"uri":"file:///second"}]}`, ""))
		got := <-done
		require.NoError(t, got.err)
		assert.Equal(t, "file:///first", got.answer.(*protocol.ListRootsResult).Roots[0].URI)
		q.Answered("a", answer(mine, `{"roots":[]}`, "")) // too late
		q.Answered("b", answer(theirs, "", `{"code":-7,"message":"no"}`))
		var failed *server.ClientError
		require.ErrorAs(t, (<-other).err, &failed)
		assert.Equal(t, server.ClientError{Code: -7, Message: "no"}, *failed)
	})
}

func TestErrorsOfEveryShape(t *testing.T) {
	for raw, want := range map[string]server.ClientError{
		`{"code":-32601,"message":"m","data":{}}`: {Code: -32601, Message: "m"},
		`{"code":1.5,"message":7}`:                {Code: 1},
		`{"code":"x"}`:                            {},
		`{"message":"only that"}`:                 {Message: "only that"},
		`{"code":99999999999999999999}`:           {},
		`{}`:                                      {},
		`[]`:                                      {},
		`7`:                                       {},
	} {
		var q rpc.Questions
		id, done, _ := ask(t.Context(), t, &q, "a")
		q.Answered("a", answer(id, "", raw))
		var failed *server.ClientError
		require.ErrorAs(t, (<-done).err, &failed, raw)
		assert.Equal(t, want.Message, failed.Message, raw)
		if want.Code < 0 {
			assert.Equal(t, want.Code, failed.Code, raw)
		}
	}
}

func TestQuestionsAreGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var q rpc.Questions
		id, done, sent := ask(t.Context(), t, &q, "a")
		time.Sleep(59 * time.Second)
		q.Progressed("a", id.Raw())
		q.Progressed("b", id.Raw())
		q.Progressed("a", jsontext.Value(`"x"`))
		time.Sleep(59 * time.Second)
		synctest.Wait()
		assert.Empty(t, done)
		time.Sleep(2 * time.Second)
		assert.Error(t, (<-done).err)
		assert.Contains(t, <-sent, "notifications/cancelled")

		ctx, cancel := context.WithCancelCause(t.Context())
		_, done, sent = ask(ctx, t, &q, "a")
		why := errors.New("enough")
		cancel(why)
		assert.ErrorIs(t, (<-done).err, why)
		assert.Contains(t, <-sent, "enough")

		_, done, _ = ask(t.Context(), t, &q, "a")
		q.Close()
		lost := (<-done).err
		require.Error(t, lost)
		codec, _ := revisions.Lookup("2025-11-25")
		_, err := q.Ask(t.Context(), rpc.Asker{Codec: codec, Send: func([]byte) error {
			t.Error("nobody is asked any more")
			return nil
		}}, &protocol.ListRootsParams{})
		assert.ErrorIs(t, err, lost)
		q.Close()
	})
}

// A client that reports progress is waited for longer, but not for ever, and is told when it is not any more.
//
// Proves: cancellation.timeout-maximum 2025-03-26 2025-06-18 2025-11-25
// Proves: cancellation.timeout-established 2025-03-26
// Proves: cancellation.timeout-cancels 2025-03-26
// Proves: lifecycle.handle-request-timeout 2025-03-26
func TestQuestionsAreGivenUpWhateverTheProgress(t *testing.T) {
	for _, codec := range revisions.All() {
		if !codec.Features().ServerRequests.Holds() {
			continue // nothing is sent that could be waited for
		}
		t.Run(string(codec.Features().Revision), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				for _, reports := range []bool{false, true} {
					var q rpc.Questions
					began, sent, done := time.Now(), make(chan string, 2), make(chan error, 1)
					go func() {
						_, err := q.Ask(t.Context(), rpc.Asker{Codec: codec, Timeout: time.Minute, Send: func(message []byte) error {
							sent <- string(message)
							return nil
						}}, &protocol.ListRootsParams{})
						done <- err
					}()
					id, _ := rawjson.Lookup([]byte(<-sent), "id")
					for ended := !reports; !ended; {
						time.Sleep(50 * time.Second)
						synctest.Wait()
						ended = len(done) > 0
						q.Progressed("", id)
					}
					assert.ErrorContains(t, <-done, "not answered in time")
					cancelled := <-sent
					assert.Contains(t, cancelled, "notifications/cancelled")
					assert.Contains(t, cancelled, string(id))
					if reports {
						assert.Equal(t, 10*time.Minute, time.Since(began))
					} else {
						assert.Equal(t, time.Minute, time.Since(began))
					}
				}
			})
		})
	}
}

func TestNobodyToSendTo(t *testing.T) {
	var q rpc.Questions
	gone := errors.New("gone")
	codec, _ := revisions.Lookup("2025-11-25")
	_, err := q.Ask(t.Context(), rpc.Asker{Codec: codec, Timeout: time.Hour, Send: func([]byte) error { return gone }}, &protocol.ListRootsParams{})
	assert.ErrorIs(t, err, gone)
}
