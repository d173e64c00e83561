package revisions_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"maps"
	"math/big"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/internal/wire"
	"github.com/parley-mcp/parley/protocol/revisions"
)

// object is a JSON object made by hand.
type object = map[string]any

// amended are examples that come back otherwise than they went in, with the reason and what is put right in them.
var amended = map[string]struct {
	reason string
	amend  func(object)
}{
	"ReadResourceResultResponse/read-resource-result-response.json": {
		"it lacks the cache hints that server/utilities/caching demands",
		func(o object) {
			maps.Copy(o["result"].(object), object{"ttlMs": json.Number("0"), "cacheScope": "private"})
		},
	},
	"ListRootsRequest/list-roots-request.json": {
		"an input request has no id (basic/patterns/mrtr#inputrequests), and ours has params, if empty ones",
		func(o object) { delete(o, "id"); o["params"] = object{} },
	},
	"ClientCapabilities/elicitation-form-only-implicit.json": {
		"we say that an empty object means forms (client/elicitation#capabilities)",
		func(o object) { o["elicitation"] = object{"form": object{}} },
	},
}

// excluded are examples that no codec reads or writes, with the reason.
var excluded = map[string]string{
	"ParseError/invalid-json.json": "it answers what is no JSON, before any revision is chosen",
}

// understood are members that mean nothing else than their absence.
var understood = object{"isError": false, "hasMore": false, "required": false, "mode": "form"}

// Every official example is read as a server would read it, or made as a server would make it, and comes back the same.
func TestExamples(t *testing.T) {
	c := revisions.Newest()
	schemaOf(t, c) // or skip
	examples := os.DirFS(path.Join(specification, string(c.Features().Revision), "examples"))
	files, err := fs.Glob(examples, "*/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		if reason, ok := excluded[file]; ok {
			assert.NotEmpty(t, reason)
			continue
		}
		t.Run(strings.TrimSuffix(file, ".json"), func(t *testing.T) {
			raw, err := fs.ReadFile(examples, file)
			require.NoError(t, err)
			again, ok := roundTrips[path.Dir(file)]
			require.True(t, ok, "nobody reads %s", path.Dir(file))
			got := again(t, bytes.TrimSpace(raw))
			want := parsed(t, raw)
			if a, ok := amended[file]; ok {
				assert.NotEqual(t, canonical(want), canonical(got), "it comes back the same: strike it from the list")
				a.amend(want.(object))
			}
			assert.Equal(t, canonical(want), canonical(got))
		})
	}
	for _, file := range slices.Concat(keys(excluded), keys(amended)) {
		assert.Contains(t, files, file, "a list in this file names what does not exist")
	}
	for dir := range roundTrips {
		assert.True(t, slices.ContainsFunc(files, func(f string) bool { return path.Dir(f) == dir }), "no example of %s", dir)
	}
}

func parsed(t testing.TB, raw []byte) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	require.NoError(t, err, "%s", raw)
	return v
}

// canonical is v with numbers by their value, and without what is understood.
func canonical(v any) any {
	switch v := v.(type) {
	case object:
		o := object{}
		for key, value := range v {
			if meant, ok := understood[key]; !ok || meant != value {
				o[key] = canonical(value)
			}
		}
		return o
	case []any:
		l := make([]any, len(v))
		for i := range v {
			l[i] = canonical(v[i])
		}
		return l
	case json.Number:
		r, ok := new(big.Rat).SetString(string(v))
		if !ok {
			return "no number: " + string(v)
		}
		return r.RatString()
	}
	return v
}

// A roundTrip reads raw, and says it again.
type roundTrip func(t *testing.T, raw []byte) any

// sent reads with f, encodes what it returns, and picks the part of it that raw was.
func sent(f func(*wire.Object) protocol.Outgoing, part ...any) roundTrip {
	return func(t *testing.T, raw []byte) any {
		m, err := wire.Read(raw, "example", f)
		require.NoError(t, err)
		b, err := revisions.Newest().Append(nil, m)
		require.NoError(t, err)
		return pick(t, parsed(t, b), part)
	}
}

func pick(t *testing.T, v any, part []any) any {
	t.Helper()
	for _, p := range part {
		switch p := p.(type) {
		case string:
			v = v.(object)[p]
		case int:
			v = v.([]any)[p]
		}
		require.NotNil(t, v, "no part %v", part)
	}
	return v
}

// within applies f to a member of raw, and leaves the rest as it is.
func within(member string, f roundTrip) roundTrip {
	return func(t *testing.T, raw []byte) any {
		whole := parsed(t, raw).(object)
		o, err := wire.Read(raw, "example", func(o *wire.Object) jsontext.Value { o.Require(member); return o.OptRaw(member) })
		require.NoError(t, err)
		whole[member] = f(t, o)
		return whole
	}
}

func content(o *wire.Object) protocol.Outgoing {
	return &protocol.CallToolResult{Content: []protocol.Content{readSomeContent(o)}}
}

func contentsOf(o *wire.Object) protocol.Outgoing {
	return &protocol.ReadResourceResult{Contents: []*protocol.ResourceContents{readSomeContents(o)}}
}

func field(o *wire.Object) protocol.Outgoing {
	f := readField(o)
	f.Name = "x"
	return &protocol.ElicitParams{Fields: []protocol.FormField{f}}
}

func callResult(o *wire.Object) protocol.Outgoing {
	return &protocol.CallToolResult{ResultBase: readBase(o), Content: list(o, "content", readSomeContent),
		Structured: o.OptRaw("structuredContent"), IsError: o.OptBool("isError")}
}

func completeResult(o *wire.Object) protocol.Outgoing {
	c := o.Object("completion")
	return &protocol.CompleteResult{ResultBase: readBase(o), Values: c.OptStrings("values"), Total: c.OptInt("total"), HasMore: c.OptBool("hasMore")}
}

func discoverResult(o *wire.Object) protocol.Outgoing {
	r := &protocol.DiscoverResult{ResultBase: readBase(o), Cache: readCache(o), Instructions: o.OptString("instructions"),
		Capabilities: readServerCapabilities(o.Object("capabilities"))}
	for _, v := range o.OptStrings("supportedVersions") {
		r.Supported = append(r.Supported, protocol.Revision(v))
	}
	return r
}

func promptResult(o *wire.Object) protocol.Outgoing {
	return &protocol.GetPromptResult{ResultBase: readBase(o), Description: o.OptString("description"),
		Messages: list(o, "messages", func(o *wire.Object) protocol.PromptMessage {
			return protocol.PromptMessage{Role: protocol.Role(o.String("role")), Content: readSomeContent(o.Object("content"))}
		})}
}

func inputRequired(o *wire.Object) protocol.Outgoing {
	r := &protocol.InputRequiredResult{ResultBase: readBase(o), State: o.OptString("requestState")}
	if q := o.OptObject("inputRequests"); q != nil {
		r.Requests = readQuestions(q, o.OptRawMap("inputRequests"))
	}
	return r
}

func promptsResult(o *wire.Object) protocol.Outgoing {
	return &protocol.ListPromptsResult{ResultBase: readBase(o), Cache: readCache(o), Prompts: list(o, "prompts", readSomePrompt), NextCursor: o.OptStringPtr("nextCursor")}
}

func templatesResult(o *wire.Object) protocol.Outgoing {
	return &protocol.ListResourceTemplatesResult{ResultBase: readBase(o), Cache: readCache(o), Templates: list(o, "resourceTemplates", readSomeTemplate), NextCursor: o.OptStringPtr("nextCursor")}
}

func resourcesResult(o *wire.Object) protocol.Outgoing {
	return &protocol.ListResourcesResult{ResultBase: readBase(o), Cache: readCache(o), Resources: list(o, "resources", readSomeResource), NextCursor: o.OptStringPtr("nextCursor")}
}

func toolsResult(o *wire.Object) protocol.Outgoing {
	return &protocol.ListToolsResult{ResultBase: readBase(o), Cache: readCache(o), Tools: list(o, "tools", readSomeTool), NextCursor: o.OptStringPtr("nextCursor")}
}

func readResult(o *wire.Object) protocol.Outgoing {
	return &protocol.ReadResourceResult{ResultBase: readBase(o), Cache: readCache(o), Contents: list(o, "contents", readSomeContents)}
}

func listenResult(o *wire.Object) protocol.Outgoing {
	return &protocol.ListenResult{ResultBase: readBase(o), ID: o.Object("_meta").OptRaw(protocol.MetaSubscriptionID)}
}

func progress(o *wire.Object) protocol.Outgoing {
	n := &protocol.ProgressNotification{NotificationBase: readNotificationBase(o), Token: o.Token("progressToken"), Total: o.OptFloat("total"), Message: o.OptString("message")}
	if p := o.OptFloat("progress"); p != nil {
		n.Progress = *p
	}
	return n
}

func logMessage(o *wire.Object) protocol.Outgoing {
	level, _ := protocol.ParseLogLevel(o.String("level"))
	return &protocol.LogNotification{NotificationBase: readNotificationBase(o), Level: level, Logger: o.OptString("logger"), Data: o.OptRaw("data")}
}

func cancelled(o *wire.Object) protocol.Outgoing {
	return &protocol.CancelledNotification{NotificationBase: readNotificationBase(o), RequestID: o.Token("requestId"), Reason: o.OptString("reason")}
}

func resourceUpdated(o *wire.Object) protocol.Outgoing {
	return &protocol.ResourceUpdatedNotification{NotificationBase: readNotificationBase(o), URI: o.String("uri")}
}

func acknowledged(o *wire.Object) protocol.Outgoing {
	f := o.Object("notifications")
	return &protocol.SubscriptionsAcknowledgedNotification{NotificationBase: readNotificationBase(o), Filter: protocol.SubscriptionFilter{
		ToolsListChanged: f.OptBool("toolsListChanged"), PromptsListChanged: f.OptBool("promptsListChanged"),
		ResourcesListChanged: f.OptBool("resourcesListChanged"), Resources: f.OptStrings("resourceSubscriptions")}}
}

// inputRequests reads the map alone.
func inputRequests(t *testing.T, raw []byte) any {
	wrapped := slices.Concat([]byte(`{"resultType":"input_required","inputRequests":`), raw, []byte(`}`))
	return sent(inputRequired, "inputRequests")(t, wrapped)
}

func question(o *wire.Object) protocol.Outgoing {
	return &protocol.InputRequiredResult{Requests: map[string]protocol.Question{"q": readQuestion(o)}}
}

func toolsChanged(o *wire.Object) protocol.Outgoing {
	return &protocol.ToolsListChangedNotification{NotificationBase: readNotificationBase(o)}
}

func promptsChanged(o *wire.Object) protocol.Outgoing {
	return &protocol.PromptsListChangedNotification{NotificationBase: readNotificationBase(o)}
}

func resourcesChanged(o *wire.Object) protocol.Outgoing {
	return &protocol.ResourcesListChangedNotification{NotificationBase: readNotificationBase(o)}
}

// failed encodes an error of the given kind with the parts that raw has.
func failed(kind protocol.ErrorKind) roundTrip {
	return func(t *testing.T, raw []byte) any {
		e, err := wire.Read(raw, "example", func(o *wire.Object) *protocol.Error {
			e := &protocol.Error{Kind: kind, Message: o.String("message"), Data: o.OptRaw("data")}
			if d := o.OptObject("data"); d != nil {
				e.Requested = d.OptString("requested")
				for _, v := range d.OptStrings("supported") {
					e.Supported = append(e.Supported, protocol.Revision(v))
				}
				if c := d.OptObject("requiredCapabilities"); c != nil && c.Has("elicitation") {
					e.Required = &protocol.ClientCapabilities{Elicitation: &protocol.ElicitationCapability{}}
				}
			}
			return e
		})
		require.NoError(t, err)
		w := revisions.Newest().Error(e)
		whole := object{"code": json.Number(jsontext.Int(int64(w.Code)).String()), "message": w.Message}
		if w.Data != nil {
			whole["data"] = parsed(t, w.Data)
		}
		return whole
	}
}
