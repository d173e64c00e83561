package conformance

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/conformance/drive"
	"github.com/parley-mcp/parley/conformance/match"
	"github.com/parley-mcp/parley/conformance/report"
	"github.com/parley-mcp/parley/conformance/revision"
	"github.com/parley-mcp/parley/conformance/transcript"
)

// A step <~ asks once more until the answer is another. What faithful and lying servers come to is in the mutation suite; here
// are those that never come to an end, or to something else.

const polling = `A task is looked at until it is done.

revisions: 2026-07-28
-- > look --
{"jsonrpc": "2.0", "id": %s, "method": "tasks/get", "params": {"_meta": "{{meta}}", "taskId": "t"}}
-- <~ at work --
{"jsonrpc": "2.0", "id": %[1]s, "result": {"status": "working", "...": ""}}
-- < done [ext-tasks.get-completed] --
{"jsonrpc": "2.0", "id": %[1]s, "result": {"status": "completed", "...": ""}}
`

// looked plays the transcript above against a server that answers the n-th look as answer says.
func looked(t *testing.T, id string, wait time.Duration, answer func(n int) string) (r report.Result, ids []string) {
	t.Helper()
	tr, err := transcript.Parse("area/polling.txtar", fmt.Appendf(nil, polling, id))
	require.NoError(t, err)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID json.RawMessage `json:"id"`
		}
		assert.NoError(t, json.NewDecoder(r.Body).Decode(&m))
		assert.Equal(t, "t", r.Header.Get("Mcp-Name"))
		ids = append(ids, string(m.ID))
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, answer(len(ids)))
	}))
	defer web.Close()
	endpoint, err := drive.ParseEndpoint(web.URL)
	require.NoError(t, err)
	facts, _ := revision.Lookup(tr.Revisions[0])
	o, err := Options{Transcripts: []*transcript.Transcript{}, Manifest: everything{}, StepTimeout: wait, Quiet: 2 * time.Millisecond}.withDefaults()
	require.NoError(t, err)
	conn := drive.NewHTTP(endpoint)
	defer conn.Close()
	return newPlayer(&server{endpoint: endpoint}, o, tr, facts, transportHTTP, conn).play(t.Context()), ids
}

func TestAskAgain(t *testing.T) {
	atWork := `{"status":"working"}`
	for id, again := range map[string]string{"7": "991000", `"seven"`: `"seven again 1"`} {
		r, ids := looked(t, id, time.Minute, func(n int) string {
			return []string{atWork, atWork, `{"status":"completed"}`}[n-1]
		})
		assert.Equal(t, report.Pass, r.Verdict, r.Reason)
		require.Len(t, ids, 3)
		assert.Equal(t, []string{id, again}, ids[:2], "each look is a request of its own")
		assert.NotEqual(t, ids[1], ids[2])
		assert.Equal(t, report.Pass, r.Steps[1].Verdict)
	}

	r, ids := looked(t, "7", time.Minute, func(int) string { return `{"status":"completed"}` })
	assert.Equal(t, report.Pass, r.Verdict, r.Reason)
	assert.Len(t, ids, 1)
	assert.Equal(t, report.NotApplicable, r.Steps[1].Verdict, "at work need not come")

	r, ids = looked(t, "7", time.Minute, func(n int) string { return fmt.Sprintf(`{"status":%q}`, []string{"working", "lost"}[n-1]) })
	assert.Equal(t, report.Fail, r.Verdict)
	assert.Equal(t, `step "done": result.status: want "completed", got "lost"`, r.Reason)
	assert.Len(t, ids, 2, "what is neither ends it at once")

	r, _ = looked(t, "7", 100*time.Millisecond, func(int) string { return atWork })
	assert.Equal(t, report.Fail, r.Verdict, "all the asking takes no longer than a step may")

	r, ids = looked(t, "7", 500*time.Millisecond, func(int) string { return `{"status":"working","pollIntervalMs":600000}` })
	assert.Equal(t, report.Fail, r.Verdict)
	assert.Equal(t, `step "done": it came to "at work", and nothing else, for 500ms`, r.Reason)
	assert.Len(t, ids, 1, "the server has asked for patience, and the step has none")
}

func TestSuggestedInterval(t *testing.T) {
	for version, member := range map[string]string{"2026-07-28": "pollIntervalMs", "2025-11-25": "pollInterval", "2025-06-18": "none"} {
		facts, _ := revision.Lookup(version)
		p := &player{facts: facts, options: Options{Quiet: 100 * time.Millisecond}}
		for text, want := range map[string]time.Duration{
			"20": 20 * time.Millisecond, "0.5": 500 * time.Microsecond, "1e300": restMost, "5000": restMost,
			"0": 50 * time.Millisecond, "-1": 50 * time.Millisecond, `"20"`: 50 * time.Millisecond, "1e999": restMost, "null": 50 * time.Millisecond, "{}": 50 * time.Millisecond,
		} {
			value, err := match.Parse(fmt.Appendf(nil, `{"result":{%q:%s}}`, member, text))
			require.NoError(t, err)
			if facts.PollInterval == "" {
				want = 50 * time.Millisecond
			}
			assert.Equal(t, want, p.suggested(&item{value: value}), "%s %s", version, text)
		}
	}
}
