package rev20250326

import (
	"testing"

	"github.com/parley-mcp/parley/protocol/internal/wiretest"
)

func FuzzDecode(f *testing.F) { wiretest.FuzzDecode(f, Codec) }
