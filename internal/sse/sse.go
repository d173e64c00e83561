// Package sse reads and writes event streams as the HTML standard defines them (text/event-stream).
//
// Writing appends to a []byte, so that a caller decides about buffers and flushes; reading is bounded in memory.
package sse
