package protocol_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/parley-mcp/parley/protocol"
)

func TestLogLevels(t *testing.T) {
	names := []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}
	for i, name := range names {
		level, ok := protocol.ParseLogLevel(name)
		assert.True(t, ok, name)
		assert.Equal(t, protocol.LogLevel(i+1), level, "levels are in order of severity")
		assert.Equal(t, name, level.String())
	}
	for _, name := range []string{"", "warn", "Info", "INFO"} {
		_, ok := protocol.ParseLogLevel(name)
		assert.False(t, ok, name)
	}
	assert.Empty(t, protocol.LogLevel(0).String())
	assert.Empty(t, protocol.LogLevel(99).String())
}

// What is no protocol error says nothing of its cause to the peer.
func TestAsError(t *testing.T) {
	e := protocol.ResourceNotFound("file:///a")
	assert.Same(t, e, protocol.AsError(e))
	assert.Same(t, e, protocol.AsError(fmt.Errorf("secret: %w", e)))
	assert.Equal(t, protocol.Internal(), protocol.AsError(errors.New("secret")))
}

// A method's name is the client's text: it is quoted, and not repeated at length.
func TestMethodNotFound(t *testing.T) {
	assert.EqualError(t, protocol.MethodNotFound("a\n\"b"), `method not found: "a\n\"b"`)
	assert.Less(t, len(protocol.MethodNotFound(strings.Repeat("x", 1<<20)).Message), 200)
}

func TestFacts(t *testing.T) {
	assert.True(t, protocol.Yes.Holds())
	assert.False(t, protocol.No.Holds())
	assert.False(t, protocol.Fact(0).Holds())
}

func TestEncodings(t *testing.T) {
	var e protocol.Encodings
	assert.Nil(t, e.Load("a"))
	assert.Equal(t, []byte("1"), e.Store("a", []byte("1")))
	assert.Equal(t, []byte("1"), e.Store("a", []byte("2")), "the first stays")
	assert.Equal(t, []byte("3"), e.Store("c", []byte("3")))
	assert.Equal(t, []byte("1"), e.Load("a"))
	assert.Nil(t, e.Load("b"))
}
