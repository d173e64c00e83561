package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/go-json-experiment/json"

	"github.com/parley-mcp/parley/conformance/referee/launch"
)

// A target is a server to test: one program, reached in one or two ways.
type target struct {
	// name is that of its file in conformance/known.
	name string
	// title and version are what people call it; source is where it comes from.
	title, version, source string
	// what says which program it is, and how it is started.
	what string
	// http starts it at a port of 127.0.0.1, and path is that of its endpoint; nil if it is not tested over HTTP.
	http func(port string) command
	path string
	// stdio is empty if it is not tested over stdio.
	stdio command
}

// A command is a program with its arguments, and what is added to its environment.
type command struct{ args, env []string }

// The versions that are tested are those that these files pin.
const (
	goSDK   = "github.com/modelcontextprotocol/go-sdk"
	mcpGo   = "github.com/mark3labs/mcp-go"
	every   = "@modelcontextprotocol/server-everything"
	tsSDK   = "@modelcontextprotocol/server"
	tsSDKv1 = "@modelcontextprotocol/sdk"
)

// prepare builds and installs the servers; the programs go into out.
func prepare(ctx context.Context, root, out string) ([]target, error) {
	home := filepath.Join(root, "interop", "servers")
	for _, module := range []string{"gosdk", "mcpgo"} {
		cmd := launch.Command(ctx, "go", "build", "-o", out+string(filepath.Separator), "tool")
		cmd.Dir = filepath.Join(home, module)
		if text, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("build the servers of %s: %w\n%s", module, err, text)
		}
	}
	if err := launch.Install(ctx, home, os.Stderr); err != nil {
		return nil, err
	}
	node, err := launch.Node(ctx, home)
	if err != nil {
		return nil, err
	}
	versions, err := pinned(home)
	if err != nil {
		return nil, err
	}
	return targets(out, home, node, versions), nil
}

// targets are the servers; programs holds those that were built, home those of npm.
func targets(programs, home, node string, versions map[string]string) []target {
	official := filepath.Join(programs, "everything-server")
	everything := filepath.Join(home, "node_modules", filepath.FromSlash(every), "dist", "index.js")
	fixture := filepath.Join(home, "typescript", "server.mjs")
	all := []target{{
		name: "go-sdk", title: "Official Go SDK, with sessions", source: goSDK,
		what: "its conformance/everything-server, over HTTP with -stateless=false",
		http: func(port string) command {
			return command{args: []string{official, "-http", "127.0.0.1:" + port, "-stateless=false"}}
		},
		path:  "/mcp",
		stdio: command{args: []string{official}},
	}, {
		name: "go-sdk-stateless", title: "Official Go SDK, without sessions", source: goSDK,
		what: "its conformance/everything-server, over HTTP with -stateless=true, which is its default",
		http: func(port string) command { return command{args: []string{official, "-http", "127.0.0.1:" + port}} },
		path: "/mcp",
	}, {
		name: "mcp-go", title: "mcp-go", source: mcpGo,
		what: "its examples/conformance",
		http: func(port string) command {
			return command{args: []string{filepath.Join(programs, "conformance")}, env: []string{"CONFORMANCE_ADDR=127.0.0.1:" + port}}
		},
		path: "/mcp",
	}, {
		name: "mcp-go-everything", title: "mcp-go over stdio", source: mcpGo,
		what:  "its examples/everything; over HTTP it listens at a fixed port of every address, so that only its standard streams are used",
		stdio: command{args: []string{filepath.Join(programs, "everything")}},
	}, {
		name: "server-everything", title: "server-everything of npm", source: every,
		what: "the package's program, on " + tsSDKv1 + " " + versions[tsSDKv1] + "; a preloaded file keeps it to 127.0.0.1",
		http: func(port string) command {
			local := []string{node, "--import", filepath.Join(home, "local.mjs"), everything, "streamableHttp"}
			return command{args: local, env: []string{"PORT=" + port}}
		},
		path:  "/mcp",
		stdio: command{args: []string{node, everything, "stdio"}},
	}, {
		name: "typescript-sdk", title: "TypeScript SDK, second generation", source: tsSDK,
		what:  "interop/servers/typescript, a small server on its public API: createMcpHandler over HTTP, serveStdio over stdio",
		http:  func(port string) command { return command{args: []string{node, fixture, "http", port}} },
		path:  "/mcp",
		stdio: command{args: []string{node, fixture, "stdio"}},
	}}
	for i := range all {
		all[i].version = versions[all[i].source]
	}
	return all
}

// pinned are the versions of the modules and packages that the servers come from.
func pinned(home string) (map[string]string, error) {
	versions := map[string]string{}
	for folder, module := range map[string]string{"gosdk": goSDK, "mcpgo": mcpGo} {
		text, err := os.ReadFile(filepath.Join(home, folder, "go.mod"))
		if err != nil {
			return nil, err
		}
		found := regexp.MustCompile(regexp.QuoteMeta(module) + ` (v\S+)`).FindSubmatch(text)
		if found == nil {
			return nil, fmt.Errorf("%s/go.mod does not require %s", folder, module)
		}
		versions[module] = string(found[1])
	}
	text, err := os.ReadFile(filepath.Join(home, "package-lock.json"))
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct {
			Version string `json:"version"`
		} `json:"packages"`
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		return nil, fmt.Errorf("read package-lock.json: %w", err)
	}
	for _, name := range []string{every, tsSDK, tsSDKv1} {
		one, ok := lock.Packages["node_modules/"+name]
		if !ok {
			return nil, fmt.Errorf("package-lock.json has no %s", name)
		}
		versions[name] = one.Version
	}
	return versions, nil
}
