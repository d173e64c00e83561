package main

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/gorilla/mux"
)

type userKey struct{}

func userOf(ctx context.Context) string {
	user, _ := ctx.Value(userKey{}).(string)
	return user
}

// known lets users pass. The header stands for whatever an application has: a cookie, a token, a proxy's word.
func known(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user := r.Header.Get("X-User")
		if user == "" {
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), userKey{}, user)))
	})
}

// logged logs each request and its status.
func logged(logger *slog.Logger) mux.MiddlewareFunc {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			seen := &recorder{ResponseWriter: w, status: http.StatusOK}
			next.ServeHTTP(seen, r)
			logger.Info("request", "method", r.Method, "path", r.URL.Path, "status", seen.status)
		})
	}
}

// A recorder remembers the status of an answer.
type recorder struct {
	http.ResponseWriter
	status int
}

func (r *recorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

// Unwrap lets http.ResponseController reach what the wrapped writer can do. Without it events would not be flushed.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
