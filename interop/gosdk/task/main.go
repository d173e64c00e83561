// Command task is the official Go SDK's client as `parley mock` runs it: it reads what to do from PARLEY_TASK, makes the calls,
// and answers what it is asked. What the client has no call for is exit code 77.
package main

//lint:file-ignore SA1019 what is deprecated is still judged at the revisions that have it

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type task struct {
	Revision, Transport, URL string
	Command                  []string
	Calls                    []call
	Answers                  map[string]json.RawMessage
}

type call struct {
	Method           string
	Params           json.RawMessage
	Progress, Cancel bool
	MayFail, Listed  bool
}

// errUnable is returned for what this client has no call for.
var errUnable = errors.New("this client has no call for it")

func main() {
	err := run(context.Background())
	switch {
	case err == nil:
		return
	case errors.Is(err, errUnable):
		os.Exit(77)
	}
	fmt.Fprintln(os.Stderr, "task:", err)
	os.Exit(1)
}

func run(ctx context.Context) error {
	var t task
	if err := json.Unmarshal([]byte(os.Getenv("PARLEY_TASK")), &t); err != nil {
		return fmt.Errorf("PARLEY_TASK: %w", err)
	}
	heard := make(chan struct{}, 16)
	session, err := t.connect(ctx, heard)
	if err != nil {
		return err
	}
	defer func() { _ = session.Close() }()
	shown := map[string]bool{}
	for i, c := range t.Calls {
		if c.Listed && !shown[c.name()] {
			continue
		}
		if err := c.make(ctx, session, i, heard, shown); err != nil && !c.MayFail && !c.Cancel {
			return fmt.Errorf("%s: %w", c.Method, err)
		}
	}
	return nil
}

func (t task) connect(ctx context.Context, heard chan<- struct{}) (*mcp.ClientSession, error) {
	o := &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{},
		ProgressNotificationHandler: func(context.Context, *mcp.ProgressNotificationClientRequest) {
			select {
			case heard <- struct{}{}:
			default:
			}
		},
	}
	if text, ok := t.Answers["elicitation/create"]; ok {
		o.ElicitationHandler = func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			var r mcp.ElicitResult
			return &r, json.Unmarshal(text, &r)
		}
	}
	if text, ok := t.Answers["sampling/createMessage"]; ok {
		o.CreateMessageHandler = func(context.Context, *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			var r mcp.CreateMessageResult
			return &r, json.Unmarshal(text, &r)
		}
	}
	if _, ok := t.Answers["roots/list"]; ok {
		o.Capabilities.RootsV2 = &mcp.RootCapabilities{}
	}
	for _, c := range t.Calls {
		if c.Method == "subscriptions/listen" {
			o.ToolListChangedHandler = func(context.Context, *mcp.ToolListChangedRequest) {}
		}
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "task", Version: "1"}, o)
	client.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
			if method == "notifications/subscriptions/acknowledged" {
				heard <- struct{}{}
			}
			return next(ctx, method, r)
		}
	})
	if text, ok := t.Answers["roots/list"]; ok {
		var r mcp.ListRootsResult
		if err := json.Unmarshal(text, &r); err != nil {
			return nil, err
		}
		client.AddRoots(r.Roots...)
	}
	var transport mcp.Transport = &mcp.StreamableClientTransport{Endpoint: t.URL}
	if t.Transport == "stdio" {
		command := exec.Command(t.Command[0], t.Command[1:]...)
		command.Stderr = os.Stderr
		transport = &mcp.CommandTransport{Command: command}
	}
	return client.Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: t.Revision})
}

// make makes the call, and gives it up if it is to be given up once something of it was heard.
func (c call) make(ctx context.Context, s *mcp.ClientSession, number int, heard <-chan struct{}, shown map[string]bool) error {
	if c.Cancel {
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(ctx)
		defer cancel()
		go func() {
			select {
			case <-heard:
				cancel()
			case <-ctx.Done():
			}
		}()
	}
	switch c.Method {
	case "tools/list":
		for tool, err := range s.Tools(ctx, nil) {
			if err != nil {
				return err
			}
			shown[tool.Name] = true
		}
		return nil
	case "tools/call":
		p, err := read[mcp.CallToolParams](c.Params)
		if c.Progress {
			p.SetProgressToken(fmt.Sprint("token-", number))
		}
		return done(err, func() (any, error) { return s.CallTool(ctx, p) })
	case "prompts/get":
		p, err := read[mcp.GetPromptParams](c.Params)
		return done(err, func() (any, error) { return s.GetPrompt(ctx, p) })
	case "resources/read":
		p, err := read[mcp.ReadResourceParams](c.Params)
		return done(err, func() (any, error) { return s.ReadResource(ctx, p) })
	case "resources/subscribe":
		p, err := read[mcp.SubscribeParams](c.Params)
		return done(err, func() (any, error) { return nil, s.Subscribe(ctx, p) })
	case "resources/unsubscribe":
		p, err := read[mcp.UnsubscribeParams](c.Params)
		return done(err, func() (any, error) { return nil, s.Unsubscribe(ctx, p) })
	case "completion/complete":
		p, err := read[mcp.CompleteParams](c.Params)
		return done(err, func() (any, error) { return s.Complete(ctx, p) })
	case "logging/setLevel":
		p, err := read[mcp.SetLoggingLevelParams](c.Params)
		return done(err, func() (any, error) { return nil, s.SetLoggingLevel(ctx, p) })
	case "ping":
		return s.Ping(ctx, nil)
	case "subscriptions/listen": // the client listens by itself if somebody wants to hear; it stops when it is closed
		<-heard
		return nil
	}
	return errUnable
}

// name is that of the tool that is called.
func (c call) name() string {
	var p struct{ Name string }
	_ = json.Unmarshal(c.Params, &p)
	return p.Name
}

func read[T any](params json.RawMessage) (*T, error) {
	p := new(T)
	return p, json.Unmarshal(params, p)
}

func done(err error, call func() (any, error)) error {
	if err == nil {
		_, err = call()
	}
	return err
}
