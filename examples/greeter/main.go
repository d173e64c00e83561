// Command greeter is a complete server with one tool. Clients of all revisions use it at http://127.0.0.1:8080/mcp.
package main

import (
	"context"
	"log"
	"net/http"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/transport/streamable"
)

type greeting struct {
	Name string `json:"name" jsonschema:"whom to greet"`
}

func greet(_ context.Context, _ *server.Call, in greeting) (string, error) {
	return "Hello, " + in.Name + "!", nil
}

func newHandler() (*streamable.Handler, error) {
	s, err := server.New(server.Options{Info: protocol.Implementation{Name: "greeter", Version: "1.0.0"}})
	if err != nil {
		return nil, err
	}
	if err := server.AddTool(s, server.Tool{Name: "greet", Description: "Greets somebody."}, greet); err != nil {
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
