package main

import (
	"context"
	"net"
	"net/http"
	"time"
)

// serveUntil serves h on listener until ctx ends, and then ends it with stop. An error of the serving itself ends it before.
func serveUntil(ctx context.Context, listener net.Listener, h http.Handler, stop func(*http.Server) error) error {
	web := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan error, 1)
	go func() { ended <- web.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return stop(web)
	}
}
