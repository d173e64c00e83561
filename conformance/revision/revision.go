// Package revision holds the facts in which the revisions of MCP differ for a client that tests servers: how it opens, which
// headers it must send, what a server may send at any time.
//
// It is the only Go code of the harness that names revisions. Everything else asks for a fact. The facts are written down
// here a second time on purpose: a harness that shared them with a framework would agree with its mistakes.
package revision

import (
	"slices"

	"github.com/parley-mcp/parley/conformance/match"
)

// Facts are what a client must know about one revision.
type Facts struct {
	// Version is the revision's date, as it travels.
	Version string
	// Handshake is true if a client opens with initialize and notifications/initialized; otherwise every request carries
	// its metadata in _meta and there is no opening.
	Handshake bool
	// Sessions is true if a server may name a session in Mcp-Session-Id, which the client then sends and deletes at the end.
	Sessions bool
	// VersionHeader is true if the client sends MCP-Protocol-Version: with a handshake on everything after initialize,
	// otherwise on every POST.
	VersionHeader bool
	// MirrorHeaders is true if the client mirrors parts of the body into Mcp-Method, Mcp-Name and Mcp-Param-*.
	MirrorHeaders bool
	// Batches is true if a message may be an array.
	Batches bool
	// GetStream is true if the client may open a stream with GET.
	GetStream bool
	// Ambient are the methods of messages that a server may send at any time, so that a transcript that does not mention
	// them is not disturbed by them.
	Ambient []string
	// NameOf says, by method, which member of params the header Mcp-Name repeats.
	NameOf map[string]string
	// PollInterval is the member in which a task says how many milliseconds to wait between two looks; empty if there are no tasks.
	PollInterval string
	// CloseCancels is true if closing the response stream of a request cancels it.
	CloseCancels bool
	// Results is what a server adds to every result, and Cached to those results that a client may keep: lists, what is read,
	// what is discovered.
	Results, Cached []match.Member
	// SubscriptionID is the member of _meta that names the subscription a notification belongs to; empty if there is none.
	SubscriptionID string
}

// Keys of _meta in which a request carries what a handshake would have agreed (2026-07-28 basic/index#meta).
const (
	MetaVersion      = "io.modelcontextprotocol/protocolVersion"
	MetaClient       = "io.modelcontextprotocol/clientInfo"
	MetaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	MetaLogLevel     = "io.modelcontextprotocol/logLevel"
	MetaServer       = "io.modelcontextprotocol/serverInfo"
)

// Client is how the harness names itself to a server.
var Client = match.Object(
	match.Member{Name: "name", Value: match.String("parley-conformance")},
	match.Member{Name: "version", Value: match.String("1")},
)

// changes may be sent by a server of a handshake revision whenever something changes, once it has declared them.
var changes = []string{
	"notifications/tools/list_changed", "notifications/prompts/list_changed", "notifications/resources/list_changed",
	"notifications/resources/updated", "notifications/message", "ping",
}

var all = []Facts{
	{
		Version:        "2026-07-28",
		VersionHeader:  true,
		MirrorHeaders:  true,
		CloseCancels:   true,
		SubscriptionID: "io.modelcontextprotocol/subscriptionId",
		PollInterval:   "pollIntervalMs",
		Results:        []match.Member{{Name: "resultType", Value: match.String("complete")}},
		Cached:         []match.Member{{Name: "ttlMs", Value: match.Number("0")}, {Name: "cacheScope", Value: match.String("private")}},
		NameOf: map[string]string{
			"tools/call": "name", "prompts/get": "name", "resources/read": "uri",
			"tasks/get": "taskId", "tasks/update": "taskId", "tasks/cancel": "taskId",
		},
	},
	{Version: "2025-11-25", Handshake: true, Sessions: true, VersionHeader: true, GetStream: true, PollInterval: "pollInterval",
		Ambient: append([]string{"notifications/tasks/status", "notifications/elicitation/complete"}, changes...)},
	{Version: "2025-06-18", Handshake: true, Sessions: true, VersionHeader: true, GetStream: true, Ambient: changes},
	{Version: "2025-03-26", Handshake: true, Sessions: true, Batches: true, GetStream: true, Ambient: changes},
}

// All returns the facts of every revision, newest first.
func All() []Facts { return slices.Clone(all) }

// Lookup returns the facts of one revision.
func Lookup(version string) (Facts, bool) {
	for _, f := range all {
		if f.Version == version {
			return f, true
		}
	}
	return Facts{}, false
}

// Versions lists the revisions, newest first.
func Versions() []string {
	var out []string
	for _, f := range all {
		out = append(out, f.Version)
	}
	return out
}
