package jwt

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"errors"
	"fmt"
	"strings"

	"github.com/MicahParks/jwkset"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/golang-jwt/jwt/v5"
)

// A key is a public key with what its issuer says of it.
type key struct {
	public  jwt.VerificationKey
	id, alg string
}

const (
	maxKeys    = 64
	leastBits  = 2048 // of an RSA key (RFC 7518 section 3.3)
	forSigning = "sig"
)

// parseKeys reads a JSON Web Key Set (RFC 7517 section 5). Keys that are of no use here are left out: of an unknown kind, for
// encryption, weak, or no public keys.
func parseKeys(document []byte) ([]key, error) {
	var set struct {
		Keys []jsontext.Value `json:"keys"`
	}
	if err := json.Unmarshal(document, &set); err != nil {
		return nil, err
	}
	if len(set.Keys) > maxKeys {
		return nil, fmt.Errorf("there are more than %d keys", maxKeys)
	}
	var out []key
	for _, raw := range set.Keys {
		if k, ok := parseKey(raw); ok {
			out = append(out, k)
		}
	}
	if len(out) == 0 {
		return nil, errors.New("there is no key that could verify a signature")
	}
	return out, nil
}

func parseKey(raw jsontext.Value) (key, bool) {
	var said struct {
		ID  string `json:"kid"`
		Alg string `json:"alg"`
		Use string `json:"use"`
	}
	if json.Unmarshal(raw, &said) != nil || said.Use != "" && said.Use != forSigning {
		return key{}, false
	}
	parsed, err := jwkset.NewJWKFromRawJSON([]byte(raw), jwkset.JWKMarshalOptions{}, jwkset.JWKValidateOptions{})
	if err != nil {
		return key{}, false
	}
	k := key{id: said.ID, alg: said.Alg}
	switch public := parsed.Key().(type) {
	case *rsa.PublicKey:
		k.public = public
		return k, public.N.BitLen() >= leastBits
	case *ecdsa.PublicKey:
		k.public = public
		_, err := public.ECDH() // which only a point on the curve has
		return k, err == nil
	case ed25519.PublicKey:
		k.public = public
		return k, len(public) == ed25519.PublicKeySize
	}
	return key{}, false
}

// fitting returns the keys that may have signed a token: of its kid if it has one, and of a kind that signs by alg.
func (s *snapshot) fitting(kid, alg string) (out jwt.VerificationKeySet) {
	if s == nil {
		return out
	}
	for _, k := range s.keys {
		if (kid == "" || k.id == kid) && (k.alg == "" || k.alg == alg) && signs(k.public, alg) {
			out.Keys = append(out.Keys, k.public)
		}
	}
	return out
}

// signs reports whether a kind of key belongs to an algorithm (RFC 7518 section 3.1, RFC 8037 section 3.1).
func signs(k jwt.VerificationKey, alg string) bool {
	switch k := k.(type) {
	case *rsa.PublicKey:
		return strings.HasPrefix(alg, "RS") || strings.HasPrefix(alg, "PS")
	case *ecdsa.PublicKey:
		return alg == map[int]string{256: "ES256", 384: "ES384", 521: "ES512"}[k.Curve.Params().BitSize]
	case ed25519.PublicKey:
		return alg == "EdDSA"
	}
	return false
}
