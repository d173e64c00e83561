package session_test

import (
	"testing"

	"go.uber.org/goleak"
)

// No store leaves a goroutine behind, whatever the tests do with it.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
