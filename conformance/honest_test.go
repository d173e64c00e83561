package conformance

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"

	"github.com/parley-mcp/parley/conformance/match"
	"github.com/parley-mcp/parley/conformance/revision"
)

// honest is a small server that does right what the tests of a run look at, at one revision with a handshake and at one
// without, over HTTP and over lines.
type honest struct {
	handshake, stateless string // revisions; empty for none
	tools                bool

	mu       sync.Mutex
	sessions map[string]bool
	opened   int
	seen     http.Header // of the last request
}

// honestly names the transcripts that an honest server passes, where they apply to it.
var honestly = []string{"lifecycle/initialize", "lifecycle/unknown-version", "ping/answer", "discover/supported", "discover/in-pieces",
	"tools/list", "tools/call-text", "tools/unknown-tool", "errors/not-json", "errors/not-json-on-stdio", "session/terminated",
	"session/unknown", "headers/method-mismatch", "headers/no-version", "transport/get-stream", "stdio/end-of-input", "batch/two-pings"}

func newHonest() *honest {
	h := &honest{tools: true, sessions: map[string]bool{}}
	for _, f := range revision.All() {
		if f.Handshake && h.handshake == "" {
			h.handshake = f.Version
		} else if !f.Handshake && h.stateless == "" {
			h.stateless = f.Version
		}
	}
	return h
}

func (h *honest) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.seen = r.Header.Clone()
	session := r.Header.Get("Mcp-Session-Id")
	switch {
	case r.Method == http.MethodDelete && h.sessions[session]:
		delete(h.sessions, session)
		return
	case r.Method != http.MethodPost:
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	case session != "" && !h.sessions[session]:
		w.WriteHeader(http.StatusNotFound)
		return
	}
	body, _ := io.ReadAll(r.Body)
	message, err := match.Parse(body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	answer, status := h.answer(message, r.Header.Get("Mcp-Method"))
	if answer == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	if message.Get("method").Str() == "initialize" {
		h.opened++
		id := fmt.Sprintf("session-%08d", h.opened)
		h.sessions[id] = true
		w.Header().Set("Mcp-Session-Id", id)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(answer.Append(nil))
}

// answer returns the answer to a message, or nil for a notification, and the status it has over HTTP.
func (h *honest) answer(m *match.Value, mirrored string) (*match.Value, int) {
	id := m.Get("id")
	if id == nil {
		return nil, 0
	}
	version := m.Get("params", "_meta", revision.MetaVersion).Str()
	if version == "" {
		return h.old(m, id), http.StatusOK
	}
	switch {
	case version != h.stateless:
		data := match.Object(match.Member{Name: "supported", Value: &match.Value{Kind: '[', Items: []*match.Value{match.String(h.stateless)}}},
			match.Member{Name: "requested", Value: match.String(version)})
		return failure(id, "-32022", data), http.StatusBadRequest
	case mirrored != m.Get("method").Str() && mirrored != "stdio":
		return failure(id, "-32020", nil), http.StatusBadRequest
	}
	switch m.Get("method").Str() {
	case "server/discover":
		return success(id, fmt.Sprintf(`{"resultType":"complete","supportedVersions":[%q],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private",
			"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"honest","version":"1"}}}`, h.stateless)), http.StatusOK
	case "tools/list":
		return success(id, `{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private"}`), http.StatusOK
	case "tools/call":
		return failure(id, "-32602", nil), http.StatusOK
	}
	return failure(id, "-32601", nil), http.StatusNotFound
}

func (h *honest) old(m, id *match.Value) *match.Value {
	switch m.Get("method").Str() {
	case "initialize":
		if h.handshake == "" {
			return failure(id, "-32601", nil)
		}
		capabilities := `{}`
		if h.tools {
			capabilities = `{"tools":{}}`
		}
		return success(id, fmt.Sprintf(`{"protocolVersion":%q,"capabilities":%s,"serverInfo":{"name":"honest","version":"1"}}`, h.handshake, capabilities))
	case "ping":
		return success(id, `{}`)
	case "tools/list":
		return success(id, `{"tools":[]}`)
	case "tools/call":
		return failure(id, "-32602", nil)
	}
	return failure(id, "-32601", nil)
}

func success(id *match.Value, result string) *match.Value {
	v, err := match.Parse([]byte(result))
	if err != nil {
		panic(err)
	}
	return match.Object(match.Member{Name: "jsonrpc", Value: match.String("2.0")}, match.Member{Name: "id", Value: id},
		match.Member{Name: "result", Value: v})
}

func failure(id *match.Value, code string, data *match.Value) *match.Value {
	e := match.Object(match.Member{Name: "code", Value: match.Number(code)}, match.Member{Name: "message", Value: match.String("no")})
	if data != nil {
		e.Set("data", data)
	}
	return match.Object(match.Member{Name: "jsonrpc", Value: match.String("2.0")}, match.Member{Name: "id", Value: id},
		match.Member{Name: "error", Value: e})
}

// lines serves over the standard streams, with something wrong if so asked.
func (h *honest) lines(behaviour string) {
	if behaviour == "chatty" {
		fmt.Println("listening on standard input")
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		m, err := match.Parse(in.Bytes())
		if err != nil {
			continue
		}
		for behaviour == "flood" && m.Get("method").Str() == "ping" {
			fmt.Println(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}`)
		}
		if behaviour == "silent" && m.Get("method").Str() == "ping" {
			continue
		}
		if answer, _ := h.answer(m, "stdio"); answer != nil {
			fmt.Println(answer)
		}
		if behaviour == "crash" && m.Get("method").Str() == "ping" {
			os.Exit(3)
		}
	}
}
