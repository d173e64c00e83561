package workload_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/bench/workload"
)

// A scripted client answers everything with one body.
type scripted struct {
	status int
	typ    string
	body   func(id int64) string
}

func (s scripted) Do(c *workload.Call) (workload.Response, error) {
	return workload.Response{Status: s.status, ContentType: s.typ, Session: "s", Body: []byte(s.body(c.ID))}, nil
}

// What is wrong with an answer is found: the tables are worth nothing if a server that answers nonsense is fast.
func TestWrongAnswersAreFound(t *testing.T) {
	w, err := workload.Find("W1")
	require.NoError(t, err)
	text := strings.NewReplacer("\n", `\n`, `"`, `\"`).Replace(workload.Text(32, "m:"))
	right := func(id int64) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"resultType":"complete","content":[{"type":"text","text":"%s"}]}}`, id, text)
	}
	edit := func(old, new string) func(int64) string {
		return func(id int64) string { return strings.Replace(right(id), old, new, 1) }
	}
	const json, sse = "application/json", "text/event-stream"
	for name, c := range map[string]struct {
		client scripted
		right  bool
	}{
		"right":               {scripted{http.StatusOK, json, right}, true},
		"right event":         {scripted{http.StatusOK, sse, func(id int64) string { return "id: 1\r\ndata:\r\n\r\ndata: " + right(id) + "\r\n\r\n" }}, true},
		"two events":          {scripted{http.StatusOK, sse, func(id int64) string { return strings.Repeat("data: "+right(id)+"\n\n", 2) }}, false},
		"no event":            {scripted{http.StatusOK, sse, func(int64) string { return ": nothing\n\n" }}, false},
		"other status":        {scripted{http.StatusAccepted, json, right}, false},
		"other type":          {scripted{http.StatusOK, "text/plain", right}, false},
		"other id":            {scripted{http.StatusOK, json, func(id int64) string { return right(id + 1) }}, false},
		"an error":            {scripted{http.StatusOK, json, edit(`"result"`, `"error"`)}, false},
		"a member twice":      {scripted{http.StatusOK, json, edit(`"jsonrpc":"2.0"`, `"jsonrpc":"2.0","jsonrpc":"2.0"`)}, false},
		"cut off":             {scripted{http.StatusOK, json, func(id int64) string { return right(id)[:40] }}, false},
		"other text":          {scripted{http.StatusOK, json, edit("m:", "n:")}, false},
		"no type of a result": {scripted{http.StatusOK, json, edit("complete", "task")}, false},
		"a tool that failed":  {scripted{http.StatusOK, json, edit(`"content"`, `"isError":true,"content"`)}, false},
	} {
		_, _, err := w.Prepare(c.client, workload.PerRequest, workload.NewFeatures(1), true)
		if c.right {
			assert.NoError(t, err, name)
		} else {
			assert.Error(t, err, name)
		}
	}
}

// Requests carry ids of nine digits, and nothing else of them changes.
func TestNextChangesTheIDAlone(t *testing.T) {
	_, c := workload.Listen(workload.PerRequest, "", 7)
	before := string(c.Body)
	require.Contains(t, before, `"id":100000007,`)
	c.Next()
	assert.Equal(t, strings.Replace(before, "100000007", "100000008", 1), string(c.Body))
	c.Skip(999_999_999)
	assert.Equal(t, strings.Replace(before, "100000007", "100000000", 1), string(c.Body))
}
