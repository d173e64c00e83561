package streamable_test

import (
	"testing"

	"go.uber.org/goleak"
)

// Whatever a client does, no goroutine stays behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
