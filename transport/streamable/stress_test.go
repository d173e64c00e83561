package streamable_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/internal/rawjson"
	"github.com/parley-mcp/parley/transport/streamable"
)

// Everything at once: 200 clients of all revisions hear of changes while their calls stream, ask, are cancelled, die and
// are taken up again. No message is lost, none comes twice, each call's are in order with the result last, and nothing stays
// behind. What happens is bounded by counts, not by time.

const (
	stressClients = 200
	stressUpdates = 15
)

// A stressed client is one of them.
type stressed struct {
	*endpoint
	number int
	l      lane
}

func (c *stressed) uri() string { return fmt.Sprintf("file:///client%d", c.number) }

func TestStress(t *testing.T) {
	e := asking(t, streamable.Options{}, loud)
	var clients, ready sync.WaitGroup
	begin := make(chan struct{})
	for i := range stressClients {
		c := &stressed{e, i, lane{}}
		ready.Add(1)
		clients.Go(func() {
			seen := map[string]bool{}
			ok := sync.OnceFunc(ready.Done)
			defer ok() // also if the client has failed
			if revision := all[i%len(all)]; revision == modern {
				c.l = lane{revision: modern}
				c.modern(ok, begin, seen)
			} else {
				c.l = e.join(revision)
				c.handshake(ok, begin, seen)
			}
			assert.Len(t, seen, stressUpdates, "client %d has missed something", i)
		})
	}
	ready.Wait()
	close(begin)
	for n := range stressUpdates {
		for i := range stressClients {
			e.Server.ResourceUpdated(fmt.Sprintf("file:///client%d/%d", i, n))
		}
	}
	clients.Wait()
	e.shutdown()
}

// update notes a change that the client is told of, and reports whether it was the last.
func (c *stressed) update(m message, seen map[string]bool) bool {
	require.Equal(c.t, "notifications/resources/updated", m.Method)
	raw, _ := rawjson.Lookup(m.Params, "uri")
	uri, _ := rawjson.String(raw)
	assert.True(c.t, strings.HasPrefix(uri, c.uri()+"/"), "client %d is told of %s", c.number, uri)
	assert.False(c.t, seen[uri], "%s twice", uri)
	seen[uri] = true
	return len(seen) == stressUpdates
}

// handshake is a client with a session. Its stream breaks after each fourth message.
func (c *stressed) handshake(ready func(), begin chan struct{}, seen map[string]bool) {
	get := c.stream(c.l.listening())
	require.Zero(c.t, c.exchange(subscribing(c.l, c.uri())).last(c.t).code())
	ready()
	<-begin
	var reader sync.WaitGroup
	reader.Go(func() {
		for last := false; !last; {
			if last = c.update(get.message(), seen); len(seen)%4 == 0 {
				get.leave()
				get = c.stream(resume(c.l, get.last))
			}
		}
	})
	c.breaks()
	if c.l.revision != march {
		c.answers()
		c.cancels()
	}
	c.works(c.l)
	reader.Wait()
	assert.Equal(c.t, 204, c.exchange(c.l.ending()).status)
	get.end()
}

// breaks is a call whose connection breaks twice.
func (c *stressed) breaks() {
	f := c.stream(c.l.able(`"breaks"`, "chatty", `"count":30`, `"progressToken":"breaks"`))
	for i := range 30 {
		require.Contains(c.t, string(f.message().Params), fmt.Sprintf(`"progress":%d}`, i+1))
		if i%13 == 11 {
			f.leave()
			f = c.stream(resume(c.l, f.last))
		}
	}
	assert.Equal(c.t, "done", f.text())
	f.end()
}

// answers is a call that asks twice.
func (c *stressed) answers() {
	f := c.stream(c.l.able(`"answers"`, "wizard", `"count":4`, `"progressToken":"answers"`))
	says := func(from int) {
		for i := range 4 {
			require.Contains(c.t, string(f.message().Params), fmt.Sprintf(`"progress":%d}`, from+i))
		}
	}
	says(1)
	c.exchange(c.l.respond(string(f.asked("elicitation/create").ID), accepted(fmt.Sprint("one", c.number))))
	says(1000)
	c.exchange(c.l.respond(string(f.asked("elicitation/create").ID), accepted(fmt.Sprint("two", c.number))))
	says(2000)
	assert.Contains(c.t, f.text(), fmt.Sprintf("one%d two%d ", c.number, c.number))
	f.end()
}

// cancels is a call that is cancelled while it asks.
func (c *stressed) cancels() {
	f := c.stream(c.l.able(`"cancels"`, "wizard", `"count":0`, ""))
	id := string(f.asked("elicitation/create").ID)
	assert.Equal(c.t, 202, c.exchange(c.l.notify("notifications/cancelled", `"requestId":"cancels"`)).status)
	m := f.message()
	assert.Equal(c.t, "notifications/cancelled", m.Method)
	assert.Contains(c.t, string(m.Params), id)
	f.end()
	assert.Equal(c.t, 202, c.exchange(c.l.respond(id, accepted("late"))).status)
}

// modern is a client without a session.
func (c *stressed) modern(ready func(), begin chan struct{}, seen map[string]bool) {
	id := fmt.Sprint(c.number)
	f := c.stream(listen(id, `"resourceSubscriptions":["`+c.uri()+`"]`))
	require.Equal(c.t, "notifications/subscriptions/acknowledged", f.message().Method)
	ready()
	<-begin
	var reader sync.WaitGroup
	reader.Go(func() {
		for last := false; !last; {
			m := f.message()
			assert.Equal(c.t, id, tag(m))
			last = c.update(m, seen)
		}
	})
	dies := c.stream(c.l.able(id, "chatty", `"count":30`, `"progressToken":7`))
	dies.message()
	dies.leave()
	messages := c.exchange(c.l.able(id, "chatty", `"count":30`, `"progressToken":7`)).messages(c.t)
	require.Len(c.t, messages, 31)
	for i, m := range messages[:30] {
		assert.Contains(c.t, string(m.Params), fmt.Sprintf(`"progress":%d}`, i+1))
	}
	assert.Equal(c.t, "done", toolText(messages[30]))
	c.comesBack()
	reader.Wait()
	if c.number%8 < 4 { // the others are there until the server ends
		f.leave()
	}
}

// comesBack is a call that is answered in rounds.
func (c *stressed) comesBack() {
	members := ""
	for _, given := range []string{`"first":` + accepted("one"), `"second":` + accepted("two")} {
		a := c.exchange(c.l.retry("9", "wizard", `"count":2`, `"progressToken":1`, members))
		m := a.last(c.t)
		require.Contains(c.t, string(m.Result), "input_required")
		raw, _ := rawjson.Lookup(m.Result, "requestState")
		members = `"requestState":` + string(raw) + `,"inputResponses":{` + given + `}`
	}
	a := c.exchange(c.l.retry("9", "wizard", `"count":2`, "", members))
	assert.Contains(c.t, toolText(a.last(c.t)), "one two ")
}
