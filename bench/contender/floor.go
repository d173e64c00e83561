package contender

import (
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/parley-mcp/parley/bench/workload"
)

// A floor is what all ratios are against: a bare handler that reads the body, decodes the envelope and the params with
// encoding/json, and writes a right answer. It validates no arguments and knows no tools but one; lists are encoded once.
type floor struct {
	features  *workload.Features
	sessional bool
	resources map[string]workload.Resource
	large     string

	listed [2][]byte // results of tools/list: of a handshake, and per request

	mu       sync.RWMutex
	sessions map[string]struct{}
	streams  map[chan []byte][]byte // open streams, with the id of the subscription (nil after a handshake)
}

func newFloor(f *workload.Features, sessions bool) (Server, error) {
	return makeFloor(f, sessions), nil
}

func makeFloor(f *workload.Features, sessions bool) *floor {
	s := &floor{features: f, sessional: sessions, large: workload.LargeText(f.Large), resources: map[string]workload.Resource{},
		sessions: map[string]struct{}{}, streams: map[chan []byte][]byte{}}
	for _, r := range f.Resources {
		s.resources[r.URI] = r
	}
	s.encodeLists()
	return s
}

type floorEnvelope struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
}

type floorParams struct {
	Name      string          `json:"name"`
	URI       string          `json:"uri"`
	Arguments json.RawMessage `json:"arguments"`
	Version   string          `json:"protocolVersion"`
	Meta      struct {
		Version      string          `json:"io.modelcontextprotocol/protocolVersion"`
		Capabilities json.RawMessage `json:"io.modelcontextprotocol/clientCapabilities"`
	} `json:"_meta"`
}

func (s *floor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodPost:
		s.post(w, r)
	case http.MethodGet:
		if !s.knows(r) {
			http.Error(w, "session not found", http.StatusNotFound)
			return
		}
		s.stream(w, r, nil)
	default:
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
	}
}

func (s *floor) post(w http.ResponseWriter, r *http.Request) {
	body, status := readBody(r)
	if status != 0 {
		http.Error(w, http.StatusText(status), status)
		return
	}
	var m floorEnvelope
	if err := json.Unmarshal(body, &m); err != nil {
		s.fail(w, http.StatusBadRequest, nil, -32700, "parse error")
		return
	}
	var p floorParams
	if len(m.Params) > 0 {
		if err := json.Unmarshal(m.Params, &p); err != nil {
			s.fail(w, http.StatusBadRequest, m.ID, -32602, "invalid params")
			return
		}
	}
	version := r.Header.Get("Mcp-Protocol-Version")
	perRequest := version == workload.PerRequest.Revision()
	switch {
	case perRequest && !mirrored(r.Header, &m, &p, version):
		s.fail(w, http.StatusBadRequest, m.ID, -32020, "header mismatch")
	case perRequest && p.Meta.Capabilities == nil:
		s.fail(w, http.StatusBadRequest, m.ID, -32602, "missing client capabilities")
	case !perRequest && s.sessional && m.Method != "initialize" && !s.knows(r):
		s.fail(w, http.StatusNotFound, m.ID, -32001, "session not found")
	case m.ID == nil:
		w.WriteHeader(http.StatusAccepted)
	default:
		s.answer(w, r, &m, &p, perRequest)
	}
}

const floorMaxBody = 4 << 20

// readBody returns the body, or the status that says why not.
func readBody(r *http.Request) (body []byte, status int) {
	if r.Header.Get("Content-Type") != "application/json" {
		return nil, http.StatusUnsupportedMediaType
	}
	if a := r.Header.Get("Accept"); !strings.Contains(a, "application/json") || !strings.Contains(a, "text/event-stream") {
		return nil, http.StatusNotAcceptable
	}
	var err error
	if n := r.ContentLength; n >= 0 && n <= floorMaxBody {
		body = make([]byte, n)
		_, err = io.ReadFull(r.Body, body)
	} else {
		body, err = io.ReadAll(io.LimitReader(r.Body, floorMaxBody))
	}
	if err != nil {
		return nil, http.StatusBadRequest
	}
	return body, 0
}

// mirrored reports whether the headers say what the body says.
func mirrored(h http.Header, m *floorEnvelope, p *floorParams, version string) bool {
	if p.Meta.Version != version || h.Get("Mcp-Method") != m.Method {
		return false
	}
	switch m.Method {
	case "tools/call", "prompts/get":
		return h.Get("Mcp-Name") == p.Name
	case "resources/read":
		return h.Get("Mcp-Name") == p.URI
	}
	return true
}

func (s *floor) knows(r *http.Request) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	_, ok := s.sessions[r.Header.Get("Mcp-Session-Id")]
	return ok
}

func (s *floor) answer(w http.ResponseWriter, r *http.Request, m *floorEnvelope, p *floorParams, perRequest bool) {
	var plain, hinted floorResult
	listed := s.listed[0]
	if perRequest {
		plain, hinted, listed = floorComplete(), floorHinted(), s.listed[1]
	}
	switch m.Method {
	case "tools/call":
		s.callTool(w, m, p, plain)
	case "tools/list":
		s.reply(w, m.ID, listed)
	case "resources/read":
		res, ok := s.resources[p.URI]
		if !ok {
			s.fail(w, http.StatusOK, m.ID, -32602, "unknown resource")
			return
		}
		s.reply(w, m.ID, marshal(floorRead{hinted, []floorResource{{res.URI, res.MIMEType, res.Text}}}))
	case "initialize":
		if s.sessional {
			w.Header().Set("Mcp-Session-Id", s.open())
		}
		s.reply(w, m.ID, marshal(floorInit{p.Version, floorOffers, floorSelf}))
	case "server/discover":
		s.reply(w, m.ID, marshal(floorDiscover{hinted, floorRevisions, floorOffers}))
	case "ping":
		s.reply(w, m.ID, []byte("{}"))
	case "subscriptions/listen":
		s.stream(w, r, m.ID)
	default:
		s.fail(w, http.StatusNotFound, m.ID, -32601, "method not found")
	}
}

func (s *floor) callTool(w http.ResponseWriter, m *floorEnvelope, p *floorParams, plain floorResult) {
	switch p.Name {
	case workload.Echo:
		var in workload.EchoArguments
		if err := json.Unmarshal(p.Arguments, &in); err != nil {
			s.fail(w, http.StatusOK, m.ID, -32602, "invalid arguments")
			return
		}
		s.reply(w, m.ID, marshal(floorCall{plain, []floorContent{{"text", in.Message}}}))
	case workload.Large:
		s.reply(w, m.ID, marshal(floorCall{plain, []floorContent{{"text", s.large}}}))
	default:
		s.fail(w, http.StatusOK, m.ID, -32602, "unknown tool")
	}
}

func (s *floor) open() string {
	id := rand.Text()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sessions[id] = struct{}{}
	return id
}

func (s *floor) reply(w http.ResponseWriter, id json.RawMessage, result []byte) {
	b := make([]byte, 0, len(result)+len(id)+40)
	b = append(b, `{"jsonrpc":"2.0","id":`...)
	b = append(b, id...)
	b = append(b, `,"result":`...)
	b = append(b, result...)
	b = append(b, '}')
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(b)))
	_, _ = w.Write(b)
}

func (s *floor) fail(w http.ResponseWriter, status int, id json.RawMessage, code int, text string) {
	if id == nil {
		id = json.RawMessage("null")
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(marshal(map[string]any{"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": text}}))
}
