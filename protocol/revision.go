package protocol

// A Revision names a dated revision of the specification, as it stands on the wire. Revisions are a set, not an order:
// ask Features what holds at one, and package revisions which there are.
type Revision string

// A Lifecycle is how a peer opens a conversation.
type Lifecycle uint8

const (
	// Handshake: the client sends initialize, and the server may remember it as a session.
	Handshake Lifecycle = iota + 1
	// PerRequest: each request carries its revision, client and capabilities in _meta.
	PerRequest
)

// A Fact is a yes or no that must have been given: its zero value is neither, so that a forgotten one is found.
type Fact uint8

const (
	// Yes: it holds at this revision.
	Yes Fact = iota + 1
	// No: it does not.
	No
)

// Holds reports whether f is Yes.
func (f Fact) Holds() bool { return f == Yes }

// Features are the facts in which revisions differ outside their vocabulary. Every revision answers every field; a test
// demands it. Code that behaves differently by revision asks here, and names the fact.
type Features struct {
	// Revision is the revision these facts are of.
	Revision Revision
	// Lifecycle is how a client opens.
	Lifecycle Lifecycle
	// Batching: an array of messages is a valid body.
	Batching Fact
	// VersionHeader: each HTTP request after the opening names its revision in MCP-Protocol-Version, and a wrong one is refused.
	VersionHeader Fact
	// MirroredHeaders: HTTP requests repeat parts of their body in Mcp-Method, Mcp-Name and Mcp-Param-*.
	MirroredHeaders Fact
	// ServerRequests: a server may send requests of its own. Where it may not, it answers that it needs input.
	ServerRequests Fact
	// StandaloneStream: a client may open a stream with GET for what the server says unprompted.
	StandaloneStream Fact
	// Resumption: event streams carry ids, and Last-Event-ID resumes one.
	Resumption Fact
	// PrimingEvent: a stream begins with an event that has an id and no data, and may close before its answer.
	PrimingEvent Fact
	// DisconnectCancels: a client that closes an HTTP exchange has cancelled its request.
	DisconnectCancels Fact
	// LogLevelPerRequest: a request names the level of the log messages it wants; none without it.
	LogLevelPerRequest Fact
	// ArgumentErrorsInResult: arguments that fail a tool's schema give a result with isError, for the model to read.
	// Otherwise they give an invalid params error.
	ArgumentErrorsInResult Fact
	// TasksOnRequest: a client asks for a call to run as a task, and asks for its result with a request of its own.
	TasksOnRequest Fact
	// TasksByServer: the server decides which call becomes a task, for clients that declare TaskExtension.
	TasksByServer Fact
	// ErrorStatus is the HTTP status of a response that is the error with the given code.
	ErrorStatus func(code int) int
}
