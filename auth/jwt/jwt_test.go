// Signed tokens: which signature, type and time is good, and how often an issuer is asked for its keys.
package jwt_test

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/MicahParks/jwkset"
	"github.com/go-json-experiment/json"
	gojwt "github.com/golang-jwt/jwt/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/parley-mcp/parley/auth"
	"github.com/parley-mcp/parley/auth/jwt"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const issuer = "https://login.example.com"

// made are the keys of all tests, since they take long to make.
var made = sync.OnceValue(func() map[string]crypto.Signer {
	out := map[string]crypto.Signer{}
	for name, bits := range map[string]int{"rsa": 2048, "weak": 1024} {
		k, err := rsa.GenerateKey(rand.Reader, bits)
		if err != nil {
			panic(err)
		}
		out[name] = k
	}
	for name, curve := range map[string]elliptic.Curve{"p256": elliptic.P256(), "p384": elliptic.P384()} {
		k, err := ecdsa.GenerateKey(curve, rand.Reader)
		if err != nil {
			panic(err)
		}
		out[name] = k
	}
	for _, name := range []string{"ed", "ed2"} {
		_, k, err := ed25519.GenerateKey(rand.Reader)
		if err != nil {
			panic(err)
		}
		out[name] = k
	}
	return out
})

// published returns a key set, and what is to be changed in each entry's JSON.
func published(t testing.TB, more map[string]map[string]any, names ...string) []byte {
	t.Helper()
	var keys []any
	for _, name := range names {
		k, err := jwkset.NewJWKFromKey(made()[name].Public(), jwkset.JWKOptions{Metadata: jwkset.JWKMetadataOptions{KID: name}})
		require.NoError(t, err)
		raw, err := json.Marshal(k.Marshal())
		require.NoError(t, err)
		var members map[string]any
		require.NoError(t, json.Unmarshal(raw, &members))
		for member, value := range more[name] {
			members[member] = value
		}
		keys = append(keys, members)
	}
	keys = append(keys, map[string]any{"kty": "future", "kid": "unknown"})
	document, err := json.Marshal(map[string]any{"keys": keys})
	require.NoError(t, err)
	return document
}

// mint signs a token. A header that is nil is left out.
func mint(t testing.TB, method gojwt.SigningMethod, key any, header map[string]any, claims gojwt.MapClaims) string {
	t.Helper()
	token := gojwt.NewWithClaims(method, gojwt.MapClaims{"iss": issuer, "sub": "alice", "client_id": "app", "aud": "https://mcp.example.com/mcp",
		"scope": "mcp files:read", "exp": time.Now().Add(time.Hour).Unix()})
	token.Header["typ"] = "at+jwt"
	for name, value := range header {
		if token.Header[name] = value; value == nil {
			delete(token.Header, name)
		}
	}
	for name, value := range claims {
		if token.Claims.(gojwt.MapClaims)[name] = value; value == nil {
			delete(token.Claims.(gojwt.MapClaims), name)
		}
	}
	signed, err := token.SignedString(key)
	require.NoError(t, err)
	return signed
}

func ed(t testing.TB, header map[string]any, claims gojwt.MapClaims) string {
	return mint(t, gojwt.SigningMethodEdDSA, made()["ed"], header, claims)
}

func verifier(t testing.TB, o jwt.Options) *jwt.Verifier {
	t.Helper()
	o.Issuer = issuer
	if o.Keys == nil && o.KeysURL == "" {
		o.Keys = published(t, nil, "rsa", "p256", "p384", "ed")
	}
	v, err := jwt.New(o)
	require.NoError(t, err)
	return v
}

func TestGoodTokens(t *testing.T) {
	v := verifier(t, jwt.Options{})
	for name, token := range map[string]string{
		"RS256": mint(t, gojwt.SigningMethodRS256, made()["rsa"], nil, nil),
		"PS512": mint(t, gojwt.SigningMethodPS512, made()["rsa"], map[string]any{"kid": "rsa"}, nil),
		"ES256": mint(t, gojwt.SigningMethodES256, made()["p256"], nil, nil),
		"ES384": mint(t, gojwt.SigningMethodES384, made()["p384"], nil, nil),
		"EdDSA": ed(t, map[string]any{"kid": "ed", "typ": "application/AT+JWT"}, nil),
	} {
		got, err := v.Verify(t.Context(), token)
		require.NoError(t, err, name)
		assert.Equal(t, "alice", got.Subject, name)
		assert.Equal(t, "app", got.ClientID, name)
		assert.Equal(t, issuer, got.Issuer, name)
		assert.Equal(t, []string{"https://mcp.example.com/mcp"}, got.Audience, name)
		assert.Equal(t, []string{"mcp", "files:read"}, got.Scopes, name)
		assert.WithinDuration(t, time.Now().Add(time.Hour), got.Expires, 5*time.Second, name)
		assert.Contains(t, string(got.Claims), `"sub":"alice"`, name)
	}
}

func TestSpellingsOfClaims(t *testing.T) {
	v := verifier(t, jwt.Options{Leeway: time.Minute})
	got, err := v.Verify(t.Context(), ed(t, nil, gojwt.MapClaims{"aud": []string{"a", "b"}, "scope": nil, "scp": []string{"x", "y"},
		"exp": float64(time.Now().Unix()) + 0.5 - 30, "nbf": time.Now().Add(30 * time.Second).Unix()}))
	require.NoError(t, err)
	assert.Equal(t, []string{"a", "b"}, got.Audience)
	assert.Equal(t, []string{"x", "y"}, got.Scopes)
	assert.True(t, got.Expires.After(time.Now()), "the leeway counts")
	got, err = v.Verify(t.Context(), ed(t, nil, gojwt.MapClaims{"scope": nil, "scp": "x y", "sub": nil}))
	require.NoError(t, err)
	assert.Equal(t, []string{"x", "y"}, got.Scopes)
	assert.Empty(t, got.Subject)
}

// A token is refused for each single thing that is wrong with it.
func TestBadTokens(t *testing.T) {
	v := verifier(t, jwt.Options{Keys: published(t, map[string]map[string]any{"p384": {"use": "enc"}, "p256": {"alg": "RS256"}},
		"rsa", "weak", "p256", "p384", "ed")})
	public, err := jwkset.NewJWKFromKey(made()["rsa"].Public(), jwkset.JWKOptions{})
	require.NoError(t, err)
	modulus := []byte(public.Marshal().N)
	good := ed(t, nil, nil)
	parts := strings.Split(good, ".")
	encode := base64.RawURLEncoding.EncodeToString
	for name, token := range map[string]string{
		"none":                   mint(t, gojwt.SigningMethodNone, gojwt.UnsafeAllowNoneSignatureType, nil, nil),
		"a public key as secret": mint(t, gojwt.SigningMethodHS256, modulus, nil, nil),
		"the key of others":      mint(t, gojwt.SigningMethodEdDSA, made()["ed2"], nil, nil),
		"a weak key":             mint(t, gojwt.SigningMethodRS256, made()["weak"], map[string]any{"kid": "weak"}, nil),
		"a key for encryption":   mint(t, gojwt.SigningMethodES384, made()["p384"], nil, nil),
		"a key for another alg":  mint(t, gojwt.SigningMethodES256, made()["p256"], nil, nil),
		"another key's name":     ed(t, map[string]any{"kid": "rsa"}, nil),
		"an unknown key":         ed(t, map[string]any{"kid": "new"}, nil),
		"an ID token":            ed(t, map[string]any{"typ": "JWT"}, nil),
		"no type":                ed(t, map[string]any{"typ": nil}, nil),
		"an unknown extension":   ed(t, map[string]any{"crit": []string{"x"}}, nil),
		"another issuer":         ed(t, nil, gojwt.MapClaims{"iss": issuer + "/"}),
		"no issuer":              ed(t, nil, gojwt.MapClaims{"iss": nil}),
		"expired":                ed(t, nil, gojwt.MapClaims{"exp": time.Now().Add(-time.Second).Unix()}),
		"without an end":         ed(t, nil, gojwt.MapClaims{"exp": nil}),
		"an end that is no time": ed(t, nil, gojwt.MapClaims{"exp": 1e300}),
		"an end in words":        ed(t, nil, gojwt.MapClaims{"exp": "tomorrow"}),
		"not yet":                ed(t, nil, gojwt.MapClaims{"nbf": time.Now().Add(time.Minute).Unix()}),
		"an audience of numbers": ed(t, nil, gojwt.MapClaims{"aud": []int{1}}),
		"no signature":           parts[0] + "." + parts[1] + ".",
		"another payload":        parts[0] + "." + encode([]byte(`{"iss":"`+issuer+`","exp":9999999999}`)) + "." + parts[2],
		"two parts":              parts[0] + "." + parts[1],
		"no JSON":                encode([]byte("x")) + "." + parts[1] + "." + parts[2],
		"opaque":                 "4bwcZesc7Xacc330ltc66Wxk8EAfP9j2",
		"empty":                  "",
	} {
		got, err := v.Verify(t.Context(), token)
		assert.ErrorIs(t, err, auth.ErrInvalidToken, name)
		assert.Nil(t, got, name)
	}
	_, err = v.Verify(t.Context(), good)
	assert.NoError(t, err)
}

// A member in other letters, or twice, is not read as what it is not.
func TestStrictClaims(t *testing.T) {
	sign := func(payload string) string {
		head := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"EdDSA","typ":"at+jwt"}`)) + "." + base64.RawURLEncoding.EncodeToString([]byte(payload))
		signature, err := gojwt.SigningMethodEdDSA.Sign(head, made()["ed"])
		require.NoError(t, err)
		return head + "." + base64.RawURLEncoding.EncodeToString(signature)
	}
	v := verifier(t, jwt.Options{})
	got, err := v.Verify(t.Context(), sign(`{"iss":"`+issuer+`","exp":9999999999,"sub":"alice","SUB":"bob"}`))
	require.NoError(t, err)
	assert.Equal(t, "alice", got.Subject)
	_, err = v.Verify(t.Context(), sign(`{"iss":"`+issuer+`","exp":9999999999,"sub":"alice","sub":"bob"}`))
	assert.ErrorIs(t, err, auth.ErrInvalidToken)
}

func TestOtherTypesAndAlgorithms(t *testing.T) {
	v := verifier(t, jwt.Options{Types: []string{"JWT"}, Algorithms: []string{"ES256"}})
	_, err := v.Verify(t.Context(), mint(t, gojwt.SigningMethodES256, made()["p256"], map[string]any{"typ": "JWT"}, nil))
	assert.NoError(t, err)
	_, err = v.Verify(t.Context(), mint(t, gojwt.SigningMethodES256, made()["p256"], nil, nil))
	assert.ErrorIs(t, err, auth.ErrInvalidToken)
	_, err = v.Verify(t.Context(), ed(t, map[string]any{"typ": "JWT"}, nil))
	assert.ErrorIs(t, err, auth.ErrInvalidToken)
}

// A desk answers for the issuer, without a network.
type desk struct {
	mu     sync.Mutex
	answer func() (int, []byte, error)
	asked  int
}

func (d *desk) RoundTrip(r *http.Request) (*http.Response, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked++
	status, body, err := d.answer()
	if err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: status, Status: fmt.Sprint(status), Body: io.NopCloser(bytes.NewReader(body)), Request: r}, nil
}

func (d *desk) publish(document []byte) {
	d.answer = func() (int, []byte, error) { return 200, document, nil }
}

func fetching(t *testing.T) (*desk, *jwt.Verifier) {
	d := &desk{}
	return d, verifier(t, jwt.Options{KeysURL: issuer + "/keys", Client: &http.Client{Transport: d}})
}

// Keys are fetched once, again when a token names a new one, and no more often than allowed, however many tokens come.
func TestRotation(t *testing.T) {
	first, second := published(t, nil, "ed"), published(t, nil, "ed2")
	synctest.Test(t, func(t *testing.T) {
		d, v := fetching(t)
		d.publish(first)
		old := func() error { _, err := v.Verify(t.Context(), ed(t, map[string]any{"kid": "ed"}, nil)); return err }
		fresh := func() error {
			_, err := v.Verify(t.Context(), mint(t, gojwt.SigningMethodEdDSA, made()["ed2"], map[string]any{"kid": "ed2"}, nil))
			return err
		}
		assert.Zero(t, d.asked)
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() { assert.NoError(t, old()) })
		}
		all.Wait()
		assert.Equal(t, 1, d.asked)
		for range 10 {
			assert.ErrorIs(t, fresh(), auth.ErrInvalidToken)
		}
		assert.Equal(t, 1, d.asked, "it was just fetched")

		d.publish(second)
		time.Sleep(61 * time.Second)
		assert.NoError(t, old(), "it is not yet time")
		assert.Equal(t, 1, d.asked)
		assert.NoError(t, fresh())
		assert.Equal(t, 2, d.asked)
		assert.ErrorIs(t, old(), auth.ErrInvalidToken, "its key was withdrawn")

		d.publish(first)
		time.Sleep(time.Hour)
		assert.NoError(t, old(), "keys are not used for ever")
		assert.ErrorIs(t, fresh(), auth.ErrInvalidToken)
		assert.Equal(t, 3, d.asked)
	})
}

// An issuer that cannot be reached is no reason to call a token bad, nor to forget its keys.
func TestIssuerIsDown(t *testing.T) {
	document := published(t, nil, "ed")
	synctest.Test(t, func(t *testing.T) {
		d, v := fetching(t)
		verify := func() error { _, err := v.Verify(t.Context(), ed(t, nil, nil)); return err }
		for name, answer := range map[string]func() (int, []byte, error){
			"no connection": func() (int, []byte, error) { return 0, nil, errors.New("refused") },
			"a redirect":    func() (int, []byte, error) { return 302, nil, nil },
			"no keys":       func() (int, []byte, error) { return 200, []byte(`{"keys":[]}`), nil },
			"no JSON":       func() (int, []byte, error) { return 200, []byte(`<html>`), nil },
			"too much": func() (int, []byte, error) {
				return 200, append([]byte(`{"keys":[]}`), bytes.Repeat([]byte(" "), 1<<20)...), nil
			},
			"too many": func() (int, []byte, error) { return 200, []byte(`{"keys":[` + strings.Repeat("{},", 64) + `{}]}`), nil },
		} {
			d.answer = answer
			time.Sleep(5 * time.Second)
			asked := d.asked
			for range 3 {
				err := verify()
				assert.Error(t, err, name)
				assert.NotErrorIs(t, err, auth.ErrInvalidToken, name)
			}
			assert.Equal(t, asked+1, d.asked, name)
		}
		d.publish(document)
		time.Sleep(5 * time.Second)
		require.NoError(t, verify())
		d.answer = func() (int, []byte, error) { return 500, nil, nil }
		time.Sleep(2 * time.Hour)
		assert.NoError(t, verify(), "the old keys stay in use")
	})
}

// Whoever forges tokens makes nobody fetch keys before its issuer and type are right.
func TestForgeriesFetchNothing(t *testing.T) {
	d, v := fetching(t)
	for _, token := range []string{ed(t, map[string]any{"typ": "JWT"}, nil), ed(t, nil, gojwt.MapClaims{"iss": "https://other.example.com"}),
		mint(t, gojwt.SigningMethodHS256, []byte("secret"), nil, nil)} {
		_, err := v.Verify(t.Context(), token)
		assert.ErrorIs(t, err, auth.ErrInvalidToken)
	}
	assert.Zero(t, d.asked)
}

func TestWrongOptions(t *testing.T) {
	document := published(t, nil, "ed")
	for want, o := range map[string]jwt.Options{
		"Issuer is empty":           {Keys: document},
		"one of KeysURL and Keys":   {Issuer: issuer},
		"needs one of":              {Issuer: issuer, Keys: document, KeysURL: issuer},
		"negative":                  {Issuer: issuer, Keys: document, Leeway: -1},
		`"none" is none of`:         {Issuer: issuer, Keys: document, Algorithms: []string{"none"}},
		`"HS256" is none of`:        {Issuer: issuer, Keys: document, Algorithms: []string{"HS256"}},
		"must be an https URL":      {Issuer: issuer, KeysURL: "http://login.example.com/keys"},
		"KeysURL: parse":            {Issuer: issuer, KeysURL: "://"},
		"Options.Keys: there is no": {Issuer: issuer, Keys: []byte(`{"keys":[]}`)},
	} {
		_, err := jwt.New(o)
		assert.ErrorContains(t, err, want)
	}
}

// FuzzVerify: whatever comes as a token is refused with the one error that says so, unless the issuer has signed it.
func FuzzVerify(f *testing.F) {
	v := verifier(f, jwt.Options{})
	good := ed(f, nil, nil)
	f.Add(good)
	f.Add(good[:len(good)-2])
	f.Add(mint(f, gojwt.SigningMethodHS256, []byte("secret"), nil, nil))
	f.Add("e30.e30.")
	f.Add("..")
	f.Fuzz(func(t *testing.T, token string) {
		got, err := v.Verify(t.Context(), token)
		if err != nil {
			assert.ErrorIs(t, err, auth.ErrInvalidToken)
			return
		}
		assert.Equal(t, good, token)
		assert.Equal(t, "alice", got.Subject)
	})
}

// FuzzKeys: whatever an issuer publishes is read, or refused, without harm.
func FuzzKeys(f *testing.F) {
	f.Add(published(f, nil, "ed", "rsa", "p256"))
	f.Add([]byte(`{"keys":[{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}]}`))
	f.Add([]byte(`{"keys":[{"kty":"OKP","crv":"Ed25519","x":"AA"},{"kty":"RSA","n":"AA","e":""},{"kty":"oct","k":"AA"}]}`))
	token := ed(f, nil, nil)
	f.Fuzz(func(t *testing.T, document []byte) {
		v, err := jwt.New(jwt.Options{Issuer: issuer, Keys: document})
		if err == nil {
			_, _ = v.Verify(t.Context(), token)
		}
	})
}
