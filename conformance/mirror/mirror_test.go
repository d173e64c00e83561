// What goes into a header comes out of it again, and only what needs it is wrapped.
package mirror_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/parley-mcp/parley/conformance/mirror"
)

func TestEncode(t *testing.T) {
	for text, want := range map[string]string{
		"us-west1": "us-west1", "": "", "a b": "a b", " padded ": "=?base64?IHBhZGRlZCA=?=", "line1\nline2": "=?base64?bGluZTEKbGluZTI=?=",
		"=?base64?literal?=": "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=", "=?base64?half": "=?base64?half",
	} {
		assert.Equal(t, want, mirror.Encode(text), "%q", text)
		got, wrapped := mirror.Decode(want)
		assert.Equal(t, text, got)
		assert.Equal(t, text != want, wrapped)
	}
	got, wrapped := mirror.Decode("=?base64?no*base64?=")
	assert.Equal(t, "=?base64?no*base64?=", got)
	assert.False(t, wrapped)
}

func FuzzDecode(f *testing.F) {
	f.Add("=?base64?IHBhZGRlZCA=?=")
	f.Fuzz(func(t *testing.T, text string) {
		got, _ := mirror.Decode(mirror.Encode(text))
		assert.Equal(t, text, got)
		mirror.Decode(text)
	})
}
