// Package contender holds the servers that the benchmark compares, behind one interface. Each offers the same features.
// To add one, write a file like the others and add it to All.
package contender

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/parley-mcp/parley/bench/workload"
)

// A Server is a contender at work.
type Server interface {
	http.Handler
	// ToolsChanged announces to every open stream that the list of tools has changed, once.
	ToolsChanged()
}

// A Contender is a server, or a configuration of one.
type Contender struct {
	Name string
	// New returns a server that remembers nothing of a handshake, or, with sessions, opens one on initialize.
	New func(f *workload.Features, sessions bool) (Server, error)
	// Bare contenders do not answer: their answers are not looked at.
	Bare bool
	// Quiet contenders have no streams.
	Quiet bool
	// Large contenders have the tool workload.Large.
	Large bool
}

// The contenders that others are compared with.
const (
	Floor      = "floor"
	Parley     = "parley"
	GoSDKTuned = "go-sdk tuned"
	MCPGoTuned = "mcp-go tuned"
)

// All returns all contenders in the order of the table.
func All() []Contender {
	return []Contender{
		{Name: "null", New: newNull, Bare: true, Quiet: true},
		{Name: Floor, New: newFloor, Large: true},
		{Name: "probe", New: newProbe, Quiet: true},
		{Name: Parley, New: newParley, Large: true},
		{Name: "go-sdk", New: newGoSDK},
		{Name: GoSDKTuned, New: newGoSDKTuned},
		{Name: "mcp-go", New: newMCPGo},
		{Name: MCPGoTuned, New: newMCPGoTuned},
	}
}

// Find returns the contender of a name.
func Find(name string) (Contender, error) {
	all := All()
	i := slices.IndexFunc(all, func(c Contender) bool { return c.Name == name })
	if i < 0 {
		return Contender{}, fmt.Errorf("no contender %q", name)
	}
	return all[i], nil
}

// announcing is a handler with a way to change its tools.
type announcing struct {
	http.Handler
	change func()
}

func (a announcing) ToolsChanged() { a.change() }
