package streamable

import (
	"errors"
	"time"
)

// Options configure a Handler. The zero value is right for a server that is used from programs, on the same machine, in a
// local network or behind a proxy that sets Host.
type Options struct {
	// AllowedOrigins are the origins of web pages that may call the server, such as https://app.example.com, besides
	// those on this machine and those that the server itself is. "null" stands for pages without an origin.
	AllowedOrigins []string
	// OriginAllowed decides on origins that AllowedOrigins does not list; nil allows none.
	OriginAllowed func(origin string) bool
	// AllowedHosts are the names under which a server that listens on a loopback address is reached, besides those of the
	// loopback address itself: those that a proxy on the same machine sends as Host. "*" allows all, which gives up the
	// protection against DNS rebinding.
	AllowedHosts []string
	// CORS answers preflight requests of browsers and lets pages of allowed origins read the answers.
	CORS bool

	// MaxBody is the size of a request's body in bytes; 4 MiB if zero.
	MaxBody int64
	// MaxDepth is how deeply a message may nest; 128 if zero.
	MaxDepth int
	// MaxBatch is how many messages a batch may hold, where the revision has batches; 100 if zero.
	MaxBatch int
	// ReadTimeout is how long a client may take to send a body; 30 s if zero.
	ReadTimeout time.Duration
	// WriteTimeout is how long a client may take to read one message, or up to half as long again; 30 s if zero. A slower one
	// loses its stream.
	WriteTimeout time.Duration
	// CallTimeout is how long a call may run before its context ends; 15 min if zero, no bound if negative.
	CallTimeout time.Duration
	// AskTimeout is how long a client may take to answer a question; 5 min if zero. A sign of progress grants it anew, up
	// to ten times as long in all.
	AskTimeout time.Duration
	// MaxStreams is how many streams that last may be open at once, of all clients; 10,000 if zero. One more is refused.
	MaxStreams int
	// EventLog keeps what clients may come back for after a lost connection; one in memory if nil.
	EventLog EventLog
	// EventLogBytes is how much the one in memory keeps for each session; 256 KiB if zero. The newest event is kept whatever
	// its size.
	EventLogBytes int
	// KeepAlive is the time between the comments that keep an event stream open; 15 s if zero, none if negative.
	KeepAlive time.Duration
}

func (o *Options) complete() error {
	if o.MaxBody < 0 || o.MaxDepth < 0 || o.MaxBatch < 0 || o.ReadTimeout < 0 || o.WriteTimeout < 0 ||
		o.AskTimeout < 0 || o.MaxStreams < 0 || o.EventLogBytes < 0 {
		return errors.New("streamable: Options has a negative limit")
	}
	set(&o.MaxBody, 4<<20)
	set(&o.MaxDepth, 128)
	set(&o.MaxBatch, 100)
	set(&o.ReadTimeout, 30*time.Second)
	set(&o.WriteTimeout, 30*time.Second)
	set(&o.CallTimeout, 15*time.Minute)
	set(&o.AskTimeout, 5*time.Minute)
	set(&o.MaxStreams, 10_000)
	set(&o.EventLogBytes, 256<<10)
	if o.EventLog == nil {
		o.EventLog = newMemoryLog(o.EventLogBytes)
	}
	set(&o.KeepAlive, 15*time.Second)
	return nil
}

func set[T comparable](option *T, value T) {
	var zero T
	if *option == zero {
		*option = value
	}
}
