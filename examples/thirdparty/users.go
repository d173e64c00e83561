package main

import (
	"context"
	"crypto/rand"
	"net/http"
	"net/url"
	"strings"
	"sync"
)

// Whom the server knows: by the token of an MCP client, and by the login in a browser. Both lead to the same name, as they do
// where one authorization server stands behind both (the sub of its tokens). What is here stands in for that.
var (
	tokens    = map[string]string{"ada-token": "ada", "bob-token": "bob"}
	passwords = map[string]string{"ada": "ada-password", "bob": "bob-password"}
	logins    sync.Map // user by cookie
)

type userKey struct{}

func userOf(ctx context.Context) string {
	user, _ := ctx.Value(userKey{}).(string)
	return user
}

func as(r *http.Request, user string) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), userKey{}, user))
}

// withToken lets MCP clients pass that have a token: who calls is never found out by sending a user elsewhere.
func withToken(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		user, ok := tokens[token]
		if !ok {
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "a token, please", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, as(r, user))
	})
}

const cookieName = "login"

// withLogin lets users pass who have logged in in this browser, and sends others to the login first.
func withLogin(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if cookie, err := r.Cookie(cookieName); err == nil {
			if user, ok := logins.Load(cookie.Value); ok {
				next(w, as(r, user.(string)))
				return
			}
		}
		http.Redirect(w, r, "/login?next="+url.QueryEscape(r.URL.RequestURI()), http.StatusFound)
	}
}

// login is the login in a browser. Served over TLS, the cookie would be Secure, too.
func login(w http.ResponseWriter, r *http.Request) {
	name, next := r.FormValue("user"), r.FormValue("next")
	if want, ok := passwords[name]; !ok || r.Method != http.MethodPost || r.PostFormValue("password") != want {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = w.Write([]byte(`<form method="post">Name: <input name="user"> Password: <input name="password" type="password"> <button>Log in</button></form>`))
		return
	}
	if !strings.HasPrefix(next, "/connect?") && !strings.HasPrefix(next, "/callback?") {
		http.Error(w, "there is no such page", http.StatusBadRequest)
		return
	}
	cookie := rand.Text()
	logins.Store(cookie, name)
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: cookie, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
	http.Redirect(w, r, next, http.StatusSeeOther)
}
