// Package server is what an author writes against: tools, resources and prompts, written once, for clients of every
// revision of the Model Context Protocol.
//
//	s, err := server.New(server.Options{Info: protocol.Implementation{Name: "greeter", Version: "1.0.0"}})
//	...
//	err = server.AddTool(s, server.Tool{Name: "greet", Description: "Greets somebody."},
//		func(ctx context.Context, c *server.Call, in Greeting) (string, error) { return "Hello, " + in.Name + "!", nil })
//
// A Server is mounted by a transport: packages transport/streamable and transport/stdio. It may be served by several at
// the same time, and tools, resources and prompts may be added and removed while it is.
package server
