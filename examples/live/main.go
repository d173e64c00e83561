// Command live has a resource that changes. Clients that have subscribed to it hear of it: with resources/subscribe where
// there are sessions, with subscriptions/listen where there are none. Here a tool makes the change; it could be a sensor.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"sync/atomic"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/transport/streamable"
)

const thermometer = "sensor://living-room/temperature"

type reading struct {
	Celsius int64 `json:"celsius" jsonschema:"the temperature"`
}

func newServer() (*server.Server, error) {
	s, err := server.New(server.Options{Info: protocol.Implementation{Name: "live", Version: "1.0.0"}})
	if err != nil {
		return nil, err
	}
	var celsius atomic.Int64
	err = s.AddResource(server.Resource{URI: thermometer, Name: "temperature", MIMEType: "text/plain"},
		func(context.Context, *server.Call, string, map[string]string) (*protocol.ReadResourceResult, error) {
			text := fmt.Sprintf("%d degrees", celsius.Load())
			return &protocol.ReadResourceResult{Contents: []*protocol.ResourceContents{{Text: text}}}, nil
		})
	if err != nil {
		return nil, err
	}
	return s, server.AddTool(s, server.Tool{Name: "measure", Description: "Sets the temperature."},
		func(_ context.Context, _ *server.Call, in reading) (string, error) {
			celsius.Store(in.Celsius)
			s.ResourceUpdated(thermometer) // whoever listens reads it then; it never waits for them
			return "Measured.", nil
		})
}

func main() {
	s, err := newServer()
	if err != nil {
		log.Fatal(err)
	}
	h, err := streamable.New(s, streamable.Options{})
	if err != nil {
		log.Fatal(err)
	}
	http.Handle("/mcp", h)
	log.Fatal(http.ListenAndServe("127.0.0.1:8080", nil))
}
