package protocol

import "github.com/go-json-experiment/json/jsontext"

// An Implementation names a program that speaks the protocol.
type Implementation struct {
	Name, Version string
	// Title, Description, WebsiteURL and Icons are for people, and optional.
	Title, Description, WebsiteURL string
	Icons                          []Icon
}

// InitializeParams open a handshake.
type InitializeParams struct {
	// Requested is the revision the client prefers; it may be unknown.
	Requested    string
	Client       Implementation
	Capabilities ClientCapabilities
}

// InitializeResult answers InitializeParams.
type InitializeResult struct {
	ResultBase
	// Revision is the one that the session now has.
	Revision     Revision
	Capabilities ServerCapabilities
	// Instructions tell a model how to use the server; optional.
	Instructions string
}

// InitializedParams say that the client has understood the InitializeResult.
type InitializedParams struct{}

// PingParams ask for a sign of life, in either direction.
type PingParams struct{}

// DiscoverParams ask what the server is and can.
type DiscoverParams struct{}

// DiscoverResult answers DiscoverParams.
type DiscoverResult struct {
	ResultBase
	Cache        CacheHint
	Supported    []Revision
	Capabilities ServerCapabilities
	Instructions string
}

// RequestMeta is what the protocol keeps in a request's _meta.
type RequestMeta struct {
	// ProgressToken is a JSON string or number, or nil if the client wants no progress.
	ProgressToken jsontext.Value
	// Revision is what the request itself claims; empty at the handshake revisions.
	Revision string
	// Client and Capabilities are nil at the handshake revisions; Client also if the client did not say.
	Client       *Implementation
	Capabilities *ClientCapabilities
	// LogLevel is what the request asks for; zero if it asks for none.
	LogLevel LogLevel
}

// The keys that the protocol reserves in _meta.
const (
	MetaProtocolVersion    = "io.modelcontextprotocol/protocolVersion"
	MetaClientInfo         = "io.modelcontextprotocol/clientInfo"
	MetaClientCapabilities = "io.modelcontextprotocol/clientCapabilities"
	MetaLogLevel           = "io.modelcontextprotocol/logLevel"
	MetaServerInfo         = "io.modelcontextprotocol/serverInfo"
	MetaSubscriptionID     = "io.modelcontextprotocol/subscriptionId"
	MetaProgressToken      = "progressToken"
	MetaRelatedTask        = "io.modelcontextprotocol/related-task"
)

// A CacheHint says how long and by whom a result may be kept. Its zero value is: not at all.
type CacheHint struct {
	// TTLMs is the time to live in milliseconds, at least 0.
	TTLMs int64
	// Public: the result is the same for everybody, and a shared cache may keep it.
	Public bool
}

func (*InitializeParams) params()  {}
func (*InitializedParams) params() {}
func (*PingParams) params()        {}
func (*PingParams) outgoing()      {}
func (*PingParams) question()      {}
func (*DiscoverParams) params()    {}

// Method returns MethodPing.
func (*PingParams) Method() string { return MethodPing }
