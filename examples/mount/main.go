// Command mount puts an MCP endpoint into a web application that has a router and middleware of its own: requests are
// logged, and the endpoint is only for users that the application knows. A session belongs to the user who opened it.
package main

import (
	"context"
	"fmt"
	"log"
	"log/slog"
	"net/http"

	"github.com/gorilla/mux"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/transport/streamable"
)

func newEndpoint() (*streamable.Handler, error) {
	s, err := server.New(server.Options{
		Info: protocol.Implementation{Name: "mounted", Version: "1.0.0"},
		// What the middleware found out is in the context.
		Principal: func(ctx context.Context, _ http.Header) string { return userOf(ctx) },
	})
	if err != nil {
		return nil, err
	}
	err = server.AddTool(s, server.Tool{Name: "count", Description: "Counts to three, and says for whom."},
		func(_ context.Context, c *server.Call, _ struct{}) (string, error) {
			for i := range 3 {
				if err := c.Progress(server.Progress{Done: float64(i + 1), Total: 3}); err != nil {
					return "", err
				}
			}
			return "Counted for " + c.Principal() + ".", nil
		})
	if err != nil {
		return nil, err
	}
	return streamable.New(s, streamable.Options{})
}

func newRouter(logger *slog.Logger) (*mux.Router, error) {
	endpoint, err := newEndpoint()
	if err != nil {
		return nil, err
	}
	router := mux.NewRouter()
	router.Use(logged(logger))
	router.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "an application") })
	router.Handle("/mcp", known(endpoint))
	return router, nil
}

func main() {
	router, err := newRouter(slog.Default())
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:8080", router))
}
