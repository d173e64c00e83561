// Command wizard has a tool that asks several things in turn, does something once in between, and may be served by several
// processes that share nothing but a key.
//
//	export WIZARD_KEY=$(openssl rand -hex 32)
//	wizard -http 127.0.0.1:8081 &
//	wizard -http 127.0.0.1:8082 &
//
// Behind a balancer, clients of the newest revision may be served by one process in one round and by the other in the next.
// Clients of older revisions hold a connection to one process while they are asked, to which their answers must come.
package main

import (
	"context"
	"encoding/hex"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/session"
	"github.com/parley-mcp/parley/transport/streamable"
)

func newHandler(w *wizard, o server.Options) (*streamable.Handler, error) {
	o.Info = protocol.Implementation{Name: "wizard", Version: "1.0.0"}
	s, err := server.New(o)
	if err != nil {
		return nil, err
	}
	err = server.AddTool(s, server.Tool{Name: "create_project", Description: "Creates a project, step by step."}, w.create)
	if err != nil {
		return nil, err
	}
	err = server.AddTool(s, server.Tool{Name: "created", Description: "Says how many projects this process has created."},
		func(context.Context, *server.Call, struct{}) (string, error) {
			return fmt.Sprintf("created=%d", w.created.Load()), nil
		})
	if err != nil {
		return nil, err
	}
	return streamable.New(s, streamable.Options{})
}

// options reads the keys, the same in each process. Without one, states are good for the process that made them.
func options(sealed bool) (o server.Options, err error) {
	if text := os.Getenv("WIZARD_KEY"); text != "" {
		key, err := hex.DecodeString(text)
		if err != nil {
			return o, fmt.Errorf("WIZARD_KEY: %w", err)
		}
		o.StateKeys = [][]byte{key}
	}
	if sealed {
		o.Sessions, err = session.NewSealed(session.SealedOptions{Keys: o.StateKeys})
	}
	return o, err
}

func main() {
	address := flag.String("http", "127.0.0.1:8080", "the `address` to listen on")
	sealed := flag.Bool("sealed", false, "keep sessions in their ids instead of in memory; needs WIZARD_KEY")
	flag.Parse()
	o, err := options(*sealed)
	if err != nil {
		log.Fatal(err)
	}
	h, err := newHandler(&wizard{}, o)
	if err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp", *address)
	if err != nil {
		log.Fatal(err)
	}
	log.Printf("listening on http://%s/mcp", listener.Addr())
	http.Handle("/mcp", h)
	log.Fatal(http.Serve(listener, nil))
}
