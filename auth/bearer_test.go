package auth

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// FuzzBearer: what is read from a header is a token that the header holds, and never an empty one.
func FuzzBearer(f *testing.F) {
	for _, seed := range []string{"", "Bearer", "Bearer a", "bearer  a.b-c_d~e+f/g==", "Bearer a b", "Basic YTpi", "Bearer =", "Bearer a=b", "Bearer é"} {
		f.Add(seed, "")
	}
	f.Add("Bearer a", "access_token=b")
	f.Add("Bearer a", "access%5ftoken")
	f.Add("Bearer a", "%zz&;=")
	f.Fuzz(func(t *testing.T, field, query string) {
		r := httptest.NewRequest("POST", "/", nil)
		r.URL.RawQuery = query
		r.Header["Authorization"] = []string{field}
		token, err := bearer(r)
		if err != nil {
			assert.Empty(t, token)
			return
		}
		assert.True(t, isToken68(token))
		assert.True(t, strings.EqualFold(field[:7], "bearer "))
		assert.Equal(t, token, strings.Trim(field[7:], " "))
		assert.NotContains(t, r.URL.Query(), "access_token")
	})
}
