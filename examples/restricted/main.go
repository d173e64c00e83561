// Command restricted serves only some revisions: here those that open with a handshake, for an operator whose gateway does
// not know others yet. Whoever asks for another is told which there are.
package main

import (
	"context"
	"log"
	"net/http"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/revisions"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/transport/streamable"
)

// handshakeOnly chooses by what holds at a revision, not by its name, so that the choice stays right when revisions are added.
func handshakeOnly() []protocol.Revision {
	var chosen []protocol.Revision
	for _, codec := range revisions.All() {
		if f := codec.Features(); f.Lifecycle == protocol.Handshake {
			chosen = append(chosen, f.Revision)
		}
	}
	return chosen
}

func newHandler() (*streamable.Handler, error) {
	s, err := server.New(server.Options{
		Info:      protocol.Implementation{Name: "restricted", Version: "1.0.0"},
		Revisions: handshakeOnly(),
	})
	if err != nil {
		return nil, err
	}
	err = server.AddTool(s, server.Tool{Name: "revision", Description: "Says which revision the client speaks."},
		func(_ context.Context, c *server.Call, _ struct{}) (string, error) { return string(c.Revision()), nil })
	if err != nil {
		return nil, err
	}
	return streamable.New(s, streamable.Options{})
}

func main() {
	h, err := newHandler()
	if err != nil {
		log.Fatal(err)
	}
	http.Handle("/mcp", h)
	log.Fatal(http.ListenAndServe("127.0.0.1:8080", nil))
}
