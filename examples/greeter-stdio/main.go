// Command greeter-stdio is a complete server with one tool, for clients that start it and talk to it over its standard
// input and output.
package main

import (
	"context"
	"log"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/transport/stdio"
)

type greeting struct {
	Name string `json:"name" jsonschema:"whom to greet"`
}

func greet(_ context.Context, _ *server.Call, in greeting) (string, error) {
	return "Hello, " + in.Name + "!", nil
}

func newServer() (*server.Server, error) {
	s, err := server.New(server.Options{Info: protocol.Implementation{Name: "greeter", Version: "1.0.0"}})
	if err != nil {
		return nil, err
	}
	return s, server.AddTool(s, server.Tool{Name: "greet", Description: "Greets somebody."}, greet)
}

func main() {
	s, err := newServer()
	if err != nil {
		log.Fatal(err) // the log goes to standard error: standard output belongs to the protocol
	}
	if err := stdio.Run(context.Background(), s); err != nil {
		log.Fatal(err)
	}
}
