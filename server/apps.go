package server

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// MCP Apps lets a host show the result of a tool in a view of the server's own: an HTML page that is a resource with a ui
// URI. The tool's _meta points to it (UITool), the resource's says how it is shown (UIMeta), both in the list and in the
// contents. A tool with a view still returns content that hosts without views can show (extensions/apps/overview).

// AppExtension names MCP Apps in the extensions of Options, with {} for its settings, and in those of a client.
const AppExtension = "io.modelcontextprotocol/ui"

// AppMIMEType is the MIME type of an MCP Apps resource, in the list and in the contents.
const AppMIMEType = "text/html;profile=mcp-app"

// SandboxDomain returns the domain under which a host shows the MCP Apps of the server at endpoint, its full URL as clients
// use it. It is what UIMeta.Domain should be: stable for one server, and different for each. The form is that of one
// host: others document theirs.
func SandboxDomain(endpoint string) string {
	sum := sha256.Sum256([]byte(endpoint))
	return hex.EncodeToString(sum[:])[:32] + ".claudemcpcontent.com"
}

// A UIMeta is what a resource with a ui URI says about how it is shown. It belongs into Resource.Meta and
// ResourceContents.Meta, where the latter counts more. All parts are optional.
type UIMeta struct {
	// Domain is the sandbox's domain: see SandboxDomain.
	Domain string `json:"domain,omitempty"`
	// CSP widens what the content may reach; nothing outside by default.
	CSP *UICSP `json:"csp,omitzero"`
	// Permissions are what the content would like to use, and must do without.
	Permissions *UIPermissions `json:"permissions,omitzero"`
	// PrefersBorder asks for a visible border or for none. Hosts differ in what nil means.
	PrefersBorder *bool `json:"prefersBorder,omitzero"`
}

// A UICSP lists the origins that a view may use.
type UICSP struct {
	// ConnectDomains are for requests, ResourceDomains for scripts, images, styles and fonts.
	ConnectDomains  []string `json:"connectDomains,omitempty"`
	ResourceDomains []string `json:"resourceDomains,omitempty"`
	// FrameDomains are for frames inside the view, BaseURIDomains for its base URI.
	FrameDomains   []string `json:"frameDomains,omitempty"`
	BaseURIDomains []string `json:"baseUriDomains,omitempty"`
}

// UIPermissions are a browser's permissions; each that is not nil is asked for.
type UIPermissions struct {
	Camera         *struct{} `json:"camera,omitzero"`
	Microphone     *struct{} `json:"microphone,omitzero"`
	Geolocation    *struct{} `json:"geolocation,omitzero"`
	ClipboardWrite *struct{} `json:"clipboardWrite,omitzero"`
}

// Meta returns the _meta of a resource, and of its contents.
func (m UIMeta) Meta() (jsontext.Value, error) { return uiMeta(m) }

// A UITool ties a tool to the view that shows its results. It belongs into Tool.Meta.
type UITool struct {
	// ResourceURI is the view: a resource with a ui URI.
	ResourceURI string `json:"resourceUri"`
	// Visibility is who may call the tool: model, app, or both if empty.
	Visibility []string `json:"visibility,omitempty"`
}

// Meta returns the _meta of a tool.
func (m UITool) Meta() (jsontext.Value, error) { return uiMeta(m) }

func uiMeta(m any) (jsontext.Value, error) {
	b, err := json.Marshal(map[string]any{"ui": m}, json.Deterministic(true))
	if err != nil {
		return nil, fmt.Errorf("ui metadata: %w", err)
	}
	return b, nil
}
