package contender

import (
	"io"
	"net/http"

	"github.com/parley-mcp/parley/bench/workload"
)

// newNull returns a handler that reads the body and says nothing: what the harness costs, and over loopback net/http.
func newNull(*workload.Features, bool) (Server, error) {
	return announcing{http.HandlerFunc(serveNull), func() {}}, nil
}

func serveNull(w http.ResponseWriter, r *http.Request) {
	if n := r.ContentLength; n > 0 {
		_, _ = io.ReadFull(r.Body, make([]byte, n)) // whoever waits for an answer gets one anyway
	}
	w.WriteHeader(http.StatusOK)
}
