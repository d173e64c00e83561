package auth

import (
	"errors"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
)

// A refusal is why a request is not served.
type refusal struct {
	status int
	// code is that of RFC 6750 section 3.1; empty if the request had no token, or nobody could tell.
	code, why string
	// scopes are those that a token needs.
	scopes []string
}

func (f *refusal) Error() string { return f.why }

// refuse answers a request that is not let through, without reading its body.
func (r *Resource) refuse(w http.ResponseWriter, req *http.Request, err error) {
	f := &refusal{status: http.StatusInternalServerError}
	errors.As(err, &f)
	h := w.Header()
	if req.ContentLength != 0 && req.ProtoMajor == 1 {
		h.Set("Connection", "close") // or net/http would wait for the body first
	}
	if f.status == http.StatusServiceUnavailable {
		h.Set("Retry-After", "5")
		w.WriteHeader(f.status)
		return
	}
	h.Set("WWW-Authenticate", r.challenge(f))
	h.Set("Cache-Control", "no-store")
	// Pages must be able to read where tokens come from. The answer holds nothing that is for some eyes only.
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Expose-Headers", "WWW-Authenticate")
	if f.code == "" {
		w.WriteHeader(f.status)
		return
	}
	h.Set("Content-Type", "application/json")
	w.WriteHeader(f.status)
	body, _ := json.Marshal(struct {
		Error       string `json:"error"`
		Description string `json:"error_description"`
	}{f.code, f.why})
	_, _ = w.Write(body) // a client that is gone needs no answer
}

// challenge is the value of WWW-Authenticate (RFC 6750 section 3, RFC 9728 section 5.1). All values are made of characters that
// may stand in quotes.
func (r *Resource) challenge(f *refusal) string {
	var b strings.Builder
	b.WriteString(`Bearer resource_metadata="` + r.MetadataURL() + `"`)
	for _, p := range []struct{ name, value string }{
		{"error", f.code}, {"error_description", f.why}, {"scope", strings.Join(f.scopes, " ")},
	} {
		if p.value != "" {
			b.WriteString(`, ` + p.name + `="` + p.value + `"`)
		}
	}
	return b.String()
}
