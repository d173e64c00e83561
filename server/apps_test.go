package server_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/server"
)

func TestSandboxDomain(t *testing.T) {
	// echo -n https://example.com/mcp | sha256sum | cut -c1-32
	assert.Equal(t, "c3d80a4ed901ee05b21755a88273b4a4.claudemcpcontent.com", server.SandboxDomain("https://example.com/mcp"))
	assert.NotEqual(t, server.SandboxDomain("https://example.com/mcp"), server.SandboxDomain("https://example.com/mcp/"))
}

func TestUIMetadata(t *testing.T) {
	on := &struct{}{}
	full, err := server.UIMeta{
		Domain:        "d",
		CSP:           &server.UICSP{ConnectDomains: []string{"c"}, ResourceDomains: []string{"r"}, FrameDomains: []string{"f"}, BaseURIDomains: []string{"b"}},
		Permissions:   &server.UIPermissions{Camera: on, Microphone: on, Geolocation: on, ClipboardWrite: on},
		PrefersBorder: new(false),
	}.Meta()
	require.NoError(t, err)
	assert.Equal(t, `{"ui":{"domain":"d",`+
		`"csp":{"connectDomains":["c"],"resourceDomains":["r"],"frameDomains":["f"],"baseUriDomains":["b"]},`+
		`"permissions":{"camera":{},"microphone":{},"geolocation":{},"clipboardWrite":{}},"prefersBorder":false}}`, string(full))

	some, err := server.UIMeta{CSP: &server.UICSP{}, Permissions: &server.UIPermissions{Microphone: on}}.Meta()
	require.NoError(t, err)
	assert.Equal(t, `{"ui":{"csp":{},"permissions":{"microphone":{}}}}`, string(some))

	tool, err := server.UITool{ResourceURI: "ui://v", Visibility: []string{"app"}}.Meta()
	require.NoError(t, err)
	assert.Equal(t, `{"ui":{"resourceUri":"ui://v","visibility":["app"]}}`, string(tool))
	tool, err = server.UITool{ResourceURI: "ui://v"}.Meta()
	require.NoError(t, err)
	assert.Equal(t, `{"ui":{"resourceUri":"ui://v"}}`, string(tool))
}
