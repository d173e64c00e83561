package contender

import (
	"encoding/json"

	"github.com/parley-mcp/parley/bench/workload"
)

// The results of the floor, for encoding/json.

// A floorResult holds what 2026-07-28 adds to every result; it is empty after a handshake.
type floorResult struct {
	ResultType string     `json:"resultType,omitempty"`
	Meta       *floorMeta `json:"_meta,omitempty"`
	TTL        *int       `json:"ttlMs,omitempty"`
	Scope      string     `json:"cacheScope,omitempty"`
}

type floorMeta struct {
	Server floorInfo `json:"io.modelcontextprotocol/serverInfo"`
}

type floorInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type floorCall struct {
	floorResult
	Content []floorContent `json:"content"`
}

type floorContent struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type floorList struct {
	floorResult
	Tools []floorTool `json:"tools"`
}

type floorTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"`
}

type floorRead struct {
	floorResult
	Contents []floorResource `json:"contents"`
}

type floorResource struct {
	URI      string `json:"uri"`
	MIMEType string `json:"mimeType"`
	Text     string `json:"text"`
}

type floorInit struct {
	ProtocolVersion string            `json:"protocolVersion"`
	Capabilities    floorCapabilities `json:"capabilities"`
	ServerInfo      floorInfo         `json:"serverInfo"`
}

type floorDiscover struct {
	floorResult
	SupportedVersions []string          `json:"supportedVersions"`
	Capabilities      floorCapabilities `json:"capabilities"`
}

type floorCapabilities struct {
	Tools     floorListed `json:"tools"`
	Resources floorListed `json:"resources"`
	Prompts   floorListed `json:"prompts"`
}

type floorListed struct {
	ListChanged bool `json:"listChanged"`
}

var (
	floorSelf      = floorInfo{workload.ServerName, workload.ServerVersion}
	floorSelfMeta  = &floorMeta{floorSelf}
	floorOffers    = floorCapabilities{floorListed{true}, floorListed{true}, floorListed{true}}
	floorRevisions = []string{workload.PerRequest.Revision(), workload.Sessions.Revision()}
	floorNoTTL     = new(int)
)

func floorComplete() floorResult { return floorResult{ResultType: "complete", Meta: floorSelfMeta} }

func floorHinted() floorResult {
	return floorResult{ResultType: "complete", Meta: floorSelfMeta, TTL: floorNoTTL, Scope: "public"}
}

func (s *floor) encodeLists() {
	s.listed[0] = marshal(s.list(floorResult{}))
	s.listed[1] = marshal(s.list(floorHinted()))
}

func (s *floor) list(r floorResult) floorList {
	l := floorList{floorResult: r, Tools: make([]floorTool, 0, len(s.features.Tools))}
	for _, t := range s.features.Tools {
		l.Tools = append(l.Tools, floorTool{t.Name, t.Description, json.RawMessage(t.Schema)})
	}
	return l
}

func marshal(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // one of the types on this page
	}
	return b
}
