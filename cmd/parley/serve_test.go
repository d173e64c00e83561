package main

import (
	"net"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Whoever says nothing of the address is reached from this machine alone.
//
// Proves: transport.http.bind-localhost
func TestAddressesAreLocalByDefault(t *testing.T) {
	for cmd, flag := range map[*cobra.Command]string{newServeCommand(): "http", newMockCommand(): "http", newRecordCommand(): "listen"} {
		address := cmd.Flag(flag).DefValue
		host, _, err := net.SplitHostPort(address)
		require.NoError(t, err, cmd.Name())
		assert.True(t, net.ParseIP(host).IsLoopback(), "%s: %s", cmd.Name(), address)
	}
}
