package conformance

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/parley-mcp/parley/conformance/drive"
	"github.com/parley-mcp/parley/conformance/match"
	"github.com/parley-mcp/parley/conformance/mirror"
	"github.com/parley-mcp/parley/conformance/revision"
	"github.com/parley-mcp/parley/conformance/transcript"
)

// obliged are the headers that the revision obliges every client to send with a message: 2025-11-25 and earlier
// basic/transports#sending-messages-to-the-server, #session-management, #protocol-version-header; 2026-07-28
// basic/transports/streamable-http#request-metadata. The message is nil if what is sent is none.
func (p *player) obliged(method string, message *match.Value) []drive.Field {
	var out []drive.Field
	add := func(name, value string) { out = append(out, drive.Field{Name: name, Value: value}) }
	switch method {
	case http.MethodPost:
		add("Content-Type", "application/json")
		add("Accept", "application/json, text/event-stream")
	case http.MethodGet:
		add("Accept", "text/event-stream")
	}
	opening := message.Get("method").Str() == "initialize"
	if p.facts.Handshake {
		if p.session.version != "" && !opening && p.facts.VersionHeader {
			add("MCP-Protocol-Version", p.session.version)
		}
		if p.session.id != "" && !opening {
			add("Mcp-Session-Id", p.session.id)
		}
		return out
	}
	if p.facts.VersionHeader && method == http.MethodPost {
		version := message.Get("params", "_meta", revision.MetaVersion).Str()
		if version == "" {
			version = p.facts.Version
		}
		add("MCP-Protocol-Version", version)
	}
	if p.facts.MirrorHeaders {
		out = append(out, p.mirrored(message)...)
	}
	return out
}

// mirrored are the headers that repeat parts of the body.
func (p *player) mirrored(message *match.Value) []drive.Field {
	method := message.Get("method").Str()
	if method == "" {
		return nil
	}
	out := []drive.Field{{Name: "Mcp-Method", Value: mirror.Encode(method)}}
	params := message.Get("params")
	name := params.Get(p.facts.NameOf[method]).Str()
	if p.facts.NameOf[method] != "" && name != "" {
		out = append(out, drive.Field{Name: "Mcp-Name", Value: mirror.Encode(name)})
	}
	if method == "tools/call" {
		schema := p.inventory.tools[name].Get("inputSchema")
		for _, param := range mirror.Params(schema, params.Get("arguments")) {
			out = append(out, drive.Field{Name: param.Header, Value: mirror.Encode(param.Text)})
		}
	}
	return out
}

// header lays what the transcript says over what the driver sends: the transcript's line replaces the driver's of the same
// name, an empty one removes it, and several are all sent.
func (p *player) header(base []drive.Field, lines []transcript.Header) ([]drive.Field, error) {
	out := append([]drive.Field(nil), p.server.header...)
	for _, f := range base {
		if !mentions(lines, f.Name) {
			out = append(out, f)
		}
	}
	for _, line := range lines {
		if line.Value == nil || line.Value.Absent() {
			out = without(out, line.Name)
			continue
		}
		expand := line.Value.Expand
		if p.t != nil && p.t.Client != nil {
			expand = line.Value.Example
		}
		value, err := expand(p.env)
		if err != nil {
			return nil, fmt.Errorf("header %s: %w", line.Name, err)
		}
		if strings.EqualFold(line.Name, "Authorization") {
			out = without(out, line.Name)
		}
		out = append(out, drive.Field{Name: line.Name, Value: value})
	}
	return out, nil
}

func mentions(lines []transcript.Header, name string) bool {
	for _, line := range lines {
		if strings.EqualFold(line.Name, name) {
			return true
		}
	}
	return false
}

func without(fields []drive.Field, name string) []drive.Field {
	var out []drive.Field
	for _, f := range fields {
		if !strings.EqualFold(f.Name, name) {
			out = append(out, f)
		}
	}
	return out
}
