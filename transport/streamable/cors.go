package streamable

import (
	"net/http"
	"slices"
	"strings"

	"github.com/parley-mcp/parley/internal/mirror"
)

// What a page may send and read beyond what browsers always allow. The Mcp-Param headers have names that tools choose.
var (
	corsHeaders = []string{"accept", "authorization", "content-type", "last-event-id", "mcp-method", "mcp-name",
		"mcp-protocol-version", "mcp-session-id", "traceparent", "tracestate", "baggage"}
	corsExposed = headerSession + ", WWW-Authenticate"
)

const corsMaxAge = "7200" // seconds; the longest that browsers honour

// setCORS lets the page that asks read the answer. Its origin has been checked.
func setCORS(w http.ResponseWriter, r *http.Request) {
	w.Header().Add("Vary", "Origin")
	if origin := r.Header.Get("Origin"); origin != "" {
		w.Header().Set("Access-Control-Allow-Origin", origin)
		w.Header().Set("Access-Control-Expose-Headers", corsExposed)
	}
}

func isPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Origin") != "" && r.Header.Get("Access-Control-Request-Method") != ""
}

// preflight answers what a browser asks before it sends a page's request.
func (h *Handler) preflight(w http.ResponseWriter, r *http.Request) {
	leaveBody(w, r)
	var allowed []string
	for name := range strings.SplitSeq(r.Header.Get("Access-Control-Request-Headers"), ",") {
		name = strings.ToLower(strings.TrimSpace(name))
		if slices.Contains(corsHeaders, name) || strings.HasPrefix(name, strings.ToLower(mirror.Prefix)) {
			allowed = append(allowed, name)
		}
	}
	header := w.Header()
	header.Set("Access-Control-Allow-Methods", "POST, GET, DELETE")
	if len(allowed) > 0 {
		header.Set("Access-Control-Allow-Headers", strings.Join(allowed, ", "))
	}
	header.Set("Access-Control-Max-Age", corsMaxAge)
	w.WriteHeader(http.StatusNoContent)
}
