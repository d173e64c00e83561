package transcript

import (
	"strings"

	"github.com/parley-mcp/parley/conformance/match"
)

// A Transcript is one conversation.
type Transcript struct {
	// Name is its area, a slash and the file's name without its ending; File is the path it was read from.
	Name, Area, File string
	// Story is the prose at its head.
	Story string
	// Revisions are those for which it holds; Transports are "http", "stdio" or both.
	Revisions, Transports []string
	// Fixtures and Capabilities are what the server must have.
	Fixtures, Capabilities []string
	// Opens is true if the driver opens the conversation.
	Opens bool
	// Parallel is true if other transcripts may run at the same time.
	Parallel bool
	// Control is the name of the transcript that must have passed; empty if there is none.
	Control string
	// Also says why it stands although another asks the same and proves the same; empty if none does.
	Also string
	// Client is what a client under test is to do of its own accord; nil for a transcript that judges servers.
	Client *Task
	// Answers are the results that a client under test gets at any time, by method.
	Answers map[string]*match.Pattern
	// Lets are the constants.
	Lets  map[string]*match.Value
	Steps []*Step
	// Source is the file's text.
	Source []byte
}

// Summary is the first sentence of the story.
func (t *Transcript) Summary() string {
	s := strings.Join(strings.Fields(t.Story), " ")
	for i := range s {
		if (s[i] == '.' || s[i] == ':') && (i+1 == len(s) || s[i+1] == ' ') {
			return s[:i] + "."
		}
	}
	return s
}

// ClientCapabilities are those that the conversation's {{meta ...}} holes ask for, each once: what a client declares when it
// opens with a handshake.
func (t *Transcript) ClientCapabilities() []string {
	var out []string
	seen := map[string]bool{}
	add := func(c string) {
		if !seen[c] {
			seen[c] = true
			out = append(out, c)
		}
	}
	for _, s := range t.Steps {
		for _, m := range s.metas() {
			for _, c := range m.Capabilities {
				add(c)
			}
		}
	}
	for _, c := range t.Client.Capabilities() {
		add(c)
	}
	return out
}

// Tokens are the kinds of bearer token, besides the good one, that a run may have: one that has expired, one that was issued for
// another server, one with too few scopes for any request, and one with enough for requests but for no tool that needs more.
var Tokens = []string{"expired", "elsewhere", "narrow", "basic"}

// TokenName is the name under which a transcript knows a kind of token.
func TokenName(kind string) string { return kind + "-token" }

// Predefined are the names that are known without a capture: {{$revision}} is the revision that is played, {{$endpoint}} the URL
// of the server and {{$endpoint-path}} its path, {{$metadata-path}} where the server has its protected resource metadata,
// {{$token}} the good bearer token, and {{$expired-token}} and its like those of Tokens.
var Predefined = append([]string{"revision", "endpoint", "endpoint-path", "metadata-path", "token"}, tokenNames()...)

func tokenNames() []string {
	var out []string
	for _, kind := range Tokens {
		out = append(out, TokenName(kind))
	}
	return out
}

// Holds reports whether a list has a text; it is used for revisions and transports.
func Holds(list []string, s string) bool {
	for _, item := range list {
		if item == s {
			return true
		}
	}
	return false
}

// A Kind is the marker of a section.
type Kind string

// The markers.
const (
	Send     Kind = ">"
	SendRaw  Kind = ">raw"
	SendHTTP Kind = ">http"
	Close    Kind = ">close"
	Never    Kind = ">!"
	Expect   Kind = "<"
	Optional Kind = "<?"
	Again    Kind = "<~"
	Forbid   Kind = "<!"
	let      Kind = "let"
	client   Kind = "client"
	answer   Kind = "answer"
)

// NeedNotCome reports whether what the step speaks of may be missing, so that the step proves nothing.
func (k Kind) NeedNotCome() bool { return k == Optional || k == Again }

// Sends reports whether the step is the client's.
func (k Kind) Sends() bool { return k[0] == '>' }

// A Step is one section.
type Step struct {
	Kind  Kind
	Label string
	// IDs are the requirements that the step proves. OpenIDs are those of them that were marked with "?".
	IDs, OpenIDs []string
	// Line is that of the section's marker.
	Line int
	// Method is that of >http.
	Method string
	// Pattern is the JSON of the body; nil if there is none, or if it need not be JSON.
	Pattern *match.Pattern
	// Raw is the body of >raw and >http.
	Raw *Raw
	// HTTP is what only HTTP has.
	HTTP HTTP

	// judgesClient is true in a transcript that judges clients: what the client sends is compared, and the rest is sent.
	judgesClient bool
	// BodyStart and BodyEnd are the bytes of the body in the transcript's source, BodyLine its first line.
	BodyStart, BodyEnd, BodyLine int
}

// written reports whether the step's message is sent as it is written, and not compared with what comes.
func (s *Step) written() bool { return s.Kind.Sends() != s.judgesClient }

// Silent reports whether the step expects that nothing comes.
func (s *Step) Silent() bool {
	return s.Kind == Expect && s.Pattern == nil && s.HTTP.EventID == nil && s.HTTP.Retry == nil
}

// Priming reports whether the step expects an event that carries no message.
func (s *Step) Priming() bool {
	return s.Kind == Expect && s.Pattern == nil && (s.HTTP.EventID != nil || s.HTTP.Retry != nil)
}

func (s *Step) metas() []match.Meta {
	var out []match.Meta
	if s.Pattern != nil {
		out = s.Pattern.Metas()
	}
	if s.Raw != nil {
		for _, p := range s.Raw.pieces {
			if p.meta != nil {
				out = append(out, *p.meta)
			}
		}
	}
	return out
}

// HTTP holds the http: lines of a step. The zero value asks for nothing.
type HTTP struct {
	// Status is what the answer's status must be; empty if it is free.
	Status Status
	// Headers are sent, or must have come.
	Headers []Header
	// Split are the offsets at which the pieces of a body end; Length replaces Content-Length; Path replaces the path.
	Split  []int
	Length *int
	Path   *match.Text // nil for that of the endpoint
	// Hangup closes the connection once the request is out.
	Hangup bool
	// EventID and Retry are fields of the event that carries the message.
	EventID, Retry *match.Text
	// On is the label of the step on whose answer the message comes.
	On string
	// End is true if the answer must end behind the message.
	End bool
	// Comments are sent on the stream before the message.
	Comments []string
	// Or is the status of an answer that may come without the message; empty if the message must come.
	Or Status
}

// A Header is one header line.
type Header struct {
	Name string
	// Value is nil if a sent header is to be left out.
	Value *match.Text
}

// A Status is a set of status codes as it is written: "200", "4xx", "400|404".
type Status string

// Allows reports whether a code is in the set. The empty set allows every code.
func (s Status) Allows(code int) bool {
	if s == "" {
		return true
	}
	for _, one := range strings.Split(string(s), "|") {
		if one == itoa(code) || strings.HasSuffix(one, "xx") && one[0] == itoa(code)[0] {
			return true
		}
	}
	return false
}

// Example is a code of the set.
func (s Status) Example() int {
	code := 0
	for _, c := range strings.Split(string(s), "|")[0] {
		code *= 10
		if c != 'x' {
			code += int(c - '0')
		}
	}
	return code
}
