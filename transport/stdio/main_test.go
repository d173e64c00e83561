package stdio_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"go.uber.org/goleak"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/transport/stdio"
)

const asServer = "PARLEY_STDIO_TEST_SERVER"

// With asServer set, the test binary is a server on its standard input and output.
func TestMain(m *testing.M) {
	switch os.Getenv(asServer) {
	case "":
		goleak.VerifyTestMain(m)
	case "child":
		fmt.Println("a line of a child")
	default:
		if err := careless(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// careless is a server whose tools print, and start programs that print and read.
func careless() error {
	s, err := server.New(server.Options{Info: protocol.Implementation{Name: "careless", Version: "1"}})
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	err = server.AddTool(s, server.Tool{Name: "run_child"}, func(context.Context, *server.Call, struct{}) (string, error) {
		fmt.Println("a line of a tool")
		var read string
		_, _ = fmt.Scanln(&read) // which would swallow a message
		self, err := os.Executable()
		if err != nil {
			return "", err
		}
		child := exec.Command(self)
		child.Env = append(os.Environ(), asServer+"=child")
		child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
		return "read " + read, child.Run()
	})
	if err != nil {
		return err
	}
	return stdio.Run(context.Background(), s)
}
