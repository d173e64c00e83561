package contender

import (
	"crypto/rand"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/parley-mcp/parley/bench/workload"
)

// A probe shows that the floor is not the limit: one pass over the request, buffers that are used again, and every result
// that does not change encoded beforehand. It answers the workloads correctly, but checks little, and is no server.
type probe struct {
	sessional bool
	tools     map[string]bool
	static    [2]map[string][]byte // results by method: of a handshake, and per request
	resources [2]map[string][]byte // results by URI
	sessions  sync.Map
	buffers   sync.Pool
}

type probeBuffer struct{ in, out, text []byte }

func newProbe(f *workload.Features, sessions bool) (Server, error) {
	base := makeFloor(f, sessions)
	p := &probe{sessional: sessions, tools: map[string]bool{}}
	p.buffers.New = func() any { return &probeBuffer{in: make([]byte, 0, 4096), out: make([]byte, 0, 4096)} }
	for _, t := range f.Tools {
		p.tools[t.Name] = true
	}
	for way, hint := range []floorResult{{}, floorHinted()} {
		p.static[way] = map[string][]byte{
			"tools/list":      base.listed[way],
			"ping":            []byte("{}"),
			"initialize":      marshal(floorInit{workload.Sessions.Revision(), floorOffers, floorSelf}),
			"server/discover": marshal(floorDiscover{hint, floorRevisions, floorOffers}),
		}
		p.resources[way] = map[string][]byte{}
		for _, r := range f.Resources {
			p.resources[way][r.URI] = marshal(floorRead{hint, []floorResource{{r.URI, r.MIMEType, r.Text}}})
		}
	}
	return announcing{p, func() {}}, nil
}

// first returns the first value of a header whose name is in canonical form.
func first(h http.Header, name string) string {
	if v := h[name]; len(v) > 0 {
		return v[0]
	}
	return ""
}

func (p *probe) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n := r.ContentLength
	if r.Method != http.MethodPost || n < 0 || n > floorMaxBody || first(r.Header, "Content-Type") != "application/json" {
		http.Error(w, "bad request", http.StatusBadRequest)
		return
	}
	if a := first(r.Header, "Accept"); !strings.Contains(a, "application/json") || !strings.Contains(a, "text/event-stream") {
		http.Error(w, "bad accept", http.StatusNotAcceptable)
		return
	}
	buffer := p.buffers.Get().(*probeBuffer)
	defer p.buffers.Put(buffer)
	if int64(cap(buffer.in)) < n {
		buffer.in = make([]byte, 0, n)
	}
	body := buffer.in[:n]
	if _, err := io.ReadFull(r.Body, body); err != nil {
		http.Error(w, "read", http.StatusBadRequest)
		return
	}
	var m probeMessage
	if !m.parse(body) || !utf8.Valid(body) {
		http.Error(w, "parse error", http.StatusBadRequest)
		return
	}
	way, status := p.check(r.Header, &m)
	switch {
	case status != 0:
		http.Error(w, http.StatusText(status), status)
	case m.id == nil:
		w.WriteHeader(http.StatusAccepted)
	default:
		p.answer(w, buffer, &m, way)
	}
}

// check returns which way the request is served, or the status that refuses it.
func (p *probe) check(h http.Header, m *probeMessage) (way, status int) {
	version := first(h, "Mcp-Protocol-Version")
	if version == workload.PerRequest.Revision() {
		name := first(h, "Mcp-Name")
		if string(m.version) != version || m.capabilities == nil || first(h, "Mcp-Method") != string(m.method) ||
			name != "" && name != string(m.name) && name != string(m.uri) {
			return 1, http.StatusBadRequest
		}
		return 1, 0
	}
	if p.sessional && string(m.method) != "initialize" {
		if _, ok := p.sessions.Load(first(h, "Mcp-Session-Id")); !ok {
			return 0, http.StatusNotFound
		}
	}
	return 0, 0
}

var probeJSON = []string{"application/json"}

func (p *probe) answer(w http.ResponseWriter, buffer *probeBuffer, m *probeMessage, way int) {
	out := append(buffer.out[:0], `{"jsonrpc":"2.0","id":`...)
	out = append(out, m.id...)
	out = append(out, `,"result":`...)
	h := w.Header()
	switch string(m.method) {
	case "tools/call":
		if !p.tools[string(m.name)] {
			http.Error(w, "bad call", http.StatusBadRequest)
			return
		}
		buffer.text = unescape(buffer.text[:0], unquote(m.message))
		text := string(buffer.text) // a handler gets a string, and returns one
		out = append(out, `{"content":[{"type":"text","text":`...)
		out = quote(out, text)
		out = append(out, `}]`...)
		if way == 1 {
			out = append(out, `,"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"`+
				workload.ServerName+`","version":"`+workload.ServerVersion+`"}}`...)
		}
		out = append(out, '}')
	case "resources/read":
		out = append(out, p.resources[way][string(m.uri)]...)
	default:
		result, ok := p.static[way][string(m.method)]
		if !ok {
			http.Error(w, "method not found", http.StatusNotFound)
			return
		}
		if p.sessional && string(m.method) == "initialize" {
			id := rand.Text()
			p.sessions.Store(id, struct{}{})
			h["Mcp-Session-Id"] = []string{id}
		}
		out = append(out, result...)
	}
	out = append(out, '}')
	buffer.out = out
	h["Content-Type"] = probeJSON
	if len(out) > 2000 { // net/http counts small bodies itself
		h["Content-Length"] = []string{strconv.Itoa(len(out))}
	}
	_, _ = w.Write(out)
}
