package auth

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
)

// Why a request brings no token that could be looked at. errNone alone is no mistake: it is answered without an error code.
var (
	errNone  = errors.New("no bearer token")
	errTwice = errors.New("the Authorization header must be there once")
	errShape = errors.New("the Authorization header must be: Bearer, a blank, and a token of letters, digits and -._~+/=")
	errQuery = errors.New("a token in the URL is not accepted: send it in the Authorization header")
)

// bearer returns the token of a request. It is read from the Authorization header alone (RFC 6750 section 2.1; 2025-11-25
// basic/authorization#token-requirements): one in the query has been written into logs already.
func bearer(r *http.Request) (string, error) {
	if inQuery(r.URL) {
		return "", errQuery
	}
	fields := r.Header["Authorization"]
	switch len(fields) {
	case 0:
		return "", errNone
	case 1:
		return parseBearer(fields[0])
	}
	return "", errTwice
}

// parseBearer reads the value of an Authorization header. A scheme is the same in capitals (RFC 9110 section 11.1). One that is
// not Bearer is the same as no token (RFC 6750 section 3.1).
func parseBearer(field string) (string, error) {
	scheme, rest, _ := strings.Cut(field, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return "", errNone
	}
	token := strings.Trim(rest, " ")
	if !isToken68(token) {
		return "", errShape
	}
	return token, nil
}

// isToken68 reports whether s is 1*( ALPHA / DIGIT / "-" / "." / "_" / "~" / "+" / "/" ) *"=".
func isToken68(s string) bool {
	s = strings.TrimRight(s, "=")
	for i := range len(s) {
		c := s[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && strings.IndexByte("-._~+/", c) < 0 {
			return false
		}
	}
	return s != ""
}

// inQuery reports whether the query has the parameter of RFC 6750 section 2.3.
func inQuery(u *url.URL) bool {
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		name, _, _ := strings.Cut(pair, "=")
		if name == "access_token" {
			return true
		}
		if plain, err := url.QueryUnescape(name); err == nil && plain == "access_token" {
			return true
		}
	}
	return false
}
