package rev20251125

import (
	"testing"

	"github.com/parley-mcp/parley/protocol/internal/wiretest"
)

func FuzzDecode(f *testing.F) { wiretest.FuzzDecode(f, Codec) }
